/** What the builder of a task reads of the others. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { renderOtherTasks } from '../../../src/engine/render/plan-text.ts';
import type { Change } from '../../../src/engine/work/tree.ts';
import { changed } from '../support/events.ts';
import * as p from '../support/parts.ts';

describe('the other tasks, for a builder', () => {
  const kept = (files: Change['files'], author: Change['author'] = p.byTask) => p.settled({ files, author });
  const after = (...commits: ReturnType<typeof kept>[]): string =>
    renderOtherTasks(
      changed(p.planned().state, (s) => {
        s.work.tasks['T1'] = structuredClone(p.task({ status: 'done', report: { ...p.report, summary: 'Print totals' } }));
        s.work.tree.commits = commits;
      }),
      'T2',
    );

  it('are told with the files that their kept work changed, and what it left of them', () => {
    const commits = [
      kept([
        { path: 'total.sh', kind: 'added' },
        { path: 'sum.sh', kind: 'modified' },
      ]),
      kept([{ path: 'sum.sh', kind: 'deleted' }]),
      kept([{ path: 'other.sh', kind: 'modified' }], p.byFix),
    ];
    assert.match(after(...commits), /^- \[x\] T1: .*Print totals \[total\.sh, sum\.sh \(deleted\)\]$/);
  });

  it('are told without files where nothing of them was changed, and with ten at most', () => {
    assert.match(after(), /Print totals$/);
    const many = Array.from({ length: 12 }, (_, n) => ({ path: `${n}.sh`, kind: 'added' as const }));
    assert.match(after(kept(many)), /9\.sh and 2 more\]$/);
  });
});
