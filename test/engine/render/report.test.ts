/** The delivery report: every requirement with its tasks, verifications and evidence, and a summary of the sprint. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limitsOfProof } from '../../../src/engine/judge/limits-of-proof.ts';
import { guidance } from '../../../src/engine/render/guidance.ts';
import { renderReport } from '../../../src/engine/render/report.ts';
import type { Use } from '../../../src/engine/work/assessment.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Service } from '../../../src/engine/work/service.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { ChangedFile } from '../../../src/engine/work/tree.ts';
import { changed, refOf, Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

describe('the delivery report', () => {
  it('begins with what its reader wants, in ten lines', () => {
    const uses: Use[] = ['total 1', 'total 2', 'total 3', 'total 4'].map((command) => ({ what: 'Add up', kind: 'command', it: command }));
    const findings = [
      { severity: 'polish' as const, description: 'No colours', userImpact: 'dull', suggestedFix: '', evidence: 'seen' },
      {
        severity: 'degraded' as const,
        description: 'Negative totals lose their sign',
        userImpact: 'wrong',
        suggestedFix: '',
        evidence: 'seen',
      },
    ];
    const { state } = p.delivered().act('final', { fact: 'evaluation.reported', evaluation: p.evaluation({ howToUse: uses, findings }) });
    const [head = ''] = renderReport(asking(state, 'Is 5 or 5.00 printed?')).split('\n\n## ');
    assert.deepEqual(head.split('\n').slice(2), [
      'Delivered. 2 of 2 requirements and value proofs are proven on the tree as it is.',
      '',
      `- **What there is:** Print the total of an order. The branch \`${state.opened.branch}\` adds \`total.sh\`; no file that was there is changed.`,
      `- **Try it** after \`git switch --detach ${state.opened.branch}\` ([all](#how-to-use-it)):`,
      '  - Add up: `total 1`',
      '  - Add up: `total 2`',
      '  - Add up: `total 3`',
      '- **Decided for you:** Your documents leave open: Is 5 or 5.00 printed? ([all 2](#decided-for-you))',
      '- **Known to be wrong:** Degraded: Negative totals lose their sign (wrong) ([all 2](#known-to-be-wrong))',
      '- **To go on:** _Loop: Finish Sprint_ in the editor, or `loop finish FOLDER merge`, brings it into your branch. `loop verify FOLDER` runs its verifications again; FOLDER is where PRD.md lies.',
    ]);
  });

  it('says what of the Vision is proven, three promises at most, instead of what builders say', () => {
    const { state } = p.delivered();
    const promised = (count: number): string => {
      const ids = Array.from({ length: count }, (_, i) => `V${i + 1}`);
      const promises = ids.map((id) => {
        const text = `Promise ${id} holds whatever else is asked for.`;
        return { id, title: text, text, line: 0, lastLine: 0 };
      });
      const verification = p.verification({ prd: ['1', ...ids] });
      const requirements = [...state.work.requirements.filter(({ line }) => line > 0), ...promises];
      return renderReport({ ...state, work: { ...state.work, requirements, verifications: { 'value/total': verification } } });
    };
    const lines = (text: string): string[] => text.split('\n').filter((line) => /What there is|^ {2}- V\d/.test(line));
    const what = (all: string): string =>
      `- **What there is:** Print the total of an order. The branch \`${state.opened.branch}\` adds \`total.sh\`; no file that was there is changed. It is proven that${all}:`;
    assert.deepEqual(lines(promised(1)), [what(''), '  - V1: Promise V1 holds whatever else is asked for.']);
    assert.deepEqual(lines(promised(4)), [
      what(' ([all 4](#requirements))'),
      ...[1, 2, 3].map((i) => `  - V${i}: Promise V${i} holds whatever else is asked for.`),
    ]);
    const table = section(promised(4), 'Requirements').split('\n');
    assert.deepEqual(
      table.filter((line) => line.includes('Promise')),
      [
        ...[1, 2, 3].map((i) => `- [x] **V${i}** Promise V${i} holds whatever else is…`),
        '- [x] **V4** Promise V4 holds whatever else is asked for.',
      ],
      'what stands whole above is only named',
    );
  });

  it('says on the first page the first words of what stands whole further below', () => {
    const long = 'Prices are kept in cents, and '.concat('no one is rounded twice, and '.repeat(8)).trim();
    const decided = (...words: string[]): string => {
      const report = renderReport(p.delivered().act('plan', { fact: 'gate.passed', gate: 'plan', decided: words }).state);
      assert.ok(words.every((one) => section(report, 'Decided for you').includes(one)));
      return /\*\*Decided for you:\*\* (.*)/.exec(report)?.[1] ?? '';
    };
    assert.match(decided(long), /^By the plan: Prices are kept in cents, .{60,120} twice, and… \(\[all of it\]\(#decided-for-you\)\)$/);
    assert.match(decided(long, 'Rates'), /… \(\[all 2\]\(#decided-for-you\)\)$/);
    assert.equal(decided('Rates'), 'By the plan: Rates');
    const code = `Addresses begin with ${'x'.repeat(60)}, else with (\`http://127.0.0.1:5000/${'y'.repeat(60)} and more\`)`;
    assert.match(decided(code), /^By the plan: Addresses begin with x{60}, else with… \(\[all of it\]/);
  });

  it('says first what is to be installed before anything is tried', () => {
    const install = { folder: 'packages/cli', manager: 'npm' as const, flags: [] };
    const installed = { install, declared: 'd'.repeat(64), exit: 0, output: 'o'.repeat(64), excerpt: '', duration: 1 };
    const howToUse = [{ what: 'Add up', kind: 'command' as const, it: 'total 1' }];
    const { state } = p
      .delivered()
      .act('prepare', { fact: 'install.ran', installed })
      .act('final', { fact: 'evaluation.reported', evaluation: p.evaluation({ howToUse }) });
    assert.match(renderReport(state), /^- \*\*Try it\*\* after `git switch --detach [^`]+`, `[^`]*npm [^`]*`:$/m);
  });

  it('says of a finding what its finder proposes, in short', () => {
    const wrong = (suggestedFix: string): string => {
      const finding = { severity: 'degraded' as const, description: 'It is slow.', userImpact: 'I wait', suggestedFix, evidence: 'seen' };
      const told: Fact = { fact: 'evaluation.reported', evaluation: p.evaluation({ findings: [finding] }) };
      return section(renderReport(p.delivered().act('final', told).state), 'Known to be wrong');
    };
    assert.equal(wrong('Keep the\nrates.'), '- Degraded: It is slow. (I wait) Proposed: Keep the rates.');
    assert.equal(wrong(' '), '- Degraded: It is slow. (I wait)');
    assert.match(wrong('Keep the rates. '.repeat(30)), /Proposed: Keep the rates\. .{150,180}…$/);
  });

  it('lists the constraints, which no verification proves', () => {
    const { state } = p.delivered();
    assert.doesNotMatch(renderReport(state), /## Constraints/);
    const constraints = [{ title: 'No network access', text: 'No network access', line: 12, lastLine: 12 }];
    const told = renderReport({ ...state, work: { ...state.work, constraints } });
    assert.match(told, /## Constraints\n\nEvery agent was told to build and judge by these\. [^\n]*\n\n- PRD\.md:12: No network access\n/);
  });

  it('says first what only the person can do, where it waits for that', () => {
    const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() });
    const report = renderReport(story.state);
    assert.match(report, /^Waiting: it goes on once what it waits for is there\. 0 of 2 /m);
    assert.match(report, /^- \*\*To go on:\*\* Put prices\.csv there\. Then _Loop: Resume Sprint_ /m);
  });

  it('says what the builders took where the documents leave something open, or that nobody did', () => {
    assert.equal(
      section(renderReport(asking(p.delivered().state, 'Is 5 or 5.00\nprinted?')), 'Decided for you'),
      '- Your documents leave open: Is 5 or 5.00 printed?\n- No builder noted what was taken there: look how it behaves.',
    );
    const told = p.awaiting();
    told.act('execute', { fact: 'task.reported', id: 'T1', report: { ...p.report, notes: 'I print 5.00, as tills do.' } });
    assert.equal(section(renderReport(told.state), 'Decided for you'), '- Noted by the builder of T1: I print 5.00, as tills do.');
  });

  it('says what the plan decided where the documents leave it open', () => {
    const { state } = p.delivered().act('plan', { fact: 'gate.passed', gate: 'plan', decided: ['Prices are kept\nin cents.'] });
    assert.equal(section(renderReport(state), 'Decided for you'), '- By the plan: Prices are kept in cents.');
  });

  it('says below what a builder noted what was done to its files since by those who mend', () => {
    const mended = (path: string): string => {
      const story = p.green();
      story.act('execute', { fact: 'task.reported', id: 'T1', report: { ...p.report, notes: 'I print 5.00, as tills do.' } });
      const report = {
        ...p.byFix,
        signature: '',
        fixApplied: 'It prints 5\nnow.',
        filesChanged: [],
        reasoning: 'why',
        answer: { kind: 'fixed' as const },
      };
      story.begin('fix', 'value/total', ['lineage/value/total']);
      const fixing = story.state.open?.id ?? '';
      const files = [{ path, kind: 'modified' as const }];
      story.end(
        { fact: 'fix.reported', step: fixing, report },
        { fact: 'tree.changed', change: p.change({ n: 2, author: p.byFix, step: fixing, files }) },
      );
      story.act('settle', { fact: 'tree.settled', settled: p.settled({ code: 2, commit: 'c2', author: p.byFix, step: fixing, files }) });
      const state = changed(story.state, ({ work }) => {
        for (const commit of work.tree.commits.slice(0, 1))
          commit.files.push({ path: 'README.md', kind: 'added' }, { path: 'readme.md', kind: 'added' });
      });
      return section(renderReport(state), 'Decided for you');
    };
    const note = '- Noted by the builder of T1: I print 5.00, as tills do.';
    assert.equal(mended('total.sh'), `${note}\n  - Since then, by the fix of value/total: It prints 5 now.`);
    assert.equal(mended('other.sh'), note, 'other files say nothing about it');
    for (const path of ['README.md', 'readme.md']) assert.equal(mended(path), note, 'each task writes in the README');
  });

  it('says once what one mind assessed and evaluated', () => {
    const judged = (summary: string): string => {
      const evaluation: Fact = { fact: 'evaluation.reported', evaluation: p.evaluation({ summary: 'I added up.' }) };
      return section(
        renderReport(p.delivered().act('final', { fact: 'vrc.reported', vrc: p.vrc({ scope: 'final', summary }) }, evaluation).state),
        'Judged',
      );
    };
    assert.match(judged('I added up.'), /^- Assessment of the final tree: 1\.00, SHIP_READY\.\n- Evaluation as its user: I added up\.$/m);
    assert.match(judged('All is there.'), /^- Assessment of the final tree: 1\.00, SHIP_READY\. All is there\.\n/m);
  });

  it('says what the strength of a proof is where one was measured', () => {
    const trials = [1, 2].map((line) => ({
      path: 'total.sh',
      line,
      operator: 'arithmetic changed' as const,
      was: 'x=1',
      now: 'x=9',
      outcome: 'seen' as const,
    }));
    const measure = { lineage: 'value/total', script: p.verification().script, code: 1, trials, reached: {}, limits: [] };
    const report = renderReport(p.delivered().act('measure', { fact: 'verification.measured', measure }).state);
    assert.match(report, / Faults were put into the work, .+ notice \(\[more\]\(#requirements\)\): 1 fair, 1 judged, not run\.$/m);
    assert.doesNotMatch(report, /What the proofs do not see/);
    assert.match(
      section(report, 'Requirements'),
      /^How much a proof notices was measured: .*\n\n- \[x\] \*\*1\*\*[^]*\n {2}- Strength: fair, 2 of 2 faults seen\n/,
    );
    assert.doesNotMatch(renderReport(p.delivered().state), /[Ss]trength|How much a proof/);
    const unseen = trials.map((one, i) => ({ ...one, outcome: i === 0 ? ('unseen' as const) : one.outcome }));
    const some = { ...measure, trials: [...unseen, ...trials.map((one) => ({ ...one, line: one.line + 9 }))] };
    assert.match(
      renderReport(p.delivered().act('measure', { fact: 'verification.measured', measure: some }).state),
      /: 1 fair, 1 judged, not run; the weakest is that of 1, which sees 3 of 4 faults\.$/m,
    );
    const none = { ...measure, trials: trials.map((one) => ({ ...one, outcome: 'unreached' as const })) };
    assert.match(
      renderReport(p.delivered().act('measure', { fact: 'verification.measured', measure: none }).state),
      /; the weakest is that of 1, on which no fault was tried\.$/m,
    );
    const all = [1, 2, 3].flatMap((line) => trials.map((one) => ({ ...one, line })));
    const limited = { ...measure, trials: all, limits: [limitsOfProof.inProcess] };
    const { state } = p.delivered().act('measure', { fact: 'verification.measured', measure: limited });
    const ofLimited = renderReport(state);
    assert.doesNotMatch(ofLimited, /What the proofs do not see/, 'why it is no stronger stands with the requirement');
    assert.match(
      section(ofLimited, 'Requirements'),
      / {2}- Strength: fair, 3 of 3 faults seen: it loads the work into its own process, where .*\n/,
    );
    assert.doesNotMatch(ofLimited, /strong only once/, 'nobody asked for strong proofs');
    const asked = renderReport({ ...state, config: { ...state.config, evidence: 'strong' } });
    assert.match(asked, /where .*\. It is strong only once a verification runs the work in a process of its own\.\n/);
  });

  it('has every open question told to those who build and mend, so that they can say what they took', () => {
    assert.match(
      guidance(asking(p.planned().state, 'Is 5 or 5.00 printed?')),
      /^The documents leave open; .*\n\n- Is 5 or 5\.00 printed\?$/m,
    );
    assert.equal(guidance(p.planned().state), 'No course correction was made.');
  });

  it('names files that look secret as left out, to its reader and to later sessions', () => {
    const { state } = p.awaiting().act('execute', { fact: 'secrets.left-out', paths: ['.env'], author: p.byTask });
    assert.match(section(renderReport(state), 'Known to be wrong'), /^- Left out of every commit, .*: `\.env`, made by T1\.$/m);
    assert.match(guidance(state), /^Never committed and always removed, .*: \.env$/m);
  });

  it('says of one that passed what its proof lacks', () => {
    const words = (verdict?: 'red' | 'green'): string => {
      const story = p.proven();
      const ran = (over: object): Fact => ({ fact: 'verification.ran', run: p.run({ code: 1, ...over }) });
      if (verdict) story.act('final', ran({ n: 9, where: 'clean', verdict })).act('run-verifications', ran({ n: 10 }));
      return /value\/total\.sh\), the total is printed \(([^:;)]*)/.exec(renderReport(story.state))?.[1] ?? '';
    };
    assert.deepEqual([words(), words('red')], ['passed, not run in a clean checkout yet', 'passed, red in a clean checkout']);
  });

  it('names for each requirement every verification that covers it, and the tasks', () => {
    const report = renderReport(p.delivered().state);
    assert.match(
      report,
      /- \[x\] \*\*1\*\* Totals\n {2}- \[value\/total\]\(verifications\/value\/total\.sh\), the total is printed \(passed, trusted: it fails without the work\)\n {2}- Tasks: T1 \(done\)\n/,
    );
    assert.match(report, /- \[x\] \*\*V1\*\* .*\n {2}- \[value\/tone\]\(verifications\/value\/tone\.md\): judged met, I read the greeting/);
    assert.doesNotMatch(report, /## Other verifications/);
    const more = p.verification({ id: 'value/sum', lineage: 'value/sum', title: 'the sum is printed' });
    const both = p.delivered().act('write-verifications', { fact: 'verification.written', verification: more });
    assert.match(
      renderReport(both.state),
      /the work\)\n {2}- \[value\/sum\]\(verifications\/value\/sum\.sh\), the sum is printed \(no result yet; never green\)\n/,
    );
  });

  it('says all of a verification once, and what proves no requirement apart', () => {
    const shared = p.verification({ id: 'value/sum', lineage: 'value/sum', title: 'the sum is printed', prd: ['1', 'V1'] });
    const suite = p.suite({ id: 'suite/unit', lineage: 'suite/unit', title: 'what was green stays green' });
    const written = [shared, suite].map((verification): Fact => ({ fact: 'verification.written', verification }));
    const report = renderReport(p.delivered().act('write-verifications', ...written).state);
    assert.equal(report.split('the sum is printed').length, 2);
    assert.match(report, /\*\*V1\*\* [^]*\n {2}- \[value\/sum\]\(verifications\/value\/sum\.sh\): no result yet\n/);
    assert.match(
      report,
      /\n## Other verifications\n\n- \[suite\/unit\]\(.*\), what was green stays green \(no result yet; never green\)\n\n/,
    );
  });

  it('shows what exists for an unproven requirement and names its title once, and counts the decisions in words', () => {
    const report = renderReport(p.awaiting().state);
    assert.match(
      report,
      /- \[ \] \*\*1\*\* Totals\n {2}- Not proven: value\/total is red\n {2}- \[value\/total\]\(verifications\/value\/total\.sh\), the total is printed \(red, its work is not done yet; never green\)\n {2}- Tasks: T1 \(ready\)\n/,
    );
    assert.equal(report.split('The greeting is kind').length, 2);
    assert.match(report, /^- Not proven: 1, V1\. Why is said below each\.$/m);
    assert.match(renderReport(p.planned().state), /- \[ \] \*\*1\*\* Totals\n {2}- Not proven: no verification covers it\n/);
    assert.match(report, /^Not delivered: nothing is proven\. 0 of 2 requirements and value proofs are proven on the tree as it is\.$/m);
    assert.match(report, /- \d+ of \d+ decisions, 0 resumes: 1 × Reading what is asked for, 1 × Finding out /);
  });

  const reportOn = (howToUse?: Use[], ...services: Service[]): string => {
    const inputs = new Story().act('inputs', { fact: 'services.read', services: services.length > 0 ? services : [api] });
    const story = p.proven(p.green(p.built(p.awaiting(p.planned(inputs)))));
    const up = { name: 'api', code: 1, up: true, why: '', exit: null, duration: 9, output: refOf('log'), excerpt: '' };
    const names = ['api', ...services.map((service) => service.name)];
    story.act('run-verifications', ...names.map((name): Fact => ({ fact: 'service.probed', probe: { ...up, name } })));
    return renderReport(
      p.delivered(story).act('final', { fact: 'evaluation.reported', evaluation: p.evaluation(howToUse ? { howToUse } : {}) }).state,
    );
  };
  const howToUseSection = (howToUse?: Use[], ...services: Service[]): string => section(reportOn(howToUse, ...services), 'How to use it');

  it('names the start of a service among the first commands, with a port for it', () => {
    const uses = [1, 2, 3].map((n): Use => ({ what: `Ask ${n}`, kind: 'command', it: `curl localhost:$PORT/${n}` }));
    const [, first = ''] = /\*\*Try it\*\* (after[^]*?)\n- \*\*/.exec(reportOn(uses)) ?? [];
    const [after, ...lines] = first.split('\n');
    assert.match(after ?? '', /, `export PORT=8080` \(\[all\]\(#how-to-use-it\)\):$/);
    assert.deepEqual(
      lines.map((line) => line.slice(0, 11)),
      ['  - Start a', '  - Ask 1: ', '  - Ask 2: '],
    );
  });

  it('names on the first page uses that differ the most, in their order', () => {
    const command = (text: string, more: Partial<Use> = {}): Use => ({
      what: `Do ${text.slice(0, 30)}`,
      kind: 'command',
      it: text,
      ...more,
    });
    const fit = 'tab --width 60 FILE';
    const pick = 'tab --where a=1 --sort b --totals c FILE';
    const uses = [fit, 'tab --width auto FILE', pick, 'tab -x', 'tab --json FILE | head'].map((text) => command(text));
    const long = command('python3 -c "\nmany more words than\nall others have"\n');
    const report = renderReport(
      p.delivered().act('final', {
        fact: 'evaluation.reported',
        evaluation: p.evaluation({ howToUse: [...uses, long, command('tab --sort none --for this FILE', { exit: 2 })] }),
      }).state,
    );
    const [, first = ''] = /\*\*Try it\*\* (after[^]*?)\n- \*\*/.exec(report) ?? [];
    const [, ...lines] = first.split('\n');
    assert.deepEqual(
      lines.map((line) => line.replace(/^.*: `(.*)`$/, '$1')),
      [fit, pick, 'tab --json FILE | head'],
    );
  });

  it('describes the use by what the evaluation really did, with the services that were up', () => {
    const uses: Use[] = [
      { what: 'Add up.', kind: 'command', it: './total.sh 2 3' },
      { what: 'Add up a file', kind: 'command', it: "cat > a <<'X'\n2 3\n```\nX" },
      { what: 'See it', kind: 'page', it: 'http://localhost:$PORT/', serve: 'npm start -- -p $PORT' },
      { what: 'See what is wrong', kind: 'command', it: './total.sh x', exit: 2 },
      { what: 'A wrong flag: usage, exit status 1', kind: 'command', it: './total.sh -x', exit: 1 },
      { what: 'Know more', kind: 'file', it: 'README.md' },
    ];
    assert.equal(
      howToUseSection(uses).split('\n\n').slice(1).join('\n\n'),
      [
        '- Start api: `node server.js`; it is ready when port 3000 answers.',
        '- Add up: `./total.sh 2 3`',
        '- Add up a file: \n',
        "  ````\n  cat > a <<'X'\n  2 3\n  ```\n  X\n  ````",
        '- See it: open `http://localhost:$PORT/`, while this runs: `npm start -- -p $PORT`',
        '- See what is wrong (exit status 2): `./total.sh x`',
        '- A wrong flag: usage, exit status 1: `./total.sh -x`',
        '- Know more: read `README.md`',
      ].join('\n'),
    );
  });

  it('warns of a start that keeps nothing', () => {
    const start = { command: 'DATA="$(mktemp -d)/tickets.json" npm start' };
    const use: Use = { what: 'Add up', kind: 'command', it: './total.sh 2 3' };
    assert.match(
      howToUseSection([use, use, use], { ...api, start }),
      /- Start api: .*; it is ready .*\. What it stores so is thrown away: give it a/,
    );
    assert.doesNotMatch(howToUseSection([use]), /thrown away/);
    const typed = (command: string): string | undefined =>
      /- Start api: `([^`]*)`/.exec(howToUseSection([use, use, use], { ...api, start: { command } }))?.[1];
    const commands = [
      'exec node a.js',
      'A="$(date) x" B=1 exec node a.js',
      'cd web && exec npm start',
      'bundle exec puma',
      'X=1 npm exec vite',
    ];
    // In a shell that somebody types in, `exec` would end that shell.
    assert.deepEqual(commands.map(typed), [
      'node a.js',
      'A="$(date) x" B=1 node a.js',
      'cd web && npm start',
      'bundle exec puma',
      'X=1 npm exec vite',
    ]);
  });

  it('does not say again what stands whole on the first page', () => {
    const use: Use = { what: 'Add up', kind: 'command', it: './total.sh 2 3' };
    assert.match(howToUseSection([use]), /each file was read\.\n\nAll of it stands above, under _Try it_\.$/);
    assert.doesNotMatch(howToUseSection([use, use, use, use]), /stands above/);
  });

  it('explains $PORT only when it occurs', () => {
    const use: Use = { what: 'Add up', kind: 'command', it: './total.sh 2 3' };
    assert.doesNotMatch(howToUseSection([use]), /PORT/);
    assert.match(
      howToUseSection([{ ...use, it: './serve $PORT' }]),
      /`\$PORT` stands for a free port, which was set for it: `export PORT=8080` before you follow it\.\n\n/,
    );
  });

  it('gives each service a port of its own, as it had one', () => {
    const [one, two] = ['api', 'web'].map((name): Service => ({ ...api, name, ready: { http: 'http://localhost:$PORT/' } }));
    assert.ok(one && two);
    const use: Use = { what: 'See it', kind: 'command', it: 'curl localhost:$PORT/ localhost:$PORT_API/ localhost:$PORT_WEB/' };
    const text = howToUseSection([use, use, use, use], one, two);
    assert.match(text, /: `export PORT=8080 PORT_WEB=8081 PORT_API=8080` before you follow it\./);
    assert.match(text, /- Start api: `node server.js`; .*localhost:\$PORT\/ answers/);
    assert.match(text, /- Start web: `\(export PORT=\$PORT_WEB; node server.js\)`; .*localhost:\$PORT_WEB\/ answers/);
  });

  it('says when the use is unknown, or when nobody used the tree', () => {
    assert.match(howToUseSection(), /^Unknown: the evaluation named nothing that was run, opened or read\./);
    assert.match(section(renderReport(p.awaiting().state), 'How to use it'), /^The final tree was not used as its user would, /);
    const silent = p.proven().act('final', { fact: 'evaluation.reported', evaluation: p.evaluation({ fallback: true }) });
    assert.match(section(renderReport(silent.state), 'How to use it'), /^The final tree was not used as its user would, /);
  });

  it('lists decisions on the way, with who made them', () => {
    const decisions = (story: Story): string => section(renderReport(story.state), 'Decided for you');
    assert.equal(decisions(p.planned()), 'Nothing is recorded.');
    const story = p
      .awaiting()
      .act('course-correct', {
        fact: 'course.corrected',
        correction: { kind: 'restructure', diagnosis: 'T1 is\ntoo large.', guidance: 'Take small steps.' },
      })
      .act('course-correct', { fact: 'task.descoped', id: 'T1', why: 'too large', replacedBy: ['C1', 'C2'] })
      .act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() })
      .said({ fact: 'human-action.answered', id: 'H1', answer: 'skip' })
      .said({ fact: 'human-action.skipped', id: 'H1' })
      .act('fix', { fact: 'human-action.asked', humanAction: p.asked(['value/total'], { id: 'H2' }) })
      .said({ fact: 'human-action.answered', id: 'H2', answer: 'done', said: 'It is the locale.' });
    assert.deepEqual(decisions(story).split('\n'), [
      '- After 7 decisions the course was corrected, and the plan was changed. Why: T1 is too large. From then on: Take small steps.',
      '- T1 was dropped, C1, C2 instead: too large',
      '- You went on without: Put prices.csv there',
      '- You said of value/total: It is the locale.',
    ]);
  });

  it('names changes that decide how tests run, with the verifications that rest on them', () => {
    assert.doesNotMatch(renderReport(p.delivered().state), /decide how tests run/);
    const story = p.built();
    const { step } = story.state.work.tree.change ?? p.change();
    const notable = [{ path: 'Makefile', kind: 'modified' as const, what: 'configuration of a runner' as const }];
    story.act('settle', { fact: 'tree.settled', settled: p.settled({ step, notable }) });
    assert.equal(
      section(renderReport(story.state), 'Changes that decide how tests run'),
      '- `Makefile`, configuration of a runner, modified by T1 (`c1`): concerns value/total',
    );
  });

  it('shows why a criterion was not met, and the gaps of the assessment', () => {
    const notMet = [{ verification: 'value/tone', met: false, evidence: 'It shouts.' }];
    const gap = { id: 'g', description: 'No colours', severity: 'polish' as const, suggestedTask: '' };
    const story = p
      .delivered()
      .act(
        'final',
        { fact: 'vrc.reported', vrc: p.vrc({ gaps: [gap] }) },
        { fact: 'evaluation.reported', evaluation: p.evaluation({ criteria: notMet }) },
      );
    const report = renderReport(story.state);
    assert.match(report, /\n {2}- Not proven: "the tone is kind" was judged not met: It shouts\.\n/);
    assert.match(section(report, 'Known to be wrong'), /^- Polish: No colours$/m);
  });

  it('calls no task for a finding what there is: its words are the fault that was mended', () => {
    const { state } = p.delivered();
    const task = p.task({ id: 'G1', status: 'done', source: 'evaluation', description: 'The total breaks on a phone' });
    const report = renderReport({ ...state, work: { ...state.work, tasks: { ...state.work.tasks, G1: task } } });
    assert.match(report, /^- \*\*What there is:\*\* Print the total of an order\. The branch/m);
  });

  it('tells what is new on the branch from what was there before, whatever became of it in between', () => {
    const { state } = p.delivered();
    const filesOf = (...files: ChangedFile[]): string | undefined => {
      const told = changed(state, ({ work }) => {
        for (const commit of work.tree.commits) commit.files = files;
      });
      return /The branch `[^`]+` (.*)$/m.exec(renderReport(told))?.[1];
    };
    const added = (path: string) => ({ path, kind: 'added' as const });
    const modified = (path: string) => ({ path, kind: 'modified' as const });
    const deleted = (path: string) => ({ path, kind: 'deleted' as const });
    assert.equal(filesOf(added('a'), modified('a'), modified('b'), deleted('c')), 'adds `a`; changes `b`; deletes `c`.');
    assert.equal(filesOf(added('a'), deleted('a'), added('d')), 'adds `d`; no file that was there is changed.');
    assert.equal(filesOf(deleted('b'), added('b'), added('package-lock.json')), 'adds `package-lock.json`; changes `b`.');
    assert.equal(
      filesOf(...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => modified(`f${n}`))),
      'changes `f1`, `f2`, `f3`, `f4`, `f5`, `f6` and 2 more.',
    );
    assert.match(renderReport(state), /adds `total\.sh`; no file/);
  });

  it('takes names of files, lines of code and words of agents for no markdown', () => {
    const paths = ['src/__init__.py', 'odd`name.sh'];
    const finding = { severity: 'degraded' as const, description: 'It shows <b>', userImpact: '', suggestedFix: '', evidence: 'seen' };
    const story = p.proven(p.green(p.built()));
    const forged = p.evaluation({ summary: 'Fine in `a_b`.\n\n## Cost\n\n- $0', findings: [finding] });
    const trials = [
      { path: 'a.js', line: 1, operator: 'arithmetic changed' as const, was: '`${a}`', now: '`${b}`', outcome: 'unseen' as const },
    ];
    const measure = { lineage: 'value/total', script: p.verification().script, code: 1, trials, reached: {}, limits: [] };
    p.delivered(story).act('measure', { fact: 'verification.measured', measure });
    story.act('final', { fact: 'evaluation.reported', evaluation: forged });
    const state = changed(story.state, ({ work }) => {
      for (const commit of work.tree.commits) commit.files = paths.map((path) => ({ path, kind: 'added' as const }));
    });
    const report = renderReport(state);
    assert.match(report, /^- \*\*What there is:\*\* .*adds `src\/__init__\.py`, `` odd`name\.sh ``; no file/m);
    assert.match(section(report, 'Work'), /: `src\/__init__\.py`, `` odd`name\.sh ``$/m);
    assert.match(section(report, 'Known to be wrong'), /^- Degraded: It shows \\<b>/m);
    assert.equal(report.match(/^## Cost$/gm)?.length, 1);
    assert.match(section(report, 'Judged'), /: Fine in `a_b`\. ## Cost - \$0$/m);
    assert.match(section(report, 'What the proofs do not see'), /"\\`\$\{b\}\\`" for "\\`\$\{a\}\\`" in a\.js:1$/m);
  });
});

const api: Service = { name: 'api', start: { command: 'node server.js' }, ready: { tcp: 3000 }, limit: 30 };

function asking(state: State, question: string): State {
  return changed(state, ({ work: { context } }) => void context?.unresolvedQuestions.push(question));
}

/** The text below a heading of the report. */
function section(report: string, title: string): string {
  return (report.split(`\n## ${title}\n\n`)[1] ?? '').split('\n\n## ')[0] ?? '';
}
