/**
 * How the deliverable is used, for the delivery report: from what the engine saw work on the final tree, and what the Evaluator
 * really did there (I8). The repository's own documentation is no evidence, and is not repeated.
 */
import { asCode, inWords } from '../ground/markdown.ts';
import { ticksFor } from '../ground/text.ts';
import { plainCommand } from '../parse/install-command.ts';
import { finalOf } from '../judge/ending.ts';
import type { State } from '../state/state.ts';
import { asksForPort, portVariable } from '../services/ports.ts';
import { readyWords, startWords } from '../services/service-words.ts';
import { probeOf, servicesOf } from '../services/services.ts';
import type { Use } from '../work/assessment.ts';
import { wayOf } from '../work/way.ts';

export function howToUseLines(state: State): string[] {
  const { evaluation } = finalOf(state);
  if (!evaluation || evaluation.fallback) return ['The final tree was not used as its user would, so nothing here can say how it is used.'];
  const { howToUse: uses } = evaluation;
  if (uses.length === 0)
    return [
      'Unknown: the evaluation named nothing that was run, opened or read. Nobody verified what the repository says about its own use.',
    ];
  const lines = [...serviceLines(state), ...uses.map(useWords)];
  const ports = portsIn(state, lines);
  const how = ports.length > 0 ? `${doneWords} ${portWords(ports)}` : doneWords;
  const { isAll } = firstUses(state);
  return [...installLines(state), how, '', ...(isAll ? ['All of it stands above, under _Try it_.'] : lines)];
}

/** Lines on the first page, those that start a service among them. */
const mostUses = 3;

/**
 * What the first page names: commands first, or of an application in a browser its pages. `isAll`: there is no more to say. No lines
 * where nobody used the final tree.
 */
export function firstUses(state: State): { lines: string[]; isAll: boolean } {
  const { evaluation } = finalOf(state);
  const uses = evaluation?.fallback === false ? evaluation.howToUse : [];
  if (uses.length === 0) return { lines: [], isAll: true };
  const starts = serviceLines(state);
  const main = wayOf(state.work.context) === 'web_app' ? 'page' : 'command';
  const first = [...uses.filter(({ kind }) => kind === main), ...uses.filter(({ kind }) => kind !== main)];
  const shown = mostVaried(first, Math.max(1, mostUses - starts.length));
  return { lines: [...starts, ...shown.map(useWords)], isAll: shown.length === uses.length };
}

/** The first, and of the others those that hold the most that none before them does: not one option in two ways and another never. */
function mostVaried(uses: readonly Use[], count: number): Use[] {
  const chosen: Use[] = uses.slice(0, 1);
  const left = uses.slice(1);
  while (chosen.length < count && left.length > 0) {
    const known = new Set(chosen.flatMap(wordsOf));
    const newIn = (use: Use): number => wordsOf(use).filter((word) => !known.has(word)).length;
    const alike = left.filter(({ kind }) => kind === left[0]?.kind);
    const next = alike.reduce((best, use) => (newIn(use) > newIn(best) ? use : best));
    chosen.push(...left.splice(left.indexOf(next), 1));
  }
  return chosen.toSorted((one, other) => uses.indexOf(one) - uses.indexOf(other));
}

/** Each once; none of what is long, or shows a mistake: others come first. */
function wordsOf({ it, exit }: Use): string[] {
  return it.includes('\n') || exit !== undefined ? [] : [...new Set(it.split(/[\s'"=]+/))];
}

const doneWords =
  "All of this was done in a fresh checkout of the final tree and is in the engine's record: each command ended with exit status 0, or with the one that is named, or served its page, each page was there, each file was read.";

interface NamedPort {
  name: string;
  port: number;
}

/** The ports that lines name, and what a person may set for each. */
export function portsIn({ work }: State, lines: readonly string[]): NamedPort[] {
  const names = new Set(lines.flatMap((line) => [...line.matchAll(/\$\{?(PORT\w*)/g)].map(([, name = '']) => name)));
  const own = servicesOf(work).filter(asksForPort).map(portVariable);
  return [...names].map((name) => ({ name, port: 8080 + Math.max(0, own.indexOf(name)) }));
}

export function exportOf(ports: readonly NamedPort[]): string {
  return `export ${ports.map(({ name, port }) => `${name}=${port}`).join(' ')}`;
}

function portWords(ports: readonly NamedPort[]): string {
  const names = ports.map(({ name }) => `\`$${name}\``).join(' and ');
  const stand = ports.length > 1 ? 'stand for free ports, which were' : 'stands for a free port, which was';
  return `${names} ${stand} set for it: \`${exportOf(ports)}\` before you follow it.`;
}

/** The installs that prepared the checkout of the evaluation. */
export function installCommands({ ledger }: State): string[] {
  return Object.values(ledger.installs).map(({ install }) => asTyped(plainCommand(install)));
}

function installLines(state: State): string[] {
  const commands = installCommands(state);
  return commands.length === 0 ? [] : [`Install what it needs once, as the checkout was prepared: ${commands.join(', ')}.`, ''];
}

/** Where a command begins, behind its variables: in `bundle exec` it is a word of that program. */
const ownExec = /((?:^|[;&|(]\s*)(?:\w+=(?:"[^"]*"|'[^']*'|[^\s"'])*\s+)*)exec\s+/;

/** As verifications start it, which may be with data that nobody keeps. */
function serviceLines(state: State): string[] {
  const first = servicesOf(state.work).find(asksForPort);
  return servicesOf(state.work)
    .filter((service) => probeOf(state, service.name)?.up === true)
    .map((one) => {
      const { name } = one;
      // In a shell that somebody types in, `exec` would end that shell.
      const typed = startWords(one).replace(ownExec, '$1');
      const hasOther = asksForPort(one) && one !== first;
      const start = hasOther ? `(export PORT=$${portVariable(one)}; ${typed})` : typed;
      const ready = hasOther ? readyWords(one).replaceAll(/\$(PORT\b|\{PORT\})/g, () => `$${portVariable(one)}`) : readyWords(one);
      const lost = /\bmktemp\b|\/tmp\//.test(start) ? ' What it stores so is thrown away: give it a place of your own.' : '';
      return `- Start ${name}: ${asTyped(start)}; it is ready when ${readyWhen(ready)}.${lost}`;
    });
}

function readyWhen(probe: string): string {
  return probe.startsWith('`') ? `${probe} succeeds` : `${probe} answers`;
}

const verbs: Record<Use['kind'], string> = { command: '', page: 'open ', file: 'read ' };

/** `- Print the total: …` */
function useWords({ what, kind, it, exit, serve }: Use): string {
  const status = exit === undefined || /\bexit (status|code)\b/i.test(what) ? '' : ` (exit status ${exit})`;
  const meanwhile = serve === undefined ? '' : `, while this runs: ${asTyped(serve)}`;
  return `- ${inWords(what).replace(/[.:]$/, '')}${status}: ${verbs[kind]}${asTyped(it)}${meanwhile}`;
}

/** Markdown that shows the text unchanged; several lines become a block below their list item. */
function asTyped(text: string): string {
  if (!text.includes('\n')) return asCode(text);
  const fence = ticksFor(text, 3);
  return ['', '', fence, ...text.split('\n'), fence].map((line) => (line === '' ? '' : `  ${line}`)).join('\n');
}
