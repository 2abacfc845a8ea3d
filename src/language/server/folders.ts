/** The sprint folders of the open documents. A file that is open counts as the editor shows it, another one as it is on disk. */
import { fileURLToPath } from 'node:url';
import type { TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { readInputFile } from '../../host/input-file.ts';
import { placeOf, type Place } from '../place.ts';

export class Folders {
  constructor(private readonly documents: TextDocuments<TextDocument>) {}

  /** A `services.yaml` may be anybody's: only beside a VISION.md or a PRD.md it is a sprint's. */
  async isSprint({ kind, sprintDir }: Place): Promise<boolean> {
    if (kind !== 'services') return true;
    const beside = await Promise.all(['VISION.md', 'PRD.md'].map((name) => this.read(sprintDir, name)));
    return beside.some((text) => text !== undefined);
  }

  /** Every PRD.md of a folder with an open document. */
  async prds(): Promise<{ uri: string; text: string }[]> {
    const dirs = new Set(this.documents.keys().flatMap((uri) => placeOf(uri)?.sprintDir ?? []));
    const found = await Promise.all([...dirs].map(async (dir) => ({ uri: `${dir}/PRD.md`, text: await this.read(dir, 'PRD.md') })));
    return found.flatMap(({ uri, text }) => (text === undefined ? [] : [{ uri, text }]));
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
