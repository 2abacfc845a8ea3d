/** Requirements are the numbered headings and list items of PRD.md, so that no model decides what must be proven. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { parseHeader } from '../../../src/engine/parse/header.ts';
import { parseRequirements, readRequirements } from '../../../src/engine/parse/requirements.ts';
import { normalizeRequirementId } from '../../../src/engine/work/requirement.ts';
import { cpuMs } from '../../support/cpu.ts';
import { idsBefore } from '../../support/earlier-reader.ts';

const read = (...lines: string[]) =>
  parseRequirements('PRD.md', lines.join('\n')).requirements.map(({ id, title, line }) => [id, title, line]);
const assertRefused = (text: string, message: string, next: string): void => {
  assert.throws(
    () => parseRequirements('PRD.md', text),
    (error) => {
      assert.ok(error instanceof InputError);
      assert.deepEqual({ message: error.message, next: error.next }, { message, next });
      return true;
    },
  );
};

/** What markdown is made of. */
const marks = ['\n', ' ', '\r', '\t', '```', '<!--', '-->', '**', '# . 1 2 - * ` ~ ! | § _ a b : [ ] ( ) = >'.split(' ')].flat();

describe('parseRequirements', () => {
  const documents: { what: string; lines: string[]; requirements: [id: string, title: string, line: number][] }[] = [
    {
      what: 'numbered headings',
      lines: ['# Product', '## 1. Totals', 'text', '## 2) Tax', '### 3: Rounding'],
      requirements: [
        ['1', 'Totals', 2],
        ['2', 'Tax', 4],
        ['3', 'Rounding', 5],
      ],
    },
    {
      what: 'the leaves of nested headings',
      lines: ['## 1 Totals', '### 1.1 Sum', '### 1.2. Tax', '## 2 Print'],
      requirements: [
        ['1.1', 'Sum', 2],
        ['1.2', 'Tax', 3],
        ['2', 'Print', 4],
      ],
    },
    {
      what: 'no links to sections of their own, as of a table of contents',
      lines: ['# Shop', '1. [Sum](#sum)', '2. [Tax](#tax)', '## Sum', '- is printed', '## Tax', '- is added'],
      requirements: [
        ['is-printed', 'is printed', 5],
        ['is-added', 'is added', 7],
      ],
    },
    {
      what: 'headings that link to themselves, and what stands below them',
      lines: ['# Shop', '## [Features](#features)', '1. Sum', '2. Tax'],
      requirements: [
        ['1', 'Sum', 3],
        ['2', 'Tax', 4],
      ],
    },
    {
      what: 'items with a bullet, as other programs write them',
      lines: ['## Requirements', '• Sum', '  • as a number', '• Tax', '●Print'],
      requirements: [
        ['sum', 'Sum', 2],
        ['tax', 'Tax', 4],
        ['print', 'Print', 5],
      ],
    },
    { what: 'a section sign', lines: ['## §2.1 Sum'], requirements: [['2.1', 'Sum', 1]] },
    {
      what: 'list items with complete numbers',
      lines: ['## 1. Totals', '- 1.1 Sum', '* **1.2** Tax', '- **1.3.** Round', '1.4 Print'],
      requirements: [
        ['1.1', 'Sum', 2],
        ['1.2', 'Tax', 3],
        ['1.3', 'Round', 4],
        ['1.4', 'Print', 5],
      ],
    },
    {
      what: 'plain list items under a numbered heading',
      lines: ['## 2. Totals', '1. Sum', '2. Tax', '## 3. Print', '1. Paper'],
      requirements: [
        ['2.1', 'Sum', 2],
        ['2.2', 'Tax', 3],
        ['3.1', 'Paper', 5],
      ],
    },
    {
      what: 'list items under a deeper heading',
      lines: ['## 2. Totals', '### 2.1 Sum', '1. Cents', '2. Euros'],
      requirements: [
        ['2.1.1', 'Cents', 3],
        ['2.1.2', 'Euros', 4],
      ],
    },
    {
      what: 'list items without any heading',
      lines: ['1. Sum', '2) Tax'],
      requirements: [
        ['1', 'Sum', 1],
        ['2', 'Tax', 2],
      ],
    },
    {
      what: 'list items under an unnumbered heading by their own number',
      lines: ['## 7. Totals', '## Notes', '1. Sum'],
      requirements: [
        ['7', 'Totals', 1],
        ['1', 'Sum', 3],
      ],
    },
    { what: 'an indented item with a dotted number', lines: ['1. Totals', '   1.1 Sum'], requirements: [['1.1', 'Sum', 2]] },
    {
      what: 'titles without emphasis, and inline code as it is',
      lines: ['## 1. **Sum** of `__cents__` and _more_', '## 2. `temp_calc.py` doubles `a * b * c`, and snake_case stays'],
      requirements: [
        ['1', 'Sum of `__cents__` and more', 1],
        ['2', '`temp_calc.py` doubles `a * b * c`, and snake_case stays', 2],
      ],
    },
    {
      what: 'titles in any script',
      lines: ['## 1. Сумма заказа', '## 2. 合計を表示する'],
      requirements: [
        ['1', 'Сумма заказа', 1],
        ['2', '合計を表示する', 2],
      ],
    },
    {
      what: 'nothing in code fences',
      lines: [
        '```',
        '## 8. No',
        '```',
        '## 1. Sum',
        '~~~md',
        '## 9. No',
        '```',
        '1. No',
        '~~~',
        '```x``` is code',
        '````',
        '```',
        '## 7. No',
        '````',
        '## 2. Tax',
      ],
      requirements: [
        ['1', 'Sum', 4],
        ['2', 'Tax', 15],
      ],
    },
    {
      what: 'nothing in comments',
      lines: ['<!-- ## 8. No -->', '<!--', '## 9. No', '-->', '## 1. Sum', '## 2. Tax <!-- later -->'],
      requirements: [
        ['1', 'Sum', 5],
        ['2', 'Tax', 6],
      ],
    },
    {
      what: 'no prose with numbers',
      lines: ['## 1. Sum', 'In 2 of 3 cases', '- 3 apples', '2024 was good'],
      requirements: [['1', 'Sum', 1]],
    },
    {
      what: 'no number or code before which a sentence is broken',
      lines: [
        '## 2. Server',
        'The client speaks version',
        '2.1 of the protocol, and no other',
        '- FR-002 The exit status is in line with',
        '  FR-003 and printed',
      ],
      requirements: [['FR-002', 'The exit status is in line with FR-003 and printed', 4]],
    },
    {
      what: 'bare lines with numbers, however they begin',
      lines: ['1. Totals', '   1.1 the sum is printed', '', 'On paper there are', '2.1 receipts', '2.2 bills', 'and 2.3', '2.4 Orders'],
      requirements: [
        ['1.1', 'the sum is printed', 2],
        ['2.1', 'receipts', 5],
        ['2.2', 'bills and 2.3', 6],
        ['2.4', 'Orders', 8],
      ],
    },
    ...['Contents', 'Table of contents', 'Inhalt', 'Inhaltsverzeichnis', '目次'].map((heading) => ({
      what: `nothing below ${heading}`,
      lines: [`## ${heading}`, '1. Sum', '2. Tax', '## 1. Sum', '## 2. Tax'],
      requirements: [
        ['1', 'Sum', 4],
        ['2', 'Tax', 5],
      ] as [string, string, number][],
    })),
    {
      what: 'the definition of a link as no code, and a sentence behind a code',
      lines: ['- [US-1] Login', '', '[US-1]: https://jira/browse/US-1 "Login"', '', '[US-2]: Logout works'],
      requirements: [
        ['US-1', 'Login', 1],
        ['US-2', 'Logout works', 5],
      ],
    },
    {
      what: 'comments within a line, and none in inline code or without an end in the same paragraph',
      lines: ['- 1.1 `<!-- a -->` stays', '- 1.2 Sum <!-- todo:', '- 1.3 hidden -->', '- 1.4 Begins with <!-- x', '', '- 1.5 Tax'],
      requirements: [
        ['1.1', '`<!-- a -->` stays', 1],
        ['1.2', 'Sum', 2],
        ['1.4', 'Begins with <!-- x', 4],
        ['1.5', 'Tax', 6],
      ],
    },
    {
      what: 'a code fence that an item of a numbered list begins with',
      lines: ['1. ```', '   7. no', '   ```', '2. Tax'],
      requirements: [['2', 'Tax', 4]],
    },
    { what: 'no bare numbers', lines: ['## 1. Sum', '## 2.', '1.'], requirements: [['1', 'Sum', 1]] },
  ];
  for (const { what, lines, requirements } of documents)
    it(`reads ${what}`, () => {
      assert.deepEqual(read(...lines), requirements);
    });

  it('reads CRLF like LF', () => {
    const text = '# P\r\n\r\n## 1. Sum\r\n1. Cents\r\n';
    const { requirements } = parseRequirements('PRD.md', text);
    assert.deepEqual(requirements, [{ id: '1.1', title: 'Cents', text: 'Cents', line: 4, lastLine: 4 }]);
  });

  it('keeps the whole text, and the range of its lines', () => {
    const long = `Sums ${'a'.repeat(300)}`;
    const body = ['', '- `total_sum` first', '', '```text', '1. as it is', '```', '<!-- later -->', ''];
    const text = ['# P', `## 1. ${long}`, ...body, '## 2. **Tax**', '', '## Notes', 'None.'].join('\n');
    const [sum, tax] = readRequirements(text).requirements;
    const all = `${long}\n\n- \`total_sum\` first\n\n\`\`\`text\n1. as it is\n\`\`\``;
    assert.deepEqual(sum, { id: '1', title: long, text: all, line: 2, lastLine: 8 });
    assert.deepEqual(tax, { id: '2', title: 'Tax', text: '**Tax**', line: 11, lastLine: 11 });
  });

  const textsOf = (...lines: string[]): (readonly [id: string, text: string])[] =>
    readRequirements(lines.join('\n')).requirements.map(({ id, text }) => [id, text]);

  it('keeps a table with the item that it is indented below', () => {
    const table = ['', '  | in | out |', '  | --- | --- |', '  | 1 | 2 |'];
    const text = ['It holds:', ...table].join('\n');
    assert.deepEqual(textsOf('## 1. Sum', '- 1.1 It holds:', ...table, '', '- 1.2 Next'), [
      ['1.1', text],
      ['1.2', 'Next'],
    ]);
    assert.deepEqual(textsOf('## Requirements', '- It holds:', ...table, '', '- Next'), [
      ['it-holds', text],
      ['next', 'Next'],
    ]);
  });

  it('keeps what stands below a numbered item with it, up to what is read by itself', () => {
    const below = ['', 'It must be rounded', '', '- to cents'];
    assert.deepEqual(textsOf('# P', '## Sum', '1. It prints', ...below, '', '2. It ends', '## Notes', 'None'), [
      ['1', ['It prints', ...below].join('\n')],
      ['2', 'It ends'],
    ]);
    assert.deepEqual(textsOf('## Requirements', '- FR-1 It prints', '- Exports', '- FR-2 It ends', '', 'All else stays as it is.'), [
      ['FR-1', 'It prints'],
      ['exports', 'Exports'],
      ['FR-2', 'It ends'],
    ]);
    assert.deepEqual(textsOf('- Sum', '  - 1.1 It prints', '- Tax', '  - 2.1 It ends', '', 'Notes'), [
      ['1.1', 'It prints'],
      ['2.1', 'It ends'],
    ]);
  });

  it('keeps the text within a scenario, and what follows it', () => {
    const steps = ['  Given a page', '    """', '    Free words', '', '    # of it', '    """', '  Then it is shown'];
    const expected = [['show', ['Show', ...steps].join('\n')]];
    assert.deepEqual(textsOf('Scenario: Show', ...steps, '', 'Words'), expected);
    assert.deepEqual(textsOf('```gherkin', 'Scenario: Show', ...steps, '```', '', 'Words'), expected);
  });

  describe('a code that stands there twice', () => {
    const defined = ['## Requirements', '| ID | Requirement |', '| -- | -- |', '| R1 | A sum is printed |', '| R2 | A mean is printed |'];
    const texts = (...lines: string[]) => {
      const { requirements, background, problems } = readRequirements([...defined, ...lines].join('\n'));
      const refused = problems.filter(({ refuses }) => refuses).map(({ message }) => message);
      return { texts: requirements.map(({ id, text }) => [id, text]), background: background.map(({ title }) => title), refused };
    };
    const both = [
      ['R1', 'ID: R1\nRequirement: A sum is printed'],
      ['R2', 'ID: R2\nRequirement: A mean is printed'],
    ] as const;

    it('tells more of its requirement in a table of other columns', () => {
      const rows = ['| ID | Given | Then |', '| -- | -- | -- |', '| R2 | 1 and 3 | 2 |', '| R2 | nothing | no mean |'];
      const more = 'ID: R2\nGiven: 1 and 3\nThen: 2\nID: R2\nGiven: nothing\nThen: no mean';
      const expected = { texts: [both[0], ['R2', `${both[1][1]}\n${more}`]], background: [], refused: [] };
      assert.deepEqual(texts('## Acceptance', ...rows), expected);
      assert.deepEqual(texts('Examples, by requirement', '', ...rows), expected);
    });

    it('tells more of it in a list below a heading that speaks of acceptance', () => {
      const { texts: told, refused } = texts('## Acceptance tests', '- R1: 1 and 3 give 4', '- R2: 1 and 3 give 2');
      assert.deepEqual(
        [told, refused],
        [
          [
            ['R1', `${both[0][1]}\n1 and 3 give 4`],
            ['R2', `${both[1][1]}\n1 and 3 give 2`],
          ],
          [],
        ],
      );
    });

    it('is a slip where its own words, or a heading below which it stands already, speak of acceptance', () => {
      const refused = (...lines: string[]) => readRequirements(lines.join('\n')).problems.flatMap((one) => (one.refuses ? one.line : []));
      assert.deepEqual(refused('## FR-1 Accept cash', 'It is taken.', '## FR-1 Accept cards', 'They are taken.'), [3]);
      assert.deepEqual(refused('## Acceptance criteria', '- AC-1: Cash is taken', '', 'And:', '', '- AC-1: Cards are taken'), [6]);
      const story = ['### Acceptance criteria', '- AC-1: It is taken', '- AC-2: It is counted'];
      assert.deepEqual(refused('## Cash', ...story, '## Cards', ...story), [7, 8]);
    });

    it('is a slip where the columns are the same, a code is new, or a list is of something else', () => {
      const again = ['| ID | Requirement |', '| -- | -- |', '| R1 | A median is printed |'];
      assert.deepEqual(texts('## Import', ...again).refused, ['requirement R1 is there already, in line 4']);
      const some = ['| ID | Given |', '| -- | -- |', '| R1 | 1 |', '| R3 | 2 |'];
      assert.deepEqual(texts('## Acceptance', ...some).refused, ['requirement R1 is there already, in line 4']);
      assert.deepEqual(texts('## Import', '- R1: reads a file').refused, ['requirement R1 is there already, in line 4']);
    });
  });

  it('takes a letter of other numbers for a code where it has a dash and a mark', () => {
    assert.deepEqual(read('**P-1** It fits', '', '**H-2** It is read', '', '- P1 bugs come first'), [
      ['P-1', 'It fits', 1],
      ['H-2', 'It is read', 3],
    ]);
  });

  it('keeps marks that are all there is, for a title', () => {
    const titles = (text: string): string[] => readRequirements(text).requirements.map(({ title }) => title);
    assert.deepEqual(titles('- _\n- **\n- *is* it'), ['_', '**', 'is it']);
  });

  it('tells problems with line and mending, and never throws', () => {
    const { problems } = readRequirements('## 1. Sum\n\n## 1. Again\n## 1. And again\n');
    const next = 'Give each requirement a number of its own.';
    assert.deepEqual(problems, [
      { line: 3, message: 'requirement 1 is there already, in line 1', next, refuses: true },
      { line: 4, message: 'requirement 1 is there already, in line 1', next, refuses: true },
    ]);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...marks), maxLength: 300 }), (text) => {
        const { requirements } = readRequirements(text);
        const lines = text.split(/\r?\n/).length;
        assert.ok(requirements.every(({ line, lastLine, id, title }) => id && title && line >= 1 && line <= lastLine && lastLine <= lines));
      }),
    );
  });

  const none = 'PRD.md:1: there are no requirements: nothing has a number, stands in a list, or says what must be true.';
  const number = 'Number what must be true, for example "## 1. Totals" and "1.1 The total is printed with two decimals".';
  for (const text of [
    '',
    '# Product\n\nIt adds.\n\n## Overview\n\n- and prints\n',
    '```\n## 1. Sum\n```\n',
    '```\n## 1. In a fence that nothing ends\n',
  ])
    it(`refuses ${JSON.stringify(text)}, which has no requirements`, () => {
      assertRefused(text, none, number);
    });

  const unique = 'Give each requirement a number of its own.';
  const twice: [text: string, message: string][] = [
    ['## 1. Sum\n## 2. Tax\n## 1. Again', 'PRD.md:3: requirement 1 is there already, in line 1.'],
    ['## 2. Totals\n1. Sum\n\n2.1 Again', 'PRD.md:4: requirement 2.1 is there already, in line 2.'],
    ['1. Sum\n   1. Cents\n   1. Euros', 'PRD.md:3: requirement 1.1 is there already, in line 2.'],
    ['## Goals\n1. Sum\n\nText\n\n1. Tax', 'PRD.md:6: requirement 1 is there already, in line 2.'],
  ];
  for (const [text, message] of twice)
    it(`refuses ${JSON.stringify(text)}, which has the same number twice`, () => {
      assertRefused(text, message, unique);
    });

  it('finds every numbered heading, with any prose in between', () => {
    const prose = fc.constantFrom('', 'Some prose.', '- a point', '```\n## 99. code\n```', '> quoted', '| a | b |');
    fc.assert(
      fc.property(fc.array(prose, { minLength: 1, maxLength: 12 }), (between) => {
        const text = between.map((b, i) => `## ${i + 1}. Item ${i + 1}\n${b}`).join('\n');
        const headings = parseRequirements('PRD.md', text).requirements.map((r) => [r.id, text.split('\n')[r.line - 1]]);
        assert.deepEqual(
          headings,
          between.map((_, i) => [`${i + 1}`, `## ${i + 1}. Item ${i + 1}`]),
        );
      }),
    );
  });
});

describe('reading', () => {
  const documents: [what: string, line: (index: number) => string][] = [
    ['paragraphs', () => 'plain words\n\n'],
    ['bare lines', (index) => `1.${index} Sum\n`],
    ['headings', () => '## H\nx\n'],
    ['numbered items with text below them', (index) => `${index}. Sum\n\nText\n\n`],
  ];
  for (const [what, line] of documents)
    it(`takes in proportion to the number of ${what}`, () => {
      const [few = 0, many = 0] = [3000, 12_000].map((count) => {
        const text = Array.from({ length: count }, (_, index) => line(index + 1)).join('');
        return Math.min(...[1, 2, 3].map(() => cpuMs(() => readRequirements(text))));
      });
      // Four times as many take four times as long; sixteen times where each looks at all others.
      assert.ok(many < 10 * few + 20, `${few} ms, then ${many} ms`);
    });
});

describe('a sentence without a number', () => {
  const kindsOf = (...lines: string[]) => {
    const { requirements, constraints } = readRequirements(lines.join('\n'));
    return [requirements.map(({ id }) => id), constraints.map(({ title, line }) => [line, title])];
  };
  const kept = 'What `npx split book.txt` prints today stays as it is.';

  it('is a constraint where it asks that something stays as it is', () => {
    const text = `Both packages stay small. ${kept}`;
    assert.deepEqual(kindsOf('# PRD', '', text, '', '1. It settles.', '2. It prints.'), [['1', '2'], [[3, text]]]);
  });

  it('is a constraint where it limits the whole, below the title', () => {
    const plain = 'Plain C, no dependency but libc. `make` builds it.';
    assert.deepEqual(kindsOf('# PRD', '', plain, '', '## 1 Reading', '- 1.1 It reads.'), [['1.1'], [[3, plain]]]);
    assert.deepEqual(kindsOf('# PRD', '', '## 1 Reading', plain, '- 1.1 It reads.'), [['1.1'], []]);
    assert.deepEqual(kindsOf('# PRD', '', `${plain} (background)`, '', '- 1.1 It reads.'), [['1.1'], []]);
  });

  it('only explains where it asks nothing, or stands in the background or within a requirement', () => {
    assert.deepEqual(kindsOf('# PRD', 'It is small.', '1. It settles.'), [['1'], []]);
    assert.deepEqual(kindsOf('# PRD', '## Overview', kept, '## Rules', '1. It settles.'), [['1'], []]);
    assert.deepEqual(kindsOf('# PRD', '1. It settles.', '', `   ${kept}`), [['1'], []]);
  });
});

describe('ids of requirements', () => {
  const ids = (...lines: string[]): string[] => readRequirements(lines.join('\n')).requirements.map(({ id }) => id);
  const documents: { what: string; lines: string[]; expected: string[] }[] = [
    {
      what: 'are the first long words where none is written',
      lines: ['- The sum is printed with two decimals'],
      expected: ['printed-with-decimals'],
    },
    {
      what: 'count the same words',
      lines: Array<string>(3).fill('- It adds up'),
      expected: ['it-adds-up', 'it-adds-up-2', 'it-adds-up-3'],
    },
    { what: 'are never those of value proofs', lines: ['- V1', '- v2 `x`'], expected: ['requirement-v1', 'V2-x'] },
    {
      what: 'keep the letters of their language',
      lines: ['- Überschüsse werden verteilt', '- 合計を表示する'],
      expected: ['überschüsse-werden-verteilt', '合計を表示する'],
    },
    {
      what: 'are codes as they are written',
      lines: ['- **FR-001**: Sum', '- [REQ_2] Tax', '- US3 Print', 'NFR-PERF-01: Quick'],
      expected: ['FR-001', 'REQ_2', 'US3', 'NFR-PERF-01'],
    },
    { what: 'are no names of standards', lines: ['- UTF-8: is read', '- SHA-256 is used'], expected: ['utf-8-read', 'sha-256-used'] },
    {
      what: 'put the story before its criteria',
      lines: ['- US1: Sum', '  - AC1: Cents', '- US2: Tax', '  - AC1: Euros'],
      expected: ['US1.AC1', 'US2.AC1'],
    },
    {
      what: 'put the numbered heading first where lists below deeper headings begin anew',
      lines: ['## 1. Sum', '### Criteria', '1. Cents', '2. Euros', '## 2. Tax', '### Criteria', '1. Rate'],
      expected: ['1.1', '1.2', '2.1'],
    },
  ];
  for (const { what, lines, expected } of documents) it(what, () => assert.deepEqual(ids(...lines), expected));

  it('stay when others are put before them, and can be written in a header', () => {
    const [first = '', second = ''] = ids('## Requirements', '- Reads the file', '- Prints the total');
    assert.deepEqual(ids('## Requirements', '- Refuses an empty file', '- Reads the file', 'twice', '- Prints the total').slice(-1), [
      second,
    ]);
    for (const id of [first, second, 'FR-001', 'US-2.AC1']) {
      const parsed = parseHeader(`# TEST: x\n# PRD: ${id}\n# RED: y\n`);
      assert.deepEqual('header' in parsed && parsed.header.prd, [id]);
    }
  });
});

describe('documents that earlier versions read', () => {
  const lines = fc.constantFrom(
    '# Product',
    '## 1. Totals',
    '## 2. Tax',
    '### 2.1 Rounding',
    '## §3 Print',
    '## 4) Show',
    '## Goals',
    '### Notes',
    '## Login',
    '1. Sum',
    '2. Tax',
    '3) Print',
    '- 1.1 Sum',
    '* **1.2** Tax',
    '- **4.1.** Round',
    '1.4 Print',
    '   2.2 Paper',
    '7.1: Ink',
    '5.5. Toner',
    '',
    '',
    'It must be quick.',
    '- a point',
    '  - a detail',
    '> quoted',
    '| a | b |',
    '|---|---|',
    '**Note**',
    '***',
    'FR is no code',
    'In 2 of 3',
    '```\n9. code\n```',
    '<!-- 8. later -->',
    '<!--\n## 9. No\n-->',
  );

  it('keep their ids', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.array(lines, { minLength: 1, maxLength: 14 }), (chosen) => {
        const text = chosen.join('\n');
        const before = idsBefore(text);
        if (!before) return;
        compared += 1;
        const ids = readRequirements(text).requirements.map(({ id }) => id);
        // Beside a number that stands alone, what else demands something is read, too.
        assert.deepEqual(before.length === 1 ? ids.filter((id) => /^\d/.test(id)) : ids, before, text);
      }),
      { numRuns: 3000 },
    );
    assert.ok(compared > 300, `only ${compared} were read before`);
  });

  const inRepository = [
    'examples/hosting/sprint',
    'examples/lent/sprint',
    'examples/receipts/sprint',
    'test/fixtures/work/existing',
    'test/fixtures/work/greenfield',
  ];
  for (const folder of [...inRepository, 'media/templates'])
    it(`keep their ids in ${folder}`, () => {
      const text = readFileSync(`${folder}/PRD.md`, 'utf8');
      assert.deepEqual(
        readRequirements(text).requirements.map(({ id }) => id),
        idsBefore(text),
      );
    });
});

describe('normalizeRequirementId', () => {
  const written: [text: string, id: string][] = [
    ['2.1', '2.1'],
    [' §2.1. ', '2.1'],
    ['§ 2', '2'],
    ['v1', 'V1'],
    ['V12', 'V12'],
    ['value', 'value'],
  ];
  for (const [text, id] of written) it(`gives ${id} for ${JSON.stringify(text)}`, () => assert.equal(normalizeRequirementId(text), id));
});
