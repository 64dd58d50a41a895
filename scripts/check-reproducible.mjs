// Builds page, command and library again, into other folders, and compares all bytes with those of
// `npm run build`, which must have run.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The words for vite by the folder that `npm run build` writes. */
const BUILDS = {
  dist: [],
  'dist-cli': ['--ssr', 'src/cli/main.ts'],
  'dist-lib': ['--mode', 'library'],
};
/** Files that vite does not write: the manual, the types of the library, its reference. */
const OTHERS = /^dist-cli[/\\]btfscope\.1$|^dist-lib[/\\]lib[/\\]\w+\.d\.ts$|^dist[/\\]docs[/\\]/;

const scratch = mkdtempSync(join(tmpdir(), 'btfscope-build-'));
try {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  for (const [name, words] of Object.entries(BUILDS)) {
    const all = [vite, 'build', ...words, '--outDir', join(scratch, name), '--logLevel', 'error'];
    execFileSync(process.execPath, all, { cwd: root, stdio: 'inherit' });
  }
  const [first, second] = [root, scratch].map(hashes);
  const names = [...new Set([...first.keys(), ...second.keys()])];
  const different = names.filter((name) => first.get(name) !== second.get(name));
  console.log(`${names.length} files, ${different.length} different`);
  for (const name of different) console.error(name);
  if (different.length > 0 || names.length === 0) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The hash of each file that vite wrote, by its path in `folder`. */
function hashes(folder) {
  const files = Object.keys(BUILDS)
    .flatMap((name) => readdirSync(join(folder, name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !OTHERS.test(path));
  return new Map(
    files.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]),
  );
}
