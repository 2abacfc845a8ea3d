/** Brings a `stage.yaml` of the format's earlier versions to the current form. */
import { isMap, isScalar, type Document, type Node, type YAMLMap } from 'yaml';
import type { OldForm, ToCurrentForm } from './checked-yaml.ts';
import { currentVariables } from './prompt-variables.ts';

/** The queue that `completion: beads-empty` meant: that of the stage `work-beads`, which ships. */
export const queueOfBeads = `ready=$(bd --no-db ready --json) && { printf '%s\\n' "$ready" | grep -oE '"id":[[:space:]]*"[^"]+"' || test $? -eq 1; }`;

/** One that needs a thought is an error, and keeps its text; all others are rewritten by one fix. */
export const currentStage: ToCurrentForm = (document, { text, place }) => {
  const { contents } = document;
  const before = written(document);
  if (!isMap(contents) || before === undefined) return [];
  const unclear: (readonly string[])[] = [];
  const found = rows.flatMap(({ at, is, what, mend, rewrite }): OldForm[] => {
    const value = document.getIn(at, true) as Node | undefined;
    if (!document.hasIn(at) || !is(value)) return [];
    const form = { ...place(at), what: what ?? `"${at.join('.')}" is a field of an older version`, mend };
    if (rewrite(value, { document, contents })) return [{ ...form, severity: 'warning' }];
    unclear.push(at);
    return [{ ...form, severity: 'error' }];
  });
  const after = written(document);
  // It is told already, so nothing else shall be said of it.
  for (const at of unclear) document.deleteIn(at);
  if (after === undefined || after === before) return found;
  const fix = { title: 'Rewrite it in the current form', edits: [{ from: 0, to: text.length, text: after }] };
  return found.map((one) => (one.severity === 'warning' ? { ...one, fix } : one));
};

interface Row {
  at: readonly [string, ...string[]];
  /** Whether this value of the field is of an earlier version. */
  is: (value: Node | undefined) => boolean;
  what?: string;
  mend: string;
  /** @returns false where that needs a thought. */
  rewrite: (value: Node | undefined, of: { document: Document; contents: YAMLMap }) => boolean;
}

const always = (): boolean => true;

/** What nothing has a use for any more. */
function dropped(field: string, mend: string): Row {
  return { at: [field], is: always, mend, rewrite: (_, { contents }) => contents.delete(field) };
}

/** In the order in which they are rewritten: a later one finds what an earlier one wrote. */
const rows: readonly Row[] = [
  {
    at: ['completion'],
    is: always,
    mend: 'Write `termination: { type: judgment }` for plateau, `{ type: queue, command: … }` for beads-empty, `{ type: fixed }` for fixed-n.',
    rewrite(value, { document, contents }) {
      if (contents.has('termination')) return contents.delete('completion');
      const now = terminations.get(plain(value) ?? '');
      if (!now) return false;
      rename(contents, 'completion', 'termination', document.createNode(now, { flow: now.type !== 'queue' }));
      return true;
    },
  },
  {
    at: ['min_iterations'],
    is: always,
    mend: 'Write it in `termination`.',
    rewrite(value, { contents }) {
      const termination = contents.get('termination', true);
      if (!isMap(termination)) return false;
      contents.delete('min_iterations');
      if (termination.get('type') === 'judgment' && !termination.has('min_iterations')) termination.set('min_iterations', value);
      return true;
    },
  },
  { at: ['max_iterations'], is: always, mend: 'Write it in `guardrails`.', rewrite: toGuardrails(['max_iterations']) },
  {
    at: ['termination', 'iterations'],
    is: always,
    mend: 'Write it as `max_iterations` in `guardrails`.',
    rewrite: toGuardrails(['termination', 'iterations']),
  },
  dropped('output_parse', 'Remove it: an agent reports its decision in the file ${STATUS} or with report_status.'),
  dropped('max_failures', 'Remove it: an error stops the run at once.'),
  dropped('delay', 'Remove it: an iteration begins when the one before has ended.'),
  dropped('check_before', 'Remove it: the command of a queue runs before each iteration.'),
  {
    at: ['output_path'],
    is: always,
    mend: 'Write `output: PATH`.',
    rewrite(value, { contents }) {
      if (contents.has('output')) contents.delete('output_path');
      else rename(contents, 'output_path', 'output', value);
      return true;
    },
  },
  {
    at: ['output'],
    is: isMap,
    what: '"output" with fields of its own is of an older version',
    mend: 'Write `output: PATH`: a copy of each iteration is kept in any case.',
    rewrite(value, { contents }) {
      const path = isMap(value) ? value.get('path', true) : undefined;
      if (isScalar(path)) rename(contents, 'output', 'output', path);
      else contents.delete('output');
      return true;
    },
  },
  {
    at: ['output'],
    is: (value) => /^(\.\/)?\.claude\/?$/.test(plain(value)?.trim() ?? ''),
    what: '`output: .claude` is of an older version: it meant that the output stays in the folder of the run',
    mend: 'Leave "output" out.',
    rewrite: (_, { contents }) => contents.delete('output'),
  },
  {
    at: ['output'],
    is: (value) => currentPath(value) !== undefined,
    what: 'the path of "output" has a variable of an older version',
    mend: 'Write ${SESSION}.',
    rewrite(value) {
      if (isScalar(value)) value.value = currentPath(value);
      return true;
    },
  },
];

const terminations = new Map<string, { type: string; command?: string }>([
  ['plateau', { type: 'judgment' }],
  ['fixed-n', { type: 'fixed' }],
  ['beads-empty', { type: 'queue', command: queueOfBeads }],
]);

/** What stands in `guardrails` already wins. */
function toGuardrails(at: readonly string[]): Row['rewrite'] {
  return (value, { document, contents }) => {
    const guardrails = contents.get('guardrails', true);
    if (guardrails !== undefined && !isMap(guardrails)) return false;
    document.deleteIn(at);
    if (!document.hasIn(['guardrails', 'max_iterations'])) document.setIn(['guardrails', 'max_iterations'], value);
    return true;
  };
}

/** A field with another name and value, at its place. */
function rename(map: YAMLMap, from: string, to: string, value: Node | undefined): void {
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === from);
  if (!pair || !isScalar(pair.key)) return;
  pair.key.value = to;
  pair.value = value;
}

function plain(value: Node | undefined): string | undefined {
  return isScalar(value) && typeof value.value === 'string' ? value.value : undefined;
}

/** Undefined where nothing in it is old. */
function currentPath(value: Node | undefined): string | undefined {
  const path = plain(value);
  const now = path === undefined ? undefined : currentVariables(path);
  return now === path ? undefined : now;
}

/** An alias of nothing cannot be written. */
function written(document: Document): string | undefined {
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    return undefined;
  }
}
