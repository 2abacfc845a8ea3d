/**
 * What a program that asks models is given, and what comes of it. It runs in a sandbox of its own, without
 * the worktree: all that it can do is to call Loop's tools, by the Model Context Protocol (https://modelcontextprotocol.io).
 */
import type { ToolResult, ToolSpec } from './messages.ts';

export interface ProgramStart {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** In the folder that it runs in, by name; nothing else is there. Pictures are in base64. */
  files: Readonly<Record<string, { text: string } | { png: string }>>;
  /** Its standard input, whole. */
  input: string;
  tools: readonly ToolSpec[];
}

export interface ProgramCall {
  /** By which the model knows the call; left out where the program does not tell. */
  id?: string;
  name: string;
  input: unknown;
  /** The program does not wait for it any more. */
  isWithdrawn(): boolean;
  /** The program waits until it is answered. */
  answer(result: Pick<ToolResult, 'content' | 'is_error'>): void;
}

export interface ProgramListener {
  /** A line of its output. */
  line(text: string): void;
  call(call: ProgramCall): void;
  /** Nothing follows. @param output its last lines. */
  ended(exit: number | null, output: string): void;
  /** It could not be started, or who runs it is gone. */
  failed(error: unknown): void;
}

export interface ProgramRun {
  end(): void;
  /** Whether the person's login is another one by now than what this run has. */
  hasOldLogin(): boolean;
}

export interface ProgramPort {
  start(start: ProgramStart, listener: ProgramListener): ProgramRun;
}

/** The server of Loop's tools, as the program reaches it. */
export const toolsServer = 'loop';
