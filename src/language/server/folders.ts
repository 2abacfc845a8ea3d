/** The sprint folders of the open documents. A file that is open counts as the editor shows it, another one as it is on disk. */
import { access, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { readInputFile } from '../../host/input-file.ts';
import type { Problem } from '../../engine/ground/problem.ts';
import { servicesFile } from '../../engine/parse/services-file.ts';
import { knownNames, lintFolder, shelvesAround, type Read } from '../../host/pipelines/shelves.ts';
import type { DocumentsView } from '../../views/model/documents-view.ts';
import type { Finding } from '../finding.ts';
import { findingsOf } from '../findings.ts';
import type { Source } from '../ids.ts';
import { aroundOf, nothingKnown, type Around } from '../verification.ts';
import { placeOf, type Place } from '../place.ts';
import type { Names } from '../yaml/completions.ts';
import { isPipeline, isPipelineKind } from '../yaml/pipeline-findings.ts';

export class Folders {
  private readonly views = new Map<string, DocumentsView>();

  /** The name of folders of stages and pipelines, as the editor says. */
  pipelinesFolder: string | undefined;

  constructor(private readonly documents: TextDocuments<TextDocument>) {}

  placeOf(uri: string): Place | undefined {
    return placeOf(uri, this.pipelinesFolder);
  }

  sourceOf(uri: string): Source | undefined {
    const kind = this.placeOf(uri)?.kind;
    const document = this.documents.get(uri);
    return kind && document && { uri, kind, text: document.getText() };
  }

  /** A `services.yaml` may be anybody's: only beside a VISION.md or a PRD.md it is a sprint's. */
  async isOurs({ kind, sprintDir }: Place): Promise<boolean> {
    if (kind !== 'services') return true;
    const beside = await Promise.all(['VISION.md', 'PRD.md'].map((name) => this.read(sprintDir, name)));
    return beside.some((text) => text !== undefined);
  }

  /** What is wrong in an open document. @returns undefined of one that is not ours. */
  async findingsFor(uri: string): Promise<Finding[] | undefined> {
    const [place, document] = [this.placeOf(uri), this.documents.get(uri)];
    if (!place || !document || !(await this.isOurs(place))) return undefined;
    if (!(await this.isPipeline(place, document.getText()))) return [];
    return findingsOf(document, place.kind, await this.around(uri));
  }

  /** Every PRD.md of a folder with an open document. */
  async prds(): Promise<{ uri: string; text: string }[]> {
    const dirs = new Set(this.documents.keys().flatMap((uri) => this.placeOf(uri)?.sprintDir ?? []));
    const found = await Promise.all([...dirs].map(async (dir) => ({ uri: `${dir}/PRD.md`, text: await this.read(dir, 'PRD.md') })));
    return found.flatMap(({ uri, text }) => (text === undefined ? [] : [{ uri, text }]));
  }

  setView(sprintDir: string, view: DocumentsView | null): void {
    if (view) this.views.set(sprintDir, view);
    else this.views.delete(sprintDir);
  }

  viewOf(uri: string): DocumentsView | undefined {
    return this.views.get(this.placeOf(uri)?.sprintDir ?? '');
  }

  async prdBeside(uri: string): Promise<string> {
    const place = this.placeOf(uri);
    return (place && (await this.read(place.sprintDir, 'PRD.md'))) ?? '';
  }

  /** What a document may name, or shows only together with others. */
  async around(uri: string): Promise<Around> {
    const place = this.placeOf(uri);
    if (place && isPipelineKind(place.kind)) return { ...nothingKnown, problems: await this.problemsIn(uri, place.sprintDir) };
    if (place?.kind !== 'verification') return nothingKnown;
    const [prd, services] = await Promise.all(['PRD.md', servicesFile].map((name) => this.read(place.sprintDir, name)));
    return aroundOf({ prd, services, view: this.viewOf(uri) });
  }

  /** Others, too, have a folder `pipelines` with YAML in it. */
  async isPipeline({ kind, sprintDir }: Place, text: string): Promise<boolean> {
    return kind !== 'pipeline' || isPipeline(text) || (await this.hasStage(sprintDir));
  }

  private async hasStage(sprintDir: string): Promise<boolean> {
    if (!sprintDir.startsWith('file:')) return false;
    const stages = join(fileURLToPath(sprintDir), 'stages');
    const names = await readdir(stages).catch(() => []);
    const found = names.map((name) => access(join(stages, name, 'stage.yaml')));
    return (await Promise.allSettled(found)).some(({ status }) => status === 'fulfilled');
  }

  /** The stages and pipelines that a pipeline may name. */
  async namesFor({ sprintDir }: Place): Promise<Names> {
    if (!sprintDir.startsWith('file:')) return { stages: [], pipelines: [] };
    return knownNames(shelvesAround(fileURLToPath(sprintDir)));
  }

  private async problemsIn(uri: string, sprintDir: string): Promise<Problem[]> {
    if (!uri.startsWith('file:')) return [];
    const open = new Map(this.documents.all().map((document) => [pathOf(document.uri), document.getText()]));
    const read: Read = async (folder, name) => open.get(join(folder, name)) ?? readInputFile(folder, name);
    const folder = fileURLToPath(sprintDir);
    const problems = await lintFolder(shelvesAround(folder, read), folder);
    return problems.filter(({ file }) => file === pathOf(uri));
  }

  /** VISION.md, PRD.md and the verifications of a document's folder. */
  async sourcesBeside(document: string): Promise<Source[]> {
    const sprintDir = this.placeOf(document)?.sprintDir ?? '';
    const names = ['VISION.md', 'PRD.md', ...(await this.verifications(sprintDir))];
    const found = await Promise.all(names.map(async (name) => ({ uri: `${sprintDir}/${name}`, text: await this.read(sprintDir, name) })));
    return found.flatMap(({ uri, text }) => {
      const kind = this.placeOf(uri)?.kind;
      return kind === undefined || text === undefined ? [] : [{ uri, kind, text }];
    });
  }

  private async verifications(sprintDir: string): Promise<string[]> {
    if (!sprintDir.startsWith('file:')) return [];
    try {
      const folder = join(fileURLToPath(sprintDir), '.loop', 'verifications');
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `.loop/verifications/${basename(parentPath)}/${name}`);
    } catch {
      return [];
    }
  }

  /** Undefined where there is no such file, and where it cannot be read. */
  async read(sprintDir: string, name: string): Promise<string | undefined> {
    const open = this.documents.get(`${sprintDir}/${name}`);
    if (open) return open.getText();
    if (!sprintDir.startsWith('file:')) return undefined;
    try {
      return await readInputFile(fileURLToPath(sprintDir), name);
    } catch {
      return undefined;
    }
  }
}

function pathOf(uri: string): string | undefined {
  return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
}
