/** Builds the command for tests that run it as a process. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = join(root, 'dist-cli');

/** Puts the built command into `folder`; builds it unless up to date. Returns its path. */
export function buildCommand(folder: string): string {
  const target = join(folder, 'cli');
  if (isUpToDate()) cpSync(BUILT, target, { recursive: true });
  else {
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const words = ['build', '--ssr', 'src/cli/main.ts', '--outDir', target];
    execFileSync(process.execPath, [vite, ...words], { cwd: root, stdio: 'pipe' });
  }
  return join(target, 'main.mjs');
}

/** Returns true if the build is newer than all sources, as in `npm test`. */
function isUpToDate(): boolean {
  const script = join(BUILT, 'main.mjs');
  if (!existsSync(script)) return false;
  const builtAt = statSync(script).mtimeMs;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => !/\.test\.|^testing\b/.test(file))
    .map((file) => join('src', file));
  return ['package.json', 'package-lock.json', 'vite.config.ts', ...sources].every(
    (file) => statSync(join(root, file)).mtimeMs < builtAt,
  );
}
