// The thread that fuzzes one target, or runs one input; fuzz.mjs builds it once with
// counters and once without.
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

/** Limit of blocks per step: a second of work, and 10,000 blocks per input byte. */
const MAX_WORK = 2e8;
const WORK_PER_BYTE = 10_000;

/** Kinds of files from which seeds are made. */
const MAX_MADE = 24;
/** Kinds of seeds that this thread makes from files with our own code. */
const MADE = {
  link: linkPayload,
  atlas: atlasParts,
  parquet: parquetParts,
  blob: blobsOf,
  few: fewTypesOf,
};
/** Mutations of one kept input in a row, which is then decoded once. */
const CHILDREN = 64;
/** Stack frames of an error; expected errors have none. */
const FRAMES = Error.stackTraceLimit;
/** Blocks of a cheap input: a twentieth of a millisecond. */
const CHEAP = 5_000;
/** One in so many batches has inputs that may run eight times as many blocks. */
const DEAR_BATCH = 8;
/** Expensive inputs in a row after which one is accepted. */
const MAX_TRIES = 256;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const targets = await targetsOn(kernel);
/** Bytes of buffers that remained at the last collection. */
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

/**
 * Runs one input; returns the failure, or null. An input that was run before is not counted
 * again.
 */
async function failureOf(input, isAgain = false) {
  if (isAgain) shared.prepare(input);
  else shared.begin(input);
  const failure = await errorOf(input, tell);
  // All buffers since the last collection: attributed to the input only if they are large.
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

/** Bytes of buffers, which the thread's heap limit does not include. */
function allocated() {
  return getHeapStatistics().external_memory;
}

function memoryLimit(input) {
  return 64 * 2 ** 20 + 20 * input.length;
}

/**
 * Returns the failure of a step that ran more blocks than the input's size allows, or null.
 * `total` is the count of all steps; single steps are counted in a second run if it is
 * high.
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

/** Runs and mutates inputs; keeps those that reach new blocks, or blocks more often than before. */
async function fuzz({ seeds, kept: before, seed, endAt }) {
  const counters = globalThis.__fuzzCounters;
  const seen = new Uint8Array(counters.length);
  const target = targets.get(name);
  const random = randomFrom(seed);
  const kept = [];
  let blocks = 0;
  // Most counters are 0: two are compared at a time.
  const pairs = new Float64Array(counters.buffer);
  const reached = [];
  const isReached = new Uint8Array(pairs.length);

  /** Reads all counters; returns whether new blocks ran. */
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
   * Returns the number of blocks that ran, and whether a block's count has a new
   * magnitude; resets the counters.
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

  /** Runs one input; reports its failure, and keeps it if it is new. */
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
   * Runs inputs and reads the counters after each if `isClose`, else after the last.
   * Returns whether any was new.
   */
  const executeAll = async (inputs, isClose) => {
    const before = reached.length;
    counters.fill(0);
    for (const input of inputs) await examine(input, { isClose });
    if (isClose) return reached.length > before;
    if (!reachesNew()) return false;
    // Finds the new input of the batch.
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
    // Lets messages out: awaiting promises alone does not.
    await new Promise((resolve) => setImmediate(resolve));
  }
  parentPort.postMessage({ kind: 'end' });
}

/**
 * Returns the failure of an input in a second run, with a stack; `error` if it does not
 * fail again.
 */
async function withStack(input, error) {
  if (error.kind !== 'error') return error;
  Error.stackTraceLimit = FRAMES;
  const again = await errorOf(input, tell);
  Error.stackTraceLimit = 0;
  return again ?? error;
}

/**
 * Returns a kept input to mutate. An input of twice as many blocks is chosen a quarter as
 * often; half of the choices are among the newest inputs.
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

/** Returns all seeds of a target. */
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

/** Returns a shorter input with the same failure, by removing pieces. */
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
