/** What a sprint and a pipeline ask before they start: the model, by kind of work if wanted, its key, and the network. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Config } from '../../engine/ground/config.ts';
import { isPriced, programsChoice, programTitles, providerOf, type ProgramName } from '../../engine/ground/model-names.ts';
import { countWords, hoursWords, modelName, plain, usdWords } from '../../views/model/display-text.ts';
import { t } from '../../views/words.ts';
import type { ModelChoice, StartPreview } from '../protocol.ts';
import type { ChatModels, OfferedChat } from './chat-models.ts';
import type { EngineClient } from './engine-client.ts';
import type { ApiKey } from './secrets.ts';
import { claudeModels, hoursFromSettings, overridesFromSettings } from './settings.ts';
import { exists } from './sprint-folders.ts';
import { pickOne, type Move, type Place, type Step } from './steps.ts';

export type Network = StartPreview['network'];

/** The choices that *Resume* uses again. Settings are read again, since the person may have raised a budget. */
export interface RunChoice {
  model: ModelChoice;
  network: Network;
  /** Only a sprint asks; without an answer the settings hold. */
  maxHours?: number | undefined;
  /** What the setting was then. */
  settingHours?: number | undefined;
}

export interface RunGround {
  key: ApiKey;
  chats: ChatModels;
  memento: vscode.Memento;
  engine(): EngineClient;
}

interface RunPlace {
  /** The folders in which a recording may lie, known once their sprints are. */
  folders(): readonly string[];
  /** The question about the network. */
  reach: string;
}

type Tier = keyof Config['models'];
/** The name of a model that needs no key stands for itself. */
type Kind = 'recorded' | 'claude' | 'mixed' | `editor:${string}` | `${ProgramName}:${string}`;
interface Item extends vscode.QuickPickItem {
  works: Kind;
}

/** A model that needs no key: one of the editor's own, or of a program of the person's. */
interface Offered {
  name: string;
  label: string;
  description: string;
}

/** What was chosen the last time is marked, so that Enter takes it again. */
export class RunQuestions {
  private kind: Kind | undefined;
  private readonly tiers: Partial<Config['models']> = {};
  private network: Network | undefined;
  private maxHours: number | undefined;
  private programs: Promise<ProgramName[]> | undefined;
  private readonly known: RunChoice | undefined;

  constructor(
    private readonly ground: RunGround,
    private readonly at: RunPlace,
  ) {
    this.known = ground.memento.get<RunChoice>(lastChoice);
  }

  get steps(): Step[] {
    return [...this.modelSteps, { isAsked: () => true, ask: (place) => this.askNetwork(place) }];
  }

  /** How long a sprint may run. */
  get hoursStep(): Step {
    return { isAsked: () => true, ask: (place) => this.askHours(place) };
  }

  get modelSteps(): Step[] {
    return [
      { isAsked: () => this.severalKinds(), ask: (place) => this.askKind(place) },
      ...(['reasoning', 'execution', 'triage'] as const).map((tier) => ({
        isAsked: () => this.kind === 'mixed',
        ask: (place: Place) => this.askTier(tier, place),
      })),
      { isAsked: () => this.needsKey(), ask: (place) => this.ground.key.askAt(place) },
    ];
  }

  /** Once all questions are answered. It is offered first the next time. */
  async choice(): Promise<RunChoice> {
    const hours = { maxHours: this.maxHours, settingHours: hoursFromSettings() };
    const choice = { model: await this.model(), network: this.network ?? 'registries', ...hours };
    await this.ground.memento.update(lastChoice, choice);
    return choice;
  }

  private async severalKinds(): Promise<boolean> {
    const items = await this.kinds();
    if (items.length === 1) this.kind = items[0]?.works;
    return items.length > 1;
  }

  /** Programs are looked for once. */
  private async offered(): Promise<Offered[]> {
    const chats = await this.ground.chats.list();
    this.programs ??= this.ground.engine().request('programs', {});
    return [
      ...chats.map((chat) => ({ name: chat.name, label: plain(chat.label, 60), description: chatWords(chat) })),
      ...(await this.programs).map((program) => ({
        name: `${program}:${programsChoice}`,
        label: programTitles[program],
        description: t('the program on this computer, with your own login'),
      })),
    ];
  }

  private async kinds(): Promise<Item[]> {
    const offered = await this.offered();
    const hasKey = (await this.ground.key.read()) !== null;
    const claude: Item = {
      label: 'Claude',
      description: hasKey ? t('Anthropic API, with your key') : t('Anthropic API, asks for a key'),
      works: 'claude',
    };
    const recorded: Item = {
      label: t('Recorded model'),
      description: t('plays recording.yaml: no key, no network, no cost'),
      works: 'recorded',
    };
    const mixed: Item = {
      label: t('By Kind of Work…'),
      description: t('one for reasoning, one for building, one for sorting failures'),
      works: 'mixed',
    };
    return [
      ...((await this.areRecorded()) ? [recorded] : []),
      claude,
      ...offered.map(({ name, label, description }) => ({ label, description, works: name as Kind })),
      ...(offered.length > 0 ? [mixed] : []),
    ];
  }

  private async askKind(place: Place): Promise<Move> {
    const items = await this.kinds();
    const known = items.find(({ works }) => works === (this.kind ?? kindOf(this.known?.model)));
    const answer = await pickOne(place, { question: t('Which model works?'), items, known });
    if (typeof answer === 'string') return answer;
    this.kind = answer.chosen.works;
    return this.consentTo(this.kind);
  }

  private async askTier(tier: Tier, place: Place): Promise<Move> {
    const claude = { label: plain(claudeModels()[tier], 60), description: t('Claude, by the Anthropic API'), name: claudeModels()[tier] };
    const items = [claude, ...(await this.offered()).flatMap(withItsModels)];
    const before = this.tiers[tier] ?? (this.known?.model.kind === 'chosen' ? this.known.model.models[tier] : undefined);
    const answer = await pickOne(place, { question: tierQuestions[tier], items, known: items.find(({ name }) => name === before) });
    if (typeof answer === 'string') return answer;
    this.tiers[tier] = answer.chosen.name;
    return this.consentTo(answer.chosen.name);
  }

  /** In answer to the click, as the editor wants it. A model that may not be used leaves the questions with the reason. */
  private async consentTo(name: string): Promise<Move> {
    if (providerOf(name) !== 'editor') return 'next';
    const problem = await this.ground.chats.consent(name);
    if (!problem) return 'next';
    const words = t(
      'Loop: {0} cannot be used: {1}. Allow it with "Manage Language Model Access", or choose another model.',
      modelName(name),
      plain(problem.message, 200),
    );
    void vscode.window.showErrorMessage(words);
    return 'leave';
  }

  private async askNetwork(place: Place): Promise<Move> {
    const preferred = this.network ?? this.known?.network ?? overridesFromSettings().network ?? 'registries';
    const items = (Object.keys(networkWords) as Network[]).map((network) => ({ ...networkWords[network], network }));
    const known = items.find(({ network }) => network === preferred);
    const answer = await pickOne(place, { question: this.at.reach, items, known });
    if (typeof answer === 'string') return answer;
    this.network = answer.chosen.network;
    return 'next';
  }

  private async askHours(place: Place): Promise<Move> {
    const preferred = this.maxHours ?? this.known?.maxHours ?? hoursFromSettings();
    const offered = [...new Set([...hourChoices, preferred])].toSorted((one, other) => one - other);
    const items = offered.map((hours) => ({
      label: hoursWords(hours),
      description: hours === hoursFromSettings() ? t('your setting') : '',
      hours,
    }));
    const question = t('How long may it run? Time in which it waits for you does not count.');
    const answer = await pickOne(place, { question, items, known: items.find(({ hours }) => hours === preferred) });
    if (typeof answer === 'string') return answer;
    this.maxHours = answer.chosen.hours;
    return 'next';
  }

  private async needsKey(): Promise<boolean> {
    if (this.kind === undefined || this.kind === 'recorded' || (await this.ground.key.read()) !== null) return false;
    return this.kind === 'claude' || (this.kind === 'mixed' && Object.values(this.tiers).some((name) => providerOf(name) === 'anthropic'));
  }

  private async model(): Promise<ModelChoice> {
    const { kind = 'claude' } = this;
    if (kind === 'recorded') return { kind, file: recordingIn(this.at.folders()[0] ?? '') };
    if (kind === 'claude') return { kind: 'anthropic' };
    const one = kind === 'mixed' ? {} : { reasoning: kind, execution: kind, triage: kind };
    const chats = await this.ground.chats.list();
    const windows = Object.fromEntries(chats.map(({ name, window }) => [name, window]));
    return { kind: 'chosen', models: { ...claudeModels(), ...this.tiers, ...one }, windows };
  }

  private async areRecorded(): Promise<boolean> {
    return (await Promise.all(this.at.folders().map((folder) => exists(recordingIn(folder))))).every(Boolean);
  }
}

/** The same choice for another sprint: each plays its own recording. */
export function choiceIn(folder: string, choice: RunChoice): RunChoice {
  return choice.model.kind === 'recorded' ? { ...choice, model: { kind: 'recorded', file: recordingIn(folder) } } : choice;
}

function recordingIn(folder: string): string {
  return path.join(folder, 'recording.yaml');
}

/** From a short look to a weekend. */
const hourChoices = [1, 4, 8, 24, 60];

/** For the workspace. */
const lastChoice = 'loop.lastChoice';

function kindOf(model: ModelChoice | undefined): Kind | undefined {
  if (model?.kind !== 'chosen') return model?.kind === 'anthropic' ? 'claude' : model?.kind;
  const names = [...new Set(Object.values(model.models))];
  return names.length === 1 ? (names[0] as Kind) : 'mixed';
}

/** A program takes short names for the models of its maker, beside the one that it takes by itself. */
function withItsModels(offered: Offered): Offered[] {
  const { name, label, description } = offered;
  const more = providerOf(name) === 'claude-code' ? ['opus', 'sonnet', 'haiku'] : [];
  return [offered, ...more.map((own) => ({ name: `claude-code:${own}`, label: `${label}: ${own}`, description }))];
}

function chatWords({ vendor, window }: OfferedChat): string {
  return t('of the editor, by {0}; {1} tokens at a time', plain(vendor, 40), countWords(window));
}

const tierQuestions: Record<Tier, string> = {
  reasoning: t('Which model plans, judges and looks things up?'),
  execution: t('Which model builds, mends and writes verifications?'),
  triage: t('Which model sorts failures?'),
};

/** `said`: inside of a sentence. */
export const networkWords: Record<Network, { label: string; said: string; detail: string }> = {
  registries: {
    label: t('Package registries (recommended)'),
    said: t('package registries'),
    detail: t(
      'Commands reach the registries that your package managers are set up for, and the hosts you allow in the settings. Nothing else.',
    ),
  },
  installs: {
    label: t('Only to install dependencies'),
    said: t('only to install dependencies'),
    detail: t('Only the one install of dependencies reaches anything, but that reaches any address.'),
  },
  none: { label: t('No network'), said: t('none'), detail: t('Commands and verifications reach nothing.') },
  all: {
    label: t('Everything'),
    said: t('everything'),
    detail: t('Commands that agents write may reach any address, also those of your own network.'),
  },
};

/** What a start says about money and tokens. @param models those that are asked. */
export function payWords(model: ModelChoice, bound: { usd: number; tokens: number }, models: readonly string[]): string {
  if (model.kind === 'recorded') return t('The model is a recording: nothing is paid, and the cost that is shown is the recorded one.');
  const [usd, tokens, names] = [usdWords(bound.usd), countWords(bound.tokens), models.map(modelName).join(', ')];
  const unpriced = models.filter((name) => !isPriced(name));
  if (unpriced.length === models.length)
    return t('At most {0} tokens, with {1}. No price is known, so only tokens bound it.', tokens, names);
  const all = t('At most {0} and {1} tokens, with {2}.', usd, tokens, names);
  return unpriced.length === 0 ? all : t('{0} No price of {1} is known, so only tokens bound it.', all, unpriced.map(modelName).join(', '));
}
