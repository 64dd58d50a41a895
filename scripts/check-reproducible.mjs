// Builds page, command and library twice, in two folders, and compares all bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const BUILDS = {
  page: [],
  command: ['--ssr', 'src/cli/main.ts'],
  library: ['--mode', 'library'],
};
const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'btfscope-build-')));
try {
  const [first, second] = folders.map(built);
  const names = [...new Set([...first.keys(), ...second.keys()])];
  const different = names.filter((name) => first.get(name) !== second.get(name));
  console.log(`${names.length} files, ${different.length} different`);
  for (const name of different) console.error(name);
  if (different.length > 0 || names.length === 0) process.exitCode = 1;
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Name of each file that a build gives → the hash of its bytes. */
function built(folder) {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  for (const [name, words] of Object.entries(BUILDS)) {
    const all = [vite, 'build', ...words, '--outDir', join(folder, name), '--logLevel', 'error'];
    execFileSync(process.execPath, all, { cwd: root, stdio: 'inherit' });
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [
      relative(folder, file),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  );
}
