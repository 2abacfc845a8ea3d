/** Sprints by recording that end in different ways, and what is compared of them: nobody is called more, nothing is taken back. */
import type { Ending, State } from '../../../src/engine/state/state.ts';
import { build, honest, withSessions, writeVerifications, type Session } from '../../support/greeter.ts';
import { api, behindDead, discovery, fifteen, mendsService, plan, server, writes } from '../../support/greeting-service.ts';

const noFix: Session = { role: 'fixer', purpose: 'fix/cli/house', turns: [{ text: 'I cannot.', repeat: true }] };

export const fixtureSprints: Readonly<Record<string, readonly Session[]>> = {
  'one fix, delivered': honest,
  'a service, delivered': withSessions(
    discovery(api),
    plan(['T1', ['1.1', '1.2', '1.3', 'V1']]),
    writeVerifications(...fifteen),
    build('T1', writes(server())),
  ).filter(({ purpose }) => purpose !== 'fix/cli/world'),
  'a service that is mended': behindDead(mendsService(1, writes(server()))),
  'a change that is taken back': withSessions(build('T2', { write_file: { path: 'greet.sh', content: 'echo "${1:-Hello, world!}"\n' } })),
  'a verification that stays red': [
    ...withSessions(build('T3', { write_file: { path: 'house.js', content: 'console.log("Salute");\n' } })),
    noFix,
  ],
};

export interface Outcome {
  stop: string;
  /** Decisions that call somebody to mend, research or decide anew. */
  fixes: number;
  takenBack: number;
  /** Red and flaky runs, without those that take the work out. */
  reds: number;
  /** Runs that were looked at alone. */
  looks: number;
}

const calls = ['fix', 'service-fix', 'environment', 'triage', 'research', 'strategy', 'course-correct'];

export function outcomeOf({ ending, state }: { ending: Ending; state: State }): Outcome {
  const runs = Object.values(state.ledger.runs).flatMap((all) => all ?? []);
  const judging = runs.filter(({ where }) => where !== 'revert');
  return {
    stop: ending.stop,
    fixes: state.ledger.decisions.filter(({ decision }) => calls.includes(decision.action)).length,
    takenBack: state.ledger.undone.length,
    reds: judging.filter(({ verdict }) => verdict === 'red' || verdict === 'flaky').length,
    looks: judging.filter(({ looks }) => looks !== undefined).length,
  };
}
