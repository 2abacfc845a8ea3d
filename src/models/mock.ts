/**
 * A model that asks nobody, for trying out a pipeline: each iteration writes an output and reports a decision, from fixtures where
 * there are any. For iteration 2 of node `plan` these are tried in order: `plan/iteration-2`, `plan/default`, `iteration-2`,
 * `default`; `.md` is the output, `.json` the decision. Without one it makes them up, and decides to continue.
 */
import { InputError, messageOf } from '../engine/ground/errors.ts';
import { windowOf } from './traits.ts';
import type { AskRequest, ToolUse } from '../engine/ground/messages.ts';
import type { Model } from '../engine/ports.ts';
import { pathsOf, status, type Plan, type Status } from '../engine/work/pipeline.ts';

/**
 * @param read reads a fixture by its path relative to their folder; undefined where there is none.
 * `ask` throws InputError for a decision that cannot be read.
 */
export function createMock(
  plan: { nodes: readonly Pick<Plan['nodes'][number], 'id' | 'output'>[] },
  read: (path: string) => string | undefined,
): Model {
  return {
    id: 'mock',
    prices: () => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
    window: windowOf,
    ask(request) {
      const { node, n } = iterationOf(request);
      const fixture = (ext: string): { path: string; text: string } | undefined => {
        const paths = [`${node}/iteration-${n}`, `${node}/default`, `iteration-${n}`, 'default'].map((path) => `${path}.${ext}`);
        return paths
          .flatMap((path) => ({ path, text: read(path) }))
          .find((one): one is { path: string; text: string } => one.text !== undefined);
      };
      const output = fixture('md')?.text ?? `Output of ${node}, iteration ${n}, made up.\n`;
      const calls: ToolUse[] = [
        use(request, 1, 'write_file', { path: pathsOf(plan, node, n).output, content: output }),
        use(request, 2, 'report_status', decisionOf(fixture('json'))),
      ];
      const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
      return Promise.resolve({ content: calls, stop: 'tool_use', usage, model: request.model });
    },
  };
}

function iterationOf({ purpose }: AskRequest): { node: string; n: number } {
  const [, node = '', n = '1'] = /^iterate\/(.*)#(\d+)$/.exec(purpose) ?? [];
  return { node, n: Number(n) };
}

function use({ purpose, turn }: AskRequest, index: number, name: string, input: unknown): ToolUse {
  return { type: 'tool_use', id: `${purpose}-${turn}-${index}`.replaceAll(/[^\w-]/g, '_'), name, input };
}

function decisionOf(fixture: { path: string; text: string } | undefined): Status {
  if (!fixture) return status.parse({ decision: 'continue', reason: 'Made up: there is no fixture.' });
  try {
    return status.parse(JSON.parse(fixture.text));
  } catch (error) {
    throw new InputError(
      `The fixture ${fixture.path} is not a decision: ${messageOf(error).split('\n')[0] ?? ''}`,
      'Write { "decision": "continue" | "stop" | "error", "reason": "…" }.',
    );
  }
}
