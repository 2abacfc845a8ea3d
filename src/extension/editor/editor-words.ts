/** Imported first, because other modules hold words in their tables when they are loaded. */
import * as vscode from 'vscode';
import { useWords } from '../../views/words.ts';

useWords(vscode.l10n.bundle);
