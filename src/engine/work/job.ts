/** One command or script that runs in the sandbox, and how it ended. */
import type { Service } from './service.ts';
import type { Traffic } from './traffic.ts';

/** Where a command runs: the sprint's worktree or one scratch checkout. */
export type Place =
  | 'worktree'
  | {
      scratch: string;
      /** An install that the worktree has, and that failed here, in words. */
      lacks?: string;
    };

export interface Job {
  /** A shell command, or a verification's script under its `scriptName`. */
  run: { command: string } | { script: string; ext: string; name: string };
  at: Place;
  /** Seconds that the machine gives it until its whole process namespace is killed. */
  timeout: number;
  network: boolean;
  /** It reaches nothing, not even registries. */
  offline?: boolean;
  /** The tree cannot be written: for agents that only inspect and report. */
  readonly?: boolean;
  /**
   * It judges the tree: what it and its services write is seen by them alone and is gone when it has ended. It sees no git, and
   * may leave reports.
   */
  view?: boolean;
  /**
   * What it starts cannot tell it from an agent's command: git's history is there, variables of Loop's that the script does not name
   * are not, and those for folders have another name and place.
   */
  alike?: boolean;
  /** Its programs may print in colours, as on a CI system: some tests of projects ask for that. */
  colours?: boolean;
  /** Texts that stand in the place of files of the tree, by path; it cannot write them. */
  files?: Readonly<Record<string, string>>;
  /** Tell which lines of the tree it reaches. It takes longer. */
  reach?: boolean;
  /** The number in its `SEED`; left out for the usual one. */
  seed?: string;
  /** The sprint's package cache: it fills it, or gets a view of it. Left out where it sees none. */
  packages?: 'fill' | 'use';
  /** Started in the same sandbox; the command begins when all are ready. */
  services?: readonly Service[];
}
/** A service that did not come up: the command was not run. */
export interface DeadService {
  name: string;
  /** `refused`: an external service that does not answer. `taken`: another process answered before it was started. */
  how: 'exited' | 'not-ready' | 'refused' | 'taken';
  exit: number | null;
  /** The process that holds its port, in words, if known. */
  holder?: string;
}
/**
 * What ended a run besides its timeout. Its own doing: too much output (`flood`), `processes`, `memory` or `reports`, or status 0
 * before the script had reached its end (`early`). Perhaps the machine's: too little free `disk`, SIGKILL from somebody else (`signal`), hardly any time given (`slow`).
 */
export const stops = ['flood', 'processes', 'memory', 'reports', 'early', 'disk', 'signal', 'slow'] as const;
export type Stopped = (typeof stops)[number];

/**
 * A line (1-based) that was reached; or of a line that was reached in part, these columns: the first, from 0, and the one behind the
 * last.
 */
export type ReachedPlace = number | readonly [line: number, from: number, to: number];

/** Places that were reached, by path. A path that is not in it may have been reached in a way that nothing tells. */
export type Reached = Readonly<Record<string, readonly ReachedPlace[]>>;

/** @param column from 0; without one, any part of the line will do. */
export function isReached(places: readonly ReachedPlace[], { line, column }: { line: number; column?: number | undefined }): boolean {
  const found = linesIn(places).get(line);
  if (found === undefined || found === 'whole') return found === 'whole';
  return column === undefined || found.some(([from, to]) => from <= column && column < to);
}

type Lines = ReadonlyMap<number, 'whole' | readonly (readonly [from: number, to: number])[]>;

/** By line, once for all who ask: a run may reach a thousand lines, and hundreds are asked about each place of the work. */
const linesOf = new WeakMap<readonly ReachedPlace[], Lines>();

function linesIn(places: readonly ReachedPlace[]): Lines {
  const known = linesOf.get(places);
  if (known) return known;
  const lines = new Map<number, 'whole' | (readonly [number, number])[]>();
  for (const place of places) {
    if (typeof place === 'number') lines.set(place, 'whole');
    else {
      const [line, from, to] = place;
      const parts = lines.get(line) ?? [];
      if (parts !== 'whole') lines.set(line, [...parts, [from, to]]);
    }
  }
  linesOf.set(places, lines);
  return lines;
}

export interface Finished {
  /** Exit status; null when it was killed. */
  exit: number | null;
  /** Its own time ran out. */
  timedOut: boolean;
  /** For half of its time, and to the end, nothing in it did anything: it waits for what does not come, which no machine causes. */
  hung?: true;
  /** Left out where it ended by itself, by its timeout, or with the sprint. */
  stopped?: Stopped;
  /** Wall time, milliseconds. */
  duration: number;
  /** Milliseconds of it that the machine gave; left out where the system does not tell, and the clock counts. */
  given?: number;
  /** Standard output and error as they came, but for colours, redacted, capped at 16 MiB. */
  output: string;
  /** Bytes that the cap cut off. */
  dropped: number;
  /** The first service that did not come up. */
  dead?: DeadService;
  /** The end of each service's output, redacted, by name. Not part of `output`, since a service proves nothing (I8). */
  logs?: Readonly<Record<string, string>>;
  /** Texts of the report files in `$REPORTS_DIR`, redacted; limited in number and size. */
  reports?: readonly string[];
  /** Where it was asked to tell. */
  reached?: Reached;
  /** Its working directory, as the output names it. */
  root?: string;
  /** What it asked for on the network, where commands reach registries. */
  traffic?: Traffic;
  /** The install that failed in the checkout where it ran, in words. */
  lacks?: string;
  /** The seed that it was given. */
  seed?: string;
}

/** Percent of the last ten seconds in which something on the machine waited for it. */
export interface Pressure {
  cpu?: number;
  io?: number;
  memory?: number;
}
