/** A sprint with one verification that is red and then green in each checkout. */
import { verifications, withSessions, writeVerifications, type Session } from '../support/greeter.ts';

export const flaky = 'bad/flaky';

const header = ['#!/usr/bin/env bash', `# TEST: ${flaky}`, '# PRD: 1.1', '# RED: wrong greeting'];
const lines = [...header, 'if [ -e .seen ]; then rm .seen; exit 0; fi', 'touch .seen; echo "wrong greeting"; exit 1'];
const script = { write_verification: { path: `${flaky}.sh`, content: lines.join('\n') } };
const idle: Session = { role: 'fixer', purpose: 'fix/*', turns: [{ text: 'I cannot.', repeat: true }] };

export const sessions: readonly Session[] = [
  ...withSessions(writeVerifications(verifications.name, verifications.world, verifications.house, script)),
  idle,
];
