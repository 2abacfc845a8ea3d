/** The address of a page, as agents, verifications and people write it. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Completes an address: port, scheme, or the path of a file below the root, with a place in it. */
export function addressOf(url: string, { root, port }: { root: string; port: number | string }): string {
  const text = url.trim().replaceAll(/\$(PORT\b|\{PORT\})/g, String(port));
  if (/^(https?|file|about|data):/i.test(text)) return text;
  if (/^(localhost|127\.|\[::1\])/.test(text)) return `http://${text}`;
  const [, path = text, place = ''] = /^([^?#]+)([?#].*)?$/.exec(text) ?? [];
  return `${pathToFileURL(resolve(root, path)).href}${place}`;
}
