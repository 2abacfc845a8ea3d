/** The lines of the log channel: each decision, what agents do, each verification, and how the sprint ended. */
import type { Event } from '../../engine/state/events.ts';
import type { Progress } from '../../engine/ground/progress.ts';
import type { Fact } from '../../engine/work/facts.ts';
import { durationWords, endWords, plain } from '../../views/model/display-text.ts';
import type { LogLine } from '../protocol.ts';

const lineLimit = 400;

/** The log lines for a journal event; most events have none. */
export function linesOf(event: Event): LogLine[] {
  switch (event.type) {
    case 'run.opened':
      return [info(`sprint ${event.sprint} opened on ${event.branch}, at ${event.base.commit.slice(0, 7)}`)];
    case 'step.begun':
      return event.step.kind === 'action' ? [decisionLine(event.step.decision)] : event.step.kind === 'resume' ? [info('resumed')] : [];
    case 'step.ended': {
      const trouble = event.outcome === 'done' || event.why === undefined ? [] : [warn(`${event.outcome}: ${event.why}`)];
      return [...event.facts.flatMap(factLine), ...trouble];
    }
    case 'person.said':
      return event.facts.flatMap(factLine);
  }
}

/** Joins the pieces that agents write into whole lines. */
export class AgentLines {
  private role = '';
  private rest = '';

  /** @returns the lines that are complete. */
  add(item: Progress): LogLine[] {
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

function decisionLine({ action, target, why }: { action: string; target: string; why: string }): LogLine {
  return info(`decision: ${action}${target ? ` ${target}` : ''} (${why})`);
}

function progressLine(item: Exclude<Progress, { kind: 'agent' }>): LogLine[] {
  switch (item.kind) {
    case 'tool':
      return [debug(`tool ${item.name} ${item.input}`)];
    case 'verification':
      return [debug(`verification ${item.id}: ${item.verdict} after ${durationWords(item.duration)}`)];
    case 'retry':
      return [warn(`model call is retried (attempt ${item.attempt}) in ${durationWords(item.waitMs)}: ${item.why}`)];
    case 'note':
      return [info(item.text)];
  }
}

function factLine(fact: Fact): LogLine[] {
  switch (fact.fact) {
    case 'gate.passed':
      return [info(`gate passed: ${fact.gate}`)];
    case 'verification.ran':
      return [
        info(
          `verification ${fact.run.verification}, attempt ${fact.run.n}: ${fact.run.verdict} (${endWords(fact.run)}) ${fact.run.summary}`,
        ),
      ];
    case 'verification.edited':
      return [warn(`verification ${fact.id} was edited: kept as ${fact.kept}, and not run until it is adopted`)];
    case 'edit.refused':
      return [warn(`not adopted: ${fact.why}`)];
    case 'verification.adopted':
      return [info(`verification ${fact.verification.id} is the person's now, and must be proven again`)];
    case 'task.reported':
      return [info(`task ${fact.id} reported`)];
    case 'task.shown':
      return [info(`task ${fact.id} is done without a change, as its verifications show`)];
    case 'task.returned':
      return [warn(`task ${fact.id} returned: ${fact.why}`)];
    case 'tree.settled':
      return [info(`kept as ${fact.settled.commit.slice(0, 7)}: ${fact.settled.files.map((f) => f.path).join(', ')}`)];
    case 'tree.undone':
      return [warn(`undone: ${fact.why}`)];
    case 'human-action.asked':
      return [warn(`needs the person: ${fact.humanAction.action}`)];
    case 'human-action.answered':
      return [info(`the person answered ${fact.id}: ${fact.answer}`)];
    case 'human-action.verified':
      return [fact.fulfilled ? info(`human action ${fact.id} is done`) : warn(`human action ${fact.id} is not done: ${fact.missing}`)];
    case 'budget.reached':
      return [warn(fact.why)];
    default:
      return [];
  }
}

const info = (text: string): LogLine => ({ level: 'info', text: plain(text, lineLimit) });
const debug = (text: string): LogLine => ({ level: 'debug', text: plain(text, lineLimit) });
const warn = (text: string): LogLine => ({ level: 'warn', text: plain(text, lineLimit) });
