// Script of the fuzzing thread: fuzzes one target, or runs one input. fuzz.mjs builds it with
// counters and without.
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { atlasParts } from '#testing/fuzz/atlas-targets.ts';
import { smallObjects } from '#testing/fuzz/core-target.ts';
import { mutate } from '#testing/fuzz/mutate.ts';
import { blobsOf, fewTypesOf } from '#testing/fuzz/opened.ts';
import { parquetParts } from '#testing/fuzz/parquet-target.ts';
import { linkPayload } from '#testing/fuzz/plain-targets.ts';
import { randomFrom } from '#testing/fuzz/random.ts';
import { targetsOn } from '#testing/fuzz/targets.ts';
import { Shared } from './shared.mjs';
import { signatureOf } from './signature.mjs';

const { mode, kernel, name, buffer } = workerData;
const shared = new Shared(buffer);
const tell = (step) => shared.tell(step);

/** Limits of the blocks that a step may run: a second of work, and 10,000 blocks per input byte. */
const MAX_WORK = 2e8;
const WORK_PER_BYTE = 10_000;

/** Limit of files from which one kind of seeds is made. */
const MAX_MADE = 24;
/** Functions that make seeds from files, by kind of seed. */
const MADE = {
  link: linkPayload,
  atlas: atlasParts,
  parquet: parquetParts,
  blob: blobsOf,
  few: fewTypesOf,
};
/** Number of mutations of one input in a row, since the input is decoded only once for them. */
const CHILDREN = 64;
/** Usual number of stack frames; while fuzzing it is 0, because errors are frequent. */
const FRAMES = Error.stackTraceLimit;
/** Number of blocks of a cheap input, which takes 0.05 ms. */
const CHEAP = 5_000;
/** One in this many batches chooses inputs with up to eight times as many blocks. */
const DEAR_BATCH = 8;
/** Number of tries after which an expensive input is chosen, too. */
const MAX_TRIES = 256;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const targets = await targetsOn(kernel);
/** Bytes in buffers after the last garbage collection. */
let settled = allocated();

switch (mode) {
  case 'list':
    parentPort.postMessage([...targets.keys()]);
    break;
  case 'try':
    parentPort.postMessage({ kind: 'tried', failure: await failureOf(workerData.input) });
    break;
  case 'minimise':
    parentPort.postMessage({ kind: 'least', input: await minimised(workerData.input) });
    break;
  case 'fuzz':
    await fuzz(workerData);
}

/** Runs one input; returns the failure or null. With `isAgain` the run is not counted. */
async function failureOf(input, isAgain = false) {
  if (isAgain) shared.prepare(input);
  else shared.begin(input);
  const failure = await errorOf(input, tell);
  // Collects garbage if the buffers have grown by more than one input may use.
  if (failure !== null || allocated() - settled < memoryLimit(input)) return failure;
  collect();
  settled = allocated();
  const again = await errorOf(input, tell);
  const bytes = allocated() - settled;
  if (again !== null || bytes < memoryLimit(input)) return again;
  const step = shared.step;
  return { kind: 'memory', stack: `${bytes} bytes of buffers`, step, signature: `memory ${step}` };
}

async function errorOf(input, onStep) {
  try {
    await targets.get(name).run(input, onStep);
    return null;
  } catch (error) {
    const stack = error instanceof Error ? `${error.stack}` : `thrown: ${error}`;
    return { kind: 'error', stack, step: shared.step, signature: signatureOf(stack) };
  }
}

/** Returns the bytes in buffers, which the limit for the thread's heap does not include. */
function allocated() {
  return getHeapStatistics().external_memory;
}

function memoryLimit(input) {
  return 64 * 2 ** 20 + 20 * input.length;
}

/**
 * Returns a failure if a step ran more blocks than the input's size allows, else null. Counts each
 * step in a second run if the `total` of all steps is over the limit.
 */
async function workOf(input, total) {
  const limit = MAX_WORK + WORK_PER_BYTE * input.length;
  if (total < limit) return null;
  const counters = globalThis.__fuzzCounters;
  let most = { blocks: 0, step: '' };
  const endStep = () => {
    const blocks = counters.reduce((sum, count) => sum + count, 0);
    if (blocks > most.blocks) most = { blocks, step: shared.step };
    counters.fill(0);
  };
  counters.fill(0);
  await errorOf(input, (step) => {
    endStep();
    tell(step);
  });
  endStep();
  if (most.blocks < limit) return null;
  const { blocks, step } = most;
  return { kind: 'work', stack: `${blocks} blocks`, step, signature: `work ${step}` };
}

/** Runs and mutates inputs. Keeps those that reach new blocks or new counts of a block. */
async function fuzz({ seeds, kept: before, seed, endAt }) {
  const counters = globalThis.__fuzzCounters;
  const seen = new Uint8Array(counters.length);
  const target = targets.get(name);
  const random = randomFrom(seed);
  const kept = [];
  let blocks = 0;
  // Pairs of counters are read as one number, since most are 0.
  const pairs = new Float64Array(counters.buffer);
  const reached = [];
  const isReached = new Uint8Array(pairs.length);

  /** Reads all counters. Returns true if a pair of blocks has run for the first time. */
  const reachesNew = () => {
    const before = reached.length;
    for (let pair = 0; pair < pairs.length; pair++) {
      if (pairs[pair] === 0 || isReached[pair] !== 0) continue;
      isReached[pair] = 1;
      reached.push(pair);
    }
    return reached.length > before;
  };

  /**
   * Returns how many blocks ran, and if one ran a new order of magnitude of times. Resets the
   * counters.
   */
  const counted = () => {
    let total = 0;
    let isNew = false;
    for (const pair of reached) {
      if (pairs[pair] === 0) continue;
      for (let i = 2 * pair; i < 2 * pair + 2; i++) {
        const count = counters[i];
        if (count === 0) continue;
        total += count;
        const mark = 1 << (count < 4 ? count - 1 : Math.min(7, 34 - Math.clz32(count) - 2));
        if ((seen[i] & mark) !== 0) continue;
        if (seen[i] === 0) blocks += 1;
        seen[i] |= mark;
        isNew = true;
      }
      pairs[pair] = 0;
    }
    return { total, isNew };
  };

  /** Runs one input. Reports its failure, and keeps the input if its counts are new. */
  const examine = async (input, { isClose, isAgain = false }) => {
    const error = await failureOf(input, isAgain);
    if (isClose) reachesNew();
    const { total, isNew } = counted();
    shared.blocks = blocks;
    shared.work = Math.max(shared.work, Math.round(total / 1000));
    const failure = error === null ? await workOf(input, total) : await withStack(input, error);
    if (failure !== null) {
      parentPort.postMessage({ kind: 'find', failure, input });
      counters.fill(0);
    }
    if (!isNew) return;
    kept.push({ bytes: input, cost: total });
    parentPort.postMessage({ kind: 'kept', input });
  };

  /**
   * Runs inputs. Reads all counters after each input if `isClose`, else once. Returns true if new
   * blocks ran.
   */
  const executeAll = async (inputs, isClose) => {
    const before = reached.length;
    counters.fill(0);
    for (const input of inputs) await examine(input, { isClose });
    if (isClose) return reached.length > before;
    if (!reachesNew()) return false;
    // Runs the batch again to find the inputs that reached new blocks.
    counters.fill(0);
    for (const input of inputs) await examine(input, { isClose, isAgain: true });
    return true;
  };

  const first = [...before, ...(await seedsOf(target, seeds))];
  Error.stackTraceLimit = 0;
  for (const input of first) {
    if (Date.now() >= endAt) break;
    await executeAll([input], true);
  }
  if (kept.length === 0) kept.push({ bytes: new Uint8Array(0), cost: 0 });
  let isClose = true;
  while (Date.now() < endAt) {
    const parent = chosen(kept, random);
    shared.prepare(parent.bytes);
    tell('mutate');
    const inputs = [];
    for (let child = 0; child < CHILDREN; child++) {
      const input = await mutate(target.form, parent, random.pick(kept), random);
      inputs.push(target.most === undefined ? input : input.subarray(0, target.most));
    }
    isClose = await executeAll(inputs, isClose);
    // Lets messages be sent, which needs more than awaiting a promise.
    await new Promise((resolve) => setImmediate(resolve));
  }
  parentPort.postMessage({ kind: 'end' });
}

/** Runs a failing input again to get a stack. Returns `error` if it does not fail again. */
async function withStack(input, error) {
  if (error.kind !== 'error') return error;
  Error.stackTraceLimit = FRAMES;
  const again = await errorOf(input, tell);
  Error.stackTraceLimit = 0;
  return again ?? error;
}

/**
 * Returns a stored input to mutate, in half of the calls a recent one. An input with twice as many
 * blocks is chosen a quarter as often.
 */
function chosen(kept, random) {
  const from = random.oneIn(2) ? 0 : Math.max(0, kept.length - 40);
  const cheap = random.oneIn(DEAR_BATCH) ? 8 * CHEAP : CHEAP;
  for (let tries = 0; ; tries++) {
    const one = kept[from + random.below(kept.length - from)];
    const isCheap = () => random.below(one.cost) < cheap;
    if (tries === MAX_TRIES || (isCheap() && isCheap())) return one;
  }
}

/** Returns all seeds of a target, including those made from files. */
async function seedsOf({ seeds: kinds }, seeds) {
  const found = [];
  for (const kind of kinds) {
    const make = MADE[kind];
    if (kind === 'object') found.push(...smallObjects());
    else if (make === undefined) found.push(...seeds[kind]);
    else {
      for (const bytes of seeds.file.slice(0, MAX_MADE)) {
        const made = await make(bytes);
        if (made !== null) found.push(...(Array.isArray(made) ? made : [made]));
      }
    }
  }
  return found;
}

/** Shortens an input by removing pieces as long as it fails in the same way. */
async function minimised(input) {
  const wanted = (await failureOf(input))?.signature;
  let least = input;
  let tries = 0;
  const endAt = Date.now() + 15_000;
  for (let size = input.length >> 1; size > 0 && wanted !== undefined; size >>= 1) {
    for (let at = 0; at < least.length && tries < 4000 && Date.now() < endAt; tries++) {
      const shorter = new Uint8Array(Math.max(0, least.length - size));
      shorter.set(least.subarray(0, at));
      shorter.set(least.subarray(at + size), at);
      if ((await failureOf(shorter))?.signature === wanted) least = shorter;
      else at += size;
    }
  }
  return least;
}
