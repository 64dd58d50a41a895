// Compares load verdicts with real loads on the running kernel: node scripts/real-loads.mjs
// [--libbpf PREFIX] [--shown COUNT] OBJECT…|DIR… Needs root, bpf(), a C compiler and libbpf.
//
// Loads each BPF object through libbpf, then each of its programs alone, since libbpf stops at the
// first that fails. Nothing is pinned or attached. Prints a table of verdicts by what happened, and
// each contradiction with our reasons and the real line: `loads` that libbpf refuses before the
// kernel sees the program, `fails` that libbpf hands to the kernel, `rejected` that the kernel
// accepts. Ends with status 1 if there is one. PREFIX is a folder with include/bpf and libbpf.a in
// one of its folders; the verdicts are those of libbpf 1.8, so differences with another version are
// listed apart. Prints why and ends with status 0 where loading is not possible.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { release, tmpdir, version } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { compileLoader } from './compile-loader.mjs';
import { importBuilt } from './import-built.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'scripts/real-loads/load.c');
const BTF = '/sys/kernel/btf';
const JUDGED_VERSION = 'v1.8';
const EM_BPF = 247;
/** Milliseconds after which a load is given up. */
const TIMEOUT = 60_000;
const PARALLEL = 2;

const { values, positionals } = parseArgs({
  options: { libbpf: { type: 'string' }, shown: { type: 'string', default: '1000' } },
  allowPositionals: true,
});
const scratch = mkdtempSync(join(tmpdir(), 'btfscope-real-loads-'));

async function main() {
  const loader = join(scratch, 'load');
  const hindrance =
    whyImpossible() ?? compileLoader(SOURCE, loader, values.libbpf) ?? (await whyNoLoad(loader));
  if (hindrance !== null) {
    console.log(`nothing is loaded: ${hindrance}`);
    return;
  }
  const paths = positionals.flatMap((path) => objectsIn(resolve(path)));
  const libbpf = (await loadOnce(loader, [])).version;
  console.log(`libbpf ${libbpf}, Linux ${release()}, ${paths.length} objects`);
  const judged = await importBuilt('scripts/real-loads/judge-run.mjs', scratch);
  const kernel = await judged.openKernel(kernelFiles());
  const rows = [];
  await inParallel(paths, async (path) => {
    rows.push(...(await compare(path, { ...judged, loader, kernel })));
  });
  rows.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  report(rows, libbpf);
}

/** Returns why this machine cannot load programs, or null. */
function whyImpossible() {
  if (process.platform !== 'linux') return 'this is no Linux';
  if (process.getuid?.() !== 0) return 'it needs root';
  if (!existsSync(join(BTF, 'vmlinux'))) return `there is no ${BTF}/vmlinux`;
  return positionals.length === 0 ? 'name BPF objects or folders of them' : null;
}

async function whyNoLoad(loader) {
  const { bpf } = await loadOnce(loader, []);
  return bpf === 1 ? null : `the kernel refuses a program of two instructions to us (${bpf})`;
}

/** Returns the BPF objects at a path, in the order of names. Links are not followed. */
function objectsIn(path) {
  const stat = lstatSync(path);
  if (stat.isDirectory()) {
    return readdirSync(path)
      .sort()
      .flatMap((name) => objectsIn(join(path, name)));
  }
  return stat.isFile() && isObject(readFileSync(path)) ? [path] : [];
}

/** Returns true for a 64-bit relocatable ELF file of machine BPF, of either byte order. */
function isObject(bytes) {
  if (bytes.length < 64 || bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2) return false;
  const isLittle = bytes[5] === 1;
  return (isLittle ? bytes.readUInt16LE(18) : bytes.readUInt16BE(18)) === EM_BPF;
}

function kernelFiles() {
  const modules = readdirSync(BTF).filter((name) => name !== 'vmlinux');
  return {
    btf: readFileSync(join(BTF, 'vmlinux')),
    modules: modules.map((name) => [name, readFileSync(join(BTF, name))]),
    config: configOf(),
    kallsyms: readFileSync('/proc/kallsyms', 'utf8'),
    release: release(),
    unameVersion: version(),
  };
}

function configOf() {
  const boot = `/boot/config-${release()}`;
  if (existsSync(boot)) return { text: readFileSync(boot, 'utf8') };
  const own = '/proc/config.gz';
  return existsSync(own) ? { text: gunzipSync(readFileSync(own)).toString() } : 'none';
}

async function inParallel(items, work) {
  const left = items.values();
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

/** Runs the loader. Returns its codes, the programs, and the warnings of libbpf as lines. */
function loadOnce(loader, words) {
  return new Promise((settle) => {
    const child = spawn(loader, words, { cwd: scratch, timeout: TIMEOUT, killSignal: 'SIGKILL' });
    const [out, err] = [[], []];
    child.stdout.on('data', (bytes) => out.push(bytes));
    child.stderr.on('data', (bytes) => err.push(bytes));
    child.on('close', (_status, signal) => {
      const lines = Buffer.concat(out).toString().split('\n');
      const value = (key) =>
        lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
      const code = (key) => (value(key) === undefined ? null : Number(value(key)));
      settle({
        signal,
        version: value('version'),
        bpf: code('bpf'),
        open: code('open'),
        load: code('load'),
        large: value('large') ?? null,
        programs: lines.flatMap((line) => /^program [01] (.*)$/.exec(line)?.[1] ?? []),
        lines: Buffer.concat(err).toString().split('\n'),
      });
    });
  });
}

/** Loads an object and each of its programs. Returns a row for each load. */
async function compare(path, { loader, kernel, judge, outcomeOf }) {
  const bytes = readFileSync(path);
  const name = basename(path);
  const row = (only, ours, real) => ({ path, only, ours, real, ...outcomeOf(real, ours) });
  let verdicts;
  try {
    verdicts = await judge(name, bytes, kernel);
  } catch (error) {
    console.log(`${path}: not read: ${error.message}`);
    return [];
  }
  if (verdicts === null) return [];
  const whole = await loadOnce(loader, [path]);
  const rows = [row(null, verdicts.whole, whole)];
  for (const only of whole.programs) {
    const ours = verdicts.alone.get(only);
    if (ours === undefined) console.log(`${path}: no program ${only}`);
    else rows.push(row(only, ours, await loadOnce(loader, [path, only])));
  }
  return rows;
}

const COLUMNS = ['loads', 'open fails', 'libbpf refuses', 'kernel refuses', 'not told'];

function report(rows, libbpf) {
  for (const [title, isIn] of [
    ['whole objects', ({ only }) => only === null],
    ['programs alone', ({ only }) => only !== null],
  ]) {
    const chosen = rows.filter(isIn);
    console.log(`\n${title}: ${chosen.length}`);
    console.log(`| verdict | ${COLUMNS.join(' | ')} |`);
    console.log(`|${' --- |'.repeat(COLUMNS.length + 1)}`);
    for (const outcome of ['loads', 'may-fail', 'rejected', 'fails']) {
      const counts = COLUMNS.map(
        (word) => chosen.filter((row) => row.ours.first === outcome && row.word === word).length,
      );
      console.log(`| ${outcome} | ${counts.join(' | ')} |`);
    }
  }
  const wrong = rows.filter(({ isWrong }) => isWrong);
  const isOther = !libbpf.startsWith(JUDGED_VERSION);
  const ofVersion = wrong.filter(({ ours }) => isOther && ours.first !== 'rejected');
  list(
    'contradictions',
    wrong.filter((row) => !ofVersion.includes(row)),
  );
  if (isOther) list(`differences that may be of libbpf ${libbpf}`, ofVersion);
  process.exitCode = wrong.length > ofVersion.length ? 1 : 0;
}

function list(title, rows) {
  console.log(`\n${title}: ${rows.length}`);
  for (const { path, only, ours, real, word, line } of rows.slice(0, Number(values.shown))) {
    const codes = [real.open, real.load].map((code) => code ?? '-').join(' ');
    console.log(`${relative(process.cwd(), path)}${only === null ? '' : ` ${only}`}`);
    console.log(`  ${ours.first}, but ${word} (${codes}): ${line.replace('libbpf: ', '')}`);
    for (const text of ours.texts.slice(-3)) console.log(`  ours: ${text}`);
  }
}

try {
  await main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
