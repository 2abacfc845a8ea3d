/**
 * The control of a proof: a verification must be green on work with other words and the same behaviour, and must not be green
 * there where it wants other values, or on work with the same words and no behaviour.
 */
import type { Context } from '../../context.ts';
import { languageOf } from '../../prove/language.ts';
import { controlOf, type Found } from '../../prove/outcome.ts';
import { shadowedTool } from '../../prove/shadowed.ts';
import { withOwnInput } from '../../prove/shared-input.ts';
import { reworded, silenced } from '../../prove/source.ts';
import { otherWants, type OtherWants } from '../../prove/wants.ts';
import { isGreen } from '../../judge/verdict.ts';
import { loadsWork } from '../../judge/in-process.ts';
import { runVerifications } from '../../run/batch.ts';
import { prepared } from '../../run/prepared.ts';
import { filesOf, type Files } from '../../run/files.ts';
import { silentTests } from '../../run/own-tests.ts';
import { runOnce } from '../../run/run-once.ts';
import { inParallel } from '../../run/schedule.ts';
import type { Finished, Place } from '../../work/job.ts';
import { requirementsOf, type Run, type Script } from '../../work/verification.ts';

/** Rewrites all files of the sprint, so one checkout serves all verifications. */
export async function control(context: Context, verifications: readonly Script[]): Promise<Map<Script, Found>> {
  if (verifications.length === 0) return new Map();
  const files = await filesOf(context.ports.tree, context.state.work.tree.commits);
  const own = await silentTests(context.ports.syntax, files);
  const isFlaky = (run: Run): boolean => run.verdict === 'flaky';
  const unheeded = new Map<Script, OtherWants>();
  const eaten = new Set<Script>();
  const other = await runWith(context, verifications, { ...own, ...(await soundlyReworded(context, { ...files, ...own })) }, isFlaky, {
    whileThere: async (runs, at) => {
      const green = verifications.filter((_, i) => runs[i]?.verdict === 'green');
      await inParallel(context, green, async (one) => {
        const wants = await unheededWants(context, one, Object.keys(files), at);
        if (wants) unheeded.set(one, wants);
        else if (await takesInput(context, one, at)) eaten.add(one);
      });
    },
  });
  // Without services, which cannot come up when the work is silent: a verification that is green here judges the text alone.
  const alone = verifications.map((verification) => ({ ...verification, requires: [] }));
  const silent =
    Object.keys(files).length === 0 ? [] : await runWith(context, alone, rewritten(files, silenced), () => false, { redExpected: 'again' });
  const shadowed = await inParallel(context, verifications, async (verification) => {
    const text = await context.ports.payloads.get(verification.script);
    const ids = requirementsOf(verification);
    const asked = context.state.work.requirements.filter(({ id }) => ids.includes(id)).map((one) => one.text);
    return shadowedTool(text, verification.ext, Object.keys(files), asked.join('\n'));
  });
  return new Map(
    verifications.map((verification, i) => [
      verification,
      controlOf(
        {
          reworded: other[i],
          silenced: silent[i],
          unheeded: unheeded.get(verification),
          shadowed: shadowed[i],
          eaten: eaten.has(verification),
        },
        Object.keys(own),
      ),
    ]),
  );
}

/** What it wants in its changed text, if it stays green with that. */
async function unheededWants(context: Context, verification: Script, paths: readonly string[], at: Place): Promise<OtherWants | undefined> {
  const script = await context.ports.payloads.get(verification.script);
  const wants = otherWants(script, verification.red, loadsWork(script, verification.ext, paths));
  if (!wants || context.signal.aborted) return undefined;
  const done = await runOnce(context, verification, { at, where: 'revert' }, { script: wants.text, alike: true });
  return isGreen(done) ? wants : undefined;
}

/** Whether the work takes the rows of the script's own loop: with those out of its reach the script is not green, twice. */
async function takesInput(context: Context, verification: Script, at: Place): Promise<boolean> {
  const script = withOwnInput(await context.ports.payloads.get(verification.script), verification.ext);
  if (script === undefined || context.signal.aborted) return false;
  const run = (): Promise<Finished> => runOnce(context, verification, { at, where: 'revert' }, { script, alike: true });
  const isRed = ({ exit, timedOut, output }: Finished): boolean =>
    exit !== null && exit !== 0 && !timedOut && output.includes(verification.red);
  return isRed(await run()) && isRed(await run());
}

/**
 * Where one more comment would be an error, which no verification is to blame for, one more line end: the text is another one in any
 * case, or a verification that compares it as it is would be trusted.
 */
async function soundlyReworded({ ports: { syntax } }: Context, files: Files): Promise<Files> {
  const sound: Record<string, string> = {};
  for (const [path, text] of Object.entries(rewritten(files, reworded))) {
    const before = files[path] ?? '';
    const language = languageOf(path, before);
    const [was, is] = language ? [await syntax.errors(language, before), await syntax.errors(language, text)] : [];
    sound[path] = is === undefined || is <= (was ?? 0) ? text : `${before}\n`;
  }
  return sound;
}

function rewritten(files: Files, change: typeof reworded): Files {
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => (change(path, text) === text ? [] : [[path, change(path, text)]])),
  );
}

interface More {
  redExpected?: 'again';
  /** Called with the runs while their checkout is there. */
  whileThere?: (runs: readonly Run[], at: Place) => Promise<void>;
}

/**
 * Runs them in one checkout with these files in it. Where they have to be green, they look to it like an agent's command: work
 * that behaves only where it is judged is found out so.
 * A run is repeated once when `again` returns true for it.
 */
function runWith(
  context: Context,
  verifications: readonly Script[],
  files: Files,
  again: (run: Run) => boolean,
  { redExpected, whileThere }: More,
): Promise<Run[]> {
  const where = {
    where: 'revert' as const,
    code: null,
    ...(redExpected ? { redExpected } : {}),
    job: { alike: redExpected === undefined },
  };
  return prepared(context, { revert: [] }, async (at, write) => {
    await write(files);
    const runs = await runVerifications(context, { verifications, at, ...where });
    for (const [i, verification] of verifications.entries())
      if (runs[i] && again(runs[i]))
        runs.splice(i, 1, ...(await runVerifications(context, { verifications: [verification], at, ...where })));
    await whileThere?.(runs, at);
    return runs;
  });
}
