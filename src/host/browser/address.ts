/** The address of a page, as agents, verifications and people write it. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface AddressGround {
  root: string;
  /** Variables, those that name ports among them. */
  ports: Readonly<Record<string, string | undefined>>;
}

/** Completes an address: port, scheme, or the path of a file below the root, with a place in it. */
export function addressOf(url: string, { root, ports }: AddressGround): string {
  const text = url
    .trim()
    .replaceAll(/\$(?:(PORT\w*)|\{(PORT\w*)\})/g, (words, bare?: string, braced?: string) => ports[bare ?? braced ?? ''] ?? words);
  if (/^(https?|file|about|data):/i.test(text)) return text;
  if (/^(localhost|127\.|\[::1\])/.test(text)) return `http://${text}`;
  const [, path = text, place = ''] = /^([^?#]+)([?#].*)?$/.exec(text) ?? [];
  return `${pathToFileURL(resolve(root, path)).href}${place}`;
}
