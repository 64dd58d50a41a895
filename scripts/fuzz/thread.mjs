// Runs a fuzzing thread and watches it.
import { Worker } from 'node:worker_threads';
import { Shared } from './shared.mjs';

const LOOK_MS = 50;
/** Megabytes for the fuzzer and the inputs that it stores, added to the limit for an input. */
const OWN_MEGABYTES = 160;

/** Returns the milliseconds of processor time that a step may take for an input of this length. */
export function stepLimit(length) {
  return Math.max(1000, length / 100);
}

/**
 * Runs the program until it ends, fails, or is ended by the watchdog. Returns `end`; or `error`,
 * `memory` or `hang` and the input. Limits are in processor time, so that a busy machine causes no
 * finds.
 */
export function runThread(program, data, onMessage, patience = 1) {
  const shared = new Shared();
  const worker = new Worker(program, {
    workerData: { ...data, buffer: shared.buffer },
    resourceLimits: { maxOldGenerationSizeMb: OWN_MEGABYTES + 64, maxYoungGenerationSizeMb: 96 },
  });
  return new Promise((resolve) => {
    let slowest = { step: '', ms: 0 };
    let steps = -1;
    let began = process.cpuUsage();
    const watch = setInterval(() => {
      const now = shared.steps;
      if (now !== steps || now === 0) {
        steps = now;
        began = process.cpuUsage();
        return;
      }
      const { user, system } = process.cpuUsage(began);
      const ms = (user + system) / 1000;
      if (ms > slowest.ms) slowest = { step: shared.step, ms };
      if (ms > patience * stepLimit(shared.input.length)) end({ how: 'hang' });
    }, LOOK_MS);
    const end = (result) => {
      clearInterval(watch);
      const { input, step, executions, blocks, work } = shared;
      resolve(
        worker
          .terminate()
          .then(() => ({ ...result, input, step, executions, blocks, work, slowest })),
      );
    };
    worker.on('message', (message) => onMessage(message));
    worker.on('error', (error) => {
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      end({ how: isFull ? 'memory' : 'error', stack: `${error.stack ?? error}` });
    });
    worker.on('exit', () => end({ how: 'end' }));
  });
}
