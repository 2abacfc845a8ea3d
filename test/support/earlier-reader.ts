/** The reader of PRD.md that Loop had before it knew more than numbers, as far as ids go: what it read keeps its ids. */
import { normalizeRequirementId } from '../../src/engine/work/requirement.ts';

const heading = /^(#{1,6})\s+§?(\d+(?:\.\d+)*)[.):]?\s+(\S.*)$/;
const plainHeading = /^(#{1,6})\s+\S/;
const item = /^\s{0,6}(?:[-*]\s+\**)?§?(\d+(?:\.\d+)*)(?:[.):]|(?<=\.\d+))\**\s+(\S.*)$/;

/** Undefined where that version refused the document. */
export function idsBefore(text: string): string[] | undefined {
  const ids = scan(text);
  const leaves = ids.filter((id) => !ids.some((other) => other.startsWith(`${id}.`)));
  return new Set(ids).size < ids.length || leaves.length === 0 ? undefined : leaves;
}

function scan(text: string): string[] {
  const ids: string[] = [];
  let section = '';
  for (const line of visibleLines(text)) {
    const [, , number = ''] = heading.exec(line) ?? [];
    if (number) {
      section = normalizeRequirementId(number);
      ids.push(section);
    } else if (plainHeading.test(line)) section = '';
    else ids.push(...listItem(line, section));
  }
  return ids;
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
function listItem(text: string, section: string): string[] {
  const [, number = ''] = item.exec(text) ?? [];
  if (!number) return [];
  return [number.includes('.') || section === '' ? normalizeRequirementId(number) : `${section}.${number}`];
}
