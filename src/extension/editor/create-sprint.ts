/**
 * Creates a sprint's folder with VISION.md and PRD.md, from the template, from words, or from a specification, and opens both. Never
 * overwrites a file.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Requests } from '../protocol.ts';
import type { EngineClient } from './engine-client.ts';
import { exists } from './sprint-folders.ts';
import { pickOne, typeIn, walk, type Move, type Place, type Step } from './steps.ts';
import { pickFolder } from './workspace-folder.ts';
import { t } from '../../views/words.ts';

type Source = Requests['new-sprint']['params']['source'];

const documents = ['VISION.md', 'PRD.md'];
/** Relative to the workspace folder. */
const sprintsFolder = 'sprints';

/** @returns what the source became; undefined when the person cancelled. @throws EngineFailure where the source cannot be read. */
export async function createSprint(engine: EngineClient): Promise<string[] | undefined> {
  const folder = await pickFolder();
  if (!folder) return undefined;
  const questions = new NewSprint(folder);
  if (!(await walk(t('Loop: Create a Sprint'), questions.steps))) return undefined;
  const sprintDir = path.join(folder, sprintsFolder, questions.name);
  const lines = await engine.request('new-sprint', { sprintDir, source: questions.source });
  for (const document of documents) {
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(sprintDir, document)), { preview: false });
  }
  return lines;
}

type Way = 'template' | 'sentence' | 'clipboard' | 'specification';

class NewSprint {
  name = '';
  private way: Way | undefined;
  private sentence = '';
  private copied = '';
  private specification = '';

  constructor(private readonly folder: string) {}

  get steps(): Step[] {
    return [
      { isAsked: () => true, ask: (place) => this.askWay(place) },
      { isAsked: () => this.way === 'sentence', ask: (place) => this.askSentence(place) },
      { isAsked: () => this.way === 'specification', ask: () => this.askSpecification() },
      { isAsked: () => true, ask: (place) => this.askName(place) },
    ];
  }

  get source(): Source {
    if (this.way === 'sentence') return { kind: 'words', words: this.sentence };
    if (this.way === 'clipboard') return { kind: 'words', words: this.copied };
    return this.way === 'specification' ? { kind: 'path', path: this.specification } : { kind: 'template' };
  }

  private async askWay(place: Place): Promise<Move> {
    const items: (vscode.QuickPickItem & { way: Way })[] = [
      { label: t('The template'), detail: t('Two documents that explain themselves.'), way: 'template' },
      { label: t('A sentence…'), detail: t('What someone should be able to do.'), way: 'sentence' },
      { label: t('The clipboard'), detail: t('Text of an issue that you copied, or notes.'), way: 'clipboard' },
      { label: t('A specification…'), detail: t('A folder of spec-kit or Kiro, or a PRD.'), way: 'specification' },
    ];
    const known = items.find(({ way }) => way === this.way);
    const answer = await pickOne(place, { question: t('What does it begin with?'), items, known });
    if (typeof answer === 'string') return answer;
    this.way = answer.chosen.way;
    // Now, since something else may be copied for the name.
    if (this.way === 'clipboard') this.copied = await vscode.env.clipboard.readText();
    return 'next';
  }

  private async askSentence(place: Place): Promise<Move> {
    const answer = await typeIn(place, {
      prompt: t('Who should be able to do what? Each sentence becomes a requirement, which you can edit.'),
      placeholder: t('A bookkeeper photographs a receipt and finds its sum in the ledger.'),
      value: this.sentence,
      check: (text) => Promise.resolve(text.trim() === '' ? t('Write a sentence, or go back.') : undefined),
    });
    if (typeof answer === 'string') return answer;
    this.sentence = answer.text;
    return 'next';
  }

  /** A dialog of the system has no Back, so who cancels it is asked again what it begins with. */
  private async askSpecification(): Promise<Move> {
    const [chosen] =
      (await vscode.window.showOpenDialog({
        title: t('Loop: the specification'),
        defaultUri: vscode.Uri.file(this.specification === '' ? this.folder : this.specification),
        canSelectFiles: true,
        canSelectFolders: true,
        openLabel: t('Read It'),
      })) ?? [];
    if (!chosen) return 'back';
    this.specification = chosen.fsPath;
    return 'next';
  }

  private async askName(place: Place): Promise<Move> {
    const answer = await typeIn(place, {
      prompt: t('Name of the sprint; VISION.md and PRD.md are written to {0}/<name>/.', sprintsFolder),
      placeholder: 'invoice-export',
      value: this.name,
      check: (text) => this.problemOf(text),
    });
    if (typeof answer === 'string') return answer;
    this.name = answer.text;
    return 'next';
  }

  private async problemOf(name: string): Promise<string | undefined> {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) return t('Letters, digits, - and _, at most 64.');
    return (await exists(path.join(this.folder, sprintsFolder, name))) ? t('A sprint with this name exists.') : undefined;
  }
}
