/** What is wrong in a document, where, and how to mend it: the same in the editor and by `loop lint`. */
import { DiagnosticSeverity, type Diagnostic, type Range, type TextEdit } from 'vscode-languageserver-types';

/**
 * `error`: a sprint refuses to start with it. `warning`: it starts, and the person probably means something else.
 * `information`: it does no harm.
 */
export type Severity = 'error' | 'warning' | 'information';

export interface Finding {
  /** A stable name, such as `duplicate-number`. */
  code: string;
  severity: Severity;
  range: Range;
  /** What is wrong, one sentence. */
  message: string;
  /** How to mend it, one sentence. */
  next: string;
  fixes: Fix[];
}

/** A mending that needs no thought of the person's. */
export interface Fix {
  title: string;
  edits: TextEdit[];
}

export function diagnosticOf({ code, severity, range, message, next }: Finding): Diagnostic {
  return { range, severity: severities[severity], code, source: 'Loop', message: `${message} ${next}` };
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;
