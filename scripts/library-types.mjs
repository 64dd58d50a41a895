// Derives the types of the library from src/lib with the compiler, and writes them into dist-lib/.
//
// `--check` compares their declarations with docs/library-api.txt, the accepted public surface.
// `--accept` rewrites that file; it fails if the surface has changed and CHANGELOG.md has no new
// line that begins with `- Library:`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SURFACE = join(root, 'docs/library-api.txt');
const HEAD = 'The public surface of the library. Written by scripts/library-types.mjs --accept.';

/** Emits declarations of src/lib/main.ts and its imports; returns their texts by file name. */
function emitTypes() {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-types-'));
  try {
    const words = ['-p', 'src/tsconfig.library.json', '--outDir', folder];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { status } = spawnSync(process.execPath, [tsc, ...words], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('tsc failed');
    const declarations = new Map();
    const remainingNames = ['main'];
    for (let name = remainingNames.pop(); name !== undefined; name = remainingNames.pop()) {
      if (declarations.has(name)) continue;
      const text = readFileSync(join(folder, 'lib', `${name}.d.ts`), 'utf8');
      // The package does not contain src/, so an import of another module could not be resolved.
      const foreign = /(?:from|import\()\s*['"]((?!\.\/)[^'"]+)['"]/.exec(text);
      if (foreign !== null)
        throw new Error(`src/lib/${name}.ts: a public type is of ${foreign[1]}`);
      remainingNames.push(...[...text.matchAll(/from '\.\/(\w+)\.ts'/g)].map(([, other]) => other));
      declarations.set(name, text.replace(/(from '\.\/\w+)\.ts'/g, "$1.js'"));
    }
    return new Map([...declarations].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the public surface: all declarations without comments. */
function surfaceOf(types) {
  const code = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^[ \t]*\n/gm, '');
  return [...types].map(([name, text]) => `// ${name}\n${code(text)}`).join('\n');
}

/** Returns a digest of the changelog lines about the library. */
function changelogMark(changelog) {
  const lines = changelog.split('\n').filter((line) => line.startsWith('- Library:'));
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

/**
 * Returns the text to commit for a surface; or a problem, if the surface has changed and the
 * changelog has not. `committed` is the last committed text, or null.
 */
export function acceptedSurface(committed, surface, changelog) {
  const mark = changelogMark(changelog);
  const [, oldMark, old] = /^.*\n.*: (\w+)\n\n([\s\S]*)$/.exec(committed ?? '') ?? [];
  if (old !== undefined && old !== surface && oldMark === mark) {
    return { text: null, problem: 'CHANGELOG.md has no new line that begins with "- Library:"' };
  }
  return {
    text: `${HEAD}\nMark of the lines in CHANGELOG.md: ${mark}\n\n${surface}`,
    problem: null,
  };
}

if (process.argv[1]?.endsWith('library-types.mjs')) {
  const types = emitTypes();
  const committed = existsSync(SURFACE) ? readFileSync(SURFACE, 'utf8') : null;
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const { text, problem } = acceptedSurface(committed, surfaceOf(types), changelog);
  if (process.argv.includes('--accept')) {
    if (text === null) throw new Error(`The surface of the library changed, and ${problem}`);
    writeFileSync(SURFACE, text);
  } else if (process.argv.includes('--check')) {
    if (text !== committed) {
      console.error(
        'The surface of the library, or what CHANGELOG.md says of it, changed. Write a line that begins with "- Library:", then node scripts/library-types.mjs --accept',
      );
      process.exitCode = 1;
    }
  } else {
    for (const [name, each] of types)
      writeFileSync(join(root, 'dist-lib/lib', `${name}.d.ts`), each);
    console.log(`dist-lib: the types of ${types.size} modules`);
  }
}
