/** A failure never exits as delivered, whatever an earlier sprint's journal holds (I7). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { codeOfError, codeOfState } from '../../src/cli/exit-codes.ts';
import { InputError, Interruption, Refusal, RetryableModelError, TerminalModelError } from '../../src/engine/ground/errors.ts';
import * as p from '../engine/support/parts.ts';

const delivered = p.delivered().begin('close').end().state;
const planned = p.planned().state;

describe('the exit code of an error', () => {
  const unreachable = new RetryableModelError('no answer', 'connection');
  const cases: { what: string; error: unknown; state: typeof delivered | undefined; code: number }[] = [
    { what: 'an unreachable API after a delivered sprint', error: unreachable, state: delivered, code: 1 },
    { what: 'an internal error after a delivered sprint', error: new Error('git failed'), state: delivered, code: 1 },
    { what: 'an unreachable API before any sprint', error: unreachable, state: undefined, code: 1 },
    {
      what: 'an interruption of a sprint with proven value',
      error: new Interruption('unreachable', 'no answer'),
      state: delivered,
      code: 2,
    },
    {
      what: 'an interruption of a sprint without proven value',
      error: new Interruption('unreachable', 'no answer'),
      state: planned,
      code: 1,
    },
    { what: 'a stop by the person', error: new Interruption('cancelled', 'stopped'), state: delivered, code: 130 },
    { what: 'what a finish refuses', error: new Refusal('1.1 is red', 'Choose "keep".'), state: delivered, code: 3 },
    { what: 'an input error', error: new InputError('no PRD', 'Write one.'), state: delivered, code: 4 },
    { what: 'an invalid API key', error: new TerminalModelError('bad key', 'authentication', 'Mend it.'), state: delivered, code: 4 },
  ];
  for (const { what, error, state, code } of cases) it(`is ${code} for ${what}`, () => assert.equal(codeOfError(error, state), code));

  it('is 0 only for a delivered sprint', () => {
    assert.equal(codeOfState(delivered), 0);
    assert.equal(codeOfState(planned), 1);
  });
});
