/**
 * Parses services, as discovery reports them or as services.yaml lists them. Their commands run in the sandbox; only compose
 * runs outside, and the person must allow it.
 */
import { isMap, isScalar, isSeq, parseDocument, type LineCounter } from 'yaml';
import * as z from 'zod';
import type { Config } from '../ground/config.ts';
import { InputError } from '../ground/errors.ts';
import { readYaml } from '../ground/yaml.ts';
import type { Service } from '../work/service.ts';
import { isExternal } from '../services/external.ts';

/** In the sprint's folder; one of its inputs. */
export const servicesFile = 'services.yaml';

/** Seconds. */
const defaultLimit = 30;
const maxLimit = 600;

const webAddress = z.url({ protocol: /^https?$/ });
const text = z.string().trim().min(1);
const composeName = z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'the name of a service in the compose file');
const composeFile = z
  .string()
  .regex(/^(?!.*(^|\/)\.\.(\/|$))[\w.][\w./-]*\.ya?ml$/, 'a YAML file in the repository, by its path from the root');
const port = z.union([z.int().min(1).max(65_535), z.literal('$PORT')]);
const url = z.string().refine(isUrl, 'give a URL like http://127.0.0.1:$PORT/health');

export const serviceSpec = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, 'lower case letters, digits, - and _'),
  start: z.union(
    [
      z.strictObject({ command: text }),
      z.strictObject({ script: text }),
      z.strictObject({ compose: composeName, file: composeFile.default('compose.yaml') }),
    ],
    'give one of {command}, {script} (of package.json) or {compose} (a service of the compose file)',
  ),
  ready: z.union(
    [z.strictObject({ http: url }), z.strictObject({ tcp: port }), z.strictObject({ command: text })],
    'give one of {http: URL}, {tcp: PORT} or {command}',
  ),
  limit: z.int().min(1).max(maxLimit).default(defaultLimit).describe('Seconds until it must be ready'),
});

/** What is wrong with these services under this configuration; undefined if nothing is. */
export function servicesProblem(services: readonly Service[], { network }: Pick<Config, 'network'>): string | undefined {
  const duplicate = services.find((s, i) => services.findIndex((other) => other.name === s.name) !== i);
  if (duplicate) return `there are two services "${duplicate.name}"; give each a name of its own`;
  const outside = services.find((s) => isExternal(s));
  if (outside && network !== 'all')
    return `service "${outside.name}" runs in Docker on the person's machine, and commands reach that only with network "all"; leave it out, or start it by a command in the sandbox`;
  return undefined;
}

/** @throws InputError with file, line and what to write. */
export function parseServices(name: string, source: string, config: Pick<Config, 'network'>): Service[] {
  const { document, contents, lines } = readYaml(name, source, next);
  if (contents === null) return [];
  if (!isSeq(contents)) throw wrong(`${name}:1`, 'the file is not a list of services');
  const services = contents.items.map((item) => {
    const parsed = serviceSpec.safeParse((item as { toJS(doc: unknown): unknown }).toJS(document));
    if (parsed.success) return { service: parsed.data, line: lineOf(item, [], lines) };
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    throw wrong(
      `${name}:${lineOf(item, path, lines)}`,
      `${path.length > 0 ? `"${path.join('.')}": ` : ''}${issue?.message ?? 'not usable'}`,
    );
  });
  for (const [i, { line }] of services.entries()) {
    const problem = servicesProblem(
      services.slice(0, i + 1).map((s) => s.service),
      config,
    );
    if (problem) throw wrong(`${name}:${line}`, problem);
  }
  return services.map((s) => s.service);
}

/** The names that a file declares, whatever else is wrong in it; undefined where it is not YAML. */
export function serviceNames(source: string): string[] | undefined {
  const document = parseDocument(source);
  if (document.errors.length > 0) return undefined;
  const items = isSeq(document.contents) ? document.contents.items : [];
  return items.map((item) => (isMap(item) ? item.get('name') : undefined)).filter((name) => typeof name === 'string');
}

/** 1-based line of the innermost node on the path that exists. */
function lineOf(node: unknown, path: readonly PropertyKey[], lines: LineCounter): number {
  const [key, ...rest] = path;
  const pair = isMap(node) && key !== undefined ? node.items.find((p) => isScalar(p.key) && p.key.value === key) : undefined;
  if (pair && rest.length > 0 && isMap(pair.value)) return lineOf(pair.value, rest, lines);
  const at = (pair?.key ?? node) as { range?: [number, number, number] | null };
  return lines.linePos(at.range?.[0] ?? 0).line;
}

function isUrl(value: string): boolean {
  return webAddress.safeParse(value.replaceAll(/\$(PORT\b|\{PORT\})/g, '1')).success;
}

const next =
  'Write services like this: `- { name: api, start: { command: node server.js }, ready: { http: "http://127.0.0.1:$PORT/health" }, limit: 30 }`.';

function wrong(where: string, what: string): InputError {
  return new InputError(`${where}: ${what}.`, next);
}
