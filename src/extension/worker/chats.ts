/** The worker's side of the editor's own models: each question goes to the extension host, and its answer comes back. */
import { Interruption } from '../../engine/ground/errors.ts';
import type { AbortSignal } from '../../engine/ports.ts';
import type { EditorFailure, EditorPort, EditorReply, EditorRequest } from '../../models/editor.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';

interface Open {
  onText(text: string): void;
  resolve(answer: EditorReply | EditorFailure): void;
}

export class Chats {
  private lastId = 0;
  private readonly open = new Map<number, Open>();

  constructor(private readonly post: (message: FromWorker) => void) {}

  port(windows: EditorPort['windows']): EditorPort {
    return { windows, ask: (request, onText, signal) => this.ask(request, onText, signal) };
  }

  receive(message: Extract<ToWorker, { type: `chat-${string}` }>): void {
    const one = this.open.get(message.id);
    if (message.type === 'chat-text') return one?.onText(message.text);
    this.open.delete(message.id);
    one?.resolve(message.answer);
  }

  /** What is cancelled is not waited for: a model may go on for long. */
  private async ask(request: EditorRequest, onText: Open['onText'], signal: AbortSignal): Promise<EditorReply | EditorFailure> {
    const id = ++this.lastId;
    let stop = (): void => undefined;
    try {
      return await new Promise<EditorReply | EditorFailure>((resolve, reject) => {
        stop = () => {
          this.post({ type: 'cancel-chat', id });
          reject(new Interruption('cancelled', 'The call to the model was cancelled.'));
        };
        signal.addEventListener('abort', stop, { once: true });
        this.open.set(id, { onText, resolve });
        this.post({ type: 'ask-chat', id, request });
      });
    } finally {
      signal.removeEventListener('abort', stop);
      this.open.delete(id);
    }
  }
}
