// Loads the programs of testdata/src/verifier on the running kernel, and writes their objects and
// logs to testdata/verifier: node scripts/verifier-logs.mjs [--libbpf PREFIX]. Needs root, bpf(),
// clang 19, a C compiler and libbpf; PREFIX is a folder with include/bpf and libbpf.a.
//
// Each program is refused for the reason that the first line of its source states, and its version
// with `FIX` loads: otherwise nothing is written, and the script ends with status 1. Prints why and
// ends with status 0 where loading is not possible; the files stay as they are.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileLoader } from './compile-loader.mjs';
import { missingTools, Output, run, sha256Of } from './testdata/tools.mjs';
import {
  compileSteps,
  LOGS,
  LOGS_COMMAND,
  sourceOf,
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

const { values } = parseArgs({ options: { libbpf: { type: 'string' } } });
const scratch = mkdtempSync(join(tmpdir(), 'btfscope-verifier-logs-'));

function main() {
  const loader = join(scratch, 'load');
  const source = join(ROOT, 'scripts/verifier-logs/load.c');
  const hindrance = whyImpossible() ?? compileLoader(source, loader, values.libbpf);
  if (hindrance !== null) {
    console.log(`verifier-logs: nothing is loaded: ${hindrance}`);
    return;
  }
  cpSync(join(HOME, 'src'), join(scratch, 'src'), { recursive: true });
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
  main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
