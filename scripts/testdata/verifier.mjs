// Makes the objects of testdata/verifier: programs that the verifier refuses, each for one reason.
// scripts/verifier-logs.mjs loads them and writes their logs.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './tools.mjs';

const SOURCES = 'src/verifier';
export const LOGS = 'verifier/logs.jsonl.zst';
export const LOGS_COMMAND = 'node scripts/verifier-logs.mjs';

/** Option for the kernel's headers of this machine. */
let headers;

/** Returns the names of the programs. A program and its source have one name. */
export function verifierPrograms(work) {
  return readdirSync(join(work, SOURCES))
    .filter((file) => file.endsWith('.bpf.c'))
    .map((file) => file.slice(0, -'.bpf.c'.length))
    .sort();
}

/** Returns the commands that make the object `file` of a program, or of its repaired version. */
export function compileSteps(name, file, { source = sourceOf(name), isRepaired = false } = {}) {
  headers ??= `-I/usr/include/${run(['gcc', '-print-multiarch']).trim()}`;
  const options = ['-g', '-O2', '-mcpu=v3', headers, ...(isRepaired ? ['-DFIX'] : []), '-w'];
  const all = ['--target=bpfel', ...options, '-fdebug-compilation-dir=.'];
  return [
    ['clang-19', ...all, '-c', source, '-o', file],
    ['llvm-strip-19', '-g', file],
  ];
}

export const sourceOf = (name) => `${SOURCES}/${name}.bpf.c`;

/** Writes the object of each program. Returns their names. */
export function writeVerifierObjects(work, output) {
  mkdirSync(join(work, 'verifier'), { recursive: true });
  const programs = verifierPrograms(work);
  for (const name of programs) {
    const file = `verifier/${name}.o`;
    const steps = compileSteps(name, file);
    for (const step of steps) run(step, { cwd: work });
    const line = steps.map((step) => step.join(' ')).join(' && ');
    output.writePacked(file, readFileSync(join(work, file)), line);
  }
  return programs;
}

/** Writes the objects, and keeps the logs that are in the folder `kept`. */
export function writeVerifier(work, output, kept) {
  writeVerifierObjects(work, output);
  const logs = join(kept, LOGS);
  if (existsSync(logs)) output.write(LOGS, readFileSync(logs), LOGS_COMMAND);
}
