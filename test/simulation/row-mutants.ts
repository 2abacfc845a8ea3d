/** Mutants of what bounds and guards the rows that correct, look up, mend services and guard suites, and the clean run. */
import { edit, type Mutant } from './mutant.ts';

export const rowMutants: readonly Mutant[] = [
  {
    name: 'free correction',
    what: 'a course correction adds tasks without end',
    edits: [
      edit(
        'tools/guardrails.ts',
        "task.source !== 'plan' && mintLeft(ledger) <= 0",
        "task.source === 'final' && mintLeft(ledger) <= 0",
      ),
    ],
  },
  {
    name: 'corrections without end',
    what: 'a course correction burns nothing',
    edits: [edit('actions/course-correct.ts', "burns: ['correct'], why", 'burns: [], why')],
  },
  {
    name: 'refilled reserve',
    what: 'what was found out opens two more fixes every time',
    edits: [
      edit(
        'ledger.ts',
        "    case 'research.reported':\n",
        "    case 'research.reported':\n      for (const lineage of fact.brief.lineages) ledger.burned[`lineage/${lineage}`] = 0;\n",
      ),
    ],
  },
  {
    name: 'reserve for nothing',
    what: 'two more fixes though nothing was found out',
    edits: [
      edit(
        'verify/status.ts',
        'canBurn(ledger, own) || briefsFor(ledger.briefs, lineage).length === 0 ? own',
        'canBurn(ledger, own) ? own',
      ),
    ],
  },
  {
    name: 'lost requirement',
    what: 'what replaces a task need not serve what it served',
    edits: [
      edit(
        'tools/manage-task.ts',
        't?.prdSection.includes(id)));\n  if (lost.length > 0)',
        't?.prdSection.includes(id)));\n  if (lost.length > 99)',
      ),
    ],
  },
  {
    name: 'silent drop',
    what: 'a settled plan loses a task that nothing replaces',
    // Either line refuses it: every task serves something, and nothing would serve that.
    edits: [
      edit('tools/manage-task.ts', 'if (ids.length === 0)', 'if (ids.length > 99)'),
      edit(
        'tools/manage-task.ts',
        't?.prdSection.includes(id)));\n  if (lost.length > 0)',
        't?.prdSection.includes(id)));\n  if (ids.length > 0 && lost.length > 0)',
      ),
    ],
  },
  {
    name: 'question for consent',
    what: 'an answer in words drops the task that the question is about',
    edits: [edit('fold.ts', "&& fact.answer === 'skip')", "&& (fact.answer === 'skip' || fact.said !== undefined))")],
  },
  {
    name: 'said for them',
    what: 'a question that nobody answered counts as answered in words',
    edits: [
      edit(
        'actions/wait.ts',
        '(stop) => ports.person.waitFor(asked, stop),',
        "(stop) => (pause.lineages ? Promise.resolve({ said: 'go on' }) : ports.person.waitFor(asked, stop)),",
      ),
    ],
  },
  {
    name: 'asked without end',
    what: 'QC looks at a verification in doubt as often as anybody says so',
    edits: [edit('actions/generate-checks.ts', 'burns: [rewriteTank(check)], why', 'burns: [], why')],
  },
  {
    name: 'patches without end',
    what: 'QC may offer as many faults as it likes',
    edits: [edit('verify/patches.ts', 'export const patchesPerLineage = 3;', 'export const patchesPerLineage = 99;')],
  },
  {
    name: 'service fixed without end',
    what: 'mending a service burns nothing',
    edits: [edit('actions/service-fix.ts', 'burns: [serviceTank(service)], why', 'burns: [], why')],
    world: { service: 'dying' },
  },
  {
    name: 'dead service passes',
    what: 'a verification whose service is down is green',
    edits: [edit('verify/run.ts', 'const verdict = isGreen(first) ?', 'const verdict = isGreen(first) || first.dead ?')],
    world: { service: 'dying' },
  },
  {
    name: 'tests retired without end',
    what: 'a run of a suite on the base commit burns nothing',
    edits: [edit('actions/characterise.ts', 'burns: [baseTank(name)], why', 'burns: [], why')],
    world: { suite: 'contradicts' },
  },
  {
    name: 'shared clean checkout',
    what: 'what one verification writes into the clean checkout is the work that another one sees',
    // The control sees it too, as long as they run together there: one is green where the work is silent.
    edits: [
      edit('actions/final.ts', 'if (!together.wrote || batch', 'if (together.runs.length >= 0 || batch'),
      edit(
        'actions/prove.ts',
        'await runWith(context, { checks: alone, files: made(silenced), again: isCutOff })',
        'await alone.reduce<Promise<CheckRun[]>>(async (before, one) => [...(await before), ...(await runWith(context, { checks: [one], files: made(silenced), again: isCutOff }))], Promise.resolve([]))',
      ),
    ],
    world: {
      kind: 'lying', witness: 'nobody', criterion: false, requirements: 1, tasks: 1, parts: 1, checks: 2, slowest: 0.5, unsteady: 0, config: {},
      supplied: 0, lacking: 'nothing', service: 'none', suite: 'none',
    }, // prettier-ignore
  },
  {
    name: 'stale clean look',
    what: 'what a clean checkout said of an older script counts for the one that is there now',
    edits: [
      edit(
        'ending.ts',
        'runsOf(state, check).filter((run) => run.where',
        '(state.ledger.runs[check.lineage] ?? []).filter((run) => run.where',
      ),
    ],
  },
];
