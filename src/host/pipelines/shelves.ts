/**
 * The folders with stages and pipelines: the workspace's, usually `pipelines/`, the person's own, and those that Loop ships. The nearest
 * wins. In each lie `<pipeline>.yaml`, `stages/<stage>/stage.yaml` and `stages/<stage>/prompt.md`.
 */
import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../../engine/ground/errors.ts';
import { modelWords } from '../../engine/ground/model-names.ts';
import type { Problem, SourceFile } from '../../engine/ground/problem.ts';
import { stageNameWords } from '../../engine/ground/stage-name.ts';
import { commandProblems, flatNodes, nestingProblems, type FlatNode, type KnownPipeline } from '../../engine/parse/expand.ts';
import { readPipeline, stageProblems, usesOf, type ReadPipeline } from '../../engine/parse/pipeline-file.ts';
import type { Checked } from '../../engine/parse/checked-yaml.ts';
import { readStage, type Origin, type Stage } from '../../engine/parse/stage-file.ts';
import { pipelineSpec, stageName } from '../../engine/work/stage.ts';
import { codeOf, unlessMissing } from '../disk.ts';
import { readInputFile } from '../input-file.ts';
import { isWithin } from '../sandbox/places.ts';

export interface Shelves {
  /** By origin, the nearest first. */
  folders: readonly { origin: Origin; folder: string }[];
  /** Left out: from disk. */
  read?: Read;
}

/** As `readInputFile`: an editor has files that are not saved yet. */
export type Read = typeof readInputFile;

export const usualFolder = 'pipelines';

/**
 * @param root of the person's checkout. @param name of its folder of stages and pipelines, as the person says.
 * @throws InputError for what is no name of a folder there.
 */
export function shelvesOf(root: string, name: string = usualFolder, env: NodeJS.ProcessEnv = process.env): Shelves {
  if (!/^[\w-][\w.-]*$/.test(name))
    throw new InputError(
      `"${name}" is no name of a folder for pipelines.`,
      'Name a folder at the root of the repository: letters, digits, "-", "_" and ".".',
    );
  const config = env['XDG_CONFIG_HOME'];
  const home = config && isAbsolute(config) ? config : join(homedir(), '.config');
  return {
    folders: [
      { origin: 'workspace', folder: join(root, name) },
      { origin: 'user', folder: join(home, 'loop', 'pipelines') },
      { origin: 'shipped', folder: fileURLToPath(new URL('pipelines', import.meta.url)) },
    ],
  };
}

/** For a folder of stages and pipelines. The person's own is no repository's, even where it is called so. */
export function shelvesAround(folder: string, read?: Read): Shelves {
  const { folders } = shelvesOf(dirname(folder), basename(folder));
  const own = folders.find((one) => one.origin !== 'workspace' && one.folder === folder);
  return { folders: own ? folders.filter(({ origin }) => origin !== 'workspace') : folders, ...(read ? { read } : {}) };
}

/** Names of all pipelines and stages, whether they can be used or not. */
export async function knownNames(shelves: Shelves): Promise<{ pipelines: string[]; stages: string[] }> {
  const [pipelines, stages] = await Promise.all([namesIn(shelves, 'pipelines'), namesIn(shelves, 'stages')]);
  return { pipelines: pipelines.names.map(({ name }) => name), stages: stages.names.map(({ name }) => name) };
}

/** One file or stage, where it was found, and which others of its name it hides. */
interface Found {
  name: string;
  origin: Origin;
  folder: string;
  hides: { origin: Origin; folder: string }[];
}

export interface Listed extends Omit<Found, 'hides'> {
  hides: Origin[];
  description: string;
  problems: Problem[];
}

export interface Loaded {
  description: string;
  /** What runs, in this order: nodes that are pipelines are laid out. */
  nodes: FlatNode[];
  /** Patterns of the person's files, those of the pipelines that it contains among them. */
  inputs: string[];
  stages: ReadonlyMap<string, Stage>;
  origin: Origin;
  /** Names that hide others, in words. */
  shadows: string[];
}

/** Every pipeline with its problems, by name; where there is none of a stage's name, the stage as a pipeline of its own. */
export async function listPipelines(shelves: Shelves): Promise<Listed[]> {
  const { names: files, odd } = await namesIn(shelves, 'pipelines');
  const { names: stages, odd: oddStages } = await namesIn(shelves, 'stages');
  const alone = stages.filter(({ name }) => !files.some((file) => file.name === name));
  const listed = await Promise.all(
    [...files, ...alone].map(async (found): Promise<Listed> => {
      const { loaded, problems } = await loadPipeline(shelves, found.name).catch((error: unknown) => unreadable(found, error));
      return { ...found, hides: found.hides.map(({ origin }) => origin), description: loaded?.description ?? '', problems };
    }),
  );
  return [...listed, ...odd, ...oddStages].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A file of one entry that cannot be read keeps no other from being listed. */
function unreadable({ folder }: Found, error: unknown): Awaited<ReturnType<typeof loadPipeline>> {
  if (!(error instanceof InputError)) throw error;
  const words = { what: error.message.replace(/\.$/, ''), mend: error.next };
  return { loaded: undefined, problems: [{ code: 'P012', severity: 'error', file: folder, line: 1, ...words }] };
}

/** Total but for unreadable files: what is wrong is in `problems`, and then nothing is loaded. @throws InputError */
export async function loadPipeline(shelves: Shelves, name: string): Promise<{ loaded: Loaded | undefined; problems: Problem[] }> {
  const { names: files, odd } = await namesIn(shelves, 'pipelines');
  const { names: known, odd: oddStages } = await namesIn(shelves, 'stages');
  const found = files.find((file) => file.name === name);
  const alone = known.find((stage) => stage.name === name);
  const { read = readInputFile } = shelves;
  if (!found && !alone) return { loaded: undefined, problems: [...odd, ...oddStages].flatMap((one) => one.problems) };
  const pipelines = await (found ? pipelinesFrom(found, files, read) : stageAsPipeline(name, alone, read));
  const specs = [...pipelines.values()].flatMap((one) => one.read.value ?? []);
  const used = known.filter((stage) => specs.some((spec) => usesOf(spec).some((use) => use.stage === stage.name)));
  const readStages = await Promise.all(used.map(async (stage) => ({ stage, ...(await stageAt(stage, read)) })));
  const stages = new Map(readStages.flatMap(({ stage, value }) => (value ? [[stage.name, value] as const] : [])));
  const all = [
    ...[...pipelines.values()].flatMap((one) => one.read.problems),
    ...readStages.flatMap((one) => one.problems),
    ...[...pipelines.values()].flatMap((one) => stageProblems(one, stages)),
    ...nestingProblems(name, pipelines),
  ];
  if (all.some(({ severity }) => severity === 'error')) return { loaded: undefined, problems: all };
  const shadows = [
    ...files.filter((file) => file === found || pipelines.has(file.name)).flatMap((one) => shadowWords(one)),
    ...readStages.flatMap(({ stage, lost }) => shadowWords(stage, lost)),
  ];
  const root = pipelines.get(name);
  const nodes = flatNodes(name, pipelines);
  const lacking = root ? commandProblems(nodes, stages, root) : [];
  if (lacking.length > 0) return { loaded: undefined, problems: [...all, ...lacking] };
  const { description = '' } = root?.read.value ?? {};
  const inputs = [...new Set(specs.flatMap((spec) => spec.inputs))];
  return {
    loaded: { description, nodes, inputs, stages, origin: found?.origin ?? 'shipped', shadows },
    problems: all,
  };
}

/** This pipeline, and all that its nodes lead to. */
async function pipelinesFrom(root: Found, files: readonly Found[], read: Read): Promise<Map<string, KnownPipeline>> {
  const known = new Map<string, KnownPipeline>();
  const next = [root];
  for (const found of next) {
    const source = await pipelineSource(found, read);
    const pipeline = readPipeline(source, found.name);
    known.set(found.name, { file: source.name, origin: found.origin, read: pipeline });
    const named = (pipeline.value?.nodes ?? []).flatMap((node) => files.find((file) => file.name === node.pipeline) ?? []);
    next.push(...named.filter((file, index) => !next.includes(file) && named.indexOf(file) === index));
  }
  return known;
}

/** What is wrong in the pipelines and stages of one of the folders, each file's for itself. */
export async function lintFolder(shelves: Shelves, folder: string): Promise<Problem[]> {
  const { read = readInputFile } = shelves;
  const { names: files, odd } = await namesIn(shelves, 'pipelines');
  const { names: stages, odd: oddStages } = await namesIn(shelves, 'stages');
  const here = <T extends { folder: string }>(all: readonly T[]): T[] => all.filter((one) => one.folder === folder);
  const found = await Promise.all([
    ...here(files).map((file) => loadPipeline(shelves, file.name).catch((error: unknown) => unreadable(file, error))),
    ...here(stages).map((stage) => stageAt(stage, read).catch((error: unknown) => unreadable(stage, error))),
  ]);
  const misnamed = here(stages).map((stage) => ({ problems: nameProblems(stage) }));
  const all = [...here([...odd, ...oddStages]), ...misnamed, ...found].flatMap((one) => one.problems);
  const keys = all.map((problem) => JSON.stringify(problem));
  return all.filter(({ file }, index) => isWithin(file, folder) && keys.indexOf(keys[index] ?? '') === index);
}

/** @param lost the model that the hidden one names. */
function shadowWords({ name, origin, hides }: Found, lost?: string): string[] {
  const model = lost === undefined ? '' : `, whose model ${modelWords(lost)} is not asked`;
  const hidden = hides.map((one) => `the ${originWords[one.origin]}`).join(' and ');
  return hides.length === 0 ? [] : [`${name} is that of the ${originWords[origin]}; it hides that of ${hidden}${model}.`];
}

export const originWords: Record<Origin, string> = { workspace: 'workspace', user: 'own folder', shipped: 'extension' };

async function pipelineSource({ folder, name }: Found, read: Read): Promise<SourceFile> {
  const path = join(folder, `${name}.yaml`);
  return { name: path, text: (await read(folder, `${name}.yaml`)) ?? '' };
}

/** A pipeline of this stage alone. What is wrong with the stage itself is told when it is read as one of the pipeline. */
async function stageAsPipeline(name: string, found: Found | undefined, readFile: Read): Promise<Map<string, KnownPipeline>> {
  if (!found) return new Map();
  const files = await stageFiles(found, readFile);
  const value = pipelineSpec.safeParse({ description: readStage(files).value?.description, nodes: [{ id: name, stage: name }] }).data;
  const read: ReadPipeline = { value, problems: nameProblems(found), where: () => ({ line: 1 }) };
  return new Map([[name, { file: files.stage.name, origin: found.origin, read }]]);
}

/** A stage with another name can be named by no pipeline, and does not run alone. */
function nameProblems({ folder, name }: Found): Problem[] {
  if (stageName.safeParse(name).success) return [];
  const words = { what: `"${name}" is no name for a stage`, mend: `Name its folder with ${stageNameWords}.` };
  return [{ code: 'S014', severity: 'error', file: join(folder, 'stages', name, 'stage.yaml'), line: 1, ...words }];
}

/**
 * A stage of the repository has at most the limits of those that it hides (I6); one of them that cannot be read is an error.
 * @returns `lost`: the model of the person's stage that it hides.
 */
async function stageAt(found: Found, read: Read): Promise<Checked<Stage> & { lost?: string | undefined }> {
  const files = await stageFiles(found, read);
  if (found.origin !== 'workspace') return readStage(files);
  // Only its limits matter, not its prompt.
  const prompt = { name: '', text: '${CTX} ${STATUS}' };
  const hidden = await Promise.all(
    found.hides.map(async (one) => readStage({ ...(await stageFiles({ ...found, ...one }, read)), prompt })),
  );
  const { value, problems } = readStage({ ...files, most: hidden.flatMap((one) => (one.value ? [one.value.guardrails] : [])) });
  return { value, problems: [...problems, ...hidden.flatMap((one) => one.problems)], lost: hidden[0]?.value?.model };
}

async function stageFiles({ folder, name, origin }: Found, read: Read): Promise<Parameters<typeof readStage>[0]> {
  const at = join(folder, 'stages', name);
  const [text, prompt] = await Promise.all([read(at, 'stage.yaml'), read(at, 'prompt.md')]);
  return {
    origin,
    folder: name,
    stage: { name: join(at, 'stage.yaml'), text: text ?? '' },
    prompt: prompt === undefined ? undefined : { name: join(at, 'prompt.md'), text: prompt },
  };
}

/** The nearest of each name, and the entries that cannot be used: they hide nothing, and all others are still found. */
async function namesIn({ folders }: Shelves, what: 'pipelines' | 'stages'): Promise<{ names: Found[]; odd: Listed[] }> {
  const found = new Map<string, Found>();
  const odd: Listed[] = [];
  for (const { origin, folder } of folders) {
    const at = what === 'stages' ? join(folder, 'stages') : folder;
    const entries = await entriesOf(origin, folder, at);
    if (typeof entries === 'string') {
      // Where the whole folder cannot be used, that is said once.
      const isSaid = what === 'stages' && typeof (await entriesOf(origin, folder, folder)) === 'string';
      if (!isSaid) odd.push(oddAt(origin, folder, at, entries));
      continue;
    }
    for (const entry of entries) {
      const name = what === 'stages' ? entry.name : entry.name.replace(/\.yaml$/, '');
      const isFile = what === 'pipelines' && entry.name.endsWith('.yaml');
      if (what === 'pipelines' && entry.name.endsWith('.yml'))
        odd.push(oddAt(origin, folder, join(at, entry.name), 'its name ends in .yml, not in .yaml'));
      if (isFile && entry.isDirectory()) odd.push(oddAt(origin, folder, join(at, entry.name), 'it is a folder, not a file'));
      if ((isFile || what === 'stages') && entry.isSymbolicLink())
        odd.push(oddAt(origin, folder, join(at, entry.name), 'it is a link, which is not followed'));
      if (!(what === 'stages' ? entry.isDirectory() : isFile && entry.isFile())) continue;
      const nearer = found.get(name);
      if (nearer) nearer.hides.push({ origin, folder });
      else found.set(name, { name, origin, folder, hides: [] });
    }
  }
  return { names: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), odd };
}

/** Nothing where there is no such folder; else its entries, or why it cannot be read. */
async function entriesOf(origin: Origin, folder: string, at: string): Promise<Dirent[] | string> {
  if (origin === 'workspace' && (await leadsOut(at, dirname(folder)))) return 'it is a link that leads out of the repository';
  try {
    return (await unlessMissing(readdir(at, { withFileTypes: true }))) ?? [];
  } catch (error) {
    return codeOf(error) === 'ENOTDIR' ? 'it is a file, not a folder' : `it cannot be read (${codeOf(error) ?? 'no reason was given'})`;
  }
}

async function leadsOut(at: string, root: string): Promise<boolean> {
  const [real, top] = await Promise.all([at, root].map((path) => realpath(path).catch(() => undefined)));
  return real !== undefined && top !== undefined && !isWithin(real, top);
}

/** A folder or file that cannot be used, listed by its path. A warning: what does not lie in it runs all the same. */
function oddAt(origin: Origin, folder: string, at: string, what: string): Listed {
  const name = relative(dirname(folder), at);
  const words = { what, mend: 'Nothing of it is used: put the folder or file itself there, under a name that is read, or remove it.' };
  return {
    name,
    origin,
    folder,
    hides: [],
    description: '',
    problems: [{ code: 'P011', severity: 'warning', file: at, line: 1, ...words }],
  };
}
