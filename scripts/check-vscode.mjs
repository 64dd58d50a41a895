// Packs the VS Code extension with vsce and checks the .vsix, a zip: its list of files, that its
// script loads, and that its page equals the built page. As a command it leaves the .vsix in
// editors/vscode.
//
// npm installs vsce into a temporary folder. editors/vscode/package-lock.json locks vsce and its
// 118 packages. vsce needs Node 22: on an older Node, npm also installs Node. If npm cannot install
// them, the script only builds the extension and says so.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { newerNode, npm } from './runtimes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const extension = join(root, 'editors/vscode');
/** Files that the .vsix must contain. vsce writes the first two, and renames licence and readme. */
const MEANT = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/dist/btfscope.html',
  'extension/dist/extension.cjs',
  'extension/dist/icon.png',
  'extension/dist/licences.txt',
  'extension/package.json',
  'extension/readme.md',
];

const folder = mkdtempSync(join(tmpdir(), 'btfscope-vscode-'));
try {
  const node = newerNode(folder, 22);
  const vsce = node && installVsce();
  if (vsce) await checkPackage(packWith(node, vsce));
  else
    execFileSync(process.execPath, [join(root, 'scripts/build-vscode.mjs')], { stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the folder into which vsce is installed; undefined if npm cannot install it. */
function installVsce() {
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(extension, name), join(tools, name));
  }
  try {
    npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], tools, { stdio: 'pipe' });
    return tools;
  } catch (error) {
    console.log(`The extension for VS Code: not packed, npm could not get vsce\n${error.stderr}`);
    return undefined;
  }
}

/** Packs the extension as its `npm run package` does; returns the path of the .vsix. */
function packWith({ command: [node] }, tools) {
  const { name, version, scripts } = JSON.parse(read('package.json'));
  const [, ...words] = scripts.package.split(' ');
  const vsix = join(extension, `${name}-${version}.vsix`);
  rmSync(vsix, { force: true });
  const vsce = join(tools, 'node_modules/@vscode/vsce/vsce');
  execFileSync(node, [vsce, ...words, '--out', vsix], { cwd: extension, stdio: 'inherit' });
  return vsix;
}

async function checkPackage(vsix) {
  const files = await unzip(vsix);
  const names = [...files.keys()].sort();
  expect(names.join('\n') === MEANT.join('\n'), `its files are ${names.join(', ')}`);
  const page = readFileSync(join(root, 'dist-single/btfscope.html'));
  expect(files.get('extension/dist/btfscope.html').equals(page), 'its page is another one');
  for (const [name, path] of Object.entries({
    'extension/LICENSE.txt': 'LICENSE',
    'extension/readme.md': 'README.md',
    'extension/package.json': 'package.json',
  })) {
    expect(files.get(name).toString() === read(path), `${name} is not ${path}`);
  }
  const { main, icon } = JSON.parse(files.get('extension/package.json'));
  for (const path of [main, icon]) {
    expect(files.has(join('extension', path).replaceAll('\\', '/')), `it has no ${path}`);
  }
  const unpacked = join(folder, 'unpacked');
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(unpacked, name)), { recursive: true });
    writeFileSync(join(unpacked, name), bytes);
  }
  // An empty module `vscode`: the script does not use the API before it is activated.
  mkdirSync(join(unpacked, 'node_modules/vscode'), { recursive: true });
  writeFileSync(join(unpacked, 'node_modules/vscode/index.js'), '');
  const { activate } = createRequire(join(unpacked, 'extension/package.json'))(main);
  expect(typeof activate === 'function', `${main} exports no activate`);
  const size = (readFileSync(vsix).length / 1e6).toFixed(2);
  console.log(`${vsix}: ${names.length} files, ${size} MB, as meant`);
}

/** Returns the files in a zip, as bytes by name. Uses yauzl, a dependency of vsce. */
async function unzip(path) {
  const yauzl = createRequire(join(folder, 'tools/package.json'))('yauzl');
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  const files = new Map();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  zip.close();
  return files;
}

function read(name) {
  return readFileSync(join(extension, name), 'utf8');
}

function expect(isTrue, what) {
  if (!isTrue) throw new Error(`The extension is not as meant: ${what}`);
}
