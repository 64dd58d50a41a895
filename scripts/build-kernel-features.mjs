// Writes src/analysis/kernel/feature-table.ts: node scripts/build-kernel-features.mjs FOLDER…
// FOLDER has files such as vmlinux-6.1.0-50-amd64.btf.zst, the BTF of kernels.
//
// The releases of src/analysis/kernel/kernel-facts.tsv come first; a kernel whose BTF contradicts
// one is printed and ends the script. For other features, the table has the oldest release whose
// BTF has the feature, and the newest one before it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importBuilt } from './import-built.mjs';
import { run } from './testdata/tools.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FACTS = join(ROOT, 'src/analysis/kernel/kernel-facts.tsv');
const TABLE = join(ROOT, 'src/analysis/kernel/feature-table.ts');

/** Kinds of features that a kernel has by its configuration or its modules, not only by its release. */
const BY_OPTIONS = new Set(['kfunc', 'struct_ops', 'iterator']);

const scratch = mkdtempSync(join(tmpdir(), 'btfscope-features-'));
try {
  await writeTable(process.argv.slice(2));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function writeTable(folders) {
  const { readFeatures, ENUM_KINDS } = await importBuilt(
    'scripts/kernel-features/read-run.mjs',
    scratch,
  );
  const isEnum = (kind) => ENUM_KINDS.includes(kind);
  const facts = readFacts();
  /** For each release, the names per kind in the BTF of its kernels. */
  const releases = new Map();
  const values = new Map();
  for (const path of folders.flatMap(kernelsIn)) {
    const [release] = /\d+\.\d+/.exec(path.replace(/^.*vmlinux-/, ''));
    const known = releases.get(release) ?? new Map();
    releases.set(release, known);
    const bytes = new Uint8Array(run(['zstd', '-dcq', path], { binary: true }));
    for (const { kind, name, value } of await readFeatures(bytes)) {
      known.set(kind, (known.get(kind) ?? new Set()).add(name));
      if (value !== undefined) values.set(`${kind} ${name}`, value);
    }
    console.log(`${release}\t${path}`);
  }
  const ordered = [...releases.keys()].sort(compareReleases);
  const wrong = contradictions(facts, ordered, releases, isEnum);
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
  const rows = tableRows(facts, ordered, releases, values, isEnum);
  writeFileSync(TABLE, tableText(ordered, rows));
  console.log(`${[...rows.values()].flat().length} features`);
}

function kernelsIn(folder) {
  const files = readdirSync(folder).filter((name) => /^vmlinux-.*\.btf\.zst$/.test(name));
  return files.map((name) => join(folder, name));
}

/** Returns the facts by kind and name. */
function readFacts() {
  const lines = readFileSync(FACTS, 'utf8').split('\n');
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [kind, name, release, source] = line.split('\t');
        return [`${kind} ${name}`, { kind, name, release, source }];
      }),
  );
}

function compareReleases(a, b) {
  const [[major, minor], [otherMajor, otherMinor]] = [a, b].map((text) =>
    text.split('.').map(Number),
  );
  return major - otherMajor || minor - otherMinor;
}

/** Returns a line for each fact that the BTF of a kernel contradicts. */
function contradictions(facts, ordered, releases, isEnum) {
  return [...facts.values()].flatMap(({ kind, name, release }) => {
    if (!isEnum(kind) && !BY_OPTIONS.has(kind)) return [];
    return ordered.flatMap((one) => {
      const has = releases.get(one).get(kind)?.has(name) ?? false;
      const isSince = compareReleases(one, release) >= 0;
      if (has === isSince || (!isEnum(kind) && !has)) return [];
      const words = `${kind} ${name}: ${release} in ${FACTS}`;
      return [`${words}, but the BTF of ${one} ${has ? 'has' : 'lacks'} it`];
    });
  });
}

/** Returns the rows of the table by kind: names with their release, the one before, the source. */
function tableRows(facts, ordered, releases, values, isEnum) {
  const rows = new Map();
  const add = (kind, row) => rows.set(kind, [...(rows.get(kind) ?? []), row]);
  for (const { kind, name, release, source } of facts.values()) {
    add(kind, { name, release, older: '', source });
  }
  for (const [at, release] of ordered.entries()) {
    for (const [kind, names] of releases.get(release)) {
      for (const name of names) {
        const isKnown = (rows.get(kind) ?? []).some((row) => row.name === name);
        if (!isKnown) add(kind, { name, release, older: ordered[at - 1] ?? '', source: '' });
      }
    }
  }
  for (const [kind, list] of rows) {
    const numberOf = ({ name }) => values.get(`${kind} ${name}`);
    const isOrdered = isEnum(kind);
    const kept = isOrdered ? list.filter((row) => numberOf(row) !== undefined) : list;
    kept.sort((a, b) =>
      isOrdered
        ? numberOf(a) - numberOf(b)
        : compareReleases(a.release, b.release) || (a.source < b.source ? -1 : 1),
    );
    rows.set(kind, kept);
  }
  return rows;
}

function tableText(ordered, rows) {
  const kinds = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = kinds.map(([kind, list]) => `  '${kind}': \`\n${linesOf(list).join('\n')}\n\`,`);
  return `/**
 * First releases of kernel features. Generated by scripts/build-kernel-features.mjs from
 * kernel-facts.tsv and the BTF of Linux ${ordered.join(', ')}.
 *
 * A line has, separated by tabs, a release, the newest release known to lack the names ("-" if the
 * release is exact), then pairs of a commit (hash or subject; "-" if only BTF tells) and names.
 */
export const FEATURE_TABLE = {
${texts.join('\n')}
};
`;
}

/** Joins neighbouring rows of one release, and in it those of one source. */
function linesOf(list) {
  const lines = [];
  let last = { head: '', source: '' };
  for (const { name, release, older, source } of list) {
    const commit = source.replace(/^commit /, '').replaceAll('"', '') || '-';
    const head = `${release}\t${older || '-'}`;
    const isSame = last.head === head;
    if (isSame && last.source === commit) lines.push(`${lines.pop()},${name}`);
    else lines.push(`${isSame ? lines.pop() : head}\t${commit}\t${name}`);
    last = { head, source: commit };
  }
  return lines;
}
