/** The extension host's connection to the worker thread: starts it on first use, and fails open requests when it ends. */
import { Worker } from 'node:worker_threads';
import type { Failure, FromWorker, LogLine, RequestKind, Requests, ToWorker } from '../protocol.ts';
import type { EditorFailure, EditorReply, EditorRequest } from '../../models/editor.ts';
import type { ActivityView } from '../../views/model/activity.ts';
import type { PipelineView } from '../../views/model/pipeline-view.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';
import type { VerifiedView } from '../../views/model/test-report.ts';
import { t } from '../../views/words.ts';

export interface EngineListener {
  onView(sprintDir: string, view: SprintView): void;
  onPipeline(sprintDir: string, view: PipelineView): void;
  onActivity(sprintDir: string, activity: ActivityView): void;
  /** A verification of a run by hand has begun. */
  onVerifying(sprintDir: string, verification: string): void;
  onVerified(sprintDir: string, result: VerifiedView): void;
  onLog(lines: LogLine[]): void;
  /** The API key, read from the secret store when the worker needs it. */
  secret(): Promise<string | null>;
  /** In the editor's language; nothing for English. */
  words?: Readonly<Record<string, string>> | undefined;
  /** Asks one of the editor's own models; never rejects. */
  ask(request: EditorRequest, onText: (text: string) => void, signal: AbortSignal): Promise<EditorReply | EditorFailure>;
}

/** A failed request; `failure` has the next step for the person. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: EngineFailure) => void;
}

export class EngineClient {
  private worker: Worker | undefined;
  private isDisposed = false;
  private lastId = 0;
  private readonly pending = new Map<number, Pending>();
  private readonly asking = new Map<number, AbortController>();

  constructor(
    private readonly file: string,
    private readonly listener: EngineListener,
  ) {}

  /** @throws EngineFailure */
  request<K extends RequestKind>(kind: K, params: Requests[K]['params']): Promise<Requests[K]['result']> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      if (this.isDisposed) return reject(new EngineFailure(endOf(0)));
      this.pending.set(id, { resolve: (result) => resolve(result as Requests[K]['result']), reject });
      this.send({ type: 'request', id, kind, params } as ToWorker);
    });
  }

  /** Ends the thread; open requests fail, and so do later ones: who asked may ask again. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    await this.worker?.terminate();
  }

  private send(message: ToWorker): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  private start(): Worker {
    const worker = new Worker(this.file, { name: 'loop-engine', execArgv: [], workerData: { words: this.listener.words } });
    worker.on('message', (message: FromWorker) => this.receive(worker, message));
    worker.on('error', ({ message, stack = '' }) => this.onEnd(worker, { kind: 'error', message, detail: stack }));
    worker.on('exit', (code) => this.onEnd(worker, endOf(code)));
    worker.unref();
    return worker;
  }

  private receive(worker: Worker, message: FromWorker): void {
    switch (message.type) {
      case 'reply':
        return this.takePending(message.id)?.resolve(message.result);
      case 'failure':
        return this.takePending(message.id)?.reject(new EngineFailure(message.failure));
      case 'view':
        return this.listener.onView(message.sprintDir, message.view);
      case 'pipeline':
        return this.listener.onPipeline(message.sprintDir, message.view);
      case 'activity':
        return this.listener.onActivity(message.sprintDir, message.activity);
      case 'verifying':
        return this.listener.onVerifying(message.sprintDir, message.verification);
      case 'verified':
        return this.listener.onVerified(message.sprintDir, message.result);
      case 'log':
        return this.listener.onLog(message.lines);
      case 'want-secret':
        return void this.sendSecret(worker, message.id);
      case 'ask-chat':
        return void this.askChat(message);
      case 'cancel-chat':
        return this.asking.get(message.id)?.abort();
    }
  }

  /** Only the thread that asked gets it. */
  private async sendSecret(worker: Worker, id: number): Promise<void> {
    const value = await this.listener.secret().catch(() => null);
    worker.postMessage({ type: 'secret', id, value } satisfies ToWorker);
  }

  private async askChat({ id, request }: Extract<FromWorker, { type: 'ask-chat' }>): Promise<void> {
    const stop = new AbortController();
    this.asking.set(id, stop);
    const isWaited = (): boolean => this.asking.get(id) === stop;
    const onText = (text: string): void => void (isWaited() && this.send({ type: 'chat-text', id, text }));
    const answer = await this.listener.ask(request, onText, stop.signal);
    // The thread that asked may have ended; another one must not be started for it.
    if (!isWaited()) return;
    this.asking.delete(id);
    this.send({ type: 'chat-answer', id, answer });
  }

  private takePending(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    return pending;
  }

  /** Fails all open requests. The next request starts a new thread; a sprint resumes from its journal. */
  private onEnd(worker: Worker, failure: Failure): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    for (const stop of this.asking.values()) stop.abort();
    this.asking.clear();
    const failed = [...this.pending.values()];
    this.pending.clear();
    for (const { reject } of failed) reject(new EngineFailure(failure));
  }
}

function endOf(code: number): Failure {
  return { kind: 'error', message: t("the engine's thread ended ({0})", code), detail: '' };
}
