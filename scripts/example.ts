/**
 * Runs an example sprint in a new repository, with real git, sandbox, browser and verifications. The model is a recording, and a
 * stand-in supplies what a person is asked for; with `--live` it is Claude and you. `npm start -- lent otherwise` plays the
 * example's other recording.
 */
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { codeOfError, codeOfState } from '../src/cli/exit-codes.ts';
import { explain } from '../src/cli/explain.ts';
import { progressLines } from '../src/cli/progress.ts';
import { farewell, type Start, chooseModel } from '../src/cli/run.ts';
import { terminalPerson } from '../src/cli/terminal-person.ts';
import { nobody } from '../src/host/nobody.ts';
import type { Desk } from '../src/engine/person/desk.ts';
import type { Person } from '../src/engine/ports.ts';
import { inspectSprint, readSprint, runSprint } from '../src/host/sprint.ts';
import { exampleRepository } from './example-repository.ts';
import { isPipelineExample, pipelineExample } from './pipeline-example.ts';
import { standIn } from './stand-in.ts';

const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const [name = 'receipts', recording = 'recording'] = words;
const example = resolve('examples', basename(name));
const recordingFile = join(example, 'sprint', `${basename(recording)}.yaml`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (isPipelineExample(name)) void pipelineExample(name).then((code) => (process.exitCode = code));
else void main(process.argv.includes('--live'));

async function main(live: boolean): Promise<void> {
  if (!existsSync(recordingFile)) {
    print(`There is no ${recordingFile}. Examples: ${readdirSync('examples').join(', ')}; recordings: recording, otherwise.`);
    process.exitCode = 4;
    return;
  }
  const repo = freshRepository();
  const sprintDir = join(repo, 'sprint');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  try {
    print(`A fresh repository with the example: ${repo}`);
    const start = await chooseModel(live ? 'anthropic' : `recorded:${recordingFile}`, print, stop.signal);
    if (live && !(await confirmsCost(sprintDir))) return;
    process.exitCode = await run({ sprintDir, repo, start, live }, stop.signal);
  } catch (error) {
    print(explain(error));
    process.exitCode = codeOfError(error, await readSprint(sprintDir).catch(() => undefined));
  }
}

async function run(
  { sprintDir, repo, start, live }: { sprintDir: string; repo: string; start: Start; live: boolean },
  signal: AbortSignal,
) {
  const lines = progressLines(print);
  let desk: Desk | undefined;
  const acting = standIn(join(example, 'supplied'), repo, print);
  const { state } = await runSprint({
    ...start,
    sprintDir,
    overrides: {},
    signal,
    person: live ? atTerminal(() => desk) : acting,
    onOpen: (open) => (desk = acting.desk = open),
    onEvent: (event, current) => lines.event(event, current),
    onProgress: (item) => lines.progress(item),
  });
  for (const line of [...farewell(state, sprintDir, 'node dist/cli.mjs'), ...whereToLook(state.opened.branch, repo)]) print(line);
  return codeOfState(state);
}

function freshRepository(): string {
  const repo = join(mkdtempSync(join(tmpdir(), 'loop-example-')), basename(example));
  exampleRepository(example, repo);
  return repo;
}

function atTerminal(desk: () => Desk | undefined): Person {
  return process.stdin.isTTY ? terminalPerson({ print, desk }) : nobody;
}

async function confirmsCost(sprintDir: string): Promise<boolean> {
  const { bound } = await inspectSprint(sprintDir, {});
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const limits = `at most ${bound.decisions} decisions, $${bound.usd} and ${bound.tokens.toLocaleString('en-US')} tokens`;
  const answer = await terminal.question(`This uses Claude with your key: ${limits}. Start? [y/N] `);
  terminal.close();
  return answer.trim().toLowerCase() === 'y';
}

function whereToLook(branch: string, repo: string): string[] {
  return [
    '',
    'Look around:',
    `  git -C ${repo} log --stat ${branch}`,
    `  git -C ${repo} switch --detach ${branch}   # then try what it built, see its README`,
    `  npm run code -- ${repo}            # the same in VS Code`,
  ];
}
