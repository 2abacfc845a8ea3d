/** The language server's process beside the editor: it speaks over the channel by which the client started it. */
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from './server.ts';

serve(createConnection(ProposedFeatures.all));
