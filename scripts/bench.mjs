#!/usr/bin/env node
/**
 * `npm run bench [name …] [-- --seed N --sprints N]`: installs what is missing, builds, measures. Standard output has only JSON, one object
 * {name, value, unit, goal, holds, …} in each line; texts for people go to standard error. A missed goal is a finding, not a
 * failure: the exit status is 0 if everything could be measured.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs as readArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Each benchmark is `test/bench/<name>.ts`; the quick ones come first. */
const benches = {
  'vsix-size': { editor: false },
  'journal-append': { editor: false },
  resume: { editor: false },
  decide: { editor: false },
  triage: { editor: false },
  price: { editor: false },
  language: { editor: false },
  syntax: { editor: false },
  measure: { editor: false },
  strength: { editor: false },
  verifications: { editor: false },
  pipeline: { editor: false },
  load: { editor: false },
  activation: { editor: true },
  'host-delay': { editor: true },
};

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const { names, options, problem } = parseArgs(args);
  if (problem) {
    process.stderr.write(`${problem}\n`);
    return 1;
  }
  const editor = names.some((name) => benches[name].editor);
  const needs = ['modules', 'bench', ...(editor ? ['system', 'editor'] : [])];
  // Child processes, so that their output can go to standard error.
  if ((await run('scripts/provision.mjs', needs, 2)) !== 0) return 1;
  if ((await run('scripts/build.mjs', ['--tests'], 2)) !== 0) return 1;
  // Node.js would read these certificates at each start, for longer than all else; no benchmark reaches more than this machine.
  delete process.env.NODE_EXTRA_CA_CERTS;
  let failed = 0;
  for (const name of names) {
    process.stderr.write(`\n== ${name}\n`);
    if ((await run(join('out', 'test', 'bench', `${name}.js`), options, 'inherit')) !== 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
}

function parseArgs(args) {
  const { values, positionals: names } = readArgs({
    args,
    options: { seed: { type: 'string' }, sprints: { type: 'string' } },
    allowPositionals: true,
  });
  const given = Object.entries({ seed: '1', ...values });
  for (const [name, text] of given) if (!/^\d{1,9}$/.test(text)) return { problem: `--${name} takes a whole number, not "${text}".` };
  const unknown = names.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0)
    return { problem: `There is no benchmark "${unknown.join('", "')}"; there are ${Object.keys(benches).join(', ')}.` };
  return { names: names.length > 0 ? names : Object.keys(benches), options: given.flatMap(([name, text]) => [`--${name}`, text]) };
}

/** Runs a Node program of this checkout, with its standard output sent to `stdout`. @returns its exit status. */
function run(script, args, stdout) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', stdout, 'inherit'] });
    const pass = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    child.once('close', (code) => {
      for (const signal of signals) process.off(signal, pass);
      done(code ?? 1);
    });
  });
}
