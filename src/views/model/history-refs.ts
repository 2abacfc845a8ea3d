/** Which payloads a failure history may open. Not in `history-view.ts`, since the extension host must not load the engine. */
import type { Ref } from '../../engine/state/events.ts';
import type { EntryView } from './history-entries.ts';
import type { HistoryView } from './history-view.ts';

export function refsOf({ script, story }: Pick<HistoryView, 'script' | 'story'>): Set<Ref> {
  return new Set([script.ref, ...story.flatMap(refsIn)]);
}

function refsIn(entry: EntryView): Ref[] {
  if (entry.type === 'attempt') return [entry.output];
  const shows = entry.type === 'fix' || entry.type === 'setback' ? entry.diff : null;
  return shows ? [shows.ref] : [];
}

/** The entry that a patch belongs to, as part of a title: `fix: undone`. */
export function changeWords({ story }: Pick<HistoryView, 'story'>, ref: Ref): string {
  const entry = story.find((item) => (item.type === 'fix' || item.type === 'setback') && item.diff?.ref === ref);
  return entry && 'words' in entry ? entry.words.charAt(0).toLowerCase() + entry.words.slice(1) : 'change';
}
