/**
 * Lines that an older version of Loop wrote, as this one would have written them. This is the only place that knows their names
 * and their gaps; a line in present words passes unchanged. What comes out is checked against the schema like any other line.
 */

type Json = Record<string, unknown>;

/** @param line a journal line as parsed JSON. @returns the same line in present words. */
export function translated(line: unknown): unknown {
  if (!isJson(line)) return line;
  switch (line['type']) {
    case 'run.opened':
      return { ...line, config: configOf(json(line['config'])), sizes: sizesOf(json(line['sizes'])) };
    case 'step.begun':
      return { ...line, step: stepOf(json(line['step'])), burns: list(line['burns']).map(tankOf) };
    case 'step.ended':
      return { ...valueOf(line), facts: list(line['facts']).flatMap(factsOf) };
    case 'person.said':
      return { ...line, facts: list(line['facts']).flatMap(factsOf) };
    default:
      return line;
  }
}

/** A tool as it is called now, by the name that an older conversation calls it. */
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
    ...rest,
  };
}

/** A tank that is no longer there is burned by nothing. */
function sizesOf({ close: _close, ...sizes }: Json): Json {
  return sizes;
}

function stepOf(step: Json): Json {
  if (step['kind'] === 'ask') return { ...step, purpose: inPresentRows(text(step['purpose'])) };
  if (step['kind'] === 'call') return { ...step, tool: presentTool(text(step['tool'])) };
  if (step['kind'] !== 'action') return step;
  const decision = json(step['decision']);
  const [burns, behind] = [list(decision['burns']).map(tankOf), list(decision['behind']).map((name) => inPresentRows(text(name)))];
  return { ...step, decision: { ...decision, action: inPresentRows(text(decision['action'])), burns, behind } };
}

/** `generate-checks plan` or `generate-checks/plan#1`: a row, with what it is about. */
function inPresentRows(name: string): string {
  return name.replace(/^[\w-]+/, (row) => rows[row] ?? row);
}

/** `execute/T1`, `sprint`; `steps/200/s12` where the number told what was counted. */
function tankOf(tank: unknown): unknown {
  if (typeof tank !== 'string') return tank;
  const [kind = '', ...key] = tank.split('/');
  if (kind !== 'steps') return { kind, key: key.join('/').replace(/\/patches$/, '/offered') };
  const [size, step = ''] = key;
  return { kind: size === '200' ? 'effects' : size === '2000' ? 'calls' : 'turns', key: step };
}

/** What an effect gave stood where a failure says why. */
function valueOf(line: Json): Json {
  const { why, ...rest } = line;
  return line['outcome'] === 'done' && why !== undefined ? { ...rest, value: why } : line;
}

type Translation = (fact: Json) => Json | Json[];

/** By the name that the fact had. A name of today stands here where the fact had gaps. */
const facts: Readonly<Record<string, Translation>> = {
  'check.written': ({ check }) => ({ fact: 'verification.written', verification: verificationOf(json(check)) }),
  'check.adopted': ({ check }) => ({ fact: 'verification.adopted', verification: verificationOf(json(check)) }),
  'check.deferred': renamed('verification.deferred'),
  'check.retired': renamed('verification.retired'),
  'check.upheld': renamed('verification.upheld'),
  'check.ran': ({ run }) => ({ fact: 'verification.ran', run: ofVerification(json(run)) }),
  'check.proven': ({ proof }) => ({ fact: 'verification.proven', proof: proofOf(json(proof)) }),
  'check.edited': (fact) => ({ text: null, atWork: false, ...fact, fact: 'verification.edited' }),
  'patch.offered': ({ patch }) => ({ fact: 'mutant.offered', mutant: patch }),
  'causes.judged': (fact) => ({ ...fact, groups: list(fact['groups']).map((group) => ofVerifications(json(group))) }),
  'context.discovered': ({ context }) => ({
    fact: 'context.discovered',
    context: { suites: [], services: [], needs: [], ...json(context) },
  }),
  'tree.changed': ({ change, ...rest }) => ({ ...rest, change: authored(json(change)) }),
  'tree.undone': ({ change, ...rest }) => ({ ...rest, change: authored(json(change)) }),
  'tree.settled': ({ settled, ...rest }) => ({ ...rest, settled: authored(json(settled)) }),
  'fix.reported': ({ report, ...rest }) => ({ ...rest, report: reportOf(json(report)) }),
  'evaluation.reported': ({ evaluation, ...rest }) => ({ ...rest, evaluation: evaluationOf(json(evaluation)) }),
  'course.corrected': ({ correction, ...rest }) => ({ ...rest, correction: correctionOf(json(correction)) }),
  'service.started': (fact) => ({ beside: [], ...fact }),
  'fuel.sized': (fact) => ({ evaluation: 4, ...fact }),
  'pause.opened': ({ pause }) => ({ fact: 'human-action.asked', humanAction: humanActionOf(json(pause)) }),
  'pause.told': renamed('human-action.shown'),
  'pause.unattended': renamed('human-action.unattended'),
  'pause.checked': renamed('human-action.verified'),
  'pause.mooted': renamed('human-action.not-needed'),
  // A skip was carried out the moment that it was said.
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

/** What kind a verification was followed from `guard`. */
function verificationOf(check: Json): Json {
  const { kind, guard, ...rest } = check;
  if (kind !== 'command') return check;
  return isJson(guard) ? { ...rest, ...guard, kind: 'suite' } : { by: 'qc', ...rest, kind: 'script' };
}

function proofOf(proof: Json): Json {
  return proof['kind'] === 'patches' ? { ...proof, kind: 'offered' } : proof;
}

/** What kind a human action was followed from `lineages`; how far it is answered, from its status. */
function humanActionOf({ lineages, status, ...rest }: Json): Json {
  const common = {
    answer: null,
    answers: 0,
    requirements: [],
    ...rest,
    status: status === 'claimed' ? 'answered' : status === 'moot' ? 'not-needed' : status,
  };
  if (lineages === undefined) return { needs: [], held: false, prepared: false, ...common, kind: 'deed' };
  return list(lineages).length > 0 ? { ...common, kind: 'hint', lineages } : { ...common, kind: 'advice' };
}

function reportOf(report: Json): Json {
  const { wrong, ...rest } = ofVerification(report);
  const answer = isJson(wrong) ? { ...wrong, kind: 'doubt' } : { kind: 'fixed' };
  return { also: [], answer, ...rest };
}

function evaluationOf(evaluation: Json): Json {
  const criteria = list(evaluation['criteria']).map((criterion) => ofVerification(json(criterion)));
  return { scope: 'final', howToUse: [], ...evaluation, criteria };
}

function correctionOf(correction: Json): Json {
  return correction['kind'] === 'regenerate_checks' ? { ...correction, kind: 'rewrite_verifications' } : correction;
}

function authored(change: Json): Json {
  const author = json(change['author']);
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

/** Nothing where something else stands there: the schema then says what is missing. */
function json(value: unknown): Json {
  return isJson(value) ? value : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
