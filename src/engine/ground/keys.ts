/** Finds text with the form of a key. The patterns are few and precise, because a false alarm stops work; `redact.ts` covers the rest. */

/** Lines (from 1) that contain a key, and its kind. */
export function keysIn(lines: string[]): { line: number; what: string }[] {
  return lines.flatMap((text, index) => {
    const header = keyHeader.exec(text);
    const after = header && [text.slice(header.index + header[0].length), ...lines.slice(index + 1, index + 6)];
    if (after && hasBody(after)) return [{ line: index + 1, what: 'a private key' }];
    const form = keyForms.find(({ pattern }) => pattern.test(text));
    return form ? [{ line: index + 1, what: form.what }] : [];
  });
}

/** Code that parses keys contains only the header. A real key has its body after it, or after header fields and a blank line. */
function hasBody([rest = '', ...next]: string[]): boolean {
  const first = next.find((line) => !/^\W*([A-Za-z-]+: .*)?$/.test(line)) ?? '';
  return keyBody.test(rest) || keyBody.test(first);
}

const keyForms: { what: string; pattern: RegExp }[] = [
  { what: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)(?!\w*EXAMPLE)[A-Z0-9]{16}\b/ },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,})/ },
  { what: 'a GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20}/ },
  { what: 'a Slack token', pattern: /\bxox[abprs]-[0-9]{8,}-[A-Za-z0-9-]{10,}/ },
  { what: 'a Stripe live key', pattern: /\b[rs]k_live_[A-Za-z0-9]{20,}/ },
  { what: 'an Anthropic key', pattern: /\bsk-ant-[A-Za-z0-9]+-[A-Za-z0-9_-]{30,}/ },
  { what: 'an OpenAI key', pattern: /\bsk-(?:proj-|svcacct-)[A-Za-z0-9_-]{40,}/ },
  { what: 'a Google API key', pattern: /\bAIza[A-Za-z0-9_-]{35}\b/ },
  { what: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/ },
];
const keyHeader = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;
const keyBody = /[A-Za-z0-9+/=]{40}/;
