/** Tests the completions in the shells themselves, and the manual page with groff. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '#testing/run-command.ts';
import { COMMANDS } from './commands.ts';

const isHere = (program: string) => spawnSync(program, ['--version']).status === 0;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'btfscope-completion-'));
  writeFileSync(join(folder, 'object one.o'), '');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, out } = await runCommand(['completion', shell]);
    expect(status).toBe(0);
    writeFileSync(join(folder, shell), out);
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function output(program: string, words: readonly string[]): string {
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, TERM: 'dumb' };
  const { stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8', env });
  expect(stderr).toBe('');
  return stdout;
}

/** Completes the last argument. The arguments are the words of a command line. */
const BASH = `source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_btfscope; printf '%s\\n' "\${COMPREPLY[@]}"`;

/** Starts zsh inside of zsh; the inner shell prints the completions. */
const ZSH = `zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner 'PROMPT=; unsetopt zle_bracketed_paste 2>/dev/null; autoload -Uz compinit; compinit -u -d ./dump'
zpty -w inner 'source ./zsh'
zpty -w inner 'compadd() { if [[ " $* " == *" -"(O|A|D)" "* ]]; then builtin compadd "$@"; return; fi
  local -a hits; builtin compadd -O hits "$@"; local hit; for hit in $hits; do print -r -- "<$hit>"; done; builtin compadd "$@"; }'
zpty -w inner 'asked() { compprefuncs=(); print; _main_complete; print; print END; exit }; zle -C asked complete-word asked; bindkey "^I" asked; print READY'
zpty -r inner line '*READY*READY*'
zpty -w -n inner "$1"$'\\t'
zpty -r -m inner line '*END*'
print -r -- $line`;

type Complete = (...words: string[]) => readonly string[];

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

const SHELLS: readonly (readonly [shell: string, complete: Complete])[] = [
  ['bash', (...words) => lines(output('bash', ['-c', BASH, 'bash', ...words]))],
  [
    'zsh',
    (...words) =>
      [...output('zsh', ['-f', '-c', ZSH, 'zsh', words.join(' ')]).matchAll(/<([^>\n]+)>/g)].map(
        ([, hit = '']) => hit,
      ),
  ],
  [
    'fish',
    (...words) =>
      lines(output('fish', ['-N', '-c', `source ./fish; complete -C '${words.join(' ')}'`])).map(
        (line) => line.split('\t')[0] ?? '',
      ),
  ],
];

describe.each(SHELLS)('in %s', (shell, complete) => {
  const test = it.skipIf(!isHere(shell));
  const sorted = (...words: string[]) => complete(...words).toSorted();

  test('commands are completed', () => {
    const all = complete('btfscope', '');
    expect(all).toEqual(expect.arrayContaining([...COMMANDS.keys()]));
    expect(sorted('btfscope', 'load')).toEqual(['load', 'load-calls']);
  });

  test('the options of the command are completed, and no others', () => {
    const options = complete('btfscope', 'load', 'a.o', '--mod');
    expect([...options].map((word) => word.replace('=', '')).toSorted()).toEqual([
      '--module',
      '--modules',
    ]);
    expect(complete('btfscope', 'info', '--mod')).toEqual([]);
    expect(complete('btfscope', 'readelf', '-')).toEqual(
      expect.arrayContaining(['-S', '--sections']),
    );
  });

  test('the values of options and arguments are completed where they are few', () => {
    expect(sorted('btfscope', 'load', 'a.o', '--format', 'j')).toEqual(['json', 'junit']);
    expect(sorted('btfscope', 'atlas', 'e')).toEqual(['export', 'extract']);
    expect(sorted('btfscope', 'completion', '')).toEqual(['bash', 'fish', 'zsh']);
  });

  test('paths are completed', () => {
    const hits = complete('btfscope', 'load', 'a.o', '--kernel', 'obj');
    // If the function returns nothing, bash completes paths itself.
    expect(hits.join()).toMatch(shell === 'bash' ? /^$/ : /object/);
  });
});

describe.skipIf(!isHere('groff'))('the manual page', () => {
  it('is roff without a warning, and has all commands and options', async () => {
    const { out } = await runCommand(['man']);
    const set = (...words: string[]) =>
      spawnSync('groff', ['-man', '-Tascii', '-P-cbou', ...words], {
        input: out,
        encoding: 'utf8',
      });
    expect(set('-ww', '-z')).toMatchObject({ status: 0, stderr: '', stdout: '' });
    const page = set('-rLL=200n').stdout;
    for (const [name, { load }] of COMMANDS) {
      expect(page).toContain(`btfscope ${name}`);
      for (const { name: option } of (await load()).options) {
        expect(page).toMatch(new RegExp(`^ +(-\\w, )?--?${option}\\b`, 'm'));
      }
    }
  });
});
