import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { withOwnInput } from '../../../src/engine/prove/shared-input.ts';

const rows = `1 I\n4 IV\n9 IX`;
const heads = ['while read -r n want; do', "while IFS=' ' read -r n want\ndo", 'while IFS= read -r n want || [ -n "$n" ]; do'];
const ends = [`done <<'END'\n${rows}\nEND`, 'done < "$rows"', 'done <"$rows"', 'done <<< "$(cat "$rows")"'];

describe('a script whose loop shares its input', () => {
  for (const head of heads)
    for (const end of ends)
      it(`sees all rows on a descriptor of their own: ${head} … ${end.split('\n')[0]}`, () => {
        const script = `rows="$(mktemp)"; printf '%s\\n' ${rows
          .split('\n')
          .map((row) => `'${row}'`)
          .join(' ')} > "$rows"\n${head}\n  echo "$n"; cat > /dev/null\n${end}\nrm "$rows"\n`;
        const changed = withOwnInput(script, 'sh');
        assert.ok(changed !== undefined);
        const printed = (text: string): string => execFileSync('bash', ['-c', text], { encoding: 'utf8', input: '' });
        assert.equal(
          printed(script)
            .split('\n')
            .filter((one) => one !== '').length,
          1,
          'the work took the others',
        );
        assert.equal(
          printed(changed)
            .split('\n')
            .filter((one) => one !== '').length,
          3,
        );
      });

  it('sees all rows where it only says that it reads, or reads elsewhere', () => {
    const body = '# read each\n  echo "read $n" | while read -r word; do :; done\n  read -r first < "$n"\n  read a b <<< "$n"\n';
    const script = `while read -r n; do ${body}done < rows\n`;
    assert.equal(withOwnInput(script, 'sh'), `while read -r n <&9; do ${body}done 9< rows\n`);
  });

  const others: Record<string, string> = {
    'without a loop': 'python3 roman.py 4\n',
    'whose rows come by a pipe': 'seq 3 | while read -r n; do echo "$n"; done\n',
    'with another loop that ends so': 'for n in 1 2; do cat; done < rows\n',
    'that reads rows in pairs': 'while read -r n; do\n  read -r want\n  echo "$n $want"\ndone < rows\n',
    'that reads rows in pairs in one line': 'while read -r n; do read want; echo "$n"; done < rows\n',
    'whose head reads two rows': 'while read -r n && read -r want; do echo "$n"; done < rows\n',
    'that reads rows into a list': 'while read -r n; do mapfile -t more; echo "$n"; done < rows\n',
    'that has such a descriptor': 'exec 9< rows\nwhile read -r n; do echo "$n"; done < rows\n',
  };
  for (const [what, script] of Object.entries(others))
    it(`is left as it is ${what}`, () => assert.equal(withOwnInput(script, 'sh'), undefined));
  it('is left as it is in another language', () => assert.equal(withOwnInput('while read -r n; do :; done < rows', 'py'), undefined));
});
