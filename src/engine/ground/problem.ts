/** What is wrong in a file that a person writes, as data. */
import type { TextSpan } from './text.ts';

export interface SourceFile {
  /** As it is shown to the person. */
  name: string;
  text: string;
}

export interface Problem {
  /** Stable, so that a person can look it up. */
  code: string;
  /** A warning does not keep anything from running. */
  severity: 'error' | 'warning';
  file: string;
  /** 1-based. */
  line: number;
  /** Of the key or value; left out where the whole line is meant. */
  span?: TextSpan;
  what: string;
  /** What to do, one sentence. */
  mend: string;
  /** Where mending it needs no thought. */
  fix?: TextFix;
}

/** Texts that take the place of others in the same file, by offset. They do not overlap. */
export interface TextFix {
  title: string;
  edits: { from: number; to: number; text: string }[];
}
