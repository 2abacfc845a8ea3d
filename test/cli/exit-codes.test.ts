/** I7: what failed never reads as delivered, whatever an earlier sprint's journal holds. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { codeOfError, codeOfState } from '../../src/cli/exit-codes.ts';
import { InputError, Interruption, RetryableModelError, TerminalModelError } from '../../src/engine/ground/errors.ts';
import * as p from '../engine/support/parts.ts';

const delivered = p.delivered().begin('close').end().state;
const planned = p.planned().state;

describe('the exit code of an error', () => {
  const unreachable = new RetryableModelError('no answer', 'connection');
  const cases: [string, unknown, typeof delivered | undefined, number][] = [
    ['an unreachable API after a delivered sprint', unreachable, delivered, 1],
    ['a failure of our own after a delivered sprint', new Error('git failed'), delivered, 1],
    ['an unreachable API before any sprint', unreachable, undefined, 1],
    ['an interruption with something proven', new Interruption('unreachable', 'no answer'), delivered, 2],
    ['an interruption with nothing proven', new Interruption('unreachable', 'no answer'), planned, 1],
    ['a stop by the person', new Interruption('cancelled', 'stopped'), delivered, 130],
    ['an input', new InputError('no PRD', 'Write one.'), delivered, 4],
    ['a bad key', new TerminalModelError('bad key', 'authentication', 'Mend it.'), delivered, 4],
  ];
  for (const [what, error, state, code] of cases) it(`is ${code} for ${what}`, () => assert.equal(codeOfError(error, state), code));

  it('is 0 for nothing but a sprint that is delivered', () => {
    assert.equal(codeOfState(delivered), 0);
    assert.equal(codeOfState(planned), 1);
  });
});
