// Lists the bundled packages with their licences: the packages that src/ imports, and their
// dependencies in the lock file. As a command, prints the table of docs/supply-chain.md; with
// `--json` all data of the packages.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns the bundled packages as `{ name, version, licence, text, bytes }`, sorted by name. Leaves
 * out packages that contain only types.
 */
export function shippedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const paths = new Set();
  const waiting = importedPackages().map((name) => `node_modules/${name}`);
  for (const path of waiting) {
    const entry = packages[path];
    if (entry === undefined || paths.has(path) || path.includes('/@types/')) continue;
    paths.add(path);
    const { dependencies, peerDependencies } = entry;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      waiting.push(installedPath(packages, path, name));
    }
  }
  return [...paths]
    .map((path) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: packages[path].version,
      licence: packages[path].license ?? 'unknown',
      text: licenceText(join(root, path)),
      bytes: sizeOf(join(root, path)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the packages that src/ imports, except those that only tests import. */
function importedPackages() {
  const names = new Set();
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.test\.|^testing[\\/]/.test(file)) continue;
    const text = readFileSync(join(root, 'src', file), 'utf8');
    for (const [, name] of text.matchAll(
      /^(?:import\b|.*\bfrom\b|.*\bimport\().*?'((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^':]*)?'/gm,
    )) {
      names.add(name);
    }
  }
  return [...names];
}

/**
 * Returns where the package at `path` finds the package `name`: in its own node_modules or in those
 * of a folder above.
 */
function installedPath(packages, path, name) {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at}/node_modules/${name}`] !== undefined) return `${at}/node_modules/${name}`;
  }
  return `node_modules/${name}`;
}

/**
 * Returns licences for the page, one entry for all packages with the same text: `{ licence, text,
 * packages }`. Texts of many packages come first.
 */
export function licencesByText() {
  const groups = new Map();
  for (const { name, version, licence, text } of shippedPackages()) {
    const group = groups.get(text) ?? { licence, text, packages: [] };
    group.packages.push(`${name} ${version}`);
    groups.set(text, group);
  }
  return [...groups.values()].sort((a, b) => b.packages.length - a.packages.length);
}

/** Returns the licences as one text, for a file beside the build. */
export function licencesText() {
  return licencesByText()
    .map(({ text, packages }) => `${packages.join(', ')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the licence of a package as text; empty if there is none. */
function licenceText(folder) {
  const name = filesOf(folder).find((file) => /^(licen[cs]e|copying)([.-].*)?$/i.test(file));
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8').trim();
}

function filesOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function sizeOf(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

function printTable() {
  const shipped = shippedPackages();
  console.log('| package | version | licence | installed, kB |\n| --- | --- | --- | ---: |');
  for (const { name, version, licence, bytes } of shipped) {
    console.log(`| ${name} | ${version} | ${licence} | ${Math.round(bytes / 1000)} |`);
  }
  const all = shipped.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`\n${shipped.length} packages, ${(all / 1e6).toFixed(1)} MB installed`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === '--json') console.log(JSON.stringify(shippedPackages()));
  else printTable();
}
