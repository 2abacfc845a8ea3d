/**
 * Guarantees, each broken in one way, to show that the simulation would notice (`npm run simulate -- --mutants`). A mutant is
 * the engine with some text replaced when it is bundled: production code knows nothing of it. A text that is no longer there
 * fails loudly; the mutant then has to follow the source.
 */

import { edit, type Mutant } from './mutant.ts';
import { rowMutants } from './row-mutants.ts';

export const mutants: readonly Mutant[] = [
  {
    name: 'free row',
    what: 'fixes burn no tank of their own',
    edits: [edit('actions/fix.ts', 'burns, why: words }', 'burns: [], why: words }')],
  },
  {
    name: 'free decision',
    what: 'decisions burn no fuel of the sprint',
    edits: [edit('decide.ts', "burns: ['sprint', ...first.burns]", 'burns: first.burns')],
  },
  {
    name: 'refill',
    what: 'a settled change refills the sprint',
    edits: [
      edit(
        'ledger.ts',
        "  if (settled.author.kind === 'task') mark",
        "  ledger.burned['sprint'] = 0;\n  if (settled.author.kind === 'task') mark",
      ),
    ],
  },
  {
    name: 'empty tank',
    what: 'a row runs though its tank is empty',
    edits: [edit('fuel.ts', 'left(ledger, tank) > 0);', 'left(ledger, tank) > -3);')],
  },
  {
    name: 'free resume',
    what: 'a resume burns nothing',
    edits: [
      edit(
        'ledger.ts',
        '  for (const tank of tanks) ledger',
        "  for (const tank of tanks.join() === 'sprint' ? [] : tanks) ledger",
      ),
    ],
  },
  {
    name: 'unmetered minting',
    what: 'gaps become tasks without end',
    edits: [edit('actions/gap-tasks.ts', 'Math.max(0, mintLeft(state.ledger))', 'Infinity')],
  },
  {
    name: 'sized twice',
    what: 'the sprint gets more fuel than its plan allows',
    edits: [edit('fuel.ts', 'openingFuel + 15 * tasks', 'openingFuel + 30 * tasks')],
  },
  {
    name: 'shown by claim',
    what: 'a task is done when its builder says that nothing had to change',
    edits: [edit('actions/execute.ts', 'isShown(state, task)', 'state.open')],
  },
  {
    name: 'shown by what cannot fail',
    what: 'a verification that was never red shows that a task is done',
    edits: [
      edit('verify/trust.ts', 'isGreen(state.work, check) && canFail(check)', 'isGreen(state.work, check) || canFail(check)'),
    ],
  },
  {
    name: 'raised by agents',
    what: 'a budget that is reached raises itself',
    edits: [
      edit(
        'agents/session.ts',
        "facts: [{ fact: 'budget.reached', ...over }]",
        "facts: [{ fact: 'budget.raised', usd: 1000, tokens: 1_000_000_000 }]",
      ),
    ],
  },
  {
    name: 'spend first',
    what: 'a call is made before anybody looks whether it fits the budget',
    edits: [
      edit(
        'agents/session.ts',
        'if (over) return notAsked(context, request, over);',
        'if (over && state.ledger.spend.usd > 2 * state.ledger.budget.usd) return notAsked(context, request, over);',
      ),
    ],
  },
  {
    name: 'undo that refunds',
    what: 'what is taken back gets its attempt back',
    edits: [
      edit(
        'ledger.ts',
        '      ledger.undone.push({',
        "      if (fact.change.author.kind === 'task') ledger.burned[`execute/${fact.change.author.task}`] = 0;\n      ledger.undone.push({",
      ),
    ],
  },
  {
    name: 'undo in part',
    what: 'the tree goes back and the work does not',
    edits: [
      edit(
        'fold.ts',
        "fact.fact === 'tree.undone' ? { ...state.restore, causes: null } :",
        "fact.fact === 'tree.undone' ? { ...state.work, causes: null, tree: { ...state.work.tree, change: null } } :",
      ),
    ],
  },
  {
    name: 'undo on paper',
    what: 'the work goes back and the tree does not',
    edits: [edit('actions/settle.ts', "context.ports.repo.undo().then(() => '')", "Promise.resolve('')")],
  },
  {
    name: 'cut off control',
    what: 'a verification that was too slow to answer is taken for one that looks at the work',
    edits: [edit('actions/prove.ts', 'if (silent && isCutOff(silent))', 'if (silent && silent.n < 0)')],
    world: { kind: 'lying', witness: 'nobody', criterion: false, requirements: 1, tasks: 1, parts: 1, slowest: 70, config: {} },
  },
  {
    name: 'litter',
    what: 'what verifications leave in the tree stays',
    edits: [edit('actions/change.ts', 'if (patch !== expected) await', 'if (patch === expected && expected !== patch) await')],
  },
  {
    name: 'laundered lineage',
    what: 'a verification under another name has attempts of its own',
    edits: [edit('tools/write-check.ts', 'return known?.lineage ?? id;', 'return id;')],
  },
  {
    name: 'progress by claim',
    what: 'a reported task is a milestone',
    edits: [
      edit(
        'ledger.ts',
        "    case 'task.added':\n      if",
        "    case 'task.reported':\n      return mark(ledger, `task ${fact.id}`);\n    case 'task.added':\n      if",
      ),
    ],
  },
  {
    name: 'trusted claim',
    what: 'a task that was reported is done',
    edits: [edit('work/task.ts', "{ status: 'reported', report: fact.report }", "{ status: 'done', report: fact.report }")],
  },
  {
    name: 'stale results',
    what: 'a result of older code counts',
    // A change is settled with results of everything on its code: without them older ones are left to count.
    edits: [
      edit('actions/settle.ts', 'checks: mayGate ? [] : left', 'checks: mayGate ? left : []'),
      edit('ending.ts', "result?.verdict === 'green' && result.code === work.tree.code &&", "result?.verdict === 'green' &&"),
      edit('actions/final.ts', 'if (result?.code !== state.work.tree.code) return false;', 'if (!result) return false;'),
      edit('actions/run-checks.ts', 'result?.code === work.tree.code && last', 'result !== undefined && last'),
      edit('actions/prove.ts', "result?.verdict !== 'green' || result.code !== work.tree.code", "result?.verdict !== 'green'"),
    ],
  },
  {
    name: 'stale script',
    what: 'a result of an older script counts',
    // What is written again loses its result, and run-checks looks at the script besides: either is enough.
    edits: [
      edit('actions/run-checks.ts', 'last?.script === check.script;', "last?.script !== '';"),
      edit(
        'fold.ts',
        'if (!results[id] || checks[id]?.script === script) return results;',
        'if (results[id] || checks[id]) return results;',
      ),
    ],
  },
  {
    name: 'trust without proof',
    what: 'a green verification is trusted',
    edits: [
      edit(
        'verify/trust.ts',
        "  return { trusted: false, why: whys.join('; ') || 'it has",
        "  if (runs.some((run) => run.verdict === 'green')) return { trusted: true, by: 'revert', why: '' };\n  return { trusted: false, why: whys.join('; ') || 'it has",
      ),
    ],
  },
  {
    name: 'no control',
    what: 'a verification that reads the text of the work is trusted',
    edits: [
      edit('actions/prove.ts', "if (silent?.verdict === 'green')", "if (silent?.verdict === 'green' && silent.exit !== 0)"),
    ],
  },
  {
    name: 'green by printed words',
    what: 'a run that prints PASS has passed',
    edits: [
      edit('verify/run.ts', 'return exit === 0 && !timedOut;', "return (exit === 0 && !timedOut) || output.includes('PASS');"),
      edit(
        'verify/run.ts',
        'function isGreen({ exit, timedOut }: Finished)',
        'function isGreen({ exit, timedOut, output }: Finished)',
      ),
    ],
  },
  {
    name: 'fallback counts',
    what: 'an evaluation that was never reported counts as one that found nothing',
    edits: [edit('ending.ts', 'if (!evaluation || evaluation.fallback) reasons', 'if (!evaluation) reasons')],
  },
  {
    name: 'descoped without consent',
    what: 'a task is dropped when the person says that they did what it waits for',
    edits: [edit('fold.ts', "&& fact.answer === 'skip')", '&& fact.answer !== undefined)')],
  },
  {
    name: 'forged answer',
    what: 'nobody is asked, and it is taken for done',
    edits: [
      edit('actions/wait.ts', '(stop) => ports.person.waitFor(asked, stop),', "() => Promise.resolve<PersonAnswer>('skip'),"),
    ],
  },
  {
    name: 'skipped clean run',
    what: 'the final tree is not checked in a clean checkout',
    edits: [
      edit(
        'actions/final.ts',
        "  if (!clean || flaked(state).length > 0) return 'clean-run';\n",
        "  if (clean?.why === 'never') return 'clean-run';\n",
      ),
      edit('ending.ts', '  if (!clean) reasons.push(whyUnseen(state));\n  else if (clean', '  if (clean && clean'),
      edit(
        'ending.ts',
        "cleanRunsOf(state, check).at(-1)?.verdict === 'green';",
        "(cleanRunsOf(state, check).at(-1)?.verdict ?? 'green') === 'green';",
      ),
    ],
  },
  {
    name: 'final out of fuel',
    what: 'a final row whose fuel is out delivers',
    edits: [
      edit(
        'ending.ts',
        '  return reasons;\n}\n',
        "  return canBurn(state.ledger, ['final/evaluation', 'final/vrc']) ? reasons : [];\n}\n",
      ),
    ],
  },
  {
    name: 'rubber stamp',
    what: 'what the judges say must be mended does not matter',
    edits: [
      edit(
        'work/assessment.ts',
        "return level === 'critical' || level === 'blocking';",
        "return level === 'critical' && level.length === 0;",
      ),
      edit(
        'ending.ts',
        "else if (vrc.recommendation !== 'SHIP_READY') reasons",
        "else if (vrc.recommendation === 'DESCOPE') reasons",
      ),
    ],
  },
  {
    name: 'two appends where one is due',
    what: 'a call ends in one line and its facts come in another',
    edits: [
      edit(
        'agents/calls.ts',
        "await context.append({ type: 'step.ended', id, outcome, result, ...picture, ...status, facts });",
        "await context.append({ type: 'step.ended', id, outcome, result, ...picture, ...status, facts: [] });\n  if (facts.length > 0) await context.append({ type: 'step.ended', id, outcome, result, facts });",
      ),
    ],
  },
  {
    name: 'repeated effect',
    what: 'a commit is made again after a crash',
    edits: [
      edit('actions/settle.ts', '(await ports.repo.findCommit(step)) ?? ports.repo.commit', 'ports.repo.commit'),
      edit('actions/settle.ts', 'probe: () => ports.repo.findCommit(step),', ''),
      edit(
        'actions/settle.ts',
        'const committed = await ports.repo.findCommit(change.step);',
        'const committed = undefined as string | undefined;',
      ),
    ],
  },
  ...rowMutants,
];
