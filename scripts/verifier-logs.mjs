// Loads the programs of testdata/src/verifier on the running kernel, and writes their objects and
// logs to testdata/verifier: node scripts/verifier-logs.mjs [--libbpf PREFIX]
// [--repairs] [PROGRAM…]. Needs root, bpf(),
// clang 19, a C compiler and libbpf; PREFIX is a folder with include/bpf and libbpf.a.
//
// Each program is refused for the reason that the first line of its source states, and its version
// with `FIX` loads: otherwise nothing is written, and the script ends with status 1. Prints why and
// ends with status 0 where loading is not possible; the files stay as they are.
//
// With `--repairs`, writes nothing, but explains each log, compares the answer with the marks of the
// source, applies the repair that it shows with patch, compiles, and loads the result: up to three
// times, since the next access may need a check of its own. Ends with status 1 if an answer is wrong
// or a repaired program does not load.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileLoader } from './compile-loader.mjs';
import { importBuilt } from './import-built.mjs';
import { attempt, missingTools, Output, run, sha256Of } from './testdata/tools.mjs';
import {
  compileSteps,
  LOGS,
  LOGS_COMMAND,
  sourceOf,
  verifierPrograms,
  writeVerifierObjects,
} from './testdata/verifier.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HOME = join(ROOT, 'testdata');
/** Bytes of a log that are kept: its end, as the kernel does with a small buffer. */
const MAX_LOG = 1 << 16;
/** Programs whose repaired version is kept as an accepted log of level 2. */
const ACCEPTED = new Set([
  ...['callback_bounds', 'global_argument_null', 'iter_leak', 'leak_ringbuf', 'lock_call'],
  ...['null_lookup', 'packet_loop', 'packet_variable_header'],
]);

const MAX_ROUNDS = 3;

const { values, positionals } = parseArgs({
  options: { libbpf: { type: 'string' }, repairs: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const scratch = mkdtempSync(join(tmpdir(), 'btfscope-verifier-logs-'));

async function main() {
  const loader = join(scratch, 'load');
  const source = join(ROOT, 'scripts/verifier-logs/load.c');
  const hindrance = whyImpossible() ?? compileLoader(source, loader, values.libbpf);
  if (hindrance !== null) {
    console.log(`verifier-logs: nothing is loaded: ${hindrance}`);
    return;
  }
  cpSync(join(HOME, 'src'), join(scratch, 'src'), { recursive: true });
  if (values.repairs) {
    await repairAll(loader);
    return;
  }
  const output = new Output(join(scratch, 'made'));
  const programs = writeVerifierObjects(scratch, output);
  const faults = [];
  const rows = programs.flatMap((name) => logsOf(loader, name, faults));
  if (faults.length > 0) {
    for (const fault of faults) console.error(`verifier-logs: ${fault}`);
    process.exitCode = 1;
    return;
  }
  output.writeRows(LOGS, rows, LOGS_COMMAND);
  replace(output);
  console.log(`verifier-logs: ${programs.length} programs, Linux ${release()}`);
}

function whyImpossible() {
  if (process.platform !== 'linux') return 'this is no Linux';
  if (process.getuid?.() !== 0) return 'it needs root';
  const missing = missingTools(['clang-19', 'llvm-strip-19', 'gcc', 'zstd']);
  return missing.length === 0 ? null : `${missing.join(', ')} not installed`;
}

/** Loads a program and its repaired version. Returns the rows of their logs. */
function logsOf(loader, name, faults) {
  const file = `verifier/${name}.o`;
  const refused = load(loader, name, file);
  if (refused.errno === 0) faults.push(`${name}: the program loads`);
  if (refused.errno === null) faults.push(`${name}: not sent to the kernel: ${refused.libbpf}`);
  const repaired = `verifier/${name}.repaired.o`;
  for (const step of compileSteps(name, repaired, { isRepaired: true }))
    run(step, { cwd: scratch });
  const accepted = load(loader, name, repaired);
  if (accepted.errno !== 0) faults.push(`${name}: with FIX the program does not load`);
  const object = sha256Of(readFileSync(join(scratch, file)));
  const row = { program: name, object, errno: refused.errno };
  return [
    ...refused.logs
      .filter(({ level }) => level !== 4)
      .map(({ level, log }) => ({ ...row, level, log })),
    { ...row, level: null, libbpf: refused.version, log: refused.libbpf },
    ...(ACCEPTED.has(name) ? accepted.logs.filter(({ level }) => level === 2) : []).map(
      ({ level, log }) => ({ program: name, object: null, errno: 0, level, log }),
    ),
  ];
}

/**
 * Loads a program alone. Returns the kernel's error, the logs and the text of libbpf. The error is
 * that of level 4, whose log is short: the kernel fails otherwise where a log is too long.
 */
function load(loader, name, file) {
  const prefix = join(scratch, 'log');
  const text = readFileSync(join(scratch, sourceOf(name)), 'utf8');
  const options = /^\/\/ OPTIONS (.*)$/m.exec(text)?.[1].split(' ') ?? [];
  const words = [prefix, file, name, 'levels=4,1,2', `max=${MAX_LOG}`, ...options];
  const { stdout, stderr } = spawnSync(loader, words, { cwd: scratch, timeout: 120_000 });
  const lines = stdout.toString().split('\n');
  const logs = lines.flatMap((line) => {
    const [, level, errno] = /^level (\d) (\d+) /.exec(line) ?? [];
    if (level === undefined) return [];
    const log = readFileSync(`${prefix}.l${level}.log`, 'utf8');
    return [{ level: Number(level), errno: Number(errno), log }];
  });
  const libbpf = stderr.toString();
  const version = lines.find((line) => line.startsWith('version '))?.slice('version '.length);
  return { errno: logs[0]?.errno ?? null, logs, libbpf: shortened(libbpf), version };
}

/** Returns libbpf's text without the middle of a log that is long. */
function shortened(text) {
  if (text.length <= MAX_LOG) return text;
  const start = text.slice(0, MAX_LOG / 2);
  const end = text.slice(-MAX_LOG / 2);
  return `${start.slice(0, start.lastIndexOf('\n') + 1)}${end.slice(end.indexOf('\n') + 1)}`;
}

/** Prints for each program whether the answer is right, and what its repair does. */
async function repairAll(loader) {
  const { judge } = await importBuilt(
    'scripts/verifier-logs/judge-run.mjs',
    join(scratch, 'built'),
  );
  mkdirSync(join(scratch, 'verifier'));
  const names = positionals.length > 0 ? positionals : verifierPrograms(scratch);
  const counts = new Map();
  for (const name of names) {
    const { faults, end, diffs } = await repair(loader, name, judge);
    const word = faults.length === 0 ? 'right' : 'wrong';
    counts.set(`${word}, ${end}`, (counts.get(`${word}, ${end}`) ?? 0) + 1);
    console.log(`${name}: ${word}, ${end}`);
    for (const fault of faults) console.log(`  ${fault}`);
    if (end.includes('not'))
      for (const line of diffs.join('\n').split('\n')) console.log(`  ${line}`);
    if (faults.length > 0 || end.includes('not')) process.exitCode = 1;
  }
  for (const [what, count] of [...counts].sort()) console.log(`${count}\t${what}`);
}

/** Repairs a program by what the answers show. Returns what is wrong with the first answer. */
async function repair(loader, name, judge) {
  const file = `verifier/${name}.o`;
  const source = readFileSync(join(scratch, sourceOf(name)), 'utf8');
  const diffs = [];
  let first = null;
  for (let round = 0; ; round++) {
    const steps = compileSteps(name, file);
    const failed = steps
      .map((step) => attempt(step, { cwd: scratch }))
      .find(({ status }) => status);
    if (failed !== undefined)
      return { faults: first, end: `does not compile: ${failed.stderr}`, diffs };
    const { errno, logs } = load(loader, name, file);
    if (errno === 0) return { faults: first ?? ['the program loads'], end: 'loads', diffs };
    const log = logs.find(({ level }) => level === 1)?.log ?? '';
    const { faults, diff, message } = await judge(
      log,
      name,
      readFileSync(join(scratch, file)),
      source,
    );
    first ??= faults;
    if (diff === null || round === MAX_ROUNDS) {
      const end = diffs.length === 0 ? 'no edit' : `does not load: ${message}`;
      return { faults: first, end, diffs };
    }
    diffs.push(diff);
    const patch = attempt(['patch', '-s', sourceOf(name)], { cwd: scratch, input: `${diff}\n` });
    if (patch.status !== 0) return { faults: first, end: 'does not apply (not a patch)', diffs };
  }
}

/** Replaces testdata/verifier and its rows in the manifest. */
function replace(output) {
  rmSync(join(HOME, 'verifier'), { recursive: true, force: true });
  mkdirSync(join(HOME, 'verifier'));
  cpSync(join(output.root, 'verifier'), join(HOME, 'verifier'), { recursive: true });
  const path = join(HOME, 'MANIFEST.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const others = Object.entries(manifest.files).filter(([file]) => !file.startsWith('verifier/'));
  const files = [...others, ...output.files].sort(([a], [b]) => (a < b ? -1 : 1));
  manifest.files = Object.fromEntries(files);
  writeFileSync(path, `${JSON.stringify(manifest, null, 1)}\n`);
}

try {
  await main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
