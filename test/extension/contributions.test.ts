import assert from 'node:assert/strict';
import { usualFolder } from '../../src/host/pipelines/shelves.ts';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { config, defaults } from '../../src/engine/ground/config.ts';
import {
  agentTools,
  chatCommands,
  chatParticipant,
  commands,
  contexts,
  type CommandName,
  historyPanelType,
  mcpProvider,
} from '../../src/extension/editor/names.ts';
import { questions } from '../../src/host/questions.ts';
import { pipelinesViewId, views } from '../../src/views/model/views.ts';
import { roles } from '../../src/engine/ground/roles.ts';
import manifest from '../../package.json';
import english from '../../package.nls.json';

const { contributes } = manifest;
const settings: Record<string, { default: unknown; scope: string; minimum?: number; maximum?: number; enum?: string[] }> =
  contributes.configuration.properties;

describe('package.json', () => {
  it('contributes exactly the registered commands, all in the category Loop', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), Object.values(commands).sort());
    assert.deepEqual([...new Set(contributes.commands.map(({ category }) => category))], ['Loop']);
  });

  it('offers a comparison on an iteration that has one before it, and on no session of the same name', () => {
    const { when = '' } = contributes.menus['editor/title'].find(({ command }) => command === commands.compareBefore) ?? {};
    const [, pattern = 'none'] = /resourcePath =~ \/(.*)\/$/.exec(when) ?? [];
    const paths = ['/iteration/plan 2.md', '/iteration/ideas.usual 10.md', '/iteration/plan 1.md', '/plan 2.md'];
    assert.deepEqual(
      paths.filter((path) => new RegExp(pattern).test(path)),
      ['/iteration/plan 2.md', '/iteration/ideas.usual 10.md'],
    );
  });

  it('contributes exactly the created views', () => {
    assert.deepEqual(contributes.views.loop.map((v) => v.id).sort(), [...Object.keys(views), pipelinesViewId].sort());
  });

  it('offers the editor’s agents exactly what may be asked, in the same words', () => {
    assert.deepEqual(
      agentTools,
      questions.map(({ name }) => name),
    );
    const asked = questions.map(({ name, description, input }) => ({ name, description, input: z.toJSONSchema(input) }));
    const offered = contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) => ({
      name,
      description: modelDescription,
      input: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...inputSchema },
    }));
    assert.deepEqual(offered, asked);
  });

  it('offers the editor’s agents each tool once: in the editor, or by the protocol', () => {
    for (const { when } of contributes.languageModelTools) assert.equal(when, "config.loop.agentTools == 'editor'");
    assert.deepEqual(
      contributes.mcpServerDefinitionProviders.map(({ id }) => id),
      [mcpProvider],
    );
  });

  it('contributes the chat participant with exactly its commands, which read what may be asked', () => {
    const [participant, ...others] = contributes.chatParticipants;
    assert.deepEqual([participant?.id, others], [chatParticipant, []]);
    assert.deepEqual(
      participant?.commands.map(({ name }) => name),
      chatCommands.map(({ name }) => name),
    );
    for (const { question } of chatCommands) assert.ok(question === undefined || agentTools.includes(question));
  });

  it('uses exactly the context keys that the extension sets', () => {
    const clauses: string[] = [];
    JSON.stringify(contributes, (key, value: unknown) => {
      if ((key === 'when' || key === 'enablement') && typeof value === 'string')
        clauses.push(value.replaceAll(/(?:view|controllerId|commentController|activeWebviewPanelId|config\S*) == \S+/g, ''));
      return value;
    });
    const used = new Set(clauses.flatMap((clause) => clause.match(/\bloop\.\w+/g) ?? []));
    assert.deepEqual([...used].sort(), Object.values(contexts).sort());
  });

  it('lets the person say to a sprint that runs elsewhere what a letter takes there', () => {
    const said: string[] = ['tell', 'pause', 'amend', 'reviewWording', 'skipTask', 'retryTask'].map(
      (name) => commands[name as CommandName],
    );
    const entries: { command: string; when?: string; enablement?: string }[] = [
      ...contributes.commands,
      ...Object.values(contributes.menus).flatMap((menu): { command: string; when?: string }[] => menu),
    ];
    const clauses = entries.filter(({ command }) => said.includes(command)).flatMap(({ when, enablement }) => when ?? enablement ?? []);
    assert.deepEqual(
      clauses.filter((clause) => /loop\.running/.test(clause) && !/\|\| loop\.elsewhere\b/.test(clause)),
      [],
    );
  });

  it('says that a key is asked for only where none is found', () => {
    const asks = contributes.viewsWelcome.filter((one) => one.contents === '%welcome.sprint.key%');
    assert.deepEqual(
      asks.map(({ when }) => when.split(' && ').filter((clause) => /Key/.test(clause))),
      [[`!${contexts.findsKey}`]],
    );
  });

  it('says of each picture what it shows, wherever it stands', () => {
    const media = contributes.walkthroughs.flatMap(({ steps }) => steps.map((step) => step.media));
    const pictures = new Set(media.map(({ image }) => image));
    assert.equal(new Set(media.map(({ image, altText }) => `${image} ${altText}`)).size, pictures.size);
  });

  it('offers each command in the palette only where it applies, and inner commands never', () => {
    const inner: string[] = [
      commands.compareBefore,
      commands.compareWith,
      commands.adoptEdit,
      commands.discardEdit,
      commands.changeTask,
      commands.skipTask,
      commands.retryTask,
      commands.sayHere,
      commands.actionDone,
      commands.actionShow,
      commands.actionSkip,
      commands.tryAgain,
      commands.open,
    ];
    const hidden = contributes.menus.commandPalette.filter((entry) => entry.when === 'false').map((entry) => entry.command);
    assert.deepEqual(hidden.sort(), inner.sort());
    for (const { command, enablement } of contributes.commands as { command: string; enablement?: string }[]) {
      const palette = contributes.menus.commandPalette.find((entry) => entry.command === command)?.when;
      if (enablement !== undefined && palette !== 'false') assert.equal(palette, enablement, command);
    }
  });

  it('says that a sprint ended without something only where no other process runs it', () => {
    const ended = contributes.viewsWelcome.filter(({ contents }) => contents.endsWith('.ended%'));
    assert.equal(ended.length, 2);
    for (const { when } of ended) assert.match(when, /!loop\.running && .*!loop\.elsewhere/);
  });

  it('runs verifications by hand of a finished sprint, too', () =>
    assert.equal(enablementOf(commands.runVerifications), 'loop.hasVerifications && !loop.running && !loop.elsewhere'));

  it('resumes and finishes pipelines whose runs were not read yet', () => {
    for (const name of [commands.resumePipeline, commands.finishPipeline]) assert.equal(enablementOf(name), 'workspaceFolderCount > 0');
  });

  it('has a setting for each field of the config, with the same default and limits', () => {
    // Null stands for a default that depends on the machine (src/host/machine-defaults.ts).
    const fields = {
      ...flat(defaults),
      'loop.verificationParallelism': null,
      'loop.pipelinesFolder': usualFolder,
      'loop.notifyCommand': '',
      'loop.sound': false,
      'loop.keepAwake': 'ask',
      'loop.agentTools': 'editor',
    };
    const own = Object.fromEntries(
      Object.entries(settings)
        .filter(([name]) => name !== 'loop.baseUrl')
        .map(([name, s]) => [name, s.default]),
    );
    assert.deepEqual(own, fields);
    for (const [name, field] of Object.entries(z.toJSONSchema(config).properties ?? {})) {
      const setting = settings[`loop.${name}`];
      if (typeof field !== 'object' || setting === undefined) continue;
      assert.deepEqual([setting.maximum, setting.enum], [field.maximum, field.enum], name);
    }
  });

  it('says of each kind of work what its roles do', () => {
    const writes = (['reasoning', 'execution', 'triage'] as const).filter((tier) => /verification/.test(english[`setting.models.${tier}`]));
    assert.deepEqual(writes, [roles.qc.tier]);
  });

  it('lets no workspace change a setting', () => {
    assert.deepEqual([...new Set(Object.values(settings).map((s) => s.scope))].sort(), ['application', 'machine']);
    const ofMachine = Object.keys(settings).filter((name) => settings[name]?.scope === 'machine');
    // What the machine has or how fast it is: another machine's value would be wrong there.
    assert.deepEqual(ofMachine.map((name) => name.replace('loop.', '')).sort(), [
      'allowedHosts',
      'baseUrl',
      'commandTimeout',
      'docker',
      'environment',
      'keepAwake',
      'notifyCommand',
      'regressionTimeout',
      'sound',
      'verificationParallelism',
      'verificationTimeout',
    ]);
  });

  it('runs where the files are, and activates for the documents of a sprint and for stages at any depth', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    const contained = manifest.activationEvents.flatMap((event) => /^workspaceContains:(.*)/.exec(event)?.[1] ?? []);
    // The editor looks for all of them in one search. `pipelines/*.yaml` may be anybody's.
    assert.deepEqual(contained, ['**/VISION.md', '**/PRD.md', '**/stages/*/stage.yaml']);
  });

  it('names no address that is not known', () => {
    for (const name of ['repository', 'bugs', 'homepage']) assert.ok(!(name in manifest), name);
  });

  it('does nothing in an untrusted workspace, and has no words for one, where they would not show', () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, false);
    assert.doesNotMatch(JSON.stringify(contributes), /isWorkspaceTrusted/);
  });

  it('activates to restore its panels', () => assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${historyPanelType}`)));
});

function enablementOf(name: string): string | undefined {
  return (contributes.commands as { command: string; enablement?: string }[]).find(({ command }) => command === name)?.enablement;
}

function flat(value: object, prefix = 'loop'): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value) as [string, unknown][]) {
    if (typeof field === 'object' && field !== null && !Array.isArray(field)) Object.assign(result, flat(field, `${prefix}.${name}`));
    else result[`${prefix}.${name}`] = field;
  }
  return result;
}
