/** Helpers stand in the text of scripts: they are put in, taken out again, and shown once where several scripts are shown. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { eachHelperOnce, helperProblem, withHelpers, withoutHelpers } from '../../../src/engine/parse/helper-text.ts';
import { parseHeader } from '../../../src/engine/parse/header.ts';

const own = ['#!/usr/bin/env bash', '# TEST: adds', '# PRD: 1', '# RED: wrong', '# USES: sums.sh', '', 'check 5'].join('\n');
const sums = { name: 'sums.sh', text: 'check() { [ "$(./total 2 3)" = "$1" ]; }\n' };
const more = { name: 'more.sh', text: '# a list\nlist() { :; }' };

describe('a helper in a script', () => {
  it('stands behind the header, between marks that name it', () => {
    assert.equal(
      withHelpers(own, [sums]),
      own.replace('check 5', `# --- helper sums.sh ---\n${sums.text.trim()}\n# --- end of helper sums.sh ---\ncheck 5`),
    );
    assert.match(
      withHelpers('// TEST: a\nrun();', [{ name: 'a.mjs', text: 'const run = 1;' }]),
      /\/\/ --- helper a\.mjs ---\nconst run = 1;\n\/\//,
    );
  });

  it('is taken out again, so that writing it again puts the new text in its place', () => {
    const both = withHelpers(own, [sums, more]);
    assert.equal(withoutHelpers(both), own);
    const mended = { ...sums, text: 'check() { :; }' };
    assert.equal(withHelpers(both, [mended, more]), withHelpers(own, [mended, more]));
  });

  it('leaves the header as it is, also where it begins with comments of its own', () => {
    assert.deepEqual(parseHeader(withHelpers(own, [more])), parseHeader(own));
    assert.deepEqual('header' in parseHeader(own) && parseHeader(own), { header: { ...headerOf(own), uses: ['sums.sh'] } });
  });

  it('is shown once', () => {
    const [first = '', second = ''] = eachHelperOnce([withHelpers(own, [sums]), withHelpers(own, [sums])]);
    assert.equal(first, withHelpers(own, [sums]));
    assert.equal(second, own.replace('check 5', '# --- helper sums.sh --- as above\ncheck 5'));
  });

  it('has no field of a header and no marks', () => {
    assert.equal(helperProblem(sums.text), undefined);
    assert.match(helperProblem('# RED: mine\nx() { :; }') ?? '', /line 1 is a field/);
    assert.match(helperProblem(withHelpers(own, [sums]).split('\n').slice(6).join('\n')) ?? '', /marks/);
  });
});

function headerOf(script: string) {
  const parsed = parseHeader(script);
  assert.ok('header' in parsed);
  return parsed.header;
}
