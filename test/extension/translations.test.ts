/** Every word of the screen has a translation, in each language that Loop ships. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { keptWords, leftoverWords, lossWords } from '../../src/engine/render/left-over.ts';
import { originWords } from '../../src/host/pipelines/shelves.ts';
import { actionWords } from '../../src/engine/state/rows.ts';
import {
  failureWords,
  interruptedWords,
  outcomeWords,
  personWrote,
  statusWords,
  taskWords,
  verdictWords,
} from '../../src/engine/render/words.ts';
import { plural, t, translated, useWords } from '../../src/views/words.ts';
import manifest from '../../package.json';
import { wordsIn } from './strings.ts';

const languages = ['de', 'ja'];
const folders = ['src/extension/editor', 'src/views'];
/** They answer with documents and refusals. The rest of the worker writes the log, which is English. */
const answering = ['requests', 'pipelines', 'runs-by-hand', 'worker'].map((name) => `src/extension/worker/${name}.ts`);

/** Names, examples of what is typed, and what is no sentence. */
const untranslated = new Set([
  'Claude',
  'Answer with one word: hello.',
  'improve-docs',
  'invoice-export',
  'sk-ant-…',
  'docs/notes.md, src/**/*.ts',
  'Loop Language Server',
  'summary, [role=search], button:not(.link)',
  '{}text\n{}\n{}',
  '{} {}.md',
  '{} {}.diff',
  'task ',
  'verification {}',
]);

/** Words that tables of the engine hold, and the editor shows. */
const tables = [
  ...[actionWords, failureWords, keptWords, leftoverWords, lossWords, outcomeWords, statusWords, taskWords, verdictWords].flatMap((table) =>
    Object.values(table),
  ),
  ...Object.values(originWords),
  interruptedWords,
  personWrote,
  'weak',
  'fair',
  'strong',
  'done',
  'failed',
  'refused',
  'added',
  'modified',
  'deleted',
];

const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(page-html|views\/words|^words)\.ts$/.test(name))
    .map((name) => join(folder, name)),
);
const found = [...files, ...answering].map((file) => wordsIn(file));
const keys = [...new Set([...found.flatMap((words) => words.keys), 'Failure history', ...tables])].sort();

const read = (file: string): Record<string, string> => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
const placeholders = (text: string): string[] => [...(text.match(/\{\d+\}/g) ?? [])].sort();
const links = (text: string): string[] => [...(text.match(/\]\(command:[^)]*\)|`[^`]*`|\$\([\w~-]+\)/g) ?? [])].sort();

describe('words of the screen', () => {
  it('are given to `t` wherever they stand', () => {
    const names = (line: string): boolean => untranslated.has(line.slice(line.indexOf(': ') + 2));
    const forgotten = found.flatMap((words) => words.forgotten).filter((line) => !names(line));
    assert.deepEqual(forgotten, [], 'wrap these in t(…) of src/views/words.ts, then add them to l10n/bundle.l10n.<language>.json');
  });

  for (const language of languages) {
    it(`are all translated: ${language}`, () => {
      const bundle = read(`l10n/bundle.l10n.${language}.json`);
      assert.deepEqual(Object.keys(bundle).sort(), keys);
      for (const [key, text] of Object.entries(bundle)) {
        assert.ok(text.trim() !== '', key);
        assert.deepEqual(placeholders(text), placeholders(key), key);
        assert.deepEqual(links(text), links(key), key);
      }
    });

    it(`are all translated in the manifest: ${language}`, () => {
      const english = read('package.nls.json');
      const words = read(`package.nls.${language}.json`);
      assert.deepEqual(Object.keys(words), Object.keys(english));
      for (const [key, text] of Object.entries(words)) {
        assert.ok(text.trim() !== '', key);
        assert.deepEqual(links(text), links(english[key] ?? ''), key);
      }
    });
  }

  it('stand in the manifest only as keys', () => {
    const english = read('package.nls.json');
    const used = new Set<string>();
    const raw: string[] = [];
    const shown = ['title', 'description', 'markdownDescription', 'contents', 'name', 'enumDescriptions', 'label', 'altText'];
    const see = (value: unknown, at: string): void => {
      if (typeof value === 'string') {
        const [, key] = /^%(.+)%$/.exec(value) ?? [];
        if (key !== undefined) used.add(key);
        // What is typed after @ and / in the chat is a name.
        else if (value !== 'Loop' && !/^contributes\.chatParticipants\..*\bname$/.test(at)) raw.push(`${at}: ${value}`);
      } else if (Array.isArray(value)) value.forEach((one) => see(one, at));
    };
    const walk = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, one] of Object.entries(value)) {
        if (shown.includes(name)) see(one, `${at}.${name}`);
        walk(one, `${at}.${name}`);
      }
    };
    see(manifest.description, 'description');
    const { languageModelTools, ...contributes } = manifest.contributes;
    walk(contributes, 'contributes');
    // The rest of a tool is read by agents alone.
    for (const { displayName, userDescription } of languageModelTools) [displayName, userDescription].forEach((one) => see(one, 'tools'));
    walk(manifest.capabilities, 'capabilities');
    assert.deepEqual(raw, []);
    assert.deepEqual([...used].sort(), Object.keys(english).sort());
  });
});

describe('a translation', () => {
  it('fills its values, and falls back to English', () => {
    useWords({ '{0} of {1}': '{1} davon {0}', '{0} files': '{0} Dateien' });
    try {
      assert.equal(t('{0} of {1}', 1, 'two'), 'two davon 1');
      assert.equal(plural(3, '{0} file', '{0} files'), '3 Dateien');
      assert.equal(plural(1, '{0} file', '{0} files'), '1 file');
      assert.equal(translated('toString'), 'toString');
      assert.equal(t('{0} and {1}', '{1}', 'b'), '{1} and b');
    } finally {
      useWords(undefined);
    }
  });
});

describe('the search for forgotten words', () => {
  const forgottenIn = (source: string): string[] => wordsIn('a.ts', source).forgotten;

  it('finds a word that nobody translates', () => {
    assert.deepEqual(forgottenIn("const a = 'two words';"), ['a.ts: two words']);
    assert.deepEqual(forgottenIn('show(`${n} files changed`);'), ['a.ts: {} files changed']);
    assert.deepEqual(forgottenIn("const a = { label: 'finish' };"), ['a.ts: finish']);
    assert.deepEqual(forgottenIn("t('ok', 'two words');"), ['a.ts: two words']);
    assert.deepEqual(forgottenIn('t(words);'), ['a.ts: a key that is no literal']);
    assert.deepEqual(forgottenIn("const a = { label: is ? 'Yes' : t('no') };"), ['a.ts: Yes']);
  });

  it('leaves ids, keys, comparisons and the log alone', () => {
    for (const source of [
      "import a from 'some thing';",
      "if (a === 'two words') b();",
      "const a = { kind: 'two words', id: `task ${n}` };",
      "log().info('two words');",
      "t('two words');",
      "plural(n, '{0} file', '{0} files');",
      'node(`task/${n}`);',
    ])
      assert.deepEqual(forgottenIn(source), [], source);
  });
});
