import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { config, defaults } from '../../src/engine/ground/config.ts';
import { commands, contexts, historyPanelType, views } from '../../src/extension/editor/names.ts';
import manifest from '../../package.json';

const { contributes } = manifest;
const settings: Record<string, { default: unknown; scope: string; minimum?: number; maximum?: number; enum?: string[] }> =
  contributes.configuration.properties;

describe('package.json', () => {
  it('contributes exactly the commands that are registered, all under Loop', () => {
    assert.deepEqual(contributes.commands.map((c) => c.command).sort(), Object.values(commands).sort());
    assert.deepEqual([...new Set(contributes.commands.map((c) => c.category))], ['Loop']);
  });

  it('contributes exactly the views that are created', () => {
    assert.deepEqual(contributes.views.loop.map((v) => v.id).sort(), Object.values(views).sort());
  });

  it('uses no context key that nobody sets, and none is set for nobody', () => {
    const clauses: string[] = [];
    JSON.stringify(contributes, (key, value: unknown) => {
      if ((key === 'when' || key === 'enablement') && typeof value === 'string')
        clauses.push(value.replaceAll(/(?:view|controllerId) == \S+/g, ''));
      return value;
    });
    const used = new Set(clauses.flatMap((clause) => clause.match(/\bloop\.\w+/g) ?? []));
    assert.deepEqual([...used].sort(), Object.values(contexts).sort());
  });

  it('offers every command where it applies only, and inner ones never in the palette', () => {
    const inner: string[] = [
      commands.adoptEdit,
      commands.discardEdit,
      commands.actionDone,
      commands.actionShow,
      commands.actionSkip,
      commands.open,
    ];
    const hidden = contributes.menus.commandPalette.filter((entry) => entry.when === 'false').map((entry) => entry.command);
    assert.deepEqual(hidden.sort(), inner.sort());
    for (const { command, enablement } of contributes.commands as { command: string; enablement?: string }[]) {
      const palette = contributes.menus.commandPalette.find((entry) => entry.command === command)?.when;
      if (enablement !== undefined) assert.equal(palette, enablement, command);
    }
  });

  it('has a setting for each field of the config, with its default and its limits', () => {
    // Null: the machine's own (src/host/machine-defaults.ts).
    const fields = { ...flat(defaults), 'loop.verificationParallelism': null };
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

  it('takes no setting from a workspace', () => {
    assert.deepEqual([...new Set(Object.values(settings).map((s) => s.scope))], ['application']);
  });

  it('does nothing in a workspace that is not trusted', () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, false);
  });

  it('wakes up to restore its panels', () => assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${historyPanelType}`)));
});

function flat(value: object, prefix = 'loop'): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value) as [string, unknown][]) {
    if (typeof field === 'object' && field !== null && !Array.isArray(field)) Object.assign(result, flat(field, `${prefix}.${name}`));
    else result[`${prefix}.${name}`] = field;
  }
  return result;
}
