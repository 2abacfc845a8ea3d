/**
 * What a running sprint does at this moment: folded from the progress between two journal lines, so a restart loses it and no
 * decision depends on it. Pure.
 */
import { faultsWords, type Progress } from '../../engine/ground/progress.ts';
import type { RoleName } from '../../engine/ground/roles.ts';
import type { Event } from '../../engine/state/events.ts';
import { durationWords, inert, plain } from './display-text.ts';
import { toolWords } from './tool-words.ts';
import { t } from '../words.ts';

/** Times are milliseconds since the epoch. */
export interface Activity {
  /** When what is done now was begun. */
  since: number;
  /** Who works, and the end of what they wrote last. */
  agent: { role: string; text: string; at: number } | null;
  tool: { name: string; input: string; at: number } | null;
  /** The verifications that run, by id. */
  running: Readonly<Record<string, number>>;
  /** How many faults were put into the work, in words. */
  faults: string;
  /** Why the model has not answered yet. */
  retry: string;
}

/** As the worker sends it: plain JSON, with milliseconds until now. */
export interface ActivityView {
  elapsed: number;
  lines: ActivityLine[];
}

export interface ActivityLine {
  kind: 'agent' | 'tool' | 'verification' | 'faults' | 'retry';
  /** Differs among the lines of one moment. */
  id: string;
  words: string;
  elapsed: number;
}

export function idle(since: number): Activity {
  return { since, agent: null, tool: null, running: {}, faults: '', retry: '' };
}

export function afterEvent(activity: Activity, event: Event): Activity {
  if (event.type === 'step.begun' && event.step.kind === 'action') return idle(event.at);
  if (event.type === 'step.begun' && event.step.kind === 'ask')
    return { ...activity, agent: { role: event.step.role, text: '', at: event.at }, tool: null, retry: '' };
  if (event.type === 'step.ended' && isCall(event.id)) return { ...activity, tool: null };
  return activity;
}

/** `<action>/a<turn>/c<number>`. */
function isCall(step: string): boolean {
  return /\/a\d+\/c\d+$/.test(step);
}

/** Characters of what an agent wrote that are kept. */
const kept = 400;

export function afterProgress(activity: Activity, item: Progress, at: number): Activity {
  switch (item.kind) {
    case 'agent': {
      const before = activity.agent?.role === item.role ? activity.agent : { text: '', at };
      return { ...activity, agent: { role: item.role, text: (before.text + item.text).slice(-kept), at: before.at }, retry: '' };
    }
    case 'tool':
      return { ...activity, tool: { name: item.name, input: item.input, at } };
    case 'verification-began':
      return { ...activity, running: { ...activity.running, [item.id]: at } };
    case 'verification':
      return { ...activity, running: Object.fromEntries(Object.entries(activity.running).filter(([id]) => id !== item.id)) };
    case 'faults':
      return { ...activity, faults: faultsWords(item) };
    case 'retry':
      return { ...activity, retry: t('the model is asked again in {0}: {1}', durationWords(item.waitMs), item.why) };
    case 'note':
      return activity;
  }
}

export function activityView({ since, agent, tool, running, faults, retry }: Activity, now: number): ActivityView {
  const line = (kind: ActivityLine['kind'], id: string, words: string, at: number): ActivityLine => {
    return { kind, id, words: plain(words, 160), elapsed: now - at };
  };
  return {
    elapsed: now - since,
    lines: [
      ...(agent ? [line('agent', 'agent', agentWords(agent), agent.at)] : []),
      ...(retry === '' ? [] : [line('retry', 'retry', retry, agent?.at ?? since)]),
      ...(tool ? [line('tool', 'tool', toolWords(tool.name, tool.input), tool.at)] : []),
      ...(faults === '' ? [] : [line('faults', 'faults', faults, since)]),
      ...Object.entries(running).map(([id, at]) => line('verification', id, t('runs {0}', id), at)),
    ],
  };
}

export const roleWords: Readonly<Record<RoleName, string>> = {
  reasoner: t('Reasoner'),
  evaluator: t('Evaluator'),
  researcher: t('Researcher'),
  builder: t('Builder'),
  fixer: t('Fixer'),
  qc: 'QC',
  examiner: t('Examiner'),
  classifier: t('Classifier'),
};

/** The last line that was written, since the first of a long text says little of now. */
function agentWords({ role, text }: NonNullable<Activity['agent']>): string {
  const last = inert(text)
    .split('\n')
    .findLast((line) => line.trim() !== '');
  return last === undefined ? t('{0} thinks', roleName(role)) : `${roleName(role)}: ${last.trim()}`;
}

/** As it is called on the screen; a journal may name one that is no more. */
export function roleName(role: string): string {
  return Object.hasOwn(roleWords, role) ? roleWords[role as RoleName] : role;
}
