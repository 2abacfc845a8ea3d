/** The texts of scripts that QC is asked to write again, so that it asks for none of them by a call. */
import type { Context } from '../../context.ts';
import { promptText } from '../../ground/prompts.ts';
import { excerpt } from '../../ground/text.ts';
import { isTooWeak } from '../../judge/strength.ts';
import { trustOf } from '../../judge/trust.ts';
import { unseenFindings } from '../../judge/unseen.ts';
import { withoutHelpers } from '../../parse/helper-text.ts';
import { liveScripts } from '../../state/covers.ts';
import type { State } from '../../state/state.ts';
import { isPersons, type Script } from '../../work/verification.ts';

/** Characters that they share: short ones are whole, and long ones have equal parts of the rest, since they stand in no file. */
const limit = 60_000;

/** Helpers stand below them, each once. */
export async function textsToRewrite({ state, ports }: Pick<Context, 'state' | 'ports'>, wanted: readonly string[]): Promise<string> {
  const scripts = toRewrite(state, wanted);
  if (scripts.length === 0) return '';
  const texts = await Promise.all(scripts.map(async ({ id, script }) => ({ id, text: withoutHelpers(await ports.payloads.get(script)) })));
  const most = shareOf(texts.map(({ text }) => text.length));
  const parts = texts.map(({ id, text }) => `${id}:\n\n\`\`\`\n${excerpt(text, most)}\n\`\`\``);
  return promptText('texts-to-rewrite', { texts: parts.join('\n\n') });
}

/** The most characters that one may have, so that all together stay within the limit. */
function shareOf(lengths: readonly number[]): number {
  let left = limit;
  for (const [i, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (lengths.length - i));
    if (length > share) return share;
    left -= length;
  }
  return limit;
}

/** Of what is wanted: those that stayed green with something found, that see too little, or that are not trusted. */
function toRewrite(state: State, wanted: readonly string[]): Script[] {
  const blind = unseenFindings(state).flatMap(({ by }) => by);
  return liveScripts(state.work).filter(
    (one) =>
      !isPersons(one) &&
      one.prd.some((id) => wanted.includes(id)) &&
      (blind.includes(one.id) || !trustOf(state, one).trusted || one.prd.some((id) => isTooWeak(state, id))),
  );
}
