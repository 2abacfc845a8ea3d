/**
 * Codex without a terminal (`codex exec`, https://developers.openai.com/codex/noninteractive): it prints one JSON object a line. Its
 * own tools, settings and servers are left out as far as it lets; what is left of them finds an empty folder.
 */
import { ownName, programsChoice } from '../../engine/ground/model-names.ts';
import { failureOf, objectOf, systemOf, type Dialect } from './dialect.ts';
import { toolsServer } from '../../engine/ground/programs.ts';

export const codex: Dialect = {
  // It prints nothing while the model thinks.
  idleMs: 1_800_000,
  login: 'Run `codex login` in a terminal, and resume.',
  start(request, { text, pictures }, toolsUrl) {
    const model = ownName(request.model);
    const images = pictures.map((png, n) => [`picture-${n + 1}.png`, { png }] as const);
    const settings = {
      model_instructions_file: systemFile,
      [`mcp_servers.${toolsServer}.url`]: toolsUrl,
      [`mcp_servers.${toolsServer}.tool_timeout_sec`]: secondsOfADay,
      // One after the other: it does not tell in which order the model made them.
      [`mcp_servers.${toolsServer}.supports_parallel_tool_calls`]: false,
      [`mcp_servers.${toolsServer}.default_tools_approval_mode`]: 'approve',
      web_search: 'disabled',
      include_permissions_instructions: false,
      include_apps_instructions: false,
      include_environment_context: false,
      'skills.include_instructions': false,
      ...(request.effort === undefined ? {} : { model_reasoning_effort: request.effort === 'max' ? 'xhigh' : request.effort }),
    };
    return {
      args: [
        ...always,
        ...(model === programsChoice ? [] : ['-m', model]),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`]),
        ...left.flatMap((feature) => ['--disable', feature]),
        ...images.flatMap(([name]) => ['-i', name]),
        '-',
      ],
      env: {},
      files: { [systemFile]: { text: systemOf(request) }, ...Object.fromEntries(images) },
      input: text,
    };
  },
  read(line) {
    const said = objectOf(line) as Said | undefined;
    if (said?.type === 'item.completed' && said.item?.type === 'agent_message') return { text: said.item.text ?? '' };
    if (said?.type === 'turn.failed') return { failure: failureOf(said.error?.message ?? 'it does not say why') };
    return {};
  },
};

const systemFile = 'system.md';
const secondsOfADay = 86_400;

const always = 'exec --json --ephemeral --skip-git-repo-check --ignore-user-config --ignore-rules -s read-only'.split(' ');

/** What it can do by itself. */
const left = ['shell_tool', 'unified_exec', 'multi_agent', 'goals', 'apps', 'plugins', 'image_generation'];

interface Said {
  type?: string;
  item?: { type?: string; text?: string };
  error?: { message?: string };
}
