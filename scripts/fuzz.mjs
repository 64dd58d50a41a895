// Gives mutated files to every reader, printer and analysis: `node scripts/fuzz.mjs --help`.
//
// The targets take turns. A thread mutates inputs, runs a target on them, and keeps inputs that
// reach new code. The main thread watches it: an exception, a hang or too much memory is a find.
// See docs/robustness.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPrograms } from './fuzz/build.mjs';
import { writeFind } from './fuzz/finds.mjs';
import { readOptions, USAGE } from './fuzz/options.mjs';
import { kernelSeed, readSeeds } from './fuzz/seeds.mjs';
import { runThread, stepLimit } from './fuzz/thread.mjs';

/** Factor for the time limits of runs with counters, in which code is also cold. */
const COUNTED_PATIENCE = 1.5;
/** Limit of finds per target in a row: more finds would mostly repeat earlier ones. */
const MAX_FINDS = 8;

/**
 * Makes V8 compile and collect garbage in the same thread, which allows half as many executions
 * more per second of processor time.
 */
const ONE_THREAD = '--single-threaded';

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(USAGE);
  else if (process.execArgv.includes(ONE_THREAD)) await main(options);
  else process.exitCode = runAgain();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

/**
 * Starts this script again with `ONE_THREAD`, which V8 reads only at its start. Returns the exit
 * status.
 */
function runAgain() {
  const args = [...process.execArgv, ONE_THREAD, ...process.argv.slice(1)];
  const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (error) throw error;
  return status ?? 1;
}

async function main(options) {
  const scratch = mkdtempSync(join(tmpdir(), 'btfscope-fuzz-'));
  try {
    const programs = await buildPrograms(scratch);
    const kernel = kernelSeed();
    let names = [];
    await runThread(programs.plain, { mode: 'list', kernel }, (message) => {
      names = message;
    });
    const unknown = options.targets.find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new Error(`no target is called ${unknown}: ${names.join(' ')}`);
    const work = { programs, kernel };
    if (options.list) console.log(names.join('\n'));
    else if (options.input !== undefined) await tryInput(work, options);
    else await fuzzAll(work, options.targets.length > 0 ? options.targets : names, options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function tryInput(work, { targets: [name], input }) {
  const { failure, slowest } = await runAlone(work, name, new Uint8Array(readFileSync(input)));
  console.log(
    failure === null
      ? 'nothing is wrong'
      : `${failure.kind} in step "${failure.step}"\n${failure.stack}`,
  );
  if (slowest.ms > 0)
    console.log(`longest step: ${slowest.step}, ${Math.round(slowest.ms)} ms of computing`);
  if (failure !== null) process.exitCode = 1;
}

/** Runs one input without counters. `failure` is null if nothing fails. */
async function runAlone({ programs, kernel }, name, input) {
  let failure = null;
  const data = { mode: 'try', kernel, name, input };
  const end = await runThread(programs.plain, data, (message) => {
    failure = message.failure;
  });
  if (end.how !== 'end') {
    const stack = end.stack ?? `more than ${Math.round(stepLimit(input.length))} ms of computing`;
    failure = {
      kind: end.how,
      step: end.step,
      stack,
      signature: `${end.how} ${end.step.replaceAll(/\d+/g, '#')}`,
    };
  }
  return { failure, slowest: end.slowest };
}

async function fuzzAll(work, names, { minutes, seed }) {
  const seeds = readSeeds();
  const share = (minutes * 60_000) / names.length;
  console.log(`${names.length} targets, ${work.programs.blocks} blocks, seed ${seed}`);
  const all = { executions: 0, finds: 0 };
  for (const [i, name] of names.entries()) {
    const {
      executions,
      blocks,
      work: most,
      kept,
      finds,
      slowest,
      seconds,
    } = await fuzzOne(work, name, seeds, seed + 7919 * i, share);
    all.executions += executions;
    all.finds += finds;
    console.log(
      [
        name.padEnd(16),
        `${executions}`.padStart(9),
        'executions',
        `${Math.round(executions / seconds)}`.padStart(6),
        'a second of computing',
        `${blocks}`.padStart(6),
        'blocks',
        `${(most / 1000).toFixed(1)}`.padStart(6),
        'million at most',
        `${kept}`.padStart(5),
        'kept',
        `${finds}`.padStart(3),
        'finds',
        // The time is 0 if every step was too short for the watchdog.
        slowest.ms === 0
          ? 'no long step'
          : `longest ${Math.round(slowest.ms)} ms (${slowest.step})`,
      ].join(' '),
    );
  }
  console.log(`${all.executions} executions, ${all.finds} finds`);
  if (all.finds > 0) process.exitCode = 1;
}

/**
 * Fuzzes a target for `share` milliseconds. If the watchdog ends the thread, starts a new one with
 * the stored inputs.
 */
async function fuzzOne(work, name, seeds, seed, share) {
  const endAt = Date.now() + share;
  const began = process.cpuUsage();
  const storedInputs = [];
  const known = new Set();
  const total = { executions: 0, blocks: 0, work: 0, slowest: { step: '', ms: 0 } };
  for (let turn = 0; Date.now() < endAt && known.size < MAX_FINDS && turn < 40; turn++) {
    const findings = [];
    const data = {
      mode: 'fuzz',
      kernel: work.kernel,
      name,
      seeds: turn === 0 ? seeds : Object.fromEntries(Object.keys(seeds).map((kind) => [kind, []])),
      kept: [...storedInputs],
      seed: seed + turn,
      endAt,
    };
    const end = await runThread(
      work.programs.counted,
      data,
      (message) => {
        if (message.kind === 'kept') storedInputs.push(message.input);
        if (message.kind === 'find' && !known.has(message.failure.signature)) {
          known.add(message.failure.signature);
          findings.push(message);
        }
      },
      COUNTED_PATIENCE,
    );
    total.executions += end.executions;
    total.blocks = Math.max(total.blocks, end.blocks);
    total.work = Math.max(total.work, end.work);
    if (end.slowest.ms > total.slowest.ms && end.how === 'end') total.slowest = end.slowest;
    if (end.how !== 'end') {
      const { failure } = await runAlone(work, name, end.input);
      if (failure === null)
        console.log(`${name}: ended by ${end.how} in "${end.step}"; alone the input is fine`);
      // Removes the input, because the watchdog would end the thread at it again.
      const at = storedInputs.findIndex((input) => Buffer.compare(input, end.input) === 0);
      if (at >= 0) storedInputs.splice(at, 1);
      if (failure !== null && !known.has(failure.signature)) {
        known.add(failure.signature);
        findings.push({ failure, input: end.input });
      }
    }
    for (const { failure, input } of findings) await report(work, name, failure, input);
  }
  const { user, system } = process.cpuUsage(began);
  return { ...total, kept: storedInputs.length, finds: known.size, seconds: (user + system) / 1e6 };
}

async function report({ programs, kernel }, name, failure, input) {
  let least = input;
  if (failure.kind === 'error') {
    await runThread(programs.plain, { mode: 'minimise', kernel, name, input }, (message) => {
      least = message.input;
    });
  }
  const path = writeFind(name, failure, least);
  console.log(`FIND ${name}: ${failure.signature}\n  ${path} (${least.length} bytes)`);
}
