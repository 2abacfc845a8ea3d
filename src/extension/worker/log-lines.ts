/** The lines of the log channel: each decision, what agents do, each verification, and how the sprint ended. */
import type { Decision, Event } from '../../engine/state/events.ts';
import { decisionWords } from '../../engine/render/explanation.ts';
import { faultsWords, type Progress } from '../../engine/ground/progress.ts';
import type { Fact } from '../../engine/work/facts.ts';
import { newsOf } from '../../engine/render/news.ts';
import { nounOf } from '../../engine/render/words.ts';
import { durationWords, endWords, plain } from '../../views/model/display-text.ts';
import type { LogLine } from '../protocol.ts';

const lineLimit = 400;

/** The log lines for a journal event; most events have none. */
export function linesOf(event: Event): LogLine[] {
  switch (event.type) {
    case 'run.opened':
      return [info(`${nounOf(event)} ${event.sprint} opened on ${event.branch}, at ${event.base.commit.slice(0, 7)}`)];
    case 'step.begun':
      return event.step.kind === 'action' ? [decisionLine(event.step.decision)] : event.step.kind === 'resume' ? [info('resumed')] : [];
    case 'step.ended': {
      const trouble = event.outcome === 'done' || event.why === undefined ? [] : [warn(`${event.outcome}: ${event.why}`)];
      return [...event.facts.flatMap(factLines), ...trouble];
    }
    case 'person.said':
      return event.facts.flatMap(factLines);
  }
}

/** Joins the pieces that agents write into whole lines. */
export class AgentLines {
  private role = '';
  private rest = '';

  /** @returns the lines that are complete. */
  add(item: Progress): LogLine[] {
    if (item.kind === 'verification-began') return [];
    if (item.kind !== 'agent') return [...this.flush(), ...progressLine(item)];
    const before = item.role === this.role ? [] : this.flush();
    this.role = item.role;
    const lines = (this.rest + item.text).split('\n');
    this.rest = lines.pop() ?? '';
    return [...before, ...lines.flatMap((line) => this.line(line))];
  }

  /** @returns the rest as a line, though it is unfinished. */
  flush(): LogLine[] {
    const lines = this.line(this.rest);
    this.rest = '';
    return lines;
  }

  private line(text: string): LogLine[] {
    return text.trim() === '' ? [] : [debug(`${this.role}: ${text}`)];
  }
}

function decisionLine(decision: Decision): LogLine {
  return info(`${decisionWords(decision)} (${decision.why})`);
}

function progressLine(item: Exclude<Progress, { kind: 'agent' | 'verification-began' }>): LogLine[] {
  switch (item.kind) {
    case 'tool':
      return [debug(`tool ${item.name} ${item.input}`)];
    case 'verification':
      return [
        debug(`verification ${item.id}: ${item.verdict}${item.isExpected ? ', as expected,' : ''} after ${durationWords(item.duration)}`),
      ];
    case 'faults':
      return [debug(faultsWords(item))];
    case 'retry':
      return [warn(`model call is retried (attempt ${item.attempt}) in ${durationWords(item.waitMs)}: ${item.why}`)];
    case 'note':
      return [info(item.text)];
  }
}

function factLines(fact: Fact): LogLine[] {
  if (fact.fact === 'human-action.asked') return [warn(`needs you: ${fact.humanAction.action}`)];
  if (fact.fact !== 'verification.ran') return newsOf(fact).map(({ words, isTrouble }) => (isTrouble ? warn(words) : info(words)));
  const { verification, n, verdict, summary } = fact.run;
  return [info(`verification ${verification}, attempt ${n}: ${verdict} (${endWords(fact.run)}) ${summary}`)];
}

const info = (text: string): LogLine => ({ level: 'info', text: plain(text, lineLimit) });
const debug = (text: string): LogLine => ({ level: 'debug', text: plain(text, lineLimit) });
const warn = (text: string): LogLine => ({ level: 'warn', text: plain(text, lineLimit) });
