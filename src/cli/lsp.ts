/** `loop lsp`: the language server on standard input and output, for any editor. */
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from '../language/server/server.ts';

/** Ends with its input, or when the client says `exit`. */
export async function lsp(): Promise<number> {
  const ended = new Promise<void>((resolve) => void process.stdin.once('close', resolve));
  serve(createConnection(ProposedFeatures.all, process.stdin, process.stdout));
  await ended;
  return 0;
}
