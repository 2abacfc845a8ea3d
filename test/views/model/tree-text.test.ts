/** What a screen reader gets in the place of trees, and the help for it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe, it } from 'mocha';
import { accessibilityHelp } from '../../../src/views/model/accessibility-help.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import { pipelinesText, treesText } from '../../../src/views/model/tree-text.ts';
import { useWords } from '../../../src/views/words.ts';
import manifest from '../../../package.json';
import { begun, built, start, stateOf } from './sample.ts';

const here = { activity: null, broke: null };

describe('the trees as text', () => {
  it('have every row with its state, below its own', () => {
    const text = treesText(sprintView(stateOf(...built, begun('5', 'execute', 'T2')), start), true, here);
    for (const part of [
      '# Sprint\n\n- Sprint notes, building T2\n',
      '\n- Requirements: 0 of 1 verified so far\n  - Requirement 1.1, It adds, not verified yet\n',
      '\n# Tasks\n\n- Phase Core, 1 of 1 tasks done\n  - Task T1, build T1, done\n    - Done when: T1 works\n',
      '\n# Verifications\n\n- Category value, 1 of 1 passed\n  - Verification value/adds, ',
    ])
      assert.ok(text.includes(part), `${part}\nis not in\n${text}`);
  });

  it('say so where there is nothing', () => {
    const text = treesText(sprintView(stateOf(), start), true, here);
    assert.match(text, /# Tasks\n\nNothing yet\.\n\n# Verifications\n\nNothing yet\.\n$/);
    assert.equal(pipelinesText([]), '# Pipelines\n\nNothing yet.\n');
  });
});

describe('the accessibility help', () => {
  afterEach(() => useWords(undefined));

  for (const language of ['en', 'de', 'ja'])
    it(`names commands and keys that there are: ${language}`, () => {
      const read = (file: string): Record<string, string> => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
      const words = language === 'en' ? {} : read(`l10n/bundle.l10n.${language}.json`);
      useWords(words);
      const titles = Object.entries(read(`package.nls${language === 'en' ? '' : `.${language}`}.json`))
        .filter(([key]) => key.startsWith('command.'))
        .map(([, title]) => title);
      const named = [...accessibilityHelp().matchAll(/["「]Loop: ([^"」]+)["」]/g)].map(([, title = '']) => title);
      assert.ok(named.length >= 5, accessibilityHelp());
      for (const title of named) assert.ok(titles.includes(title) || title === 'Focus on Sprint View', title);
      const keys = manifest.contributes.keybindings.map(({ key }) => key);
      for (const key of ['alt+f1', 'shift+alt+f1'])
        assert.equal(keys.filter((one) => one === key).length, 2, `${key} of trees and history`);
      for (const key of ['alt+f2', 'shift+alt+f2'])
        assert.equal(keys.filter((one) => one === key).length, 3, `${key} of a sprint's trees, pipelines and history`);
    });
});
