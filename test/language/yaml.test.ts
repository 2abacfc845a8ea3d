/** YAML of ours in the editor: what can be written at a place, what a field means, and what is wrong, at its key or value. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { findingsOf } from '../../src/language/findings.ts';
import { yamlCompletions } from '../../src/language/yaml/completions.ts';
import { fieldsAt, type Field, type YamlKind } from '../../src/language/yaml/fields.ts';
import { yamlHover } from '../../src/language/yaml/hover.ts';
import { seeded } from '../support/random.ts';
import { editOf } from './edits.ts';

const names = { stages: ['sharpen', 'work'], pipelines: ['review'] };

/** The text without `|`, and where that stood. */
function at(marked: string): { document: TextDocument; position: { line: number; character: number } } {
  const offset = marked.indexOf('|');
  const document = TextDocument.create('file:///s/x.yaml', 'yaml', 1, marked.slice(0, offset) + marked.slice(offset + 1));
  return { document, position: document.positionAt(offset) };
}

function complete(kind: YamlKind, marked: string): ReturnType<typeof yamlCompletions> {
  const { document, position } = at(marked);
  return yamlCompletions(kind, document.getText(), position, names);
}

const allOfStage = 'commands description effort guardrails model name output termination tier version writes';
const allOfNode = 'effort id inputs max_iterations model parallel pipeline stage tier';

describe('completion in YAML', () => {
  const rows: { what: string; kind: YamlKind; text: string; labels: string }[] = [
    { what: 'the fields of an empty stage', kind: 'stage', text: '|', labels: allOfStage },
    {
      what: 'those that are not there yet',
      kind: 'stage',
      text: 'tier: triage\nversion: 1\n|\n',
      labels: allOfStage.replace(/ tier version/, ''),
    },
    { what: 'while a name is written', kind: 'stage', text: 'te|\n', labels: allOfStage },
    { what: 'the values of a field', kind: 'stage', text: 'tier: |', labels: 'execution reasoning triage' },
    { what: 'the values while one is written', kind: 'stage', text: 'tier: exec|\neffort: low\n', labels: 'execution reasoning triage' },
    { what: 'a value that can be one thing only', kind: 'stage', text: 'version: |', labels: '1' },
    {
      what: 'fields below one, on a line of their own',
      kind: 'stage',
      text: 'guardrails:\n  |\ntier: triage\n',
      labels: 'max_iterations max_runtime_seconds',
    },
    { what: 'fields in braces', kind: 'stage', text: 'guardrails: { max_iterations: 3, | }', labels: 'max_runtime_seconds' },
    { what: 'fields in braces that are not closed', kind: 'stage', text: 'guardrails: { |', labels: 'max_iterations max_runtime_seconds' },
    { what: 'the forms of one that has several', kind: 'stage', text: 'termination: { type: | }', labels: 'fixed judgment queue' },
    { what: 'only fields of the form that is begun', kind: 'stage', text: 'termination:\n  type: queue\n  |\n', labels: 'command' },
    {
      what: 'the fields of another form',
      kind: 'stage',
      text: 'termination:\n  type: judgment\n  |\n',
      labels: 'consensus min_iterations verify',
    },
    { what: 'nothing where words are free', kind: 'stage', text: 'description: |', labels: '' },
    { what: 'nothing in a comment', kind: 'stage', text: '# |', labels: '' },
    { what: 'the fields of a node', kind: 'pipeline', text: 'nodes:\n  - |\n', labels: allOfNode },
    {
      what: 'further fields of a node',
      kind: 'pipeline',
      text: 'nodes:\n  - id: a\n    |\n  - id: b\n',
      labels: allOfNode.replace(' id', ''),
    },
    { what: 'stages by name', kind: 'pipeline', text: 'nodes:\n  - id: a\n    stage: |\n', labels: 'sharpen work' },
    {
      what: 'stages of a node that runs several',
      kind: 'pipeline',
      text: 'nodes:\n  - id: a\n    parallel: [{ id: b, stage: | }]\n',
      labels: 'sharpen work',
    },
    { what: 'pipelines by name', kind: 'pipeline', text: 'nodes: [{ id: a, pipeline: | }]', labels: 'review' },
    {
      what: 'nodes that run before',
      kind: 'pipeline',
      text: 'nodes:\n  - id: a\n  - id: b\n    inputs: { from: | }\n  - id: c\n',
      labels: 'a',
    },
    { what: 'true and false', kind: 'config', text: 'approvePlan: |', labels: 'false true' },
    { what: 'levels of evidence', kind: 'config', text: 'evidence: |\n', labels: 'any fair strong' },
    { what: 'fields of a service', kind: 'services', text: '- name: api\n  |\n', labels: 'limit ready start' },
    { what: 'the first field of a node', kind: 'pipeline', text: 'nodes:\n  |\n', labels: allOfNode },
    { what: 'ways to start', kind: 'services', text: '- name: api\n  start: { | }\n', labels: 'command compose file script' },
    { what: 'what belongs to the way that is begun', kind: 'services', text: '- name: db\n  start: { compose: db, | }\n', labels: 'file' },
    { what: 'the first field of a list', kind: 'services', text: '|', labels: 'limit name ready start' },
  ];
  for (const { what, kind, text, labels } of rows)
    it(`offers ${what}`, () =>
      assert.equal(
        complete(kind, text)
          .map(({ label }) => label)
          .toSorted()
          .join(' '),
        labels,
      ));

  it('offers no field that a repository may not set', () => {
    const labels = complete('config', '|').map(({ label }) => label);
    assert.ok(labels.includes('budgetUsd'));
    for (const name of ['network', 'models', 'docker', 'environment', 'allowedHosts']) assert.ok(!labels.includes(name), name);
  });

  it('puts a field in the place of the word that is begun, says what it means, and what must be there first', () => {
    const { document, position } = at('tier: triage\nterm|\n');
    const [item] = yamlCompletions('stage', document.getText(), position, names)
      .filter(({ label }) => label === 'termination')
      .map((one) => ({ ...one, text: TextDocument.applyEdits(document, one.textEdit && 'range' in one.textEdit ? [one.textEdit] : []) }));
    assert.equal(item?.text, 'tier: triage\ntermination: \n');
    assert.match(typeof item?.documentation === 'string' ? item.documentation : '', /^What ends the stage/);
    assert.deepEqual([item?.detail, item?.sortText], ['required', '0termination']);
  });

  it('begins a list with its first dash', () => {
    const texts = complete('services', '|').map(({ textEdit }) => textEdit?.newText);
    assert.ok(texts.includes('- name: '), String(texts));
  });

  it('marks the value that holds where none is given', () => {
    const usual = complete('stage', 'tier: |').filter(({ preselect }) => preselect);
    assert.deepEqual(
      usual.map(({ label, detail }) => [label, detail]),
      [['execution', 'default']],
    );
  });
});

describe('hover in YAML', () => {
  const rows: { kind: YamlKind; text: string; says: RegExp; on: string }[] = [
    {
      kind: 'stage',
      text: 'ti|er: triage',
      on: 'tier',
      says: /^tier: Which model works.*\nOne of: reasoning, execution, triage\.\nLeft out: execution\.$/,
    },
    { kind: 'stage', text: 'mo|del: claude-haiku-5-5', on: 'model', says: /^model: The model that works, by its name.* own folder/ },
    { kind: 'stage', text: 'tier: tri|age', on: 'triage', says: /^tier: Which model works/ },
    {
      kind: 'stage',
      text: 'termination: { type: jud|gment }',
      on: 'judgment',
      says: /^type: Ends when so many iterations in a row decide to stop\.$/,
    },
    { kind: 'stage', text: 'termination:\n  type: queue\n  com|mand: ls', on: 'command', says: /^command: Prints what is left/ },
    { kind: 'stage', text: 'guardrails: { max_it|erations: 3 }', on: 'max_iterations', says: /At most 200\.\nLeft out: 25\.$/ },
    { kind: 'stage', text: 'writes:\n  - src/|a.ts', on: 'src/a.ts', says: /^writes: Files that its iterations may change/ },
    { kind: 'pipeline', text: 'nodes:\n  - { id: a, sta|ge: work }', on: 'stage', says: /^stage: The stage that this node runs/ },
    {
      kind: 'config',
      text: 'budget|Usd: 3',
      on: 'budgetUsd',
      says: /^budgetUsd: US dollars.* 25 is usual; a repository may only lower it\.\nAt most 10000\.$/,
    },
    { kind: 'services', text: '- name: a\n  start: { com|pose: db }', on: 'compose', says: /^compose: A service of the compose file/ },
  ];
  for (const { kind, text, says, on } of rows)
    it(`tells what is meant by ${JSON.stringify(text)}`, () => {
      const { document, position } = at(text);
      const hover = yamlHover(kind, document, position);
      assert.match(hover && 'value' in Object(hover.contents) ? (hover.contents as { value: string }).value : '', says);
      assert.equal(document.getText(hover?.range), on);
    });

  it('tells nothing of a field that is not there, nor between words', () => {
    for (const text of ['col|our: red', 'tier: triage\n|\n', '# ti|er']) {
      const { document, position } = at(text);
      assert.equal(yamlHover('stage', document, position), undefined, text);
    }
  });

  it('has a meaning for every field that there is', () => {
    const silent = (field: Field, path: string): string[] =>
      [...(field.anyOf ?? field.oneOf ?? []), ...(field.items ? [field.items] : [])]
        .flatMap((one) => silent(one, path))
        .concat(
          Object.entries(field.properties ?? {}).flatMap(([name, one]) => [
            ...(one.description === undefined && (one.anyOf ?? []).every(({ description }) => description === undefined)
              ? [`${path}.${name}`]
              : []),
            ...silent(one, `${path}.${name}`),
          ]),
        );
    for (const kind of ['config', 'services', 'stage', 'pipeline'] as const)
      assert.deepEqual(
        fieldsAt(kind, [], undefined).flatMap((field) => silent(field, kind)),
        [],
      );
  });
});

describe('findings in YAML', () => {
  const rows: { kind: YamlKind; text: string; found: string[] }[] = [
    { kind: 'config', text: 'budgetUsd: 5\n', found: [] },
    { kind: 'config', text: '', found: [] },
    { kind: 'config', text: 'budgetUsd: lots\n', found: ['error unusable lots'] },
    { kind: 'config', text: 'vrcInterval: 4\nnetwork: all\n', found: ['error not-here network'] },
    { kind: 'config', text: 'checkTimeout: 4\ncolour: red\n', found: ['error old-field checkTimeout', 'error unknown-field colour'] },
    { kind: 'config', text: 'budgetUsd: 50\n', found: ['warning above-limit 50'] },
    { kind: 'config', text: 'a: [', found: ['error not-yaml a: ['] },
    { kind: 'config', text: '- a\n', found: ['error not-fields - a'] },
    { kind: 'config', text: 'vrcInterval:\n', found: ['error unusable vrcInterval'] },
    { kind: 'services', text: '- name: The API\n  start: { command: x }\n  ready: { tcp: 1 }\n', found: ['error unusable The API'] },
    {
      kind: 'services',
      text: '- name: api\n  start: { command: x }\n  ready: { tcp: 1 }\n  retries: 3\n',
      found: ['error unknown-field retries'],
    },
    {
      kind: 'services',
      text: '- name: api\n  start: { command: x }\n  ready: { tcp: 1 }\n  limit: 9999\n',
      found: ['error unusable 9999'],
    },
    { kind: 'services', text: '- name: api\n  ready: { tcp: 1 }\n', found: ['error unusable - name: api'] },
    { kind: 'services', text: '- name: db\n  start: { compose: db }\n  ready: { tcp: 1 }\n', found: ['warning out-of-reach - name: db'] },
    { kind: 'services', text: 'a: &a [*a, *a]\n', found: ['error no-list a: &a [*a, *a]'] },
    { kind: 'stage', text: 'termination: { type: fixed }\ntier: cheap\n', found: ['error S004 cheap'] },
    { kind: 'stage', text: 'termination: { type: fixed }\nguardrails: { max_iterations: 999 }\n', found: ['error S004 999'] },
    { kind: 'stage', text: 'termination: { type: fixed, colour: red }\n', found: ['error S003 colour'] },
    { kind: 'pipeline', text: 'nodes:\n  - { id: a, stage: b }\n  - { id: a, stage: c }\n', found: ['error P006 a'] },
    { kind: 'pipeline', text: 'nodes: [{ id: a, stage: b, inputs: { from: zz } }]\n', found: ['error P007 zz'] },
  ];
  for (const { kind, text, found } of rows)
    it(`are ${found.join(', ') || 'none'} in ${JSON.stringify(text)}`, () => {
      const document = TextDocument.create('file:///s/x.yaml', 'yaml', 1, text);
      const all = findingsOf(document, kind);
      assert.deepEqual(
        all.map(({ severity, code, range }) => `${severity} ${code} ${document.getText(range)}`),
        found,
      );
      for (const { message, next } of all) assert.match(`${message} | ${next}`, /^\S.+\. \| [A-Z].+\.$/s);
    });

  it('give an old name its new one', () => {
    const document = TextDocument.create('file:///s/loop.config.yaml', 'yaml', 1, 'checkTimeout: 4\n');
    const [finding] = findingsOf(document, 'config');
    assert.equal(TextDocument.applyEdits(document, finding?.fixes[0]?.edits ?? []), 'verificationTimeout: 4\n');
  });
});

describe('YAML that is edited at random', () => {
  const starts: Record<YamlKind, string> = {
    config: 'budgetUsd: 5\nevidence: strong\n',
    services: '- name: api\n  start: { command: node server.js }\n  ready: { tcp: $PORT }\n',
    stage: 'termination:\n  type: judgment\n  consensus: 2\nwrites:\n  - src/**\n',
    pipeline: 'nodes:\n  - id: a\n    stage: work\n  - { id: b, parallel: [{ id: c, stage: work }], inputs: { from: a } }\n',
  };
  for (const [kind, start] of Object.entries(starts) as [YamlKind, string][])
    it(`is read without an end at any place, as ${kind}`, function () {
      const random = seeded(kind.length);
      let document = TextDocument.create('file:///s/x.yaml', 'yaml', 1, start);
      let offered = 0;
      for (let version = 2; version <= 500; version += 1) {
        const text = version % 10 === 0 ? [{ text: start }] : [editOf(document, random)];
        document = TextDocument.update(document, text, version);
        const position = document.positionAt(Math.floor(random() * (document.getText().length + 1)));
        const items = yamlCompletions(kind, document.getText(), position, names);
        const hover = yamlHover(kind, document, position);
        offered += items.length;
        const ranges = [
          ...items.flatMap(({ textEdit }) => (textEdit && 'range' in textEdit ? [textEdit.range] : [])),
          ...(hover?.range ? [hover.range] : []),
          ...findingsOf(document, kind).map(({ range }) => range),
        ];
        for (const { start: from, end } of ranges)
          for (const { line, character } of [from, end])
            assert.deepEqual(document.positionAt(document.offsetAt({ line, character })), { line, character }, document.getText());
      }
      assert.ok(offered > 100, String(offered));
    });
});
