/** Registries that answered an install with 401 or 403. Through https only the package manager sees that, so its output tells. */

const refusal =
  /\bE40[13]\b|\b40[13] (Unauthorized|Forbidden|Error|Client)|\b(got|HTTP|HTTP error|[Ss]tatus|[Ss]tatus code|success):? \(?40[13]\b|\bENEEDAUTH\b|\b[Aa]uthentication (is )?(required|failed)|\brequired authentication\b/;
const address = /https?:\/\/([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(?::\d+)?\b/gi;

/**
 * @param reached hosts that the install was connected to: its output alone proves nothing.
 * @param withheld those of them for which this machine has credentials.
 */
export function loginsIn(output: string, reached: readonly string[], withheld: readonly string[]): string[] {
  const lines = output.split('\n').filter((line) => line.length < longestLine && refusal.test(line));
  if (lines.length === 0) return [];
  const names = lines.flatMap((line) => [...line.matchAll(address)].map(([, host = '']) => host.toLowerCase()));
  const named = reached.filter((host) => names.includes(host.replace(/:\d+$/, '').toLowerCase()));
  return [...new Set(named.length > 0 ? named : withheld)];
}

const longestLine = 2000;
