/** A script that ends by an error of its own goes to QC, and no fixer is called (docs/mending.md). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fix } from '../../../src/engine/actions/fix.ts';
import { actions } from '../../../src/engine/actions/table.ts';
import { ownFault } from '../../../src/engine/diagnose/own-fault.ts';
import { renderHistory } from '../../../src/engine/render/history.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { calls, world } from '../../support/fakes.ts';
import { nameOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { play, staged } from '../support/play.ts';

const traceback = (error: string, ...frames: [string, number][]): string =>
  ['Traceback (most recent call last):', ...frames.map(([file, line]) => `  File "${file}", line ${line}, in <module>`), error, ''].join(
    '\n',
  );
const own: [string, number] = ['/run/program/value-total.py', 161];
const tooLarge = traceback('OSError: [Errno 27] File too large', own);

function red(excerpt: string, ext = 'py'): Story {
  const verification = p.verification({ ext });
  const written: Fact = { fact: 'verification.written', verification };
  const story = p.built(p.planned().act('write-verifications', written));
  const { step } = story.state.work.tree.change ?? p.change();
  const run = p.run({ code: 1, verdict: 'red', kind: 'runtime_error', summary: 'runtime error', signature: 'runtime_error-1', excerpt });
  return story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, { fact: 'verification.ran', run });
}

const faultOf = (excerpt: string, ext = 'py', text = ''): string | undefined => {
  const { state } = red(excerpt, ext);
  return ownFault(state, p.verification({ ext }), text);
};

describe('an error of a script of its own', () => {
  it('is one in its own lines that no work can cause', () => {
    assert.equal(faultOf(tooLarge), 'OSError: [Errno 27] File too large (line 161)');
    assert.match(faultOf(traceback("NameError: name 'todal' is not defined", own)) ?? '', /^NameError: .*\(line 161\)$/);
    const node = 'ReferenceError: todal is not defined\n    at file:///run/program/value-total.mjs:7:3\n    at node:internal/x:1:1\n';
    assert.equal(faultOf(node, 'mjs'), 'ReferenceError: todal is not defined (line 7)');
  });

  for (const [what, excerpt] of [
    ['in the work', traceback("NameError: name 'x' is not defined", own, ['/home/me/work/total.py', 3])],
    ['in a library that it called', traceback('OSError: [Errno 27] File too large', own, ['/usr/lib/python3.11/shutil.py', 9])],
    ['that what the work prints may cause', traceback("ValueError: invalid literal for int() with base 10: 'x'", own)],
    ['of a file that the work did not write', traceback("FileNotFoundError: [Errno 2] No such file: 'out'", own)],
    ['of a name that the work may have made too long', traceback("OSError: [Errno 36] File name too long: 'xx'", own)],
    ['of an assertion', traceback('AssertionError: 5', own)],
    ['after its RED text', `${p.verification().red}\n${tooLarge}`],
  ] as const)
    it(`is none ${what}`, () => assert.equal(faultOf(excerpt), undefined));

  it('is none of a name that the script may take from the work', () => {
    const error = traceback("NameError: name 'total' is not defined", own);
    for (const text of ['from cart import *', 'exec(open("cart.py").read())', 'globals().update(vars(cart))'])
      assert.equal(faultOf(error, 'py', text), undefined, text);
    assert.match(faultOf(error, 'py', 'from cart import add') ?? '', /^NameError/);
    assert.match(faultOf(tooLarge, 'py', 'from cart import *') ?? '', /^OSError/);
  });

  it('is none of a name that a script of Node.js may take from the work', () => {
    const error = 'ReferenceError: total is not defined\n    at file:///run/program/value-total.mjs:7:3\n';
    for (const text of ['import vm from "node:vm"', 'import "/tree/cart.js"', 'await import(path)', 'new globalThis.Cart()', 'eval(page)'])
      assert.equal(faultOf(error, 'mjs', text), undefined, text);
    assert.match(faultOf(error, 'mjs', 'import { add } from "/tree/cart.js"; const it = await import(path)') ?? '', /^ReferenceError/);
  });

  it('is none in the work that a script of Node.js loads', () => {
    const node =
      'ReferenceError: x is not defined\n    at total (file:///home/me/work/total.mjs:7:3)\n    at file:///run/program/value-total.mjs:1:1\n';
    assert.equal(faultOf(node, 'mjs'), undefined);
  });

  it('calls no fixer: QC is asked at once, with the error', async () => {
    const story = red(tooLarge);
    const [due] = fix.due(story.state);
    const w = await staged(world(), story.begin('fix', due?.target ?? '', due?.burns.map(nameOf)));
    const facts = await fix.run(due?.target ?? '', play(w).context);
    assert.deepEqual(w.model.asked, []);
    story.end(...facts);
    const [asked] = actions['write-verifications'].due(story.state).filter(({ target }) => target === 'value/total');
    assert.equal(asked?.why, 'value/total may be wrong');
    assert.match(
      renderHistory(story.state, p.verification({ ext: 'py' })),
      /Outcome: changed nothing, it says that the verification is wrong: Its own lines end it, without its RED text: OSError: \[Errno 27\]/,
    );
  });

  it('is a fixer’s once QC has answered that the script is right', async () => {
    const story = red(tooLarge);
    const [due] = fix.due(story.state);
    const doubting = await staged(world(), story.begin('fix', due?.target ?? '', due?.burns.map(nameOf)));
    story.end(...(await fix.run(due?.target ?? '', play(doubting).context)));
    const { lineage, script } = p.verification();
    story.act('write-verifications', { fact: 'verification.upheld', lineage, script, why: 'the disk is too small' });
    const w = await staged(world(), story.begin('fix', 'value/total', due?.burns.map(nameOf)));
    w.model.answers.push(calls(['report_fix', { fix_applied: 'x', files_changed: [], reasoning: 'y' }]));
    await fix.run('value/total', play(w).context);
    const [{ messages } = { messages: [] }, ...more] = w.model.asked;
    assert.equal(more.length, 0);
    const [block] = messages[0]?.content ?? [];
    const text = block?.type === 'text' ? block.text : '';
    assert.match(text, /### Attempt 1: red, exit status 1\n\nAs shown above\.\n\n#### Fix: Nothing/);
    assert.equal(text.split('File "/run/program/value-total.py"').length, 2, 'its evidence stands there once');
  });
});
