/** What is wrong in `loop.config.yaml` and `services.yaml`. What the person's own settings allow is not known here. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { aboveLimit, readConfigFields } from '../../engine/ground/config-file.ts';
import type { Problem } from '../../engine/ground/problem.ts';
import { outOfReach, readServices } from '../../engine/parse/services-file.ts';
import type { Finding } from '../finding.ts';
import { findingsAt } from './findings-at.ts';

export function configFindings(document: TextDocument): Finding[] {
  const { problems } = readConfigFields({ name: 'loop.config.yaml', text: document.getText() });
  return findingsAt(
    document,
    problems.map((one) => unlessAllowed(one, aboveLimit, 'Lower it, or allow as much in your own settings.')),
  );
}

export function servicesFindings(document: TextDocument): Finding[] {
  const { problems } = readServices({ name: 'services.yaml', text: document.getText() }, { network: 'registries' });
  return findingsAt(
    document,
    problems.map((one) => unlessAllowed(one, outOfReach, 'Allow that in your own settings, or take it out.')),
  );
}

/** The person's settings may allow it, so a start may go well. */
function unlessAllowed(problem: Problem, code: string, mend: string): Problem {
  return problem.code === code ? { ...problem, severity: 'warning', mend } : problem;
}
