// Builds page, command and library a second time, into folders beside the first build. All bytes
// must be equal. Needs the output of `npm run build`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Arguments of vite, by the folder of dist that it writes. */
const BUILDS = {
  dist: [],
  'dist-cli': ['--ssr', 'src/cli/main.ts'],
  'dist-lib': ['--mode', 'library'],
};
/** Matches files that vite does not write: manual page, library's types, API reference. */
const OTHERS = /^dist-cli[/\\]btfscope\.1$|^dist-lib[/\\]lib[/\\]\w+\.d\.ts$|^dist[/\\]docs[/\\]/;

/** The second build is beside the first, because source maps contain relative paths. */
const again = (name) => `${name}-again`;

try {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  for (const [name, words] of Object.entries(BUILDS)) {
    const all = [vite, 'build', ...words, '--outDir', again(name), '--logLevel', 'error'];
    execFileSync(process.execPath, all, { cwd: root, stdio: 'inherit' });
  }
  const first = hashes((name) => name);
  const second = hashes(again);
  const names = [...new Set([...first.keys(), ...second.keys()])];
  const different = names.filter((name) => first.get(name) !== second.get(name));
  console.log(`${names.length} files, ${different.length} different`);
  for (const name of different) console.error(name);
  if (different.length > 0 || names.length === 0) process.exitCode = 1;
} finally {
  for (const name of Object.keys(BUILDS)) {
    rmSync(join(root, again(name)), { recursive: true, force: true });
  }
}

/** Returns the hashes of the files that vite wrote, by their path in the first build. */
function hashes(folderOf) {
  return new Map(
    Object.keys(BUILDS).flatMap((name) => {
      const folder = join(root, folderOf(name));
      return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [join(name, relative(folder, file)), readFileSync(file)])
        .filter(([path]) => !OTHERS.test(path))
        .map(([path, bytes]) => [path, createHash('sha256').update(bytes).digest('hex')]);
    }),
  );
}
