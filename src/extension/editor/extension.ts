/**
 * Activation: wires the parts together. It must stay small and fast, so a worker thread loads the engine on first use and
 * this bundle does not contain it.
 */
import './editor-words.ts';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { HistoryPanels } from './history-panel.ts';
import { createTrees } from './trees.ts';
import { ChangedDocuments } from './changed-documents.ts';
import { followAttention } from './attention.ts';
import { followWakefulness } from './awake.ts';
import { registerAgentTools } from './agent-tools.ts';
import { warnOfBudget } from './budget.ts';
import { registerChatParticipant } from './chat-participant.ts';
import { ChatModels } from './chat-models.ts';
import { registerCommands } from './commands.ts';
import { ContextKeys } from './contexts.ts';
import { Decorations } from './decorations.ts';
import { openChange, openDocument, registerDocuments } from './documents.ts';
import { EngineClient } from './engine-client.ts';
import { playExample } from './example.ts';
import { HumanActionPrompts } from './human-action-prompts.ts';
import { LanguageFeatures } from './language.ts';
import { reporting, tellFailure, tellOutcome, tellPipelineOutcome } from './notifications.ts';
import { registerMcpServers } from './mcp-servers.ts';
import { commands, historyPanelType } from './names.ts';
import { OwnEdits } from './own-edits.ts';
import { PipelineStore } from './pipeline-store.ts';
import { createPipelinesTree } from './pipelines-tree.ts';
import { ProposedWording } from './proposed-wording.ts';
import { ApiKey } from './secrets.ts';
import { baseUrlFromSettings, claudeModels } from './settings.ts';
import { followBegun, showLast } from './show-last.ts';
import { isInWorkspace, KnownFolders } from './sprint-folders.ts';
import { failureOf, SprintStore } from './sprint-store.ts';
import { createStatusBar } from './status-bar.ts';
import { TestExplorer } from './test-explorer.ts';
import { WordThreads } from './word-threads.ts';

/** What `deactivate` must end. */
let running: { store: SprintStore; pipelines: PipelineStore; engine: EngineClient; language: LanguageFeatures } | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = lazily(() => vscode.window.createOutputChannel('Loop', { log: true }), context);
  const verified = new vscode.EventEmitter<string>();
  const key = new ApiKey(context.secrets, (text) =>
    engine.request('check-key', { key: text, baseURL: baseUrlFromSettings(), model: claudeModels().execution }),
  );
  const chats = new ChatModels(context.languageModelAccessInformation);
  const engine = new EngineClient(path.join(context.extensionPath, 'dist', 'worker.mjs'), {
    onView: (dir, view) => store.receive(dir, view),
    onPipeline: (dir, view) => pipelines.receive(dir, view),
    onActivity: (dir, activity) => {
      store.receiveActivity(dir, activity);
      pipelines.receiveActivity(dir, activity);
    },
    onVerifying: (dir, verification) => tests.begin(dir, verification),
    onVerified: (dir, result) => {
      tests.receive(dir, result);
      verified.fire(dir);
    },
    onLog: (lines) => lines.forEach(({ level, text }) => log()[level](text)),
    secret: () => key.read(),
    words: vscode.l10n.bundle,
    ask: (request, onText, signal) => chats.ask(request, onText, signal),
  });
  const store = new SprintStore(() => engine);
  const pipelines = new PipelineStore(() => engine);
  const actions = new HumanActionPrompts(store, (work) => reporting(work, log()));
  const edits = new OwnEdits(
    store,
    () => engine,
    (work) => reporting(work, log()),
  );
  const documents = new ChangedDocuments(
    store,
    () => engine,
    (work) => reporting(work, log()),
  );
  const panels = createPanels(context, { store, engine, edits, log, onDidVerify: verified.event });
  const tell = (error: unknown): void => void tellFailure(failureOf(error), log());
  const tests = createTests(store, engine, tell);
  tests.register(context);
  const threads = new WordThreads(store, () => engine);
  const keys = new ContextKeys();
  const folders = new KnownFolders(keys);
  const wording = new ProposedWording(store, () => engine, documents, keys);
  const language = new LanguageFeatures(context.extensionPath, store, log);
  running = { store, pipelines, engine, language };
  context.subscriptions.push(
    store,
    pipelines,
    verified,
    language,
    keys.follow(store),
    keys.followPipelines(pipelines),
    createTrees(store, commands.open),
    createPipelinesTree(pipelines, commands.open, (work) => reporting(work, log())),
    createStatusBar(store, pipelines),
    new Decorations(store).register(),
    threads.register(),
    warnOfBudget(store),
    actions.follow(),
    edits.follow(),
    documents.follow(),
    wording.follow(),
    store.onDidEnd((outcome) => void tellOutcome(outcome, log())),
    pipelines.onDidEnd((outcome) => void tellPipelineOutcome(outcome, log())),
    registerDocuments(() => engine, store, pipelines),
    followAttention({ store, pipelines }, engine, log),
    followWakefulness({ store, pipelines }, engine, log),
    registerAgentTools(() => engine),
    registerMcpServers(context),
    registerChatParticipant({ store, engine: () => engine }, context.extensionUri),
    vscode.window.registerWebviewPanelSerializer(historyPanelType, panels),
    registerCommands({
      store,
      pipelines,
      key,
      chats,
      actions,
      edits,
      documents,
      wording,
      panels,
      tests,
      log,
      engine: () => engine,
      context,
      threads,
      extensionUri: context.extensionUri,
      memento: context.workspaceState,
    }),
    followKey(key, keys),
    folders.follow(),
    followBegun({ store, folders }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      void showLast({ store, folders, keys }, tell).catch(tell);
      void pipelines.foldersChanged().catch(tell);
    }),
  );
  const begin = async (): Promise<void> => {
    await showLast({ store, folders, keys }, tell);
    await playExample(context, store, panels);
  };
  setImmediate(() => void begin().catch(tell));
}

/** Stops what runs first, so that an open step is not recorded as interrupted. The journal is safe in any case. */
export async function deactivate(): Promise<void> {
  const graceMs = 2000;
  const grace = new Promise((resolve) => setTimeout(resolve, graceMs));
  const stopped = Promise.all([running?.store.stop(), running?.pipelines.stopAll()]).catch(() => undefined);
  await Promise.race([stopped, grace]);
  await Promise.race([running?.language.stop().catch(() => undefined), grace]);
  await running?.engine.dispose();
}

interface Parts {
  store: SprintStore;
  engine: EngineClient;
  edits: OwnEdits;
  log: () => vscode.LogOutputChannel;
  /** A verification of the sprint in this folder ran by hand. */
  onDidVerify: vscode.Event<string>;
}

function createPanels(context: vscode.ExtensionContext, { store, engine, edits, log, onDidVerify }: Parts): HistoryPanels {
  return new HistoryPanels(historyPanelType, context.extensionUri, {
    history: ({ sprintDir, verification }) => engine.request('history', { sprintDir, verification }),
    openPayload: ({ sprintDir }, ref, title) =>
      reporting(async () => void (await openDocument({ sprintDir, what: 'payload', ref, title })), log()),
    openChange: ({ sprintDir }, ref, title) => reporting(() => openChange(engine, { sprintDir, ref, title }), log()),
    adoptEdit: ({ sprintDir, verification }) => reporting(() => edits.adopt(sprintDir, verification), log()),
    discardEdit: ({ sprintDir, verification }) => reporting(() => edits.discard(sprintDir, verification), log()),
    isKnown: ({ sprintDir }) => isInWorkspace(sprintDir),
    onDidChange: (listener) =>
      vscode.Disposable.from(
        store.onDidChange(() => store.shown && listener(store.shown.dir)),
        onDidVerify(listener),
      ),
  });
}

function createTests(store: SprintStore, engine: EngineClient, tell: (error: unknown) => void): TestExplorer {
  return new TestExplorer({
    source: store,
    verify: (sprintDir, only) => engine.request('verify', { sprintDir, only }),
    stop: (sprintDir) => engine.request('stop', { sprintDir }),
    tree: (sprintDir) => engine.request('tree', { sprintDir }),
    tellFailure: tell,
  });
}

function followKey(key: ApiKey, keys: ContextKeys): vscode.Disposable {
  const update = async (): Promise<void> => {
    keys.set('hasKey', await key.isStored());
    keys.set('findsKey', (await key.read()) !== null);
  };
  void update();
  return key.onDidChange(() => void update());
}

function lazily<T extends vscode.Disposable>(create: () => T, context: vscode.ExtensionContext): () => T {
  let instance: T | undefined;
  return () => {
    if (!instance) context.subscriptions.push((instance = create()));
    return instance;
  };
}
