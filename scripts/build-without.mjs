// Checks that the modules in `MODULES` can be removed. In a copy of the project, deletes a module's
// folders and the lines that register it, then builds page, command and library, and checks types,
// since the builds ignore imports of types.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const LEFT_OUT = [
  'node_modules',
  '.git',
  'dist',
  'dist-cli',
  'dist-lib',
  'dist-single',
  'testdata',
  'test-results',
];

/**
 * Modules: the folders of src to delete, and files of src from which the lines that match `line`
 * are deleted. `isOfPage` is true if only the page uses the module.
 */
const MODULES = [
  {
    name: 'teaching',
    folders: [
      'lessons',
      'store/lesson',
      'views/handout',
      'views/class',
      'views/lesson',
      'views/lesson-editor',
      'views/presenter',
    ],
    registries: ['app/modules.ts'],
    line: /views\/lesson\/teaching/,
  },
  {
    name: 'Alpha eCOFF',
    folders: ['formats/ecoff', 'ingest/ecoff', 'analysis/ecoff'],
    registries: [
      'formats/object-modules.ts',
      'ingest/object-modules.ts',
      'analysis/formats/modules.ts',
    ],
    line: /\/ecoff\//,
  },
  // Views that are not imported by any other view.
  ...['query', 'history'].map((view) => ({
    name: `the view ${view}`,
    folders: [`views/${view}`],
    registries: ['app/views.ts'],
    line: new RegExp(`views/${view}/`),
    isOfPage: true,
  })),
];

for (const module of MODULES) buildWithout(module);

function buildWithout({ name, folders, registries, line, isOfPage = false }) {
  const copy = mkdtempSync(join(tmpdir(), 'btfscope-without-'));
  try {
    cpSync(root, copy, {
      recursive: true,
      filter: (path) => !LEFT_OUT.includes(relative(root, path)),
    });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
    for (const folder of folders) rmSync(join(copy, 'src', folder), { recursive: true });
    for (const registry of registries) {
      const lines = readFileSync(join(root, 'src', registry), 'utf8').split('\n');
      const left = lines.filter((each) => !line.test(each));
      if (left.length !== lines.length - 1)
        throw new Error(`src/${registry}: not one line for ${name}`);
      // Adds an export, because a file without exports is not a module.
      writeFileSync(join(copy, 'src', registry), `${left.join('\n')}export {};\n`);
    }
    for (const part of ['headless', 'browser']) {
      run(copy, 'tsc', '-p', `src/tsconfig.${part}.json`, '--noEmit', '--incremental', 'false');
    }
    run(copy, 'vite', 'build', '--logLevel', 'warn');
    if (!isOfPage) {
      run(copy, 'vite', 'build', '--logLevel', 'warn', '--ssr', 'src/cli/main.ts');
      run(copy, 'vite', 'build', '--logLevel', 'warn', '--mode', 'library');
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  console.log(
    `${isOfPage ? 'The page builds' : 'Page, command and library build'} without ${name}.`,
  );
}

function run(cwd, command, ...args) {
  const { status } = spawnSync(join(cwd, 'node_modules/.bin', command), args, {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}
