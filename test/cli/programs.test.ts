/** Whole sprints by programs that ask with the person's own login, with the built command line: no key of the API is there. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { startPlayedServer } from '../peers/played-server.ts';
import { honest, supplied } from '../support/greeter.ts';
import { programWorld } from '../support/programs.ts';
import { ground, write } from '../support/sprint.ts';
import { loop } from './loop.ts';

describe('a sprint without a key', () => {
  it('starts with Claude Code, goes on with Codex, and is delivered', async () => {
    const at = await ground(honest);
    const server = await startPlayedServer(honest, () => at.sprintDir);
    const world = programWorld(server.url);
    const run = (models: string) => loop(['run', at.sprintDir, '--non-interactive', '--models', models], world.env);
    try {
      const first = await run('claude-code:one');
      assert.equal(first.code, 3, first.out + first.err);
      assert.match(first.out, /20,000,000 tokens; no price of one by Claude Code is known, so its calls count in tokens only/);
      await write(at.repo, { [supplied.path]: supplied.text });
      const second = await run('codex:two');
      assert.equal(second.code, 0, second.out + second.err);
      assert.match(second.out, /\nDELIVERED\n/);
      assert.deepEqual([...new Set(server.requests.map(({ body }) => body['model']))], ['one', 'two']);
      assert.ok(server.requests.every(({ body }) => !JSON.stringify(body).includes(world.folder)));
    } finally {
      await server.close();
      world.close();
      await at.dispose();
    }
  });

  it('is told of a program that is found, and refuses one that is not', async () => {
    const at = await ground(honest);
    const world = programWorld('http://127.0.0.1:9');
    try {
      const without = await loop(['run', at.sprintDir], { ...world.env, ANTHROPIC_BASE_URL: '' });
      assert.equal(without.code, 4);
      assert.match(without.err, /There is no Anthropic API key\.[\s\S]*--models claude-code:default\./);
      const missing = await loop(['run', at.sprintDir, '--models', 'codex:gpt'], {
        ANTHROPIC_API_KEY: 'sk-test',
        HOME: world.folder,
      });
      assert.equal(missing.code, 4);
      assert.match(
        missing.err,
        /The model gpt by Codex cannot be asked here\.[\s\S]*Install Codex, so that `codex` is found, and log in\./,
      );
    } finally {
      world.close();
      await at.dispose();
    }
  });
});
