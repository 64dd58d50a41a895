// The packages that the built page is made of, and their licences: what the lock file
// installs beside the tools. `node scripts/licences.mjs` prints the table of
// docs/supply-chain.md, with `--json` all that is known of each.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** By name: `{ name, version, licence, text, bytes }`. Types alone are no part of the page. */
export function shippedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && isShipped(entry) && !path.includes('/@types/'))
    .map(([path, entry]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version,
      licence: entry.license ?? 'unknown',
      text: licenceText(join(root, path)),
      bytes: sizeOf(join(root, path)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The same by text, for the page: `{ licence, text, packages }`, the text of most packages first. */
export function licencesByText() {
  const groups = new Map();
  for (const { name, version, licence, text } of shippedPackages()) {
    const group = groups.get(text) ?? { licence, text, packages: [] };
    group.packages.push(`${name} ${version}`);
    groups.set(text, group);
  }
  return [...groups.values()].sort((a, b) => b.packages.length - a.packages.length);
}

function isShipped({ dev, devOptional, peer }) {
  return !dev && !devOptional && !peer;
}

/** The text that the package brings along; empty where it brings none. */
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
