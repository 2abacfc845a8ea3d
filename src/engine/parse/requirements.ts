/**
 * Requirements are the numbered headings and list items of PRD.md. A numbered heading with numbered children is a section:
 * its children are the requirements. Code fences and comments are skipped.
 */
import { InputError } from '../ground/errors.ts';
import { normalizeRequirementId, type Requirement } from '../work/requirement.ts';

const heading = /^(#{1,6})\s+§?(\d+(?:\.\d+)*)[.):]?\s+(\S.*)$/;
const plainHeading = /^(#{1,6})\s+\S/;
const item = /^\s{0,6}(?:[-*]\s+\**)?§?(\d+(?:\.\d+)*)(?:[.):]|(?<=\.\d+))\**\s+(\S.*)$/;

/** @throws InputError when there are none, or two have the same number. */
export function parseRequirements(name: string, text: string): Requirement[] {
  const requirements = scan(text);
  for (const [index, { id, line }] of requirements.entries()) {
    const duplicate = requirements.slice(0, index).find((other) => other.id === id);
    if (duplicate)
      throw new InputError(
        `${name}:${line}: requirement ${id} is there already, in line ${duplicate.line}.`,
        'Give each requirement a number of its own.',
      );
  }
  const leaves = requirements.filter(({ id }) => !requirements.some((other) => other.id.startsWith(`${id}.`)));
  if (leaves.length === 0) {
    throw new InputError(
      `${name} has no requirements: no numbered heading and no numbered list item.`,
      'Number what must be true, for example "## 1. Totals" and "1.1 The total is printed with two decimals".',
    );
  }
  return leaves;
}

function scan(text: string): Requirement[] {
  const requirements: Requirement[] = [];
  let section = '';
  for (const [index, line] of visibleLines(text).entries()) {
    const [, , number = '', title = ''] = heading.exec(line) ?? [];
    if (number) {
      section = normalizeRequirementId(number);
      requirements.push({ id: section, title: plain(title), line: index + 1 });
    } else if (plainHeading.test(line)) section = '';
    else requirements.push(...listItem(line, index + 1, section));
  }
  return requirements;
}

/** Blanks lines in code fences and comments, so that line numbers stay the same. */
function visibleLines(text: string): string[] {
  let endsHidden: ((line: string) => boolean) | undefined;
  return text.split(/\r?\n/).map((line) => {
    if (endsHidden) {
      if (endsHidden(line)) endsHidden = undefined;
      return '';
    }
    const [, fence] = /^\s*(`{3,}(?!.*`)|~{3,})/.exec(line) ?? [];
    const shown = line.replaceAll(/<!--.*?-->/g, '');
    if (fence) endsHidden = (later) => later.trim().startsWith(fence) && later.trim() === fence.charAt(0).repeat(later.trim().length);
    else if (/^\s{0,3}<!--/.test(shown)) endsHidden = (later) => later.includes('-->');
    return endsHidden ? '' : shown;
  });
}

/** `1.` under heading 2 is 2.1; a number that has dots already is kept. */
function listItem(text: string, line: number, section: string): Requirement[] {
  const [, number = '', title = ''] = item.exec(text) ?? [];
  if (!number) return [];
  const id = number.includes('.') || section === '' ? normalizeRequirementId(number) : `${section}.${number}`;
  return [{ id, title: plain(title), line }];
}

function plain(title: string): string {
  const characters = Array.from(title.replaceAll(/[*_`]/g, '').trim());
  return characters.slice(0, 160).join('');
}
