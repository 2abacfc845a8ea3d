/** A sprint's state in two or three words, for the status bar, the trees and the first row of the Sprint tree. */
import { actionWords } from '../../engine/state/rows.ts';
import type { SprintView } from './sprint-view.ts';
import { plain } from './display-text.ts';
import { activityLooks, finishedLooks, stopLooks, type Look } from './looks.ts';

/** @param running whether this window runs the sprint now. */
export function headline(view: SprintView, running: boolean): Look {
  if (view.elsewhere) return elsewhereLook(view.elsewhere);
  if (needsPersonNow(view, running)) return activityLooks['needs-you'];
  if (running) return { ...activityLooks.running, words: rowWords(view) };
  if (view.finished) return finishedLooks[view.finished];
  return view.ending ? stopLooks[view.ending.stop] : activityLooks.interrupted;
}

/** A human action is open, and the sprint can still use it. */
export function needsPerson(view: SprintView): boolean {
  return isUnfinished(view) && view.humanActions.some(({ status }) => status === 'open');
}

/** The sprint runs and asks, or it stopped only to wait for the person. A sprint that stopped for another reason shows that. */
export function needsPersonNow(view: SprintView, running: boolean): boolean {
  return needsPerson(view) && view.elsewhere === null && (running || view.current?.action === 'wait' || view.ending?.stop === 'waiting');
}

/** It can still run or be resumed. */
export function isUnfinished(view: SprintView): boolean {
  return view.finished === null && (view.ending === null || view.ending.resumes);
}

function elsewhereLook({ process }: { process: number | null }): Look {
  const { elsewhere } = activityLooks;
  return process === null ? elsewhere : { ...elsewhere, words: `${elsewhere.words} (process ${process})` };
}

/** `building T2`: what is being done now, and to what. */
function rowWords({ current }: SprintView): string {
  if (!current) return 'deciding';
  const words = actionWords[current.action];
  return plain(`${words.charAt(0).toLowerCase()}${words.slice(1)} ${current.target}`, 60).trimEnd();
}
