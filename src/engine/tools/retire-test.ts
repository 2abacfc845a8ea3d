/** QC takes tests out of a suite of the repository, and names the requirement that contradicts them; the person reads it in the report. */
import * as z from 'zod';
import { canBurn } from '../state/fuel.ts';
import { baseTank, retiredTests } from '../judge/guarded-suites.ts';
import { liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { normalizeRequirementId } from '../work/requirement.ts';
import type { Suite } from '../work/verification.ts';
import { reportTool, ToolError } from './tool.ts';
import { refuseUnknown } from './write-verification.ts';

const input = z.strictObject({
  suite: z.string().min(1).describe('Id of the suite, such as suite/unit'),
  files: z.array(z.string().min(1)).min(1).max(20).describe('Test files, as paths; whole files, so name no more than you must'),
  requirement: z.string().min(1).describe('Id of the requirement that contradicts them'),
  why: z.string().min(20).describe('What the requirement asks and what the tests expect instead'),
});

export const retireTest = reportTool<z.infer<typeof input>>({
  name: 'retire_test',
  description:
    "Take test files out of the repository's own suite, because a requirement contradicts what they expect. Never because the work does not pass them.",
  input,
  async look({ suite, files }, { state, ports }) {
    const there = await ports.repo.testsAtBase(suiteNamed(state, suite).files);
    const unknown = files.filter((path) => !there.includes(path));
    if (unknown.length > 0) throw new ToolError(`${unknown.join(', ')} was no test file of ${suite} before the sprint.`);
  },
  handle({ suite, files, requirement: written, why }, { state, target }) {
    const { suite: name } = suiteNamed(state, suite);
    if (state.work.verifications[target]?.kind === 'suite' && target !== suite) throw new ToolError(`This session is about ${target}.`);
    const requirement = normalizeRequirementId(written);
    refuseUnknown('requirement', [requirement], state);
    const gone = retiredTests(state, name);
    if (files.every((path) => gone.includes(path))) throw new ToolError('These are retired already.');
    return {
      text: `Retired for requirement ${requirement}. The engine runs what is left of ${suite} on the base commit.`,
      facts: [{ fact: 'test.retired', retired: { suite: name, files, requirement, why } }],
    };
  },
});

/** @throws ToolError when there is no such suite, or no run on the base commit is left to confirm what remains of it. */
function suiteNamed(state: State, id: string): Suite {
  const suite = liveVerifications(state.work).find((v) => v.id === id);
  if (suite?.kind !== 'suite') throw new ToolError(`There is no suite ${id}.`);
  if (!canBurn(state.ledger, [baseTank(suite.suite)])) throw new ToolError(`Tests of ${id} were retired as often as they may be.`);
  return suite;
}
