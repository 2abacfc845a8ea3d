/** The thread's entry: takes the editor's words before the modules are loaded that hold them. */
import { workerData } from 'node:worker_threads';
import { useWords } from '../../views/words.ts';

useWords((workerData as { words?: Record<string, string> } | null)?.words);
await import('./worker.ts');
