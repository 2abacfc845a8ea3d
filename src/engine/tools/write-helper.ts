/**
 * QC writes code that several verifications share (docs/decisions/0037). It stands in the text of each script that names it, so the
 * engine's text of those is another one when it changes: they keep their lineage, and are proven anew (I4, I8).
 */
import * as z from 'zod';
import type { Ports } from '../ports.ts';
import { helperProblem, withHelpers } from '../parse/helper-text.ts';
import { doubtedTogether } from '../diagnose/doubt.ts';
import { liveScripts } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { scriptExtensions } from '../work/script-language.ts';
import { isPersons, type Script } from '../work/verification.ts';
import { runWritten } from './first-run.ts';
import { edits, wholeText } from './edits.ts';
import { reportTool, ToolError } from './tool.ts';

const longest = 30_000;

const input = z.strictObject({
  name: z
    .string()
    .regex(new RegExp(`^[a-z0-9][a-z0-9_-]*\\.(${scriptExtensions.join('|')})$`), `<name>.<${scriptExtensions.join('|')}>, lower case`),
  content: z.string().min(1).max(longest).optional().describe('Functions in the language of the scripts that name it, whole'),
  edits,
});
type Call = z.infer<typeof input>;
interface Input {
  name: string;
  content: string;
}

export const writeHelper = reportTool<Input, Call>({
  name: 'write_helper',
  description:
    'Write code that several verifications share. It stands in each script that names it in USES, before its own code. Written again, it changes all of them.',
  input,
  completedBy: ['write_helper', 'write_verification', 'uphold_verification'],
  async whole({ name, ...given }, at) {
    const content = await wholeText(given, `helper ${name}`, async () => (await helperTexts([name], at))[0]?.text);
    if (content.length > longest) throw new ToolError(`${name} would have ${content.length} characters; ${longest} are the most.`);
    return { name, content };
  },
  async keep({ name, content }, at) {
    const users = usersOf(at.state, name);
    return [content, ...(await Promise.all(users.map((user) => textWith(user, { name, content }, at))))];
  },
  handle({ name, content }, { state, kept, others = [], target }) {
    const problem = helperProblem(content);
    if (problem !== undefined) throw new ToolError(`${name}: ${problem}.`);
    if (state.work.helpers[name]?.text === kept) throw new ToolError(`That is ${name} as it is.`);
    const about = doubtedTogether(state, target);
    const users = usersOf(state, name);
    if (about.length > 0 && !users.some(({ lineage }) => about.some((one) => one.lineage === lineage)))
      throw new ToolError(`No script of this session (${about.map(({ id }) => id).join(', ')}) uses ${name}.`);
    const rewritten = users.flatMap((user, index): Fact[] => {
      const script = others[index];
      return script === undefined
        ? []
        : [{ fact: 'verification.written', verification: { ...user, script, sameCode: [...(user.sameCode ?? []), user.script] } }];
    });
    const words = users.length > 0 ? ` It stands in ${users.map(({ id }) => id).join(', ')} now, to be proven anew.` : '';
    return { text: `Helper ${name} written.${words}`, facts: [{ fact: 'helper.written', helper: { name, text: kept } }, ...rewritten] };
  },
  acted: runWritten,
});

/** What the person wrote stays as they wrote it. */
function usersOf({ work }: State, name: string): Script[] {
  return liveScripts(work).filter((script) => script.uses?.includes(name) && !isPersons(script));
}

async function textWith(script: Script, { name, content }: Input, at: { state: State; ports: Pick<Ports, 'payloads'> }): Promise<string> {
  const helpers = await helperTexts(script.uses ?? [], at);
  const text = await at.ports.payloads.get(script.script);
  return withHelpers(
    text,
    helpers.map((one) => (one.name === name ? { name, text: content } : one)),
  );
}

/** Those of these that there are. */
export async function helperTexts(
  names: readonly string[],
  { state, ports }: { state: State; ports: Pick<Ports, 'payloads'> },
): Promise<{ name: string; text: string }[]> {
  const known = names.flatMap((name) => (Object.hasOwn(state.work.helpers, name) ? (state.work.helpers[name] ?? []) : []));
  return Promise.all(known.map(async ({ name, text }) => ({ name, text: await ports.payloads.get(text) })));
}
