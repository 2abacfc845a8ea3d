/** The failure-history page: draws what the panel sends, and says what the person clicked. */
import type { AttemptView, FixView, HistoryView, UndoView } from '../model/history-view.ts';
import { h, replaceContent, type Child } from './dom.ts';
import type { FromPage, PanelState, ToPage } from './messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void; setState(state: PanelState): void };

const editor = acquireVsCodeApi();
const main = document.getElementById('history') ?? document.body;
const live = document.getElementById('live');
let said = '';

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  editor.setState(data.state);
  main.removeAttribute('aria-busy');
  if (data.type === 'missing') return replaceContent(main, [h('h1', {}, data.state.check), h('p', {}, data.why)]);
  replaceContent(main, page(data.history));
  announce(data.history);
});
editor.postMessage({ type: 'ready' });

function page(history: HistoryView): Child[] {
  const attempts = history.story.filter((item) => item.type === 'attempt');
  const lastRed = attempts.findLast(({ verdict }) => verdict !== 'green');
  return [
    head(history),
    trust(history),
    h('h2', { id: 'attempts' }, `Attempts (${attempts.length})`),
    attempts.length === 0
      ? h(
          'p',
          { class: 'quiet' },
          history.kind === 'criterion' ? 'A criterion is judged by an evaluation, it is never run.' : 'It has not run yet.',
        )
      : null,
    h(
      'ol',
      { class: 'story', 'aria-labelledby': 'attempts' },
      ...history.story.map((item) => (item.type === 'attempt' ? attempt(item, item === lastRed) : fix(item))),
    ),
    undone(history.undone),
    siblings(history.siblings),
    script(history),
  ];
}

function head({ check, title, status, statusWords, requirements, header }: HistoryView): Child {
  return h(
    'header',
    {},
    h('h1', {}, check),
    h('p', { class: 'title' }, title),
    h('p', {}, h('strong', { class: `badge ${status}` }, statusWords)),
    h(
      'dl',
      {},
      ...requirements.flatMap(({ id, title: words }) => pair(`Proves ${id}`, words)),
      ...header.flatMap((f) => pair(f.name, f.value)),
    ),
  );
}

function trust({ trusted, trustWhy, kind }: HistoryView): Child {
  if (kind === 'criterion') return null;
  const words = trusted ? 'Trusted' : 'Not trusted yet';
  return h('section', {}, h('h2', {}, 'Trust'), h('p', {}, h('strong', {}, `${words}: `), trustWhy));
}

function attempt(item: AttemptView, open: boolean): HTMLElement {
  const id = `attempt-${item.n}`;
  const kind = item.failure !== null && item.summary.startsWith(item.failure) ? null : item.failure;
  const where = [kind, item.note].filter(Boolean).join(', ');
  return h(
    'li',
    { class: `attempt ${item.verdict}` },
    h('h3', { id }, `Attempt ${item.n}: ${item.verdict}, ${item.words}`),
    where ? h('p', { class: 'quiet' }, where) : null,
    item.summary ? h('p', {}, item.summary) : null,
    evidence(id, item, open),
  );
}

/** The evidence of the latest failure is open at once: it is what one looks for. */
function evidence(id: string, { excerpt, output }: AttemptView, open: boolean): Child {
  const details = h(
    'details',
    { id: `${id}-evidence` },
    h('summary', {}, 'Evidence'),
    h('pre', { tabindex: '0', 'aria-label': `Output of ${id}` }, excerpt || '(no output)'),
    opener(`${id}-output`, 'Open evidence in editor', { type: 'open-payload', ref: output, what: 'output' }),
  );
  details.open = open;
  return details;
}

function fix(item: FixView): HTMLElement {
  const id = `fix-${item.step}`;
  return h(
    'li',
    { class: `fix ${item.outcome === 'kept' ? 'kept' : 'lost'}` },
    h('h3', { id }, `Fix after attempt ${item.after}: ${item.outcomeWords}`),
    h('p', {}, item.fixApplied),
    item.reasoning ? h('p', {}, h('strong', {}, 'Why: '), item.reasoning) : null,
    item.why ? h('p', {}, h('strong', {}, `Why it was ${item.outcomeWords}: `), item.why) : null,
    files(
      'Changed',
      item.changed.map((f) => `${f.path} (${f.kind})`),
    ),
    files('Said to have changed', differs(item) ? item.claimed : []),
    item.diff ? diff(id, item.diff) : null,
  );
}

/** What a fixer claimed is worth showing only beside something else that was seen. */
function differs({ claimed, changed }: FixView): boolean {
  return (
    [...claimed].sort().join('\n') !==
    changed
      .map((f) => f.path)
      .sort()
      .join('\n')
  );
}

function diff(id: string, { text, ref }: { text: string; ref: string }): Child {
  const lines = text.split('\n').map((line) => h('span', { class: lineClass(line) }, `${line}\n`));
  return h(
    'details',
    { id: `${id}-diff` },
    h('summary', {}, 'Diff'),
    h('pre', { class: 'diff', tabindex: '0', 'aria-label': `Diff of ${id}` }, ...lines),
    opener(`${id}-open`, 'Open diff in editor', { type: 'open-payload', ref, what: 'diff' }),
  );
}

function lineClass(line: string): string {
  if (line.startsWith('+') && !line.startsWith('+++')) return 'added';
  if (line.startsWith('-') && !line.startsWith('---')) return 'removed';
  return line.startsWith('@@') ? 'hunk' : 'same';
}

function undone(items: UndoView[]): Child {
  if (items.length === 0) return null;
  const entries = items.map((item) =>
    h(
      'li',
      { class: 'fix lost' },
      h('h3', {}, `Change by ${item.author}: undone`),
      h('p', {}, item.why),
      files(
        'Changed',
        item.files.map((f) => `${f.path} (${f.kind})`),
      ),
      diff(`undo-${item.step}`, item.diff),
    ),
  );
  return h('section', {}, h('h2', {}, 'Taken back because they broke it'), h('ol', { class: 'story' }, ...entries));
}

function siblings(items: HistoryView['siblings']): Child {
  if (items.length === 0) return null;
  const entries = items.map(({ id, title }) =>
    h('li', {}, opener(`sibling-${id}`, id, { type: 'open-history', check: id }), ` ${title}`),
  );
  return h('section', {}, h('h2', {}, 'The same failure elsewhere'), h('ul', {}, ...entries));
}

function script({ script: { text, ref }, kind }: HistoryView): Child {
  return h(
    'section',
    {},
    h('h2', {}, kind === 'criterion' ? 'The criterion' : 'The verification'),
    h(
      'details',
      { id: 'script' },
      h('summary', {}, kind === 'criterion' ? 'Text' : 'Script'),
      h('pre', { tabindex: '0', 'aria-label': 'Script' }, text),
      opener('script-open', 'Open script in editor', { type: 'open-payload', ref, what: 'script' }),
    ),
  );
}

function files(label: string, paths: string[]): Child {
  return paths.length === 0 ? null : h('p', {}, h('strong', {}, `${label}: `), paths.join(', '));
}

function opener(id: string, label: string, message: FromPage): HTMLElement {
  const button = h('button', { id, type: 'button' }, label);
  button.addEventListener('click', () => editor.postMessage(message));
  return button;
}

function pair(name: string, value: string): Child[] {
  return value === '' ? [] : [h('dt', {}, name), h('dd', {}, value)];
}

/** A screen reader hears news only: the status or a further attempt. */
function announce({ check, statusWords, story }: HistoryView): void {
  const words = `${check}: ${statusWords}, ${story.filter((item) => item.type === 'attempt').length} attempts`;
  if (words === said || !live) return;
  if (said !== '') live.textContent = words;
  said = words;
}
