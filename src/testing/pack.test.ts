/** Checks that `npm pack` fails without a build, as in a fresh clone. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PACKED = ['package.json', '.npmrc', 'bin', 'README.md', 'LICENSE', 'CHANGELOG.md'];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'btfscope-pack-'));
  for (const name of PACKED) cpSync(join(root, name), join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm pack in a fresh clone', () => {
  it('builds first, and fails if the build fails', () => {
    // Leaves out the npm settings of the user and of the npm that runs the test.
    const others = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
    const env = { ...Object.fromEntries(others), npm_config_userconfig: join(folder, 'none') };
    // No packages are installed here, so the build fails.
    const { status, stdout, stderr } = spawnSync('npm', ['pack', '--dry-run'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    expect(`${stdout}${stderr}`).toContain('vite build');
    expect(status).not.toBe(0);
  });
});
