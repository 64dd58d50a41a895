/** Runs each command of two documents, which must show the command's real output. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCommand } from '#testing/built-command.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = ['recipes', 'document-examples']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n');
const recipes = page
  .split(/^## /m)
  .slice(1)
  .flatMap((part) => {
    const [title = ''] = part.split('\n');
    const blocks = [...part.matchAll(/^```console\n(.*?)^```$/gms)];
    return blocks.map(([, block = '']) => ({ title, block }));
  });

let folder: string;
let script: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'btfscope-recipes-'));
  script = buildCommand(join(folder, 'built'));
  for (const [, name = '', path = ''] of page.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\|$/gm)) {
    cpSync(join(root, path), join(folder, name));
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a code block as a terminal would show it: each command with its actual output. */
function played(block: string): string {
  const commands = block.split('\n').filter((line) => line.startsWith('$ '));
  return commands
    .map((line) => {
      const shell = `btfscope() { "${process.execPath}" "${script}" "$@"; }; ${line.slice(2)}`;
      const { stdout } = spawnSync('bash', ['-c', shell], { cwd: folder, encoding: 'utf8' });
      return `${line}\n${stdout}`;
    })
    .join('');
}

it('there are recipes', () => {
  expect(recipes.length).toBeGreaterThan(15);
});

it.each(recipes.map(({ title, block }) => [title, block] as const))('%s', (_, block) => {
  expect(played(block)).toBe(block);
});
