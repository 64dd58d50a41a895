// Runs npm, and installs versions of Node and other runtimes through it, each into a folder that
// the caller removes; the project does not depend on any of them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Node that runs this script. */
export const NODE = { name: `Node ${process.versions.node}`, command: [process.execPath] };
const NODES = {
  22: { name: 'Node 22', npm: 'node@22.23.3', program: 'node', words: [] },
  24: { name: 'Node 24', npm: 'node@24.21.0', program: 'node', words: [] },
};
const OTHERS = [
  ...Object.values(NODES),
  { name: 'Deno', npm: 'deno@2.9.6', program: 'deno', words: ['run', '--allow-read'] },
  { name: 'Bun', npm: 'bun@1.4.5', program: 'bun', words: ['run'] },
];

/** Runs npm in the folder `cwd` and returns its output. `options` are those of `execFileSync`. */
export function npm(words, cwd, options = { stdio: ['ignore', 'pipe', 'inherit'] }) {
  // On Windows npm is a script of cmd.exe: a shell must run it, and splits unquoted words.
  const shell = process.platform === 'win32';
  const args = shell ? words.map((word) => `"${word}"`) : words;
  return execFileSync('npm', args, { cwd, encoding: 'utf8', shell, ...options });
}

/**
 * Returns the current Node, and with `isEverywhere` also the runtimes that npm can install in
 * `folder`.
 */
export function runtimesFor(folder, isEverywhere) {
  return isEverywhere ? [NODE, ...OTHERS.flatMap((other) => install(folder, other))] : [NODE];
}

/**
 * Returns Node `major` (22 or 24) or newer: the current Node, otherwise one that npm installs in
 * `folder`; undefined if npm has none.
 */
export function newerNode(folder, major) {
  const isNew = Number.parseInt(process.versions.node, 10) >= major;
  return isNew ? NODE : install(folder, NODES[major])[0];
}

/**
 * Installs the runtime into a separate folder, because two versions of a package cannot share a
 * folder; returns `[]` if npm cannot get it.
 */
function install(folder, { name, npm: npmPackage, program, words }) {
  const packageFolder = join(folder, 'runtimes', npmPackage);
  mkdirSync(packageFolder, { recursive: true });
  writeFileSync(join(packageFolder, 'package.json'), '{ "private": true }\n');
  try {
    const installArgs = [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts=false',
      npmPackage,
    ];
    npm(installArgs, packageFolder, { stdio: 'pipe' });
    const found = join(packageFolder, 'node_modules/.bin', program);
    const shell = process.platform === 'win32';
    execFileSync(found, ['--version'], { shell, stdio: 'pipe' });
    return [{ name, command: [found, ...words] }];
  } catch {
    console.log(`${name}: not tried, npm could not get ${npmPackage}`);
    return [];
  }
}
