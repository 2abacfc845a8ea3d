/**
 * Runs a case's check plainly over its work, with none of Loop's defences, and asks the case's own truth. So no case is vacuous:
 * a cheat does win where nobody looks, a gamed check does miss broken work, and an honest check does tell. Cheats kill processes
 * and leave daemons, so a plain bubblewrap holds them.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { write } from '../support/sprint.ts';
import { isHonest, type Case, type Check, type Files, type Work } from './case-file.ts';
import { prdOf, redText } from './words.ts';

/** What is wrong with a case itself; empty if it is as it says. */
export async function vacuous(one: Case): Promise<string[]> {
  const { corpus, honest, work, wrong } = one;
  const problems: string[] = [];
  const expect = async (name: string, of: Work, wanted: { holds: boolean; green?: boolean }): Promise<void> => {
    const holds = await truthOf(one, of);
    if (holds !== wanted.holds) problems.push(`the truth says that the ${name} work is ${holds ? 'right' : 'broken'}`);
    if (wanted.green === undefined) return;
    for (const check of one.checks) {
      const { status, output } = await bare(one, of, check);
      const green = status === 0;
      if (green !== wanted.green)
        problems.push(`plainly, the check is ${green ? 'green' : 'red'} on the ${name} work: ${output.slice(-200)}`);
      if (!green && !wanted.green && !output.includes(redText))
        problems.push(`on the ${name} work the check does not say why: ${output.slice(-200)}`);
    }
  };
  await expect('honest', honest, { holds: true, green: true });
  if (corpus === 'cheats') await expect('cheating', work, { holds: false, green: true });
  if (isHonest(corpus)) for (const [name, of] of Object.entries(wrong)) await expect(name, of, { holds: false, green: false });
  if (isHonest(corpus) && Object.keys(wrong).length === 0) problems.push('there is no wrong work that its check could tell');
  if (corpus === 'gamed' && (await fooledBy(one)).length === 0) problems.push('no wrong work fools it');
  return problems;
}

/** Whether the first check is green over a work, and whether the requirement holds. */
export async function looked(one: Case, work: Work): Promise<{ green: boolean; holds: boolean }> {
  const [check] = one.checks;
  return { green: check !== undefined && (await bare(one, work, check)).status === 0, holds: await truthOf(one, work) };
}

/** The names of the wrong works on which the check stays green although the truth says that they are broken. */
export async function fooledBy(one: Case): Promise<string[]> {
  const names: string[] = [];
  for (const [name, work] of Object.entries(one.wrong))
    for (const check of one.checks) if (!(await truthOf(one, work)) && (await bare(one, work, check)).status === 0) names.push(name);
  return names;
}

/** Processes that the builder left are gone by then. */
async function truthOf(one: Case, work: Work): Promise<boolean> {
  const files = { ...treeOf(one, work), ...asked(one) };
  const { status } = await inPlainSandbox(files, building(work), [telling(one)]);
  return status === 0;
}

/** Whether the requirement holds over what a branch holds. What was built and is ignored is not there, so it may be built again. */
export async function truthOfBranch(one: Case, repo: string, branch: string): Promise<boolean> {
  const over = async (...lists: (readonly string[])[]): Promise<boolean> => {
    const { status } = await inSandboxWith(
      async (tree) => {
        await write(tree, asked(one));
        execFileSync('bash', ['-c', 'git -C "$0" archive "$1" | tar -x -C "$2"', repo, branch, tree]);
      },
      ...lists,
    );
    return status === 0;
  };
  return (await over([telling(one)])) || (one.work.build !== '' && (await over(building(one.work), [telling(one)])));
}

function asked({ truth }: Case): Files {
  return { '.git/HEAD': 'ref: refs/heads/main\n', '../truth': truth };
}

function telling({ service }: Case): string {
  return `${serving(service)} bash ../truth`;
}

function bare(one: Case, work: Work, check: Check): Promise<Ended> {
  return byHand({ files: treeOf(one, work), building: building(work), serving: serving(one.service) }, check);
}

/** Whether a script is green over a tree. */
export async function runsGreen(files: Files, check: Check): Promise<boolean> {
  return (await byHand({ files: { ...files, '.git/HEAD': 'ref: refs/heads/main\n' }, building: [], serving: '' }, check)).status === 0;
}

interface Hand {
  files: Files;
  building: readonly string[];
  serving: string;
}

/** As one would do it by hand: the script lies beside the tree, and the tree is where modules come from. */
function byHand({ files, building: commands, serving: service }: Hand, { ext, body }: Check): Promise<Ended> {
  const interpreter = { sh: 'bash', py: 'python3' }[ext] ?? 'node';
  return inPlainSandbox({ ...files, [`../script/check.${ext}`]: body }, [
    ...commands,
    'mkdir -p /run/verification /run/verifications/cases /tmp/data /tmp/reports',
    `cp ../script/check.${ext} /run/verification/; cp ../script/check.${ext} /run/verifications/cases/`,
    'ln -s "$PWD/node_modules" "$PWD/package.json" /run/verification/',
    'export PATH="$PWD/.venv/bin:$PWD/node_modules/.bin:$PATH"',
    'export PYTHONPATH="$PWD" PORT=4173 TEST_DATA_DIR=/tmp/data REPORTS_DIR=/tmp/reports VERIFICATIONS_DIR=/run/verifications CI=true SEED=4711',
    `${service} ${interpreter} /run/verification/check.${ext}`,
  ]);
}

function treeOf({ base, requirement, product, checks }: Case, { files }: Work): Files {
  return {
    ...base,
    'sprint/PRD.md': prdOf(
      product,
      checks.map(() => requirement),
    ),
    ...files,
  };
}

function building({ build }: Work): string[] {
  return build === '' ? [] : [`cat > /tmp/build <<'END_OF_BUILD'\n${build}\nEND_OF_BUILD`, 'PORT=4173 bash /tmp/build >/dev/null 2>&1'];
}

function serving(service: string): string {
  return service === ''
    ? ''
    : `export PORT=4173; ${service} >/dev/null 2>&1 & for i in $(seq 100); do (: </dev/tcp/127.0.0.1/4173) 2>/dev/null && break; sleep 0.05; done;`;
}

/** Milliseconds. */
const limit = 20_000;

interface Ended {
  status: number | null;
  output: string;
}

/** Runs each of these lists of commands in a sandbox of its own, over one tree. @returns how the last one ended. */
function inPlainSandbox(files: Files, ...lists: (readonly string[])[]): Promise<Ended> {
  return inSandboxWith((tree) => write(tree, files), ...lists);
}

async function inSandboxWith(fill: (tree: string) => Promise<void>, ...lists: (readonly string[])[]): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'loop-honesty-'));
  try {
    await fill(join(folder, 'tree'));
    let ended: Ended = { status: null, output: '' };
    for (const commands of lists) if (commands.length > 0) ended = await runPlainly(folder, commands);
    return ended;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runPlainly(folder: string, commands: readonly string[]): Promise<Ended> {
  const options = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/run'];
  const bound = ['--dir', '/tmp/home', '--bind', folder, '/tmp/case', '--chdir', '/tmp/case/tree'];
  const args = [...options, ...bound, '--setenv', 'HOME', '/tmp/home', '--unshare-all', '--die-with-parent', '--new-session'];
  return new Promise((done, fail) => {
    const child = spawn('bwrap', [...args, 'bash', '-c', commands.join('\n')], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (output += part));
    const timer = setTimeout(() => child.kill('SIGKILL'), limit);
    child.once('error', fail);
    child.once('close', (status) => {
      clearTimeout(timer);
      done({ status, output });
    });
  });
}
