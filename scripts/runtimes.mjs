// Runs npm, and installs versions of Node and other runtimes with it. The caller removes the
// folders into which they are installed; the project does not depend on them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Node that runs this script, as a runtime. */
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

/** Runs npm in the folder `cwd` and returns its output. `options` are passed to `execFileSync`. */
export function npm(words, cwd, options = { stdio: ['ignore', 'pipe', 'inherit'] }) {
  // On Windows npm is a cmd.exe script, so it needs a shell, which splits unquoted words.
  const shell = process.platform === 'win32';
  const args = shell ? words.map((word) => `"${word}"`) : words;
  return execFileSync('npm', args, { cwd, encoding: 'utf8', shell, ...options });
}

/** Returns this Node; with `isEverywhere` also all runtimes that npm can install in `folder`. */
export function runtimesFor(folder, isEverywhere) {
  return isEverywhere ? [NODE, ...OTHERS.flatMap((other) => install(folder, other))] : [NODE];
}

/**
 * Returns a Node of version `major` (22 or 24) or newer: this Node, or one that npm installs in
 * `folder`. Returns undefined if npm cannot install one.
 */
export function newerNode(folder, major) {
  const isNew = Number.parseInt(process.versions.node, 10) >= major;
  return isNew ? NODE : install(folder, NODES[major])[0];
}

/**
 * Installs a runtime into its own folder, since a folder can have only one version of a package.
 * Returns `[]` if npm cannot install it.
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
