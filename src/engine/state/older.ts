/**
 * Translates journal lines of older versions of Loop. Only this file knows their names and their missing fields; a current line
 * passes unchanged. The result is parsed with the schema like any other line.
 */
import { fieldsOf, listOf } from '../ground/loose.ts';
import { mostHours } from '../ground/hours.ts';

type Json = Record<string, unknown>;

/** @param line a journal line as parsed JSON. @returns the same line in the current format. */
export function translated(line: unknown): unknown {
  if (!isJson(line)) return line;
  switch (line['type']) {
    case 'run.opened':
      return { ...planOf(line), config: configOf(fieldsOf(line['config'])), sizes: sizesOf(fieldsOf(line['sizes'])) };
    case 'step.begun':
      return { ...line, step: stepOf(fieldsOf(line['step'])), burns: listOf(line['burns']).map(tankOf) };
    case 'step.ended':
      return { ...valueOf(line), facts: listOf(line['facts']).flatMap(factsOf) };
    case 'person.said':
      return { ...line, facts: listOf(line['facts']).flatMap(factsOf) };
    default:
      return line;
  }
}

/** The current name of a tool that an older conversation names. */
export function presentTool(name: string): string {
  return tools[name] ?? name;
}

const tools: Readonly<Record<string, string>> = {
  write_check: 'write_verification',
  uphold_check: 'uphold_verification',
  report_checks_complete: 'report_verifications_complete',
};
const rows: Readonly<Record<string, string>> = { 'generate-checks': 'write-verifications', 'run-checks': 'run-verifications' };

function configOf(config: Json): Json {
  const { checkTimeout, checkParallelism, ...rest } = config;
  return {
    ...(checkTimeout === undefined ? {} : { verificationTimeout: checkTimeout }),
    ...(checkParallelism === undefined ? {} : { verificationParallelism: checkParallelism }),
    regressionTimeout: 120,
    environment: [],
    docker: false,
    maxHours: mostHours,
    allowedHosts: [],
    // A sprint that began without these fields goes on by its own rule.
    evidence: 'any',
    qualify: 'none',
    approvePlan: false,
    ...rest,
  };
}

/** In old journals a pipeline's node gets its inputs from one node. */
function planOf(line: Json): Json {
  const plan = line['pipeline'];
  if (!isJson(plan)) return line;
  return { ...line, pipeline: { ...plan, nodes: listOf(plan['nodes']).map((node) => nodeOf(fieldsOf(node))) } };
}

function nodeOf(node: Json): Json {
  const { inputs } = node;
  return isJson(inputs) && typeof inputs['from'] === 'string' ? { ...node, inputs: { ...inputs, from: [inputs['from']] } } : node;
}

/** Drops the former tank `close`, which nothing burns any more, and adds those that are new. */
function sizesOf({ close: _close, ...sizes }: Json): Json {
  return { look: 3, ...sizes };
}

function stepOf(step: Json): Json {
  if (step['kind'] === 'ask') return { ...step, purpose: withCurrentRow(text(step['purpose'])) };
  if (step['kind'] === 'call') return { ...step, tool: presentTool(text(step['tool'])) };
  if (step['kind'] !== 'action') return step;
  const decision = fieldsOf(step['decision']);
  const [burns, behind] = [listOf(decision['burns']).map(tankOf), listOf(decision['behind']).map((name) => withCurrentRow(text(name)))];
  return { ...step, decision: { ...decision, action: withCurrentRow(text(decision['action'])), burns, behind } };
}

/** Renames the row in `generate-checks plan` and `generate-checks/plan#1`. */
function withCurrentRow(name: string): string {
  return name.replace(/^[\w-]+/, (row) => rows[row] ?? row);
}

/** In old journals a tank is a string: `execute/T1`, `sprint`, or `steps/200/s12`, where the number tells the kind. */
function tankOf(tank: unknown): unknown {
  if (typeof tank !== 'string') return tank;
  const [kind = '', ...key] = tank.split('/');
  if (kind !== 'steps') return { kind, key: key.join('/').replace(/\/patches$/, '/offered') };
  const [size, step = ''] = key;
  return { kind: size === '200' ? 'effects' : size === '2000' ? 'calls' : 'turns', key: step };
}

/** In old journals the result of an effect is in `why`. */
function valueOf(line: Json): Json {
  const { why, ...rest } = line;
  return line['outcome'] === 'done' && why !== undefined ? { ...rest, value: why } : line;
}

type Translation = (fact: Json) => Json | Json[];

/** By the fact's old name. A current name is here if the fact lacked fields. */
const facts: Readonly<Record<string, Translation>> = {
  'requirements.read': ({ requirements, ...rest }) => ({
    ...rest,
    requirements: listOf(requirements).map((r) => requirementOf(fieldsOf(r))),
  }),
  'check.written': ({ check }) => ({ fact: 'verification.written', verification: verificationOf(fieldsOf(check)) }),
  'check.adopted': ({ check }) => ({ fact: 'verification.adopted', verification: verificationOf(fieldsOf(check)) }),
  'check.deferred': renamed('verification.deferred'),
  'check.retired': renamed('verification.retired'),
  'check.upheld': renamed('verification.upheld'),
  'check.ran': ({ run }) => ({ fact: 'verification.ran', run: ofVerification(fieldsOf(run)) }),
  'check.proven': ({ proof }) => ({ fact: 'verification.proven', proof: proofOf(fieldsOf(proof)) }),
  'check.edited': (fact) => ({ text: null, atWork: false, ...fact, fact: 'verification.edited' }),
  'patch.offered': ({ patch }) => ({ fact: 'mutant.offered', mutant: patch }),
  'causes.judged': (fact) => ({ ...fact, groups: listOf(fact['groups']).map((group) => ofVerifications(fieldsOf(group))) }),
  'context.discovered': ({ context }) => ({
    fact: 'context.discovered',
    context: { suites: [], services: [], needs: [], ...fieldsOf(context) },
  }),
  'tree.changed': ({ change, ...rest }) => ({ ...rest, change: authored(fieldsOf(change)) }),
  'tree.undone': ({ change, ...rest }) => ({ ...rest, change: authored(fieldsOf(change)) }),
  'tree.settled': ({ settled, ...rest }) => ({ ...rest, settled: authored(fieldsOf(settled)) }),
  'fix.reported': ({ report, ...rest }) => ({ ...rest, report: reportOf(fieldsOf(report)) }),
  'evaluation.reported': ({ evaluation, ...rest }) => ({ ...rest, evaluation: evaluationOf(fieldsOf(evaluation)) }),
  'course.corrected': ({ correction, ...rest }) => ({ ...rest, correction: correctionOf(fieldsOf(correction)) }),
  'service.started': (fact) => ({ beside: [], ...fact }),
  'budget.raised': (fact) => ({ hours: 0, ...fact }),
  'fuel.sized': (fact) => ({ evaluation: 4, ...fact }),
  'human-action.asked': ({ humanAction, ...rest }) => ({ ...rest, humanAction: deedOf(fieldsOf(humanAction)) }),
  'pause.opened': ({ pause }) => ({ fact: 'human-action.asked', humanAction: humanActionOf(fieldsOf(pause)) }),
  'pause.told': renamed('human-action.shown'),
  'pause.unattended': renamed('human-action.unattended'),
  'pause.checked': renamed('human-action.verified'),
  'pause.mooted': renamed('human-action.not-needed'),
  // In old journals a skip takes effect at once.
  'pause.answered': (fact) => [
    { ...fact, fact: 'human-action.answered' },
    ...(fact['answer'] === 'skip' ? [{ fact: 'human-action.skipped', id: fact['id'] }] : []),
  ],
};

function factsOf(fact: unknown): unknown[] {
  if (!isJson(fact)) return [fact];
  const translation = facts[text(fact['fact'])];
  return [translation ? translation(fact) : fact].flat();
}

function renamed(name: string): Translation {
  return (fact) => ({ ...fact, fact: name });
}

/** In old journals a requirement has only its title and its line. */
function requirementOf(requirement: Json): Json {
  return { text: requirement['title'], lastLine: requirement['line'], ...requirement };
}

/** In old journals `guard` tells suites from scripts. */
function verificationOf(check: Json): Json {
  const { kind, guard, ...rest } = check;
  if (kind !== 'command') return check;
  return isJson(guard) ? { ...rest, ...guard, kind: 'suite' } : { by: 'qc', ...rest, kind: 'script' };
}

function proofOf(proof: Json): Json {
  return proof['kind'] === 'patches' ? { ...proof, kind: 'offered' } : proof;
}

/** In old journals `lineages` tells the kind, and two values of `status` have other names. */
function humanActionOf({ lineages, status, ...rest }: Json): Json {
  const common = {
    answer: null,
    answers: 0,
    requirements: [],
    ...rest,
    status: status === 'claimed' ? 'answered' : status === 'moot' ? 'not-needed' : status,
  };
  if (lineages === undefined) return deedOf({ needs: [], held: false, prepared: false, ...common, kind: 'deed' });
  return listOf(lineages).length > 0 ? { ...common, kind: 'hint', lineages } : { ...common, kind: 'advice' };
}

function deedOf(humanAction: Json): Json {
  return humanAction['kind'] === 'deed' ? { lineages: [], ...humanAction } : humanAction;
}

function reportOf(report: Json): Json {
  const { wrong, ...rest } = ofVerification(report);
  const answer = isJson(wrong) ? { ...wrong, kind: 'doubt' } : { kind: 'fixed' };
  return { also: [], answer, ...rest };
}

function evaluationOf(evaluation: Json): Json {
  const criteria = listOf(evaluation['criteria']).map((criterion) => ofVerification(fieldsOf(criterion)));
  return { scope: 'final', howToUse: [], ...evaluation, criteria };
}

function correctionOf(correction: Json): Json {
  return correction['kind'] === 'regenerate_checks' ? { ...correction, kind: 'rewrite_verifications' } : correction;
}

function authored(change: Json): Json {
  const author = fieldsOf(change['author']);
  return author['kind'] === 'fix' ? { ...change, author: { also: [], ...ofVerification(author) } } : change;
}

function ofVerification({ check, ...rest }: Json): Json {
  return check === undefined ? rest : { verification: check, ...rest };
}

function ofVerifications({ checks, ...rest }: Json): Json {
  return checks === undefined ? rest : { verifications: checks, ...rest };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
