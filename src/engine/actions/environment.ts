/**
 * Looks once whether a fixer is right that the environment is at fault, without a model (I11): the install runs again, the
 * fixer's command tells whether that mended it, and what failed runs anew. Only if both still fail is the person asked. What
 * waits for that waits; no other fixer is called for it.
 */
import type { Context } from '../context.ts';
import { Interruption } from '../ground/errors.ts';
import { pieceOf } from '../ground/text.ts';
import { claimOf, environmentTank, openClaims, type Claim } from '../diagnose/environment.ts';
import { askForInstalls } from '../judge/install-fault.ts';
import { installInWorktree } from '../run/installs.ts';
import { knownInstalls } from '../run/prepared.ts';
import { installWords } from '../work/install.ts';
import { probeService, probeServices } from '../run/probe-services.ts';
import { runVerifications } from '../run/batch.ts';
import { servicesOf } from '../services/services.ts';
import { liveRunnable } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { deedOf, humanActionId, isUnresolved, type Deed } from '../work/human-action.ts';
import { serviceLineage, type ServiceProbe } from '../work/service.ts';
import type { Fact } from '../work/facts.ts';
import type { Run } from '../work/verification.ts';
import type { Action } from './action.ts';
import { tidy } from './change.ts';

export const environment: Action = {
  id: 'environment',
  asksModel: false,
  afterQualifying: true,
  due(state) {
    return openClaims(state).map(({ verification, lineage, also, answer }) => ({
      target: verification,
      burns: [lineage, ...also].map(environmentTank),
      why: `the fixer of ${verification} says that the environment is at fault: ${answer.missing}`,
    }));
  },
  async run(target, context) {
    const { state } = context;
    const claim = claimOf(state, target);
    if (!claim) return [];
    if (!claim.tried) await tryToMend(context, claim);
    const { probes, runs } = await judgeAnew(context, claim);
    await tidy(context, null);
    const isOfService = servicesOf(state.work).some(({ name }) => serviceLineage(name) === claim.lineage);
    const failed = [
      // Behind another one that is down, nothing tells that this one is mended.
      ...(isOfService && probes.some(({ up }) => !up) ? [claim.lineage] : []),
      ...runs.filter(({ verdict }) => verdict === 'red').map(({ lineage }) => lineage),
    ];
    const isMended = claimOf(state, target)?.tried?.fine === true || failed.length === 0;
    return [
      ...probes.map((probe): Fact => ({ fact: 'service.probed', probe })),
      ...runs.map((run): Fact => ({ fact: 'verification.ran', run })),
      ...(isMended ? askForInstalls(state, runs, probes) : [ask(state, claimOf(state, target) ?? claim, failed)]),
    ];
  },
};

/** Records the try as a step of its own: the verdicts that follow belong to the world after it. */
async function tryToMend(context: Context, { step, answer: { command } }: Claim): Promise<void> {
  const { state, ports, signal, open } = context;
  const installs = knownInstalls(state).map(installWords).join(', ');
  await installInWorktree(context, 'all');
  const { commandTimeout: timeout, network } = state.config;
  // As a verification: what is missing may be missing only there.
  const job = { run: { command }, at: 'worktree' as const, timeout, network: network === 'all', view: true };
  const done = await ports.runner.run(job, signal);
  if (signal.aborted) throw new Interruption('cancelled', 'The sprint was stopped.');
  const fine = done.exit === 0 && !done.timedOut;
  const printed = pieceOf(done.output.trim().split('\n').slice(-3).join('\n'), -500);
  const ended = `its command ended with status ${done.exit ?? 'none'}${fine || printed === '' ? '' : `: ${printed}`}`;
  const why = installs === '' ? ended : `${installs} was installed again, and ${ended}`;
  const facts: Fact[] = [{ fact: 'environment.tried', step, fine, why }];
  await context.append({ type: 'step.ended', id: `${open.id}/tried`, outcome: 'done', facts });
}

/** The service, or the verifications, that the fixer was called for. */
async function judgeAnew(context: Context, { lineage, also }: Claim): Promise<{ probes: ServiceProbe[]; runs: Run[] }> {
  const { work } = context.state;
  const { code } = work.tree;
  const service = servicesOf(work).find(({ name }) => serviceLineage(name) === lineage);
  if (service) return { probes: [await probeService(context, service, { at: 'worktree', code })], runs: [] };
  const verifications = liveRunnable(work).filter((one) => [lineage, ...also].includes(one.lineage));
  const { probes, ready } = await probeServices(context, { verifications, at: 'worktree', code });
  return { probes, runs: await runVerifications(context, { verifications: ready, at: 'worktree', where: 'tree', code }) };
}

/** One deed for one command, whoever waits for it. */
function ask({ ledger: { humanActions } }: State, { answer: { missing, command }, tried }: Claim, lineages: string[]): Fact {
  const deeds = Object.values(humanActions).filter((one): one is Deed => one.kind === 'deed' && isUnresolved(one));
  const same = deeds.find((deed) => deed.command === command && deed.lineages.length > 0);
  const humanAction = same
    ? { ...same, lineages: [...new Set([...same.lineages, ...lineages])] }
    : deedOf({
        id: humanActionId(humanActions),
        action: `Mend the environment: ${missing}`,
        instructions: `This cannot pass without it, and no change of the work brings it: ${lineages.join(', ')}. Loop tried: ${tried?.why ?? 'nothing'}. Everything else goes on meanwhile.`,
        command,
        lineages,
      });
  return { fact: 'human-action.asked', humanAction };
}
