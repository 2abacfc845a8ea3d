/** Names in a script that only a later task brings. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { earlyNames } from '../../../src/engine/judge/early-names.ts';
import type { Work } from '../../../src/engine/state/state.ts';
import * as p from '../support/parts.ts';

const texts: Record<string, string> = {
  '2': 'No two ids are alike after `setHeadingIds(true)`; `--heading-ids` switches them on.',
  '5': 'After `setFootnotes(true)`, `[^name]` refers to a note. `--footnotes` and `max_notes` do the same.',
  '7': '`bin/parsedown` takes `--footnotes` and `--toc`, and `setHeadingIds(true)` is implied.',
};

function work(done: readonly string[] = []): Work {
  const { state } = p.planned();
  const ids = Object.keys(texts);
  const task = (id: string) => p.task({ id: `T${id}`, prdSection: [id], status: done.includes(id) ? 'done' : 'pending' });
  return {
    ...state.work,
    requirements: ids.map((id, i) => ({ id, title: id, text: texts[id] ?? '', line: i + 1, lastLine: i + 1 })),
    tasks: Object.fromEntries(ids.map((id) => [`T${id}`, task(id)])),
  };
}

describe('names that a later task brings', () => {
  const rows: { what: string; script: string; prd?: string; after?: string[]; done?: string[]; names: string[] }[] = [
    { what: 'one that is called', script: '$p->setFootnotes(true);', names: ['5 setFootnotes'] },
    { what: 'a name of several words', script: 'a = max_notes', names: ['5 max_notes'] },
    { what: 'an option', script: 'run --toc a.md', names: ['7 --toc'] },
    { what: 'the first of each', script: 'run --toc; f(max_notes); $p->setFootnotes(true)', names: ['5 setFootnotes', '7 --toc'] },
    { what: 'none that two requirements name', script: 'run --footnotes --heading-ids', names: [] },
    { what: 'none of its own requirement', script: 'setFootnotes(true)', prd: '5', names: [] },
    { what: 'none of a task before its own', script: 'setHeadingIds(true)', prd: '7', names: [] },
    { what: 'none that its header names', script: 'setFootnotes(true)', after: ['5'], names: [] },
    { what: 'none that is built', script: 'setFootnotes(true)', done: ['5'], names: [] },
    { what: 'none in a comment', script: '# not setFootnotes\n// nor max_notes', names: [] },
    { what: 'no part of another name', script: 'setFootnotesOff(); run --toc-depth', names: [] },
    { what: 'no plain word', script: 'name = refers', names: [] },
  ];
  it('are none of a requirement that is built, whatever was found there since', () => {
    const built = work(['5']);
    const finding = p.task({ id: 'E1', source: 'evaluation', prdSection: ['5'] });
    assert.deepEqual(earlyNames('setFootnotes(true)', { prd: ['2'] }, { ...built, tasks: { ...built.tasks, E1: finding } }), []);
  });
  for (const { what, script, prd = '2', after = [], done, names } of rows)
    it(`are ${what}`, () => {
      const found = earlyNames(script, { prd: [prd], after }, work(done));
      assert.deepEqual(
        found.map(({ requirement, name }) => `${requirement} ${name}`),
        names,
      );
    });
});
