/** A sprint's state in two or three words, for the status bar, the trees and the first row of the Sprint tree. */
import type { Stop } from '../../engine/state/state.ts';
import { actionWords, type ActionId } from '../../engine/state/rows.ts';
import type { SprintView } from './sprint-view.ts';
import type { ActivityView } from './activity.ts';
import { clockWords, plain, spentWords } from './display-text.ts';
import { activityLooks, finishedLooks, stopLooks, type Look } from './looks.ts';
import { t, translated } from '../words.ts';

/** @param running whether this window runs the sprint now. */
export function headline(view: SprintView, running: boolean): Look {
  if (view.elsewhere) return elsewhereLook(view.elsewhere);
  if (view.pauseAsked && !view.ending && !view.finished) return running ? activityLooks.pausing : activityLooks.paused;
  const isNeeded = needsPersonNow(view, running);
  if (isNeeded && !isWorking(view, running)) return activityLooks['needs-you'];
  if (running) return isNeeded ? neededLook(view) : { ...activityLooks.running, words: rowWords(view) };
  if (view.finished) return finishedLooks[view.finished];
  return view.ending ? stopLook(view, view.ending) : activityLooks.interrupted;
}

/** What it needs comes first, since a narrow tree cuts off the end. */
function neededLook(view: SprintView): Look {
  return { ...activityLooks['needs-you'], words: t('needs you · {0}', rowWords(view)) };
}

/** A delivered part is never shown as the whole. */
function stopLook({ requirements }: SprintView, { stop }: { stop: Stop }): Look {
  const ids = requirements.filter(({ descoped }) => descoped !== null).map(({ id }) => id);
  const look = stopLooks[stop];
  return stop === 'delivered' && ids.length > 0 ? { ...look, words: t('{0}, without {1}', look.words, plain(ids.join(', '), 60)) } : look;
}

/** `building T2 · 3 min · $0.41 · needs you`: the headline with what it costs so far, for the status bar. */
export function statusWords(view: SprintView, running: boolean, activity: ActivityView | null): string {
  if (!isWorking(view, running)) return headline(view, running).words;
  const time = activity
    ? [activity.elapsed < 60_000 ? clockWords(activity.elapsed) : t('{0} min', Math.floor(activity.elapsed / 60_000))]
    : [];
  return `${[rowWords(view), ...time, spentWords(view.spend)].join(' · ')}${needsPersonNow(view, running) ? needed : ''}`;
}

const needed = t(' · needs you');

/** It does something here besides waiting for the person, and goes on with it. */
function isWorking({ current, elsewhere, pauseAsked }: SprintView, running: boolean): boolean {
  return running && elsewhere === null && !pauseAsked && current?.action !== 'wait';
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
  return process === null ? elsewhere : { ...elsewhere, words: t('{0} (process {1})', elsewhere.words, process) };
}

/** Before a name there is little room. */
const shortWords: Partial<Record<ActionId, string>> = {
  fix: t('Mending'),
  'service-fix': t('Mending service'),
  research: t('Looking up'),
  prove: t('Proving'),
  measure: t('Measuring'),
};

/** `building T2`: what is being done now, and to what. */
function rowWords({ current }: SprintView): string {
  if (!current) return t('deciding');
  const words = (current.target && shortWords[current.action]) || translated(actionWords[current.action]);
  return plain(`${words.charAt(0).toLowerCase()}${words.slice(1)} ${current.target}`, 60).trimEnd();
}
