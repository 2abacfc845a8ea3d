/** Agents that change the work, as they should be: a builder and a fixer who now and then slip. */
import type { Feature } from '../brief.ts';
import { assignment, commentLine, withValues } from '../world/work.ts';
import { featuresIn, has, pathsOf, taskFeatures, type Answer, type Call, type Done, type Program, type Turn } from './turn.ts';

export const build: Program = (turn) => {
  const own = taskFeatures(turn);
  const features = turn.random.chance(0.1) ? withNeighbours(turn, own) : own;
  const needs = missingSupplies(turn, features);
  if (needs) return needs;
  const changes = write(turn, features, turn.random.chance(turn.scenario.errorRate) ? slip(turn, features) : wish(turn));
  if (changes.length > 0 && changes.every(([tool]) => tool === 'read_file')) return changes;
  return [...changes, ['report_task_complete', reportOf(turn, pathsOf(features))]];
};

/** All that stands in the same files: now and then a builder does what other tasks are for. */
function withNeighbours({ brief }: Turn, own: readonly Feature[]): Feature[] {
  const paths = new Set(pathsOf(own));
  return brief.features.filter((f) => own.includes(f) || (paths.has(f.path) && f.supply === undefined));
}

export const fix: Program = (turn) => {
  const script = scriptIn(turn.prompt);
  const refused = turn.done.some((d) => d.tool === 'report_fix' && !d.ok);
  const errs = turn.random.chance(turn.scenario.errorRate);
  const contradicted = expectedIn(turn, script).filter(({ feature, value }) => feature.value !== value);
  if (contradicted.length > 0 && !refused && !errs)
    return [['report_fix', { ...fixReport([]), verification_wrong: { evidence: evidenceOf(contradicted) } }]];
  const features = concerned(turn);
  const changes = write(turn, features, errs ? slip(turn, features) : {});
  if (changes.length > 0 && changes.every(([tool]) => tool === 'read_file')) return changes;
  return [...changes, ['report_fix', fixReport(pathsOf(features))]];
};

/** What scripts and evidence name, by name or by file. */
function concerned(turn: Turn): Feature[] {
  const blocks = turn.prompt.replaceAll(/<document[\s\S]*?<\/document>/g, '').match(/```\n[\s\S]*?\n```/g) ?? [];
  const text = blocks.join('\n');
  const named = featuresIn(turn, text);
  return turn.brief.features.filter((f) => named.includes(f) || text.includes(`${f.path}:`));
}

export function reportOf({ target }: Turn, paths: readonly string[]): Record<string, unknown> {
  return { task_id: target, files_created: paths, files_modified: [], value_verified: 'I looked at it.' };
}

export function fixReport(paths: readonly string[]): Record<string, unknown> {
  return { fix_applied: 'gave it its value', files_changed: paths, reasoning: 'it had another value than the PRD says' };
}

/** The script of a prompt about one verification: its first block. */
export function scriptIn(prompt: string): string {
  return /```\n([\s\S]*?)\n```/.exec(prompt)?.[1] ?? '';
}

export function expectedIn({ brief }: Turn, script: string): { feature: Feature; value: number }[] {
  return [...script.matchAll(/^expect (\w+) (\d+)$/gm)].flatMap(([, name, value]) => {
    const feature = brief.features.find((f) => f.name === name);
    return feature ? [{ feature, value: Number(value) }] : [];
  });
}

/** What is asked for besides the values that the PRD has shows in the work too. */
function wish({ prompt, target, brief }: Turn): Slip {
  const asked = new RegExp(`^Task ${target}: .*\\b(nicer|faster)\\b`, 'm').exec(prompt)?.[1];
  return asked === undefined ? {} : { line: commentLine(brief.language, `${asked} by ${target}`) };
}

/** A line that is no program; whoever rewrites a file sees it. */
const stray = 'oops (';

/** What goes wrong by mistake: other values, lines that are none of the task's, files that belong nowhere. */
interface Slip {
  values?: ReadonlyMap<string, number | string>;
  line?: string;
  litter?: boolean;
}

function slip({ random, brief }: Turn, features: readonly Feature[]): Slip {
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

/** Reads each file and then writes it; nothing more to do gives no call. */
function write(turn: Turn, features: readonly Feature[], { values, line, litter }: Slip): Call[] {
  const { brief, done, random } = turn;
  const calls = pathsOf(features).flatMap((path): Call[] => {
    const last = done.findLast((d) => d.input['path'] === path);
    if (last?.tool === 'write_file' && last.ok) return [];
    if (!wasRead(last)) return [['read_file', { path }]];
    const own = features.filter((f) => f.path === path);
    const wanted = new Map<string, number | string>(own.map((f) => [f.name, valueOf(turn, f)]));
    for (const [name, value] of values ?? []) wanted.set(name, value);
    const text = last.ok ? last.text.replaceAll(`${stray}\n`, '') : '';
    const [only] = own;
    const standing = only && text.split('\n').find((l) => l.startsWith(`${only.name} `) || l.startsWith(`${only.name}=`));
    const edited = only && standing !== undefined && own.length === 1 && !values && !line && random.chance(0.3);
    const [one] = [...wanted.values()];
    if (edited && text.split(standing).length === 2)
      return [
        ['edit_file', { path, old_string: standing, new_string: assignment(brief.language, only.name, one ?? 0) }],
        ['write_file', { path, content: withValues(brief.language, text, wanted) }],
      ];
    return [['write_file', { path, content: withValues(brief.language, text, wanted) + (line === undefined ? '' : `${line}\n`) }]];
  });
  const written = calls.some(([tool]) => tool === 'write_file');
  if (written && litter) calls.push(['write_file', { path: 'debug.log', content: 'here\n' }]);
  if (written && random.chance(0.2)) calls.push(['bash', { command: `show ${features.map((f) => f.name).join(' ')}` }]);
  return calls.every(([tool]) => tool === 'read_file') ? calls : calls.filter(([tool]) => tool !== 'read_file');
}

/** Nothing of an interrupted call is known; a file that is not there was looked for. */
function wasRead(last: Done | undefined): last is Done {
  return last?.tool === 'read_file' && !last.text.startsWith('[');
}

/** A value that only the person knows is in their file. */
function valueOf({ done }: Turn, { name, value, supply }: Feature): number {
  if (supply === undefined) return value;
  const text = done.findLast((d) => d.tool === 'read_file' && d.input['path'] === supply && d.ok)?.text ?? '';
  return Number(new RegExp(`^${name} (\\d+)`).exec(text)?.[1] ?? 0);
}

/** Reads what the person supplied; asks for it where that is not there. */
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

/** The words of the work without the work: what a check that reads text takes for it. */
export function decoy({ brief }: Turn, features: readonly Feature[]): string {
  const lines = features.map((f) => commentLine(brief.language, assignment(brief.language, f.name, f.value)));
  return `${lines.join('\n')}\n`;
}

function evidenceOf(contradicted: readonly { feature: Feature; value: number }[]): string {
  return contradicted.map(({ feature, value }) => `The PRD says ${feature.value} for ${feature.name}, the script ${value}.`).join(' ');
}
