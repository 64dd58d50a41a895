// The thread that fuzzes one target, or tries one input: built from our sources by
// fuzz.mjs, once with counters and once without.
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { atlasParts } from '#testing/fuzz/atlas-targets.ts';
import { mutate } from '#testing/fuzz/mutate.ts';
import { linkPayload } from '#testing/fuzz/plain-targets.ts';
import { randomFrom } from '#testing/fuzz/random.ts';
import { targetsOn } from '#testing/fuzz/targets.ts';
import { Shared } from './shared.mjs';
import { signatureOf } from './signature.mjs';

const { mode, kernel, name, buffer } = workerData;
const shared = new Shared(buffer);
const tell = (step) => {
  endStep();
  shared.tell(step);
};
/** The step of the input that did most, in blocks. */
const work = { most: 0, step: '', total: 0 };

/** Blocks that one step may run: a second of them, and 10,000 for each byte. */
const WORK_LIMIT = 2e8;
const WORK_PER_BYTE = 10_000;

/** Files that seeds are made of. */
const MOST_MADE = 24;
/** Kinds of seeds that are made here, of some files: it takes our own code. */
const MADE = { link: linkPayload, atlas: atlasParts };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const targets = await targetsOn(kernel);
/** Bytes of buffers that were left at the last look. */
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

/** Runs one input; gives the failure, or null. */
async function failureOf(input) {
  shared.begin(input);
  const failure = await errorOf(input);
  // All since the last collection: worth attributing only if it is much.
  if (failure !== null || allocated() - settled < memoryLimit(input)) return failure;
  collect();
  settled = allocated();
  const again = await errorOf(input);
  const bytes = allocated() - settled;
  if (again !== null || bytes < memoryLimit(input)) return again;
  const step = shared.step;
  return { kind: 'memory', stack: `${bytes} bytes of buffers`, step, signature: `memory ${step}` };
}

async function errorOf(input) {
  try {
    await targets.get(name).run(input, tell);
    return null;
  } catch (error) {
    const stack = error instanceof Error ? `${error.stack}` : `thrown: ${error}`;
    return { kind: 'error', stack, step: shared.step, signature: signatureOf(stack) };
  }
}

/** Bytes of buffers, which are outside of the heap that the thread is limited to. */
function allocated() {
  return getHeapStatistics().external_memory;
}

function memoryLimit(input) {
  return 64 * 2 ** 20 + 20 * input.length;
}

/** A step ends: what it did is what the counters have more than before. */
function endStep() {
  const counters = globalThis.__fuzzCounters;
  if (counters === undefined) return;
  let total = 0;
  for (let i = 0; i < counters.length; i++) total += counters[i];
  if (total - work.total > work.most) {
    work.most = total - work.total;
    work.step = shared.step;
  }
  work.total = total;
}

/** The failure where a step did more than the input's size allows; else null. */
function workOf(input) {
  endStep();
  const { most, step } = work;
  shared.work = Math.max(shared.work, Math.round(most / 1000));
  if (most < WORK_LIMIT + WORK_PER_BYTE * input.length) return null;
  return { kind: 'work', stack: `${most} blocks`, step, signature: `work ${step}` };
}

/** Inputs that reach what none before has reached, and how often they reach it. */
async function fuzz({ seeds, kept: before, seed, endAt }) {
  const counters = globalThis.__fuzzCounters;
  const seen = new Uint8Array(counters.length);
  const target = targets.get(name);
  const random = randomFrom(seed);
  const kept = [];
  let blocks = 0;

  const isNew = () => {
    let found = false;
    for (let i = 0; i < counters.length; i++) {
      const count = counters[i];
      if (count === 0) continue;
      const mark = 1 << (count < 4 ? count - 1 : Math.min(7, 34 - Math.clz32(count) - 2));
      if ((seen[i] & mark) !== 0) continue;
      if (seen[i] === 0) blocks += 1;
      seen[i] |= mark;
      found = true;
    }
    shared.blocks = blocks;
    return found;
  };

  const execute = async (input) => {
    counters.fill(0);
    Object.assign(work, { most: 0, total: 0 });
    const failure = (await failureOf(input)) ?? workOf(input);
    if (failure !== null) parentPort.postMessage({ kind: 'find', failure, input });
    if (!isNew()) return;
    kept.push({ bytes: input, cost: work.total });
    parentPort.postMessage({ kind: 'kept', input });
  };

  for (const input of [...before, ...(await seedsOf(target, seeds))]) {
    if (Date.now() >= endAt) break;
    await execute(input);
  }
  if (kept.length === 0) kept.push({ bytes: new Uint8Array(0), cost: 0 });
  for (let n = 1; Date.now() < endAt; n++) {
    // The newest have been worked on least.
    const newest = Math.max(0, kept.length - 40);
    const from = random.oneIn(2) ? 0 : newest;
    const any = () => kept[from + random.below(kept.length - from)];
    const parent = cheaper(any(), any());
    shared.prepare(parent.bytes);
    tell('mutate');
    const input = await mutate(target.form, parent, random.pick(kept), random);
    await execute(input);
    // Lets messages out; promises alone do not.
    if (n % 200 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  parentPort.postMessage({ kind: 'end' });
}

/** What runs few blocks takes less time, and a change of it is more likely to matter. */
function cheaper(a, b) {
  return b.cost < a.cost ? b : a;
}

/** All seeds of a target. */
async function seedsOf({ seeds: kinds }, seeds) {
  const found = [];
  for (const kind of kinds) {
    const make = MADE[kind];
    if (make === undefined) found.push(...seeds[kind]);
    else {
      for (const bytes of seeds.file.slice(0, MOST_MADE)) {
        const payload = await make(bytes);
        if (payload !== null) found.push(payload);
      }
    }
  }
  return found;
}

/** A shorter input that fails in the same way: pieces are left out while it does. */
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
