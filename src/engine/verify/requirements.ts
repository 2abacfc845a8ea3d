/**
 * Requirements are the numbered headings and list items of PRD.md (design §6). A numbered heading with numbered children is
 * a section: its children are the requirements. Code fences and comments are skipped.
 */
import { InputError } from '../errors.ts';
import { normalizeRequirementId, type Requirement } from '../work/requirement.ts';

const heading = /^(#{1,6})\s+§?(\d+(?:\.\d+)*)[.):]?\s+(\S.*)$/;
const plainHeading = /^(#{1,6})\s+\S/;
const item = /^\s{0,6}(?:[-*]\s+\**)?§?(\d+(?:\.\d+)*)(?:[.):]|(?<=\.\d+))\**\s+(\S.*)$/;

interface Found extends Requirement {
  /** Id of the numbered heading that it stands under. */
  section: string;
}

/** @throws InputError when there are none, or two have the same number. */
export function parseRequirements(name: string, text: string): Requirement[] {
  const found = scan(text);
  for (const [index, { id, line }] of found.entries()) {
    const twin = found.slice(0, index).find((other) => other.id === id);
    if (twin)
      throw new InputError(
        `${name}:${line}: requirement ${id} is there already, in line ${twin.line}.`,
        'Give each requirement a number of its own.',
      );
  }
  const leaves = found.filter(({ id }) => !found.some((other) => other.id !== id && other.id.startsWith(`${id}.`)));
  if (leaves.length === 0) {
    throw new InputError(
      `${name} has no requirements: no numbered heading and no numbered list item.`,
      'Number what must be true, for example "## 1. Totals" and "1.1 The total is printed with two decimals".',
    );
  }
  return leaves.map(({ id, title, line }) => ({ id, title, line }));
}

function scan(text: string): Found[] {
  const found: Found[] = [];
  let section = '';
  let fenced = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    if (fenced) continue;
    const [, , number = '', title = ''] = heading.exec(line) ?? [];
    if (number) {
      section = normalizeRequirementId(number);
      found.push({ id: section, title: plain(title), line: index + 1, section: '' });
    } else if (plainHeading.test(line)) section = '';
    else found.push(...listItem(line, index + 1, section));
  }
  return found;
}

/** `1.` under heading 2 is 2.1; a number with dots of its own stands as it is. */
function listItem(text: string, line: number, section: string): Found[] {
  const [, number = '', title = ''] = item.exec(text) ?? [];
  if (!number) return [];
  const id = number.includes('.') || section === '' ? normalizeRequirementId(number) : `${section}.${number}`;
  return [{ id, title: plain(title), line, section }];
}

function plain(title: string): string {
  return title.replaceAll(/[*_`]/g, '').trim().slice(0, 160);
}
