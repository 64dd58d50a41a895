// Builds public/samples from public/samples/src. The samples are the examples of the start page,
// the files of the lessons, and the committed test corpus.
//
//   node scripts/build-samples.mjs            builds all samples, writes index.json
//   node scripts/build-samples.mjs --check    fails if a committed byte differs
//   node scripts/build-samples.mjs --install  prints the Debian packages to install
//
// The build runs in a temporary directory with the layout of public/samples. So the index has the
// command lines that were run, and no file contains a path of this machine.
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SAMPLES } from './samples/catalogue.mjs';
import { countsOf, INSTALL_HINT, obstacle, run, textsOf } from './samples/tools.mjs';

const HOME = fileURLToPath(new URL('../public/samples/', import.meta.url));
const INDEX = 'index.json';
const MAX_SIZE = 60_000;

const MODES = {
  '--build': build,
  '--check': check,
  '--install': () => console.log(INSTALL_HINT),
};

/** Problems of the samples, one per line. Any other error is a bug and prints its stack. */
class Faults extends Error {
  constructor(lines) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

try {
  const [mode = '--build'] = process.argv.slice(2);
  if (!Object.hasOwn(MODES, mode)) throw new Faults([`unknown option ${mode}`]);
  MODES[mode]();
} catch (error) {
  if (!(error instanceof Faults)) throw error;
  for (const line of error.lines) console.error(`samples: ${line}`);
  process.exitCode = 1;
}

function build() {
  const reason = obstacle();
  if (reason !== null) throw new Faults([`cannot build: ${reason}`]);
  withBuilt((built) => {
    for (const [file, bytes] of built) writeFileSync(join(HOME, file), bytes);
    console.log(`samples: ${built.size - 1} files and ${INDEX} written`);
  });
}

function check() {
  const faults = [...strayFiles(), ...indexFaults()];
  if (faults.length > 0) throw new Faults(faults);
  const reason = obstacle();
  if (reason !== null) {
    console.log(`samples: rebuild skipped, sizes and hashes hold: ${reason}`);
    return;
  }
  withBuilt((built) => {
    for (const [file, bytes] of built) {
      const at = firstDifference(readOrNull(file), bytes);
      if (at !== null) faults.push(`${file}: ${at}`);
    }
    if (faults.length > 0)
      throw new Faults([...faults, 'to accept: node scripts/build-samples.mjs']);
    console.log(`samples: ${built.size - 1} files rebuilt, all bytes equal`);
  });
}

/** Builds all samples and their index in a temporary directory, and calls `use` with the result. */
function withBuilt(use) {
  const directory = mkdtempSync(join(tmpdir(), 'btfscope-samples-'));
  try {
    cpSync(join(HOME, 'src'), join(directory, 'src'), { recursive: true });
    const built = new Map();
    const rows = SAMPLES.map((sample) => {
      for (const step of sample.steps) run(step.map(absoluteScript), directory);
      const bytes = readFileSync(join(directory, sample.file));
      built.set(sample.file, bytes);
      return indexRow(sample, bytes, directory);
    });
    built.set(INDEX, Buffer.from(`${JSON.stringify(rows, null, 2)}\n`));
    use(built);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Returns an absolute path for a script that a command line names relative to public/samples. */
function absoluteScript(word) {
  return word.startsWith('../../') ? resolve(HOME, word) : word;
}

function indexRow(sample, bytes, directory) {
  const texts = textsOf(sample, directory);
  const faults = Object.entries(sample.shows).flatMap(([tool, wanted]) =>
    wanted
      .filter((text) => !texts[tool].includes(text))
      .map((text) => `${sample.file}: ${tool} does not show "${text}"`),
  );
  if (bytes.length > MAX_SIZE) faults.push(`${sample.file}: ${bytes.length} bytes is too large`);
  if (bytes.includes(directory)) faults.push(`${sample.file}: has a path of this machine in it`);
  if (faults.length > 0) throw new Faults(faults);

  const { file, title, about, source, endian, base, kernels = [], steps, compiler } = sample;
  const command = steps.map((step) => step.join(' ')).join(' && ');
  const counts = countsOf(sample, texts, directory);
  const size = bytes.length;
  const sha256 = sha256Of(bytes);
  const facts = { file, title, about, source, endian, base, kernels };
  return { ...facts, command, compiler, size, sha256, ...counts };
}

/** Returns problems of the index: files that are missing or have another size or hash. */
function indexFaults() {
  const text = readOrNull(INDEX);
  if (text === null) return [`${INDEX}: is missing`];
  const rows = JSON.parse(text.toString());
  if (rows.map((row) => row.file).join() !== SAMPLES.map((sample) => sample.file).join()) {
    return [`${INDEX}: lists other samples than scripts/samples/catalogue.mjs`];
  }
  return rows.flatMap(({ file, size, sha256 }) => {
    const bytes = readOrNull(file);
    if (bytes === null) return [`${file}: is missing`];
    if (bytes.length !== size) return [`${file}: ${bytes.length} bytes, the index says ${size}`];
    return sha256Of(bytes) === sha256 ? [] : [`${file}: has another sha256 than the index says`];
  });
}

function strayFiles() {
  const known = new Set([...SAMPLES.map((sample) => sample.file), INDEX, 'README.md', 'src']);
  return readdirSync(HOME)
    .filter((file) => !known.has(file))
    .map((file) => `${file}: is not in scripts/samples/catalogue.mjs`);
}

/** Describes the first difference between two files; returns null if they are equal. */
function firstDifference(committed, built) {
  if (committed === null) return 'is missing';
  if (committed.equals(built)) return null;
  const end = Math.min(committed.length, built.length);
  let at = 0;
  while (at < end && committed[at] === built[at]) at++;
  const lengths = `${committed.length} bytes committed, ${built.length} built`;
  return `differs from offset 0x${at.toString(16)} on (${lengths})`;
}

function sha256Of(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

function readOrNull(file) {
  try {
    return readFileSync(join(HOME, file));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
