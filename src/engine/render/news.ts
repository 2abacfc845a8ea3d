/** What a fact tells somebody who watches a sprint, in one line: in the terminal and in the editor's log alike. */
import { descopedWords } from './descoped-words.ts';
import { namesOf, reopenedWords } from './revision-words.ts';
import { measureWords } from './trust-words.ts';
import { counted, oneLine } from '../ground/text.ts';
import { installWords } from '../work/install.ts';
import { titleOf } from '../work/task.ts';
import { subjectWords } from '../work/word.ts';
import type { Fact } from '../work/facts.ts';

export interface News {
  words: string;
  isTrouble: boolean;
}

/** Empty for a fact that is no news. A human action that is asked for is left to the caller: only the terminal shows all of it. */
export function newsOf(fact: Fact): News[] {
  switch (fact.fact) {
    case 'gate.passed':
      return [good(`gate passed: ${fact.gate}`)];
    case 'task.added':
      return [good(`task ${fact.task.id}: ${titleOf(fact.task)}`)];
    case 'task.reported':
      return [good(`task ${fact.id} is reported`)];
    case 'task.shown':
      return [good(`task ${fact.id} is done without a change, as its verifications show`)];
    case 'task.returned':
      return [trouble(`task ${fact.id} is not kept: ${fact.why}`)];
    case 'verification.written':
      return [
        good(
          `${fact.verification.kind === 'criterion' ? 'criterion' : 'verification'} ${fact.verification.id}: ${fact.verification.title}`,
        ),
      ];
    case 'verification.edited':
      return [trouble(`verification ${fact.id} was edited: kept as ${fact.kept}, and not run until you adopt it`)];
    case 'edit.refused':
      return [trouble(`not adopted: ${fact.why}`)];
    case 'verification.adopted':
      return [good(`verification ${fact.verification.id} is yours now, and is proven anew: ${fact.verification.title}`)];
    case 'verification.proven':
      return [good(`proof of ${fact.proof.lineage}: ${fact.proof.why}`)];
    case 'verification.measured':
      return [good(measureWords(fact.measure))];
    case 'tree.settled':
      return [good(`kept as ${fact.settled.commit.slice(0, 10)} (${counted(fact.settled.files.length, 'file')})`)];
    case 'tree.undone':
      return [trouble(`undone: ${fact.why}`)];
    case 'environment.tried':
      return [fact.fine ? good(`the environment is mended: ${fact.why}`) : trouble(`the environment is not mended: ${fact.why}`)];
    case 'install.ran':
      return fact.installed.exit === 0 ? [] : [trouble(`install failed: ${installWords(fact.installed.install)}`)];
    case 'needs.noted':
      return fact.notes.map((note) => trouble(`missing, and nothing waits for it: ${note}`));
    case 'word.said':
      return [good(`you said ${fact.word.id}, about ${subjectWords(fact.word.about)}: ${oneLine(fact.word.words)}`)];
    case 'pause.asked':
      return [good('you asked for a pause after this step')];
    case 'task.skip-asked':
      return [good(`you skipped task ${fact.id}`)];
    case 'task.moved':
      return [good(`you moved task ${fact.id} ${fact.before === null ? 'to the end' : `before ${fact.before}`}`)];
    case 'task.retry-asked':
      return [good(`you asked for one more attempt at task ${fact.id}`)];
    case 'human-action.answered':
      return [good(`you answered ${fact.id}: ${fact.answer}`)];
    case 'documents.answered':
      return [good(`${namesOf(fact.documents)}, as you changed it: ${fact.answer === 'take' ? 'to be taken over' : 'not taken over'}`)];
    case 'documents.taken':
      return [good(`${namesOf(fact.documents)} is taken over: ${reopenedWords(fact)}`)];
    case 'task.reopened':
      return [good(`task ${fact.id} is open again: ${fact.why}`)];
    case 'requirement.descoped':
      return [trouble(`requirement ${fact.id} is ${descopedWords(fact)}`)];
    case 'human-action.verified':
      return [
        fact.fulfilled ? good(`${fact.id} is done: what was asked of you is there`) : trouble(`${fact.id} is not done: ${fact.missing}`),
      ];
    case 'human-action.skipped':
      return [good(`skipped: what waited for ${fact.id} is dropped`)];
    case 'human-action.not-needed':
      return [good(`not asked of you any more: ${fact.why}`)];
    case 'iteration.ended': {
      const { node, n, status, by } = fact.iteration;
      const words = `${node}, iteration ${n}: ${status.decision}${by === 'engine' ? '' : ` by ${by}`}: ${status.reason}`;
      return [status.decision === 'error' ? trouble(words) : good(words)];
    }
    case 'queue.looked':
      return [fact.look.why === undefined ? good(`${fact.look.node}: ${counted(fact.look.left, 'line')} left`) : trouble(fact.look.why)];
    case 'stop.verified': {
      const { node, n, passed, how } = fact.verdict;
      return [passed ? good(`${node}, iteration ${n}: verified`) : trouble(`${node}, iteration ${n}: its stop does not count: it ${how}`)];
    }
    case 'budget.reached':
      return [trouble(fact.why)];
    default:
      return [];
  }
}

function good(words: string): News {
  return { words, isTrouble: false };
}

function trouble(words: string): News {
  return { words, isTrouble: true };
}
