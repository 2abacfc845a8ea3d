/** The simulated world: its languages for work and scripts, its patches, and the comparison that the oracle uses. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { reworded, silenced } from '../../src/engine/prove/source.ts';
import { mutantsOf } from '../engine/prove/support.ts';
import { createSyntax } from '../../src/host/syntax/syntax.ts';
import { difference } from './oracle/equal.ts';
import { changesOf, reverted } from './world/patch.ts';
import { interpret, type Stage } from './world/script.ts';
import { assignment, endingLine, languages, read, withValues } from './world/work.ts';

const stage = (files: Record<string, string>, over: Partial<Stage> = {}): Stage => ({
  files,
  reading: read(files),
  isScratch: false,
  happens: () => false,
  isUnsteady: () => false,
  answers: () => false,
  write: (path, text) => void (files[path] = text),
  ...over,
});
const script = (body: string): string => `# RED: it is wrong\n${body}\n`;

describe('the work', () => {
  for (const language of languages)
    it(`in ${language} can be read, and the engine's own code can reword, silence and mutate it`, async () => {
      const path = `src/a.${language}`;
      const text = withValues(language, '', new Map([['feature_1', 7]]));
      const valueIn = (content: string): number | undefined => read({ [path]: content }).values.get('feature_1');
      assert.equal(valueIn(text), 7);
      assert.equal(valueIn(reworded(path, text)), 7);
      assert.equal(valueIn(silenced(path, text)), undefined);
      const { patch } = changesOf({}, { [path]: text });
      const mutants = await mutantsOf(createSyntax(), { [path]: text }, [patch]);
      assert.ok(mutants.length > 0);
      for (const mutant of mutants) assert.notEqual(valueIn(mutant.text), 7, mutant.now);
    });

  for (const language of languages)
    it(`in ${language} may end the process that it is loaded into`, async () => {
      const path = `src/a.${language}`;
      const text = `${assignment(language, 'feature_1', 7)}\n${endingLine(language)}\n`;
      const { ending, broken } = read({ [path]: text });
      assert.deepEqual([[...ending], broken], [[path], undefined]);
      assert.deepEqual([...read({ [path]: silenced(path, text) }).ending], []);
      for (const mutant of await mutantsOf(createSyntax(), { [path]: text }, [changesOf({}, { [path]: text }).patch]))
        assert.equal(read({ [path]: mutant.text }).broken, undefined, mutant.now);
    });

  it('says where it is broken, and does not include the closing files of a sprint', () => {
    assert.equal(read({ 'src/a.py': 'feature_1 = 7\noops (\n' }).broken, 'src/a.py:2');
    assert.equal(read({ 'sprint/verifications/x.sh': 'expect feature_1 7' }).broken, undefined);
  });

  it('keeps all other lines when values change', () => {
    assert.equal(
      withValues(
        'js',
        'a = 1;\n// b\nc = 2;\n',
        new Map([
          ['c', 3],
          ['d', 4],
        ]),
      ),
      'a = 1;\n// b\nc = 3;\nd = 4;\n',
    );
    assert.equal(assignment('sh', 'a', 1), 'a=1');
  });
});

describe('a script', () => {
  const files = { 'src/a.py': 'feature_1 = 7\n' };

  it('fails with its RED text, or ends with the status that it gives', () => {
    assert.deepEqual(interpret(script('expect feature_1 7'), stage(files)), { exit: 0, output: '', took: 0 });
    const failed = { exit: 1, output: 'it is wrong: expected feature_1 to be 8, got 7\n', took: 0 };
    assert.deepEqual(interpret(script('expect feature_1 8'), stage(files)), failed);
    assert.equal(interpret(script('say PASS\nexit 3'), stage(files)).exit, 3);
    assert.equal(interpret(script('nonsense'), stage(files)).exit, 127);
  });

  it('is ended by work that it loads, and by no other work', () => {
    const endless = { 'src/a.py': 'feature_1 = 7\nexit(0)\nfeature_2 = 8\n', 'src/b.py': 'feature_3 = 9\n' };
    const ran = (body: string) => interpret(script(body), stage(endless));
    assert.deepEqual(ran('source src/a.py\nexpect feature_1 8'), { exit: 0, output: '', took: 0, isEarly: true });
    assert.deepEqual([ran('source src/b.py\nexpect feature_1 8').exit, ran('source src/c.py').exit], [1, 1]);
    assert.deepEqual([ran('expect feature_1 7').exit, ran('defined feature_2').exit], [0, 1], 'what stands behind the end never runs');
  });

  it('depends on files, checkout, chance and time', () => {
    const exits = (body: string, over: Partial<Stage> = {}): number => interpret(script(body), stage({ ...files }, over)).exit;
    assert.deepEqual([exits('exists src/a.py'), exits('exists src/b.py'), exits('grep src/a.py = 7')], [0, 1, 0]);
    assert.deepEqual([exits('scratch'), exits('scratch', { isScratch: true })], [0, 1]);
    assert.deepEqual([exits('flip 1', { happens: (p) => p === 1 }), exits('defined feature_2')], [1, 1]);
    assert.equal(exits('expect feature_1 7', { isUnsteady: () => true }), 1);
    assert.equal(interpret('sleep 3', stage(files)).took, 3);
    assert.match(interpret('lacks it', stage(files)).output, /^Cannot find module 'it'$/m);
  });
});

describe('a patch', () => {
  it('can be reverted in a text that changed since', () => {
    assert.equal(reverted('a\nb\n', 'a\n', 'a\nb\n'), 'a\n');
    assert.equal(reverted('a\nb\nc\n', 'a\n', 'a\nb\n'), 'a\nc\n');
    assert.equal(reverted('a\nx\nb\n', 'a\nold\n', 'a\nb\n'), 'a\nx\nold\n');
    assert.equal(reverted('a\nx\nc\n', 'a\nold\n', 'a\nb\n'), 'a\nold\nx\nc\n');
  });

  it('names added, changed and deleted files', () => {
    const { files, patch } = changesOf({ a: '1\n', b: '2\n' }, { b: '3\n', c: '4\n' });
    assert.deepEqual(
      files.map(({ path, kind }) => `${path} ${kind}`),
      ['a deleted', 'b modified', 'c added'],
    );
    assert.match(patch, /^\+\+\+ b\/c$/m);
  });
});

describe('difference', () => {
  it('is the path to the first place where two values differ', () => {
    assert.equal(difference({ a: [1, new Map([[1, { b: 2 }]])] }, { a: [1, new Map([[1, { b: 2 }]])] }), undefined);
    assert.equal(difference({ a: { b: 1 } }, { a: { b: 2 } }), '.a.b');
    assert.equal(difference({ a: 1 }, { a: 1, b: undefined }), undefined);
    assert.equal(difference([1], [1, 2]), ' (1 and 2 entries)');
  });
});
