/** Sessions of a tier are shown one list of tools, and may call only their own (I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { shownTools } from '../../../src/engine/agents/shown-tools.ts';
import { frontOf, type PromptName } from '../../../src/engine/ground/prompts.ts';

const reasoning: PromptName[] = ['discovery', 'review-documents', 'plan', 'review-plan', 'plan-health', 'vrc', 'evaluation'];
const execution: PromptName[] = ['write-verifications', 'review-verification', 'review-suite', 'execute', 'fix', 'service-fix'];

describe('the tools that a session is shown', () => {
  for (const tier of [reasoning, execution])
    it(`are one list for ${tier.join(', ')}, so that each begins with what the provider has cached`, () => {
      for (const name of tier) assert.deepEqual(shownTools(name).shown, shownTools(tier[0] as PromptName).shown, name);
    });

  it('hold its own, and all others are withheld', () => {
    for (const name of [...reasoning, ...execution]) {
      const { shown, withheld } = shownTools(name);
      assert.ok(withheld.length > 0, name);
      assert.deepEqual(shown.filter((tool) => !withheld.includes(tool)).toSorted(), frontOf(name).tools.toSorted(), name);
    }
  });

  it('are only its own where a session is rare, or asks another model', () => {
    for (const name of [
      'course-correct',
      'research',
      'write-hidden',
      'review-declaration',
      'strategy',
      'triage',
      'vrc-quick',
      'stage',
    ] as const)
      assert.deepEqual(shownTools(name), { shown: frontOf(name).tools, withheld: [] }, name);
  });

  it('differ between the tiers: who plans is not shown how to write a file', () => {
    assert.ok(!shownTools('plan').shown.includes('write_file'));
    assert.ok(!shownTools('execute').shown.includes('report_evaluation'));
  });
});
