/** What is wrong with a PRD as far as a machine can tell, each with its line and how to mend it. */
import { counted } from '../ground/text.ts';
import { keysIn } from '../ground/keys.ts';
import type { Requirement } from '../work/requirement.ts';
import type { Claim } from './claims.ts';
import type { Line, Unclosed } from './lines.ts';
import type { Placed } from './outline.ts';
import { templateProblems } from './template-text.ts';
import { unreadDemands } from './unread-demands.ts';

export interface ReadingProblem {
  line: number;
  /** What is wrong, without a full stop: `requirement 2.1 is there already, in line 4`. */
  message: string;
  /** How to mend it, one sentence. */
  next: string;
  /** False for what a sprint can start with. */
  refuses: boolean;
}

interface Read {
  text: string;
  lines: readonly Line[];
  blocks: readonly Placed[];
  claims: readonly Claim[];
  /** All ids that stand in the text. */
  ids: readonly { id: string; line: number }[];
  requirements: readonly Requirement[];
  unclosed: Unclosed | undefined;
}

export function problemsIn(read: Read): ReadingProblem[] {
  const found = [
    ...secrets(read),
    ...templateProblems('PRD.md', read.text),
    ...none(read),
    ...twice(read),
    ...empty(read),
    ...unread(read),
    ...unclosed(read),
  ];
  return found.sort((a, b) => a.line - b.line);
}

/** Every session is sent the whole document. */
const maxCharacters = 400_000;

export function tooLong(text: string): ReadingProblem | undefined {
  if (text.length <= maxCharacters) return undefined;
  const [is, most] = [text.length, maxCharacters].map((characters) => Math.ceil(characters / 1000).toLocaleString('en-US'));
  const message = `the document is too long: ${is} thousand characters, and each session is sent all of it; at most ${most} thousand are read`;
  const next = 'Keep in it what must be true, and put data and notes into files of the repository, which agents can read.';
  return { line: 1, message, next, refuses: true };
}

function secrets({ text }: Read): ReadingProblem[] {
  return keysIn(text.split(/\r?\n/)).map(({ line, what }) => ({
    line,
    message: `this line holds ${what}, and the document is sent to a model`,
    next: 'Take it out, revoke it where it was issued, and name a variable in its place, such as $API_KEY.',
    refuses: true,
  }));
}

function none({ requirements }: Read): ReadingProblem[] {
  if (requirements.length > 0) return [];
  const message = 'there are no requirements: nothing has a number, stands in a list, or says what must be true';
  const next = 'Number what must be true, for example "## 1. Totals" and "1.1 The total is printed with two decimals".';
  return [{ line: 1, message, next, refuses: true }];
}

function twice({ ids }: Read): ReadingProblem[] {
  const first = new Map<string, number>();
  return ids.flatMap(({ id, line }) => {
    const earlier = first.get(id);
    if (earlier === undefined) {
      first.set(id, line);
      return [];
    }
    const message = `requirement ${id} is there already, in line ${earlier}`;
    return [{ line, message, next: 'Give each requirement a number of its own.', refuses: true }];
  });
}

/** A heading with nothing below it that is no requirement. */
function empty({ lines, blocks, requirements }: Read): ReadingProblem[] {
  const claimed = new Set(requirements.map(({ line }) => line));
  return blocks.flatMap(({ kind, line, lastLine, index, end, words }) => {
    if (kind !== 'heading' || claimed.has(line) || end > index + 1) return [];
    const until = (blocks[end]?.from ?? lines.length + 1) - 1;
    if (lines.slice(lastLine, until).some(({ shown }) => shown.trim() !== '')) return [];
    const next = 'Write below it what must be true, or remove the heading.';
    return [{ line, message: `the section "${words}" is empty`, next, refuses: false }];
  });
}

function unread({ blocks, claims, ids }: Read): ReadingProblem[] {
  const numbered = new Set(ids.map(({ line }) => line));
  return unreadDemands(blocks, claims).map(({ line }) => ({ line, ...(numbered.has(line) ? saidAbove : saidBeside), refuses: false }));
}

const saidBeside = {
  message: 'this demands something, and is no requirement of its own, as it has no number',
  next: 'Number it, or put (requirement), (constraint) or (background) behind it.',
};

const saidAbove = {
  message: 'this demands something, and is no requirement of its own: the numbered items below it are',
  next: 'Say it in one of these, or in one more; or end it with a colon, where they say all of it.',
};

function unclosed({ lines, unclosed: open }: Read): ReadingProblem[] {
  if (!open) return [];
  const after = lines.length - open.line;
  const message = `the ${open.what} that begins here never ends, so the ${counted(after, 'line')} after it are not read`;
  return [
    {
      line: open.line,
      message,
      next: open.what === 'comment' ? 'End it with -->.' : 'End it with a line of the same marks.',
      refuses: false,
    },
  ];
}
