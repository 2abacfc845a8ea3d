/**
 * A second QC, another model than the first where one is configured, writes the hidden verifications once the work is done and
 * proven. It also looks at those that failed: what it does not write again is right, so its requirement and title become a task.
 */
import type { Context } from '../context.ts';
import { promptText } from '../ground/prompts.ts';
import { canReview, hiddenRun, hiddenTank, hiddenWork, isUntoldRed } from '../judge/hidden.ts';
import { liveScripts } from '../state/covers.ts';
import { canBurn } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { scriptExtensions } from '../work/script-language.ts';
import type { Script } from '../work/verification.ts';
import type { Action } from './action.ts';
import { tasksForHidden } from './gap-tasks.ts';
import { runSession, unreportedFacts } from './session-action.ts';
import { evidenceOf } from './told/verification-values.ts';

export const writeHidden: Action = {
  id: 'write-hidden',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    const { unwritten, failed } = fuelled(state);
    const about = [...new Set([...unwritten, ...failed.flatMap(({ prd }) => prd)])];
    if (about.length === 0) return [];
    return [
      { target: '', burns: about.map(hiddenTank), why: `hidden verifications of ${about.join(', ')} have to be written or looked at` },
    ];
  },
  async run(_target, context) {
    const { state, open } = context;
    const about = open.decision.burns.filter(({ kind }) => kind === 'hidden').map(({ key }) => key);
    const unwritten = (): string[] => hiddenWork(state).unwritten.filter((id) => about.includes(id));
    const failed = (): Script[] => hiddenWork(state).failed.filter(({ prd }) => prd.every((id) => about.includes(id)));
    const looked = failed();
    const values = async () => ({
      run: promptText('verification-run'),
      extensions: scriptExtensions.map((extension) => `.${extension}`).join(' '),
      wanted: unwritten().join(', ') || 'Nothing new.',
      known: liveScripts(state.work)
        .map(({ prd, title }) => `- ${prd.join(', ')}: ${title}`)
        .join('\n'),
      failed: (await Promise.all(failed().map((one) => failedText(context, one)))).join('\n\n') || 'None.',
    });
    const end = await runSession(context, { prompt: 'write-hidden', values });
    // A session without a report looked at nothing; where it was the last one, what is red is told all the same.
    const upheld = looked.filter((one) => isUntoldRed(state, one) && (end.end === 'reported' || !canReview(state, one)));
    return [...tasksForHidden(state, upheld), ...unreportedFacts(end, () => [])];
  },
};

/** What there is fuel for: one without it keeps no other from being written. */
function fuelled(state: State): ReturnType<typeof hiddenWork> {
  const { unwritten, failed } = hiddenWork(state);
  return {
    unwritten: unwritten.filter((id) => canBurn(state.ledger, [hiddenTank(id)])),
    failed: failed.filter((one) => canReview(state, one)),
  };
}

async function failedText({ state, ports }: Context, verification: Script): Promise<string> {
  const { id, script, ext } = verification;
  const run = hiddenRun(state, verification);
  return `### ${id.replace(/^hidden\//, '')}.${ext}\n\n\`\`\`\n${await ports.payloads.get(script)}\n\`\`\`\n\n\`\`\`\n${run ? evidenceOf(run) : ''}\n\`\`\``;
}
