/** The command as it is built, for tests that run it as a process. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the command into `folder`; gives the path of its script. */
export function buildCommand(folder: string): string {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const words = ['build', '--ssr', 'src/cli/main.ts', '--outDir', join(folder, 'cli')];
  execFileSync(process.execPath, [vite, ...words], { cwd: root, stdio: 'pipe' });
  return join(folder, 'cli/main.mjs');
}
