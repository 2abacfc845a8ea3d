/** An honest builder and an honest fixer, who now and then make a mistake. */
import { contradicting, dependingOn, type Feature } from '../brief.ts';
import { manifest } from '../world/runner.ts';
import { assignment, commentLine, endingLine, withValues } from '../world/work.ts';
import { featuresIn, has, pathsOf, taskFeatures, type Answer, type Call, type Done, type Program, type Turn } from './turn.ts';

export const build: Program = (turn) => {
  const own = taskFeatures(turn);
  const features = turn.random.chance(0.1) ? withNeighbours(turn, own) : own;
  const needs = missingSupplies(turn, features);
  if (needs) return needs;
  const changes = write(turn, features, turn.random.chance(turn.scenario.errorRate) ? drawMistake(turn, features) : extraLine(turn));
  if (changes.length > 0 && changes.every(([tool]) => tool === 'read_file')) return changes;
  return [...changes, ['report_task_complete', reportOf(turn)]];
};

/** The features of the task and others in the same files: now and then a builder does the work of other tasks. */
function withNeighbours({ brief }: Turn, own: readonly Feature[]): Feature[] {
  const paths = new Set(pathsOf(own));
  return brief.features.filter((f) => own.includes(f) || (paths.has(f.path) && f.supply === undefined));
}

export const fix: Program = (turn) => {
  const script = scriptIn(turn.prompt);
  const refused = turn.done.some((d) => d.tool === 'report_fix' && !d.ok);
  if (/^It is started,/m.test(turn.prompt) && script === misdeclared && !refused)
    return [
      [
        'report_fix',
        { ...fixReport([]), declaration_wrong: { evidence: `\`${misdeclared}\` is no command; the service starts with works.` } },
      ],
    ];
  if (lacksTool(turn) && !refused) return [['report_fix', { ...fixReport([]), environment_at_fault: fault }]];
  if (turn.target.startsWith('suite/') && turn.prompt.includes(contradicting) && !refused)
    return [
      ['report_fix', { ...fixReport([]), verification_wrong: { evidence: `A requirement asks for another value than ${contradicting}.` } }],
    ];
  const isMistaken = turn.random.chance(turn.scenario.errorRate);
  const contradicted = expectedIn(turn, script).filter(({ feature, value }) => feature.value !== value);
  if (contradicted.length > 0 && !refused && !isMistaken)
    return [['report_fix', { ...fixReport([]), verification_wrong: { evidence: evidenceOf(contradicted) } }]];
  const features = namedFeatures(turn);
  const changes = write(turn, features, isMistaken ? drawMistake(turn, features) : {});
  if (changes.length > 0 && changes.every(([tool]) => tool === 'read_file')) return changes;
  return [...changes, ['report_fix', fixReport(pathsOf(features))]];
};

/** How discovery says that the service is started, where it is wrong. */
export const misdeclared = 'serve';

const fault = { missing: 'the tool abacus is not installed', how_to_tell: 'ask abacus' };

/** The last failure is of a tool that nobody can bring by a change of the work. */
function lacksTool({ prompt }: Turn): boolean {
  const shown = /What (?:the last run showed|it printed):\n\n```\n([\s\S]*?)\n```/.exec(prompt)?.[1] ?? '';
  return shown.includes("Cannot find module 'abacus'");
}

/** The features that scripts and evidence name, by feature or by file. */
function namedFeatures(turn: Turn): Feature[] {
  const blocks = turn.prompt.replaceAll(/<document[\s\S]*?<\/document>/g, '').match(/```\n[\s\S]*?\n```/g) ?? [];
  const text = blocks.join('\n');
  const named = featuresIn(turn, text);
  return turn.brief.features.filter((f) => named.includes(f) || text.includes(`${f.path}:`));
}

export function reportOf({ target }: Turn): Record<string, unknown> {
  return { task_id: target, value_verified: 'I looked at it.' };
}

export function fixReport(paths: readonly string[]): Record<string, unknown> {
  return { fix_applied: 'gave it its value', files_changed: paths, reasoning: 'it had another value than the PRD says' };
}

/** The script in a prompt about one verification: the first block of code. */
export function scriptIn(prompt: string): string {
  return /```\n([\s\S]*?)\n```/.exec(prompt)?.[1] ?? '';
}

export function expectedIn({ brief }: Turn, script: string): { feature: Feature; value: number }[] {
  return [...script.matchAll(/^expect (\w+) (\d+)$/gm)].flatMap(([, name, value]) => {
    const feature = brief.features.find((f) => f.name === name);
    return feature ? [{ feature, value: Number(value) }] : [];
  });
}

/** A comment line for a wish in the task that is no value of the PRD. */
function extraLine({ prompt, target, brief }: Turn): Mistake {
  const asked = new RegExp(`^Task ${target}: .*\\b(nicer|faster)\\b`, 'm').exec(prompt)?.[1];
  return asked === undefined ? {} : { line: commentLine(brief.language, `${asked} by ${target}`) };
}

/** A line with a syntax error; it is removed when a file is rewritten. */
const stray = 'oops (';

/** A mistake: wrong values, a line that does not belong to the task, or a stray file. */
interface Mistake {
  values?: ReadonlyMap<string, number | string>;
  line?: string;
  litter?: boolean;
}

function drawMistake({ random, brief }: Turn, features: readonly Feature[]): Mistake {
  const one = random.pick(features.length > 0 ? features : brief.features);
  const neighbour = brief.features.find((f) => f.path === one.path && f !== one);
  switch (random.pick(['value', 'value', 'forgets', 'breaks', 'syntax', 'litter'] as const)) {
    case 'value':
      return { values: new Map([[one.name, one.value + 1]]) };
    case 'forgets':
      return { values: new Map([[one.name, 0]]) };
    case 'breaks':
      return neighbour ? { values: new Map([[neighbour.name, neighbour.value + 1]]) } : { litter: true };
    case 'syntax':
      return { line: stray };
    case 'litter':
      return { litter: true };
  }
}

/** Reads each file and then writes it; returns no call when nothing is left to do. */
function write(turn: Turn, features: readonly Feature[], { values, line, litter }: Mistake): Call[] {
  const { brief, done, random } = turn;
  const calls = pathsOf(features).flatMap((path): Call[] => {
    const last = done.findLast((d) => d.input['path'] === path);
    if (last?.tool === 'write_file' && last.ok) return [];
    if (!wasRead(last)) return [['read_file', { path }]];
    const own = features.filter((f) => f.path === path);
    const wanted = new Map<string, number | string>(own.map((f) => [f.name, valueOf(turn, f)]));
    for (const [name, value] of values ?? []) wanted.set(name, value);
    const text = last.ok ? last.text.replaceAll(`${stray}\n`, '').replaceAll(`${endingLine(brief.language)}\n`, '') : '';
    const [only] = own;
    const currentLine = only && text.split('\n').find((l) => l.startsWith(`${only.name} `) || l.startsWith(`${only.name}=`));
    const edited = only && currentLine !== undefined && own.length === 1 && !values && !line && random.chance(0.3);
    const [value] = [...wanted.values()];
    if (edited && text.split(currentLine).length === 2)
      return [
        ['edit_file', { path, old_string: currentLine, new_string: assignment(brief.language, only.name, value ?? 0) }],
        ['write_file', { path, content: withValues(brief.language, text, wanted) }],
      ];
    return [['write_file', { path, content: withValues(brief.language, text, wanted) + (line === undefined ? '' : `${line}\n`) }]];
  });
  const written = calls.some(([tool]) => tool === 'write_file');
  if (written && changesDependencies(turn, features)) calls.push(['write_file', { path: manifest, content: dependingOn(2) }]);
  if (written && litter) calls.push(['write_file', { path: 'debug.log', content: 'here\n' }]);
  if (written && random.chance(0.2)) calls.push(['bash', { command: `show ${features.map((f) => f.name).join(' ')}` }]);
  return calls.every(([tool]) => tool === 'read_file') ? calls : calls.filter(([tool]) => tool !== 'read_file');
}

/** The first feature is worked out with a newer version. */
function changesDependencies({ scenario, request, done }: Turn, features: readonly Feature[]): boolean {
  const isDone = done.some((d) => d.tool === 'write_file' && d.input['path'] === manifest && d.ok);
  return scenario.adds && !isDone && request.purpose.startsWith('execute/') && features.some(({ name }) => name === 'feature_1');
}

/** Whether the call was a read with a known result. An interrupted call has none; a missing file is a result. */
function wasRead(last: Done | undefined): last is Done {
  return last?.tool === 'read_file' && !last.text.startsWith('[');
}

/** The value of a feature; one that only the person knows is in their file. */
function valueOf({ done }: Turn, { name, value, supply }: Feature): number {
  if (supply === undefined) return value;
  const text = done.findLast((d) => d.tool === 'read_file' && d.input['path'] === supply && d.ok)?.text ?? '';
  return Number(new RegExp(`^${name} (\\d+)`).exec(text)?.[1] ?? 0);
}

/** Reads the file that the person supplies, and asks for it where it is missing. */
function missingSupplies(turn: Turn, features: readonly Feature[]): Answer | undefined {
  for (const { supply, name } of features) {
    if (supply === undefined) continue;
    const last = turn.done.findLast((d) => d.tool === 'read_file' && d.input['path'] === supply);
    if (last === undefined || last.text.startsWith('[')) return [['read_file', { path: supply }]];
    if (!last.ok && has(turn, 'request_human_action')) return [['request_human_action', askFor(turn.target, supply, name)]];
  }
  return undefined;
}

export function askFor(task: string, path: string, name: string): Record<string, unknown> {
  return {
    action: `Supply ${path}`,
    instructions: `Write ${name} and its value into ${path}.`,
    paths: [path],
    verification_command: `exists ${path}`,
    blocked_task_id: task,
  };
}

/** The words of the work in comments: a verification that only reads text takes them for the work. */
export function decoy({ brief }: Turn, features: readonly Feature[]): string {
  const lines = features.map((f) => commentLine(brief.language, assignment(brief.language, f.name, f.value)));
  return `${lines.join('\n')}\n`;
}

function evidenceOf(contradicted: readonly { feature: Feature; value: number }[]): string {
  return contradicted.map(({ feature, value }) => `The PRD says ${feature.value} for ${feature.name}, the script ${value}.`).join(' ');
}
