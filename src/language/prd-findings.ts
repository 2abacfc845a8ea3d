/** What is wrong in PRD.md, besides what every document of a sprint may have. */
import { staysAsItIs } from '../engine/parse/section-kinds.ts';
import { emptySections } from './document-findings.ts';
import type { Finding } from './finding.ts';
import { endOfLine, lineRange, within } from './lines.ts';
import { isActivity } from './outcome.ts';
import { freeNumber, writtenAs, type Numbered, type Prd } from './prd.ts';

export function prdFindings(prd: Prd, text: string): Finding[] {
  const found = [...duplicates(prd), ...unnumbered(prd), ...unread(prd), ...activities(prd), ...trueAlready(prd), ...emptySections(text)];
  const lineOf = ({ range }: Finding): number => range.start.line;
  const known = new Set(found.map(lineOf));
  const refused = new Set(found.filter(({ severity }) => severity === 'error').map(lineOf));
  return [...found, ...ofReader(prd).filter((one) => !(one.severity === 'error' ? refused : known).has(lineOf(one)))];
}

/** What the reader finds besides: a sprint starts or refuses to start by it. */
function ofReader({ lines, problems, requirements }: Prd): Finding[] {
  return problems.map(({ line, message, next, refuses }) => ({
    code: requirements.length === 0 && refuses && line === 1 ? 'no-requirement' : 'reading',
    severity: refuses ? 'error' : 'information',
    range: lineRange(lines, line - 1),
    message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    next,
    fixes: [],
  }));
}

function duplicates(prd: Prd): Finding[] {
  const first = new Map<string, Numbered>();
  return prd.numbered.flatMap((one): Finding[] => {
    const before = first.get(one.id);
    if (!before) {
      first.set(one.id, one);
      return [];
    }
    const free = freeNumber(prd, one.id);
    return [
      {
        code: 'duplicate-number',
        severity: 'error',
        range: one.number,
        message: `Requirement ${one.id} is there already, in line ${before.line + 1}.`,
        next: 'Give each requirement a number of its own.',
        fixes: one.written === '' ? [] : numberFix(free, one.number, (id) => writtenAs(id, one)),
      },
    ];
  });
}

function numberFix(free: string | undefined, range: Finding['range'], written: (id: string) => string): Finding['fixes'] {
  return free === undefined ? [] : [{ title: `Number it ${free}`, edits: [{ range, newText: written(free) }] }];
}

const bullet = /^(\s{0,6}[-*+]\s+)\S/;

/** List items without a number, beside items that have one: they would not be requirements. */
function unnumbered(prd: Prd): Finding[] {
  const byLine = new Map(prd.numbered.map((one) => [one.line, one]));
  const required = new Set(prd.requirements.map(({ line }) => line));
  /** The last numbered item of the list, and how its line begins. */
  let beside: { one: Numbered; begins: string } | undefined;
  return prd.prose.flatMap((text, line): Finding[] => {
    if (/^#{1,6}\s/.test(text)) beside = undefined;
    const [, begins] = bullet.exec(text) ?? [];
    const one = byLine.get(line);
    if (one && begins !== undefined) beside = { one, begins };
    if (one || !beside || required.has(line) || prd.constraints.has(line) || begins !== beside.begins) return [];
    const { one: above } = beside;
    const free = freeNumber(prd, above.id);
    const at = within(line, begins.length, begins.length);
    return [
      {
        code: 'missing-number',
        severity: 'warning',
        range: lineRange(prd.lines, line),
        message: 'This item has no number, so it is not a requirement of its own.',
        next: 'Number it like those beside it, or indent it below the one that it explains.',
        fixes: [
          // A code without a mark behind it may be a word.
          ...numberFix(free, at, (id) => `${writtenAs(id, above)}${/^[\d.]+$/.test(id) ? '' : ':'} `),
          { title: 'Indent it', edits: [{ range: within(line, 0, 0), newText: '  ' }] },
        ],
      },
    ];
  });
}

/** Where requirements have numbers, other sentences only explain, which their author may not know. Of one with a number the reader tells. */
function unread(prd: Prd): Finding[] {
  const isTold = new Set([...unnumbered(prd).map(({ range }) => range.start.line), ...prd.numbered.map(({ line }) => line)]);
  return prd.unread.flatMap(({ line, lastLine }): Finding[] => {
    if (isTold.has(line)) return [];
    const end = endOfLine(prd.lines, lastLine);
    const marked = (kind: string): Finding['fixes'][number] => ({
      title: `Make it a ${kind}`,
      edits: [{ range: { start: end, end }, newText: ` (${kind})` }],
    });
    return [
      {
        code: 'unread-demand',
        severity: 'warning',
        range: { start: lineRange(prd.lines, line).start, end },
        message: 'This demands something, and is no requirement of its own, as it has no number.',
        next: 'Number it, or put (requirement), (constraint) or (background) behind it.',
        fixes: [marked('requirement'), marked('constraint')],
      },
    ];
  });
}

function activities(prd: Prd): Finding[] {
  return prd.requirements.flatMap((one): Finding[] => {
    const more = prd.prose.slice(one.line + 1, one.body.end.line + 1).join(' ');
    if (!isActivity(`${one.title} ${more}`)) return [];
    return [
      {
        code: 'activity-for-outcome',
        severity: 'warning',
        range: { start: one.range.start, end: endOfLine(prd.lines, one.line) },
        message: `Requirement ${one.id} names work, and nothing that someone could observe when it is done.`,
        next: 'Say what a user sees, or what a program prints, answers or refuses, then.',
        fixes: [],
      },
    ];
  });
}

function trueAlready(prd: Prd): Finding[] {
  return prd.requirements.flatMap((one): Finding[] => {
    const end = endOfLine(prd.lines, one.line);
    const text = prd.prose[one.line]?.slice(one.number.end.character) ?? '';
    if (one.line !== one.body.end.line || !staysAsItIs(text)) return [];
    return [
      {
        code: 'true-already',
        severity: 'information',
        range: { start: one.range.start, end },
        message: `Requirement ${one.id} asks that something stays as it is: it is true before the work, so nothing can be seen to fail for it.`,
        next: 'Where (constraint) stands behind it, builders heed it, evaluations look at it, and no verification has to prove it.',
        fixes: [
          { title: 'Make it a constraint', edits: [{ range: { start: one.wordsEnd, end: one.wordsEnd }, newText: ' (constraint)' }] },
        ],
      },
    ];
  });
}
