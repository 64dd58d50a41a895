// Counts the relocations of objects that others compiled, by machine, and those that are not explained:
// node scripts/relocation-census.mjs [FOLDER|FILE]…
//
// Runs `btfscope relocs FILE --json` (built before) on the files, or on those of the folders that are
// start files, libc.a, libgcc.a or kernel modules. Without arguments, the folders are those in which
// Debian's cross packages (libc6-dev-*-cross, libgcc-*-dev-*-cross) are installed. Prints a table, then
// the types without a formula, and which machines of the tables have no file. Ends with status 1 if a
// type is not known.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../bin/btfscope.mjs', import.meta.url));
const MAX_OUTPUT = 1 << 30;
const WANTED =
  /^(?:S?crt[1in]?\.o|gcrt1\.o|rcrt1\.o|Mcrt1\.o|crt(?:begin|end).*\.o|libc\.a|libgcc(?:_eh)?\.a)$|\.ko(?:\.xz)?$/;
/** Reasons of the command for an entry whose formula is in no table. */
const UNKNOWN = new Set(['the type is unknown', 'the formula is unknown']);
const MACHINES = [
  ...['X86', '386', 'AARCH64', 'ARM', 'RISCV', 'PPC64', 'PPC', '390', 'SPARC', 'MIPS'],
  ...['MICROMIPS', 'LARCH', 'ALPHA', '68K', 'SH'],
];

function installed() {
  const cross = readdirSync('/usr')
    .filter((name) => /-linux-/.test(name))
    .map((name) => join('/usr', name, 'lib'));
  return [...cross, '/usr/lib/gcc-cross', '/usr/lib/gcc'].filter((path) => existsSync(path));
}

function* filesIn(path) {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) yield* filesIn(inner);
    else if (entry.isFile() && WANTED.test(entry.name)) yield inner;
  }
}

/** Returns the rows of a file; null if the command fails. */
function rowsOf(file) {
  const { status, stdout, stderr } = spawnSync('node', [COMMAND, 'relocs', file, '--json'], {
    maxBuffer: MAX_OUTPUT,
    encoding: 'utf8',
  });
  if (status === 0) return JSON.parse(stdout);
  console.log(`${file}: ${stderr.trim().split('\n')[0] ?? 'failed'}`);
  return null;
}

const prefixOf = (name) => /^R_([A-Z0-9]+)_/.exec(name)?.[1] ?? 'no name';

const paths = process.argv.length > 2 ? process.argv.slice(2) : installed();
const counts = new Map();
const unknown = new Map();
/** Files of machines that are in no table, and their entries. */
const noTable = { files: 0, entries: 0 };
for (const path of paths) {
  for (const file of filesIn(path)) {
    const rows = rowsOf(file) ?? [];
    if (rows.length > 0 && rows.every(({ type_name }) => type_name.startsWith('type '))) {
      noTable.files++;
      noTable.entries += rows.length;
      continue;
    }
    const objects = new Set(
      rows.map(({ member, type_name }) => `${prefixOf(type_name)} ${member}`),
    );
    const count = (prefix) => {
      const known = counts.get(prefix) ?? { files: 0, objects: 0, entries: 0, unknown: 0 };
      counts.set(prefix, known);
      return known;
    };
    for (const prefix of new Set([...objects].map((key) => key.split(' ')[0])))
      count(prefix).files++;
    for (const key of objects) count(key.split(' ')[0]).objects++;
    for (const { type_name, why } of rows) {
      const own = count(prefixOf(type_name));
      own.entries++;
      if (!UNKNOWN.has(why) && !type_name.startsWith('type ')) continue;
      own.unknown++;
      unknown.set(type_name, (unknown.get(type_name) ?? 0) + 1);
    }
  }
}
console.log('machine      files  objects   entries  unknown');
for (const [prefix, { files, objects, entries, unknown: none }] of [...counts].sort()) {
  const cells = [files, objects, entries, none].map((n, i) => `${n}`.padStart([7, 9, 10, 9][i]));
  console.log(prefix.padEnd(11) + cells.join(''));
}
if (noTable.files > 0) {
  console.log(`machines without a table: ${noTable.files} files, ${noTable.entries} entries`);
}
for (const [name, count] of unknown) console.log(`no formula: ${name} (${count} entries)`);
const missing = MACHINES.filter((prefix) => !counts.has(prefix));
if (missing.length > 0) console.log(`no file for: ${missing.join(', ')}`);
process.exitCode = unknown.size > 0 ? 1 : 0;
