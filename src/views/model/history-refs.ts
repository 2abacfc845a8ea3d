/** Which payloads a failure history offers to open. Apart from `history-view.ts`, since the host must not load the engine. */
import type { Ref } from '../../engine/events.ts';
import type { HistoryView } from './history-view.ts';

export function refsOf({ script, story, undone }: HistoryView): Set<Ref> {
  const refs = story.flatMap((item) => {
    if (item.type === 'attempt') return [item.output];
    return item.diff ? [item.diff.ref] : [];
  });
  return new Set([script.ref, ...refs, ...undone.map(({ diff }) => diff.ref)]);
}
