/**
 * Parses services, as discovery reports them or as services.yaml lists them. Their commands run in the sandbox; only compose
 * runs outside, and the person must allow it.
 */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import * as z from 'zod';
import type { Config } from '../ground/config.ts';
import { InputError } from '../ground/errors.ts';
import type { Problem, SourceFile } from '../ground/problem.ts';
import { placeInYaml, placeOfError, type YamlPlace } from '../ground/yaml-place.ts';
import type { Service } from '../work/service.ts';
import { isExternal } from '../services/external.ts';
import { portVariable } from '../services/ports.ts';

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

/** @param means keeps what a field means. */
function specOf(means: <S extends z.ZodType>(schema: S, meaning: string) => S) {
  const command = means(
    text,
    'A command that runs in the sandbox. It should listen on $PORT, which Loop chooses for each service. Others find it as PORT_API, by the name of the service.',
  );
  return z.strictObject({
    name: means(
      z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, 'lower case letters, digits, - and _'),
      'What verifications name it by, in REQUIRES.',
    ),
    start: means(
      z.union(
        [
          z.strictObject({ command }),
          z.strictObject({ script: means(text, 'The name of a script of package.json, which runs in the sandbox.') }),
          z.strictObject({
            compose: means(composeName, 'A service of the compose file. It runs in Docker on your machine, where you allow that.'),
            file: means(composeFile.default('compose.yaml'), 'The compose file, by its path from the root of the repository.'),
          }),
        ],
        'give one of {command}, {script} (of package.json) or {compose} (a service of the compose file)',
      ),
      'How it is started: one of command, script and compose. It starts once those that are listed before it are ready.',
    ),
    ready: means(
      z.union(
        [
          z.strictObject({ http: means(url, 'It is ready once this address answers. $PORT is the port that Loop chose.') }),
          z.strictObject({ tcp: means(port, 'It is ready once this port takes a connection: a number, or $PORT.') }),
          z.strictObject({ command: means(text, 'It is ready once this command exits with 0.') }),
        ],
        'give one of {http: URL}, {tcp: PORT} or {command}',
      ),
      'How to tell that it is ready: one of http, tcp and command.',
    ),
    limit: z.int().min(1).max(maxLimit).default(defaultLimit).describe('Seconds until it must be ready'),
  });
}

/** As agents report one: their prompts say what the fields mean. */
export const serviceSpec = specOf((schema) => schema);

/** As a person lists them: editors show what the fields mean. */
export const servicesSpec = z.array(specOf((schema, meaning) => schema.describe(meaning)));

/** A service that can only be reached where the person allows it. */
export const outOfReach = 'out-of-reach';

/** What is wrong with these services under this configuration; undefined if nothing is. */
export function servicesProblem(services: readonly Service[], config: Pick<Config, 'network'>): string | undefined {
  const { duplicate, outside } = unusableIn(services, config);
  return duplicate ?? outside;
}

/** @throws InputError with file, line and what to write. */
export function parseServices(name: string, source: string, config: Pick<Config, 'network'>): Service[] {
  const { services, problems } = readServices({ name, text: source }, config);
  const [problem] = problems;
  if (problem) throw new InputError(`${name}:${problem.line}: ${problem.what}.`, problem.mend);
  return services;
}

/** Total: tells everything that is wrong, and the services that can be read. */
export function readServices(
  { name, text: source }: SourceFile,
  config: Pick<Config, 'network'>,
): { services: Service[]; problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, logLevel: 'error' });
  const wrong = (code: string, place: YamlPlace, what: string): Problem => ({ code, severity: 'error', file: name, ...place, what, mend });
  const broken = document.errors.map((error) =>
    wrong('not-yaml', placeOfError(error, source), error.message.split(/:?\n/)[0] ?? 'not YAML'),
  );
  const { contents } = document;
  if (broken.length > 0) return { services: [], problems: broken };
  if (contents === null || (isScalar(contents) && contents.value === null)) return { services: [], problems: [] };
  const items = isSeq(contents) ? plain(document) : undefined;
  if (!Array.isArray(items)) return { services: [], problems: [wrong('no-list', { line: 1 }, 'the file is not a list of services')] };
  const services: Service[] = [];
  const problems = items.flatMap((item: unknown, index): Problem[] => {
    const at = (path: readonly PropertyKey[], part?: 'value'): YamlPlace => placeInYaml(document, lines, [index, ...path], part);
    const parsed = serviceSpec.safeParse(item);
    if (!parsed.success) return parsed.error.issues.flatMap((issue) => issueProblems(issue, at, wrong));
    services.push(parsed.data);
    const { duplicate, outside } = unusableIn(services, config);
    if (duplicate !== undefined) {
      services.pop();
      return [wrong('duplicate-service', at(['name'], 'value'), duplicate)];
    }
    return outside === undefined || !isExternal(parsed.data) ? [] : [wrong(outOfReach, at([]), outside)];
  });
  return { services, problems };
}

function issueProblems(
  issue: z.core.$ZodIssue,
  at: (path: readonly PropertyKey[], part?: 'value') => YamlPlace,
  wrong: (code: string, place: YamlPlace, what: string) => Problem,
): Problem[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => wrong('unknown-field', at([...path, key]), `there is no field "${[...path, key].join('.')}"`));
  return [wrong('unusable', at(path, 'value'), `${path.length > 0 ? `"${path.join('.')}": ` : ''}${message}`)];
}

/** An alias bomb makes `toJS` throw. */
function plain(document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

function unusableIn(services: readonly Service[], { network }: Pick<Config, 'network'>): { duplicate?: string; outside?: string } {
  for (const service of services) {
    const before = services.slice(0, services.indexOf(service)).find((other) => portVariable(other) === portVariable(service));
    if (before?.name === service.name) return { duplicate: `there are two services "${service.name}"; give each a name of its own` };
    if (before)
      return { duplicate: `"${before.name}" and "${service.name}" would share the variable ${portVariable(service)}; rename one` };
  }
  const outside = services.find((s) => isExternal(s));
  if (!outside || network === 'all') return {};
  return {
    outside: `service "${outside.name}" runs in Docker on the person's machine, and commands reach that only with network "all"; leave it out, or start it by a command in the sandbox`,
  };
}

/** The names that a file declares, whatever else is wrong in it; undefined where it is not YAML. */
export function serviceNames(source: string): string[] | undefined {
  const document = parseDocument(source);
  if (document.errors.length > 0) return undefined;
  const items = isSeq(document.contents) ? document.contents.items : [];
  return items.map((item) => (isMap(item) ? item.get('name') : undefined)).filter((name) => typeof name === 'string');
}

function isUrl(value: string): boolean {
  return webAddress.safeParse(value.replaceAll(/\$(PORT\b|\{PORT\})/g, '1')).success;
}

const mend =
  'Write services like this: `- { name: api, start: { command: node server.js }, ready: { http: "http://127.0.0.1:$PORT/health" }, limit: 30 }`.';
