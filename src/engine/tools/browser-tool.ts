/**
 * A real browser, for roles that judge what a person uses in one. It describes the page in words, and takes a screenshot on
 * request. Browser, page and the deliverable's server share one sandbox.
 */
import * as z from 'zod';
import type { BrowserAction } from '../ports.ts';
import { promptText } from '../ground/prompts.ts';
import { reachable } from '../services/external.ts';
import { excerpt } from '../ground/text.ts';
import { readers } from './policy.ts';
import { ToolError, worldTool, type Surroundings } from './tool.ts';

/** Characters of one answer. */
const longest = 20_000;

const parts = {
  url: z.string().min(1).max(4000),
  serve: z.string().min(1).max(4000),
  target: z.string().min(1).max(400),
  points: z.array(z.string().min(1).max(400)).min(1).max(100),
  text: z.string().max(20_000),
  file: z.string().min(1).max(400),
  key: z.string().min(1).max(40),
  number: z.int().min(1).max(9),
  width: z.int().min(240).max(1600),
  height: z.int().min(240).max(1200),
  when: z.string().min(1).max(40),
};
/** What a mouse does at one point. */
const gestures = ['click', 'doubleclick', 'rightclick', 'hover'] as const;
/** What goes from one point to the next. */
const ways = ['drag', 'touch'] as const;
const plain = ['read', 'screenshot', 'back', 'console'] as const;

/** The schema for the model: one flat object, because providers refuse a union there. */
const input = z.strictObject({
  action: z.enum(['open', ...gestures, ...ways, 'type', 'upload', 'press', 'tab', 'viewport', 'clock', ...plain]),
  url: parts.url.optional().describe('open: an address such as http://localhost:$PORT/, or the path of a file'),
  serve: parts.serve
    .optional()
    .describe('open: the command that starts the deliverable, where no service does; it must then answer at url'),
  target: parts.target
    .optional()
    .describe(
      'click and its like, type, upload: an element as it was printed, such as button "Send", or its name where only one has it; of all but the last two also X,Y in the window, or element @ X,Y from its corner',
    ),
  points: parts.points
    .optional()
    .describe('drag (the mouse, its button held down), touch (a finger; one point is a tap): from the first to the last, each as target'),
  text: parts.text.optional().describe('type: what the field holds then; for a list, the option'),
  file: parts.file.optional().describe('upload: what the file chooser that target opens gets: a file of the tree, or one below /tmp'),
  key: parts.key.optional().describe('press: Enter, Tab, Escape, Home, ArrowDown, F2, a character; Shift+Tab, Control+a'),
  number: parts.number
    .optional()
    .describe('tab: which tab what follows is for; 1 is where it begins, and one that is not open yet opens empty'),
  width: parts.width.optional().describe('viewport: pixels'),
  height: parts.height.optional().describe('viewport: pixels'),
  when: parts.when
    .optional()
    .describe(
      'clock: what pages take for now, from then on, such as 2026-11-25T12:00 (local time), 2026-11-25T12:00Z, 2026-11-25 (midnight), or now for the real time; timers keep their pace',
    ),
});
type Input = z.infer<typeof input>;

/** The strict form of the input, which the model's schema cannot express. */
const action = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('open'), url: parts.url, serve: parts.serve.optional() }),
  z.strictObject({ action: z.enum(gestures), target: parts.target }),
  z.strictObject({ action: z.enum(ways), points: parts.points }),
  z.strictObject({ action: z.literal('type'), target: parts.target, text: parts.text }),
  z.strictObject({ action: z.literal('upload'), target: parts.target, file: parts.file }),
  z.strictObject({ action: z.literal('press'), key: parts.key }),
  z.strictObject({ action: z.literal('tab'), number: parts.number }),
  z.strictObject({ action: z.literal('viewport'), width: parts.width, height: parts.height }),
  z.strictObject({ action: z.literal('clock'), when: parts.when }),
  ...plain.map((name) => z.strictObject({ action: z.literal(name) })),
]);

export const browser = worldTool<Input>({
  name: 'browser',
  description:
    'Use a real browser as a person does: open, click, drag, touch, type, give it a file, press, go back, go to another tab, change the size of its window, set the clock of its pages, look at a screenshot. Each answer says what the page shows, or after an act only what is new there (`read` says all), what was downloaded, and what went wrong in its console. Services of the deliverable run beside it. It stays open until your session ends.',
  input,
  begins: true,
  async run(call, { ports, config, role, place, services, pictures, signal }) {
    const parsed = actionOf(call);
    if (parsed.action === 'screenshot' && pictures <= 0)
      throw new ToolError('All screenshots of this session are taken. Read the page instead.');
    const network = config.network === 'all';
    const readonly = place === 'worktree' && readers.includes(role);
    const answer = await ports.browser.act(parsed, { at: place, network, readonly, services: reachable(services, config) }, signal);
    if ('refused' in answer) throw new ToolError(answer.refused);
    const text = excerpt(answer.text, longest);
    return answer.png === undefined ? text : { text, png: answer.png };
  },
});

function actionOf(call: Input): BrowserAction {
  const { success, data, error } = action.safeParse(call);
  if (success) return data;
  const [issue] = error.issues;
  const what = issue?.code === 'unrecognized_keys' ? `does not take ${issue.keys.join(', ')}` : `needs ${issue?.path.join('.')}`;
  throw new ToolError(`${call.action} ${what}. Call it again with that mended.`);
}

/** For the prompt: that there is a browser here, or why there is none. */
export function browserWords(ports: Surroundings['ports']): string {
  const problem = ports.browser.problem();
  return problem === undefined ? promptText('browser') : promptText('browser-none', { problem });
}
