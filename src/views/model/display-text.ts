/** Makes text of models and repositories safe to display: one line, bounded length, inert (I13). */
import { ownName, programOf, programTitles, providerOf } from '../../engine/ground/model-names.ts';
import { clip, withoutColours, withoutControls } from '../../engine/ground/text.ts';
import { exitWords } from '../../engine/render/words.ts';
import type { Run } from '../../engine/work/verification.ts';
import { plural, t } from '../words.ts';

/**
 * One line that no part of the editor interprets: notifications turn `[x](command:y)` into links, the status bar and
 * quick picks turn `$(x)` into icons.
 * @param limit maximum number of characters, before escapes.
 */
export function plain(text: string, limit = 200): string {
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
  return clip(line, limit).replaceAll('](', '] (').replaceAll('$(', '$ (');
}

/** `gpt-5 of the editor`, `opus by Claude Code` */
export function modelName(name: string): string {
  const own = plain(ownName(name), 60);
  const program = programOf(name);
  if (program !== undefined) return t('{0} by {1}', own, programTitles[program]);
  return providerOf(name) === 'editor' ? t('{0} of the editor', own) : own;
}

/** Lines that no terminal interprets: without colours, control characters and characters that turn the reading direction. */
export function inert(text: string): string {
  return withoutControls(withoutColours(text)).replaceAll('\t', '    ');
}

/** `850 ms`, `12.3 s`, `4 min 5 s`, `2 h 3 min`. @param ms milliseconds. */
export function durationWords(ms: number): string {
  if (ms < 1000) return t('{0} ms', Math.round(ms));
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return t('{0} min {1} s', minutes, Math.floor((ms % 60_000) / 1000));
  return t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}

/** `8 s`, `4 min 5 s`, `2 h 3 min`: a time that goes on. @param ms milliseconds. */
export function clockWords(ms: number): string {
  return ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : durationWords(ms);
}

/** `1 hour`, `2.25 hours`. */
export function hoursWords(hours: number): string {
  return plural(Math.round(hours * 100) / 100, '{0} hour', '{0} hours');
}

/** `950`, `12.3k`, `4.5M`. */
export function countWords(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 1_000_000 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${(Math.floor(value * 10) / 10).toString()}${unit}`;
}

/** What is spent: `$0.41`, or tokens where no price is known, or both. */
export function spentWords({ usd, unpriced }: { usd: number; unpriced: number }): string {
  if (unpriced === 0) return usdWords(usd);
  return usd === 0 ? t('{0} tokens', countWords(unpriced)) : t('{0} and {1} tokens', usdWords(usd), countWords(unpriced));
}

export function usdWords(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/** `exit status 1 after 0.4 s`. */
export function endWords(run: Pick<Run, 'exit' | 'timedOut' | 'looks' | 'duration'>): string {
  return t('{0} after {1}', exitWords(run), durationWords(run.duration));
}
