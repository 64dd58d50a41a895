// Proves that each module of src/app/modules.ts can be taken out: builds the page in a copy of
// the tree without the module's folders (the comment above its import) and without that import.
// Types are checked too, as the build does not read imports of types.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const LIST = 'src/app/modules.ts';
const LEFT_OUT = ['node_modules', '.git', 'dist', 'testdata'];

const list = readFileSync(join(root, LIST), 'utf8');
const modules = [...list.matchAll(/^\/\/ (.+)\nimport '.+';$/gm)];
if (modules.length === 0) throw new Error(`${LIST} lists no module`);
for (const [line, folders] of modules) buildWithout(line, folders.split(', '));

function buildWithout(line, folders) {
  const copy = mkdtempSync(join(tmpdir(), 'btfscope-without-'));
  try {
    cpSync(root, copy, {
      recursive: true,
      filter: (path) => !LEFT_OUT.includes(relative(root, path)),
    });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
    for (const folder of folders) rmSync(join(copy, 'src', folder), { recursive: true });
    writeFileSync(join(copy, LIST), list.replace(line, ''));
    for (const part of ['headless', 'browser']) {
      run(copy, 'tsc', '-p', `src/tsconfig.${part}.json`, '--noEmit', '--incremental', 'false');
    }
    run(copy, 'vite', 'build', '--logLevel', 'warn');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  console.log(`The page builds without ${folders.join(', ')}.`);
}

function run(cwd, command, ...args) {
  const { status } = spawnSync(join(cwd, 'node_modules/.bin', command), args, {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}
