// Builds the API reference of the library into dist/docs/api/: `npm run build`, then `node
// scripts/build-api-docs.mjs`. TypeDoc reads the published types. npx gets TypeDoc and the older
// TypeScript that it needs, both in fixed versions. With `--optional` the script writes nothing and
// says so if npx cannot get them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPEDOC = 'typedoc@0.28.20';
const TYPESCRIPT = 'typescript@6.0.3';

const root = fileURLToPath(new URL('..', import.meta.url));
const entry = join(root, 'dist-lib/lib/main.d.ts');
if (!existsSync(entry)) throw new Error('dist-lib/ is missing: npm run build');
const folder = mkdtempSync(join(tmpdir(), 'btfscope-api-'));
try {
  const compilerOptions = { module: 'nodenext', target: 'es2023', types: [], strict: true };
  const options = {
    name: 'btfscope',
    entryPoints: [entry],
    out: join(root, 'dist/docs/api'),
    readme: join(root, 'docs/library.md'),
    includeVersion: true,
    disableSources: true,
    githubPages: false,
    kindSortOrder: ['Function', 'Interface', 'TypeAlias', 'Variable'],
    sort: ['kind', 'alphabetical-ignoring-documents'],
    // Fails for undocumented and for unexported declarations.
    treatWarningsAsErrors: true,
    validation: { notExported: true, invalidLink: true, rewrittenLink: true, notDocumented: false },
  };
  const tsconfig = { compilerOptions, files: [entry], typedocOptions: options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  if (!process.argv.includes('--optional') || hasTypedoc()) {
    typedoc(['--tsconfig', 'tsconfig.json'], 'inherit');
  } else console.log(`The API reference: not built, npx could not get ${TYPEDOC}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function typedoc(words, stdio) {
  const packages = [`--package=${TYPEDOC}`, `--package=${TYPESCRIPT}`];
  execFileSync('npx', ['--yes', ...packages, 'typedoc', ...words], {
    cwd: folder,
    shell: process.platform === 'win32',
    stdio,
  });
}

function hasTypedoc() {
  try {
    typedoc(['--version'], 'pipe');
    return true;
  } catch {
    return false;
  }
}
