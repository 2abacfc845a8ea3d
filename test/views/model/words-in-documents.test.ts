/** What a comment at a line of PRD.md or of the plan is about. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { aboutAt, placesIn } from '../../../src/views/model/words-in-documents.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import * as p from '../../engine/support/parts.ts';

describe('a word in a document', () => {
  const {
    requirements: [one],
    phases,
  } = sprintView(p.green().state, 0);
  assert.ok(one);
  const requirement = (id: string, title: string) => ({ ...one, id, title });
  const requirements = [
    requirement('1.1', 'Prints the total'),
    requirement('1.10', 'Reads a file'),
    requirement('R3', 'Counted by its place'),
  ];

  it('is about the requirement at its line or above it', () => {
    const lines = ['# PRD', '', '### 1.10 Reads a file', 'Any file.', '- **1.1** Prints the total', '', '- Counted by its place'];
    const places = placesIn(lines.join('\r\n'), { requirements, phases: [] });
    assert.deepEqual(
      lines.map((_, line) => aboutAt(places, line)),
      ['', '', 'requirement 1.10', 'requirement 1.10', 'requirement 1.1', 'requirement 1.1', 'requirement R3'],
    );
  });

  it('is about the task in the plan', () => {
    assert.deepEqual(placesIn('- [x] **T1** Print the total of an order', { requirements: [], phases }), [{ about: 'task T1', line: 0 }]);
  });

  it('takes no number in a sentence, and none that goes on, for a requirement', () => {
    assert.deepEqual(placesIn('See 1.1 for more\n1.1.2 Another\n1.10-a', { requirements, phases: [] }), []);
  });

  it('is found by its number or its title among many in a long document', () => {
    const many = (count: number, id: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => requirement(id(n), `Prints total ${n}`));
    const [numbered, counted] = [many(300, (n) => `1.${n + 1}`), many(300, (n) => `R${n + 1}`)];
    const text = numbered.map(({ id, title }) => `### ${id} ${title}\n${'It says what is meant.\n'.repeat(9)}`).join('');
    const places = placesIn(text, {
      requirements: [...numbered, ...counted.map((other) => ({ ...other, title: `${other.title} again` }))],
      phases: [],
    });
    assert.deepEqual(
      places.map(({ line }) => line),
      numbered.map((_, n) => n * 10),
    );
  });
});
