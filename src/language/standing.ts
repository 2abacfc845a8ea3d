/** How the sprint stands, shown in PRD.md: above each requirement, and for the pointer on it. */
import type { CodeLens, Hover, Position } from 'vscode-languageserver-types';
import type { StandingRequirement } from '../views/model/documents-view.ts';
import { idAt } from './ids.ts';
import type { Kind } from './place.ts';
import { readPrd } from './prd.ts';

/** Commands of the extension; each gets `{ verifications }`, a list of ids. */
export const lensCommands = { evidence: 'loop.showFailureHistory', run: 'loop.runVerifications' } as const;

export function lensesOf(text: string, standing: readonly StandingRequirement[]): CodeLens[] {
  const byId = new Map(standing.map((one) => [one.id, one]));
  return readPrd(text).requirements.flatMap(({ id, range }) => {
    const one = byId.get(id);
    if (!one) return [];
    const commands = [
      { title: one.words, command: '' },
      ...(one.verifications.length > 0
        ? [{ title: 'Show Evidence', command: lensCommands.evidence, arguments: [{ verifications: one.verifications }] }]
        : []),
      ...(one.runnable.length > 0 ? [{ title: 'Run', command: lensCommands.run, arguments: [{ verifications: one.runnable }] }] : []),
    ];
    return commands.map((command) => ({ range, command }));
  });
}

/** For a requirement's whole line, and for an id wherever it stands. Plain text: what a model wrote loads no picture. */
export function hoverAt(
  source: { kind: Kind; text: string },
  position: Position,
  { prd, standing }: { prd: string; standing: readonly StandingRequirement[] },
): Hover | undefined {
  const { requirements } = readPrd(prd);
  const onLine = source.kind === 'prd' ? requirements.find(({ line }) => line === position.line) : undefined;
  const mentioned = idAt(source, position, prd);
  const id = mentioned?.id ?? onLine?.id;
  const requirement = requirements.find((one) => one.id === id);
  if (!requirement) return undefined;
  const known = standing.find((one) => one.id === id);
  const value = [`${requirement.id} ${requirement.title}`, ...(known ? [known.words, ...known.details] : [])].join('\n');
  return { contents: { kind: 'plaintext', value }, range: mentioned?.range ?? requirement.range };
}
