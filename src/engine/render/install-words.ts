/** The installs that Loop made in the worktree, as a table for the report. */
import { inWords } from '../ground/markdown.ts';
import type { State } from '../state/state.ts';
import type { Installed } from '../work/install.ts';

/** Rows of the table; older ones are counted. */
const most = 30;

/** None where nothing was installed. */
export function installLines({ opened, ledger: { installsMade: all } }: State): string[] {
  if (all.length === 0) return [];
  const shown = all.slice(-most);
  const more = all.length > shown.length ? ['', `And ${all.length - shown.length} before these.`] : [];
  return ['| folder | manager | when | how it ended |', '| --- | --- | --- | --- |', ...shown.map((one) => rowOf(one, opened.at)), ...more];
}

function rowOf({ install: { folder, manager, flags }, at, exit, duration, refused = [], logins = [] }: Installed, start: number): string {
  const when = at === undefined ? 'not recorded' : `${((at - start) / 60_000).toFixed(0)} min after the start`;
  const end = exit === 0 ? 'done' : exit === null ? 'killed' : `exit status ${exit}`;
  const why = [
    ...(refused.length > 0 ? [`refused: ${refused.join(', ')}`] : []),
    ...(logins.length > 0 ? [`wants a login: ${logins.join(', ')}`] : []),
  ];
  const cells = [
    folder === '' ? '.' : inWords(folder),
    [manager, ...flags].join(' '),
    when,
    [`${end}, ${(duration / 1000).toFixed(1)} s`, ...why].join('; '),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}
