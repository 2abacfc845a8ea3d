/** Ids that package.json contributes and the code uses; a test compares the two. */
export const commands = {
  start: 'loop.startSprint',
  queue: 'loop.queueSprints',
  create: 'loop.createSprint',
  tryExample: 'loop.tryExample',
  cleanUp: 'loop.cleanUp',
  switchSprint: 'loop.switchSprint',
  openWorktree: 'loop.openWorktree',
  stop: 'loop.stopSprint',
  resume: 'loop.resumeSprint',
  finish: 'loop.finishSprint',
  setKey: 'loop.setApiKey',
  removeKey: 'loop.removeApiKey',
  history: 'loop.showFailureHistory',
  runVerifications: 'loop.runVerifications',
  review: 'loop.reviewChange',
  report: 'loop.openReport',
  explain: 'loop.explainLastDecision',
  log: 'loop.showLog',
  help: 'loop.accessibilityHelp',
  asText: 'loop.showAsText',
  follow: 'loop.followSession',
  answer: 'loop.answerHumanAction',
  tell: 'loop.tellAgents',
  pause: 'loop.pauseSprint',
  amend: 'loop.amendDocuments',
  reviewWording: 'loop.reviewWording',
  /** On the view of changes that shows it. */
  acceptWording: 'loop.acceptWording',
  declineWording: 'loop.declineWording',
  runPipeline: 'loop.runPipeline',
  stopPipeline: 'loop.stopPipeline',
  resumePipeline: 'loop.resumePipeline',
  finishPipeline: 'loop.finishPipeline',
  approvePlan: 'loop.approvePlan',
  newStage: 'loop.newStage',
  newPipeline: 'loop.newPipeline',
  /** On an iteration of a pipeline. */
  compareBefore: 'loop.compareBefore',
  compareWith: 'loop.compareWith',
  /** On a task. */
  changeTask: 'loop.changeTask',
  skipTask: 'loop.skipTask',
  retryTask: 'loop.retryTask',
  /** On a verification. */
  adoptEdit: 'loop.adoptEdit',
  discardEdit: 'loop.discardEdit',
  /** On a new comment in a document of the sprint. */
  sayHere: 'loop.sayHere',
  /** On a human action in the Sprint tree. */
  actionDone: 'loop.humanActionDone',
  actionShow: 'loop.humanActionShow',
  actionSkip: 'loop.humanActionSkip',
  /** On the row that says why the sprint broke off. */
  tryAgain: 'loop.tryAgain',
  /** A click on a tree row; never in the palette. */
  open: 'loop.openNode',
} as const;
export type CommandName = keyof typeof commands;

/** Context keys for `when` clauses. */
export const contexts = {
  /** A sprint of this workspace is shown. */
  hasSprint: 'loop.hasSprint',
  running: 'loop.running',
  /** Another process runs the shown sprint. */
  elsewhere: 'loop.elsewhere',
  /** The shown sprint does not run and can be resumed. */
  resumable: 'loop.resumable',
  /** The shown sprint has a branch to merge, squash, keep or drop, and does not run. */
  finishable: 'loop.finishable',
  needsPerson: 'loop.needsPerson',
  /** A pipeline runs in this window. */
  pipelineRunning: 'loop.pipelineRunning',
  /** A plan waits for the person's approval. */
  planWaits: 'loop.planWaits',
  hasVerifications: 'loop.hasVerifications',
  /** Ids of the verifications whose script the person may replace by an edit. */
  editable: 'loop.editable',
  /** Addresses of texts with proposed wording that waits for the person's word. */
  drafts: 'loop.drafts',
  /** An API key is stored. */
  hasKey: 'loop.hasApiKey',
  /** One is stored, or the environment has it: nobody is asked for it. */
  findsKey: 'loop.findsApiKey',
  /** A folder of this workspace has a VISION.md or a PRD.md. */
  hasFolders: 'loop.hasFolders',
  /** The workspace was searched for a sprint. */
  ready: 'loop.ready',
} as const;
export type ContextName = keyof typeof contexts;

export const historyPanelType = 'loop.failureHistory';
/** Scheme of the read-only documents: instructions, diffs, outputs. */
export const documentScheme = 'loop-doc';

/** What the editor's agents may ask: the names of `host/questions.ts` and of `contributes.languageModelTools`, which a test compares. */
export const agentTools = ['loop_sprints', 'loop_status', 'loop_why', 'loop_issues', 'loop_failure', 'loop_report'];

export const chatParticipant = 'loop.chat';
/** What `@loop` is asked by a slash; each reads one of the questions above, but for `start`. */
export const chatCommands = [
  { name: 'status', question: 'loop_status' },
  { name: 'why', question: 'loop_why' },
  { name: 'failed', question: 'loop_issues' },
  { name: 'report', question: 'loop_report' },
  { name: 'start', question: undefined },
] as const;

export const mcpProvider = 'loop.mcp';
