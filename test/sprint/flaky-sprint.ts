/** A sprint with one verification that is red and then green on each tree. */
import { verifications, withSessions, writeVerifications, type Session } from '../support/greeter.ts';

export const flaky = 'bad/flaky';

const header = ['#!/usr/bin/env bash', `# TEST: ${flaky}`, '# PRD: 1.1', '# RED: wrong greeting'];
const idle: Session = { role: 'fixer', purpose: 'fix/*', turns: [{ text: 'I cannot.', repeat: true }] };

/** @param lines of the verification, below its header. */
export function sessionsWith(lines: readonly string[]): readonly Session[] {
  const script = { write_verification: { path: `${flaky}.sh`, content: [...header, ...lines].join('\n') } };
  return [...withSessions(writeVerifications(verifications.name, verifications.world, verifications.house, script)), idle];
}
