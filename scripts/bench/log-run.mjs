// Reads logs of the verifier, in one thread. Started by log.mjs with the name of a text. Prints JSON:
// times in milliseconds, sizes in bytes.
import { setTimeout as sleep } from 'node:timers/promises';
import { overviewOf } from '#analysis/verifier/log-overview.ts';
import { LogTableBuilder, tableOf } from '#analysis/verifier/log-table.ts';
import { replayColumns } from '#analysis/verifier/replay-columns.ts';
import { stepFacts } from '#analysis/verifier/step-facts.ts';
import { statesOf } from '#analysis/verifier/step-states.ts';
import { toldAnswer } from '#analysis/verifier/told-answer.ts';
import { walkOf } from '#analysis/verifier/walk.ts';
import { finish } from '#bytes/long-work.ts';
import { textOf } from './log-texts.mjs';

const PIECE = 1 << 20;
/** Time in which V8 gives back the memory of buffers that were collected. */
const GIVEN_BACK_MS = 500;
const NO_BINDING = { object: null, program: null, kernel: null };

const log = textOf(process.argv[2]);
const times = {};

/** Runs `work` and keeps its processor time. */
function timed(name, work) {
  const start = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(start);
  times[name] = (user + system) / 1000;
  return value;
}

/** Returns the memory in use, once buffers that nothing refers to are given back. */
async function heldBytes() {
  globalThis.gc?.();
  await sleep(GIVEN_BACK_MS);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const lineCount = timed('split', () => new TextDecoder().decode(log).split('\n').length - 1);
const before = await heldBytes();
const table = timed('read', () => {
  const builder = new LogTableBuilder();
  for (let at = 0; at < log.length; at += PIECE) builder.add(log.subarray(at, at + PIECE));
  return tableOf(builder.finish(), log);
});
const { overview } = timed('overview', () => finish(overviewOf(table)));
const part = overview.parts.findIndex(({ kind }) => kind === 'verifier');
const own = table.parts[part];
const answer = timed('answer', () => toldAnswer(table, own, NO_BINDING));
if (answer.cause === '') throw new Error('the log is not explained');
const walk = timed('walk', () => walkOf(table, own));
timed('columns', () => replayColumns(walk));
timed('state', () => stepFacts(walk, statesOf(walk), walk.stepCount - 1));
const held = (await heldBytes()) - before;
process.stdout.write(
  JSON.stringify({
    lines: lineCount,
    bytes: log.length,
    steps: walk.stepCount,
    times,
    held,
    peak: process.resourceUsage().maxRSS * 1024,
  }),
);
