// Searches paths through one kernel. Started by paths.mjs in a new process. Builds the access
// graph, then runs each query several times. Prints JSON with times in milliseconds.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { askPaths } from '#analysis/paths/ask-paths.ts';
import { buildPathIndex } from '#analysis/paths/path-index.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { exampleQuestions } from '../../src/analysis/paths/place-text.ts';

const [kernel, times] = process.argv.slice(2);
const WAYS = 10;

const { model } = await ingestBytes(basename(kernel), new Uint8Array(readFileSync(kernel)));
const { ms: buildMs, value: index } = measureTime(() => buildPathIndex(model.types));
const questions = exampleQuestions(model.types, 12).map((question) => {
  const asked = { ...question, limit: WAYS };
  const runs = Array.from({ length: Number(times) }, () =>
    measureTime(() => askPaths(index, asked)),
  );
  const [{ value }] = runs;
  return { ...question, paths: value.ok ? value.paths.length : 0, ms: runs.map(({ ms }) => ms) };
});

process.stdout.write(
  JSON.stringify({ buildMs, nodes: index.ids.length, arcs: index.to.length, questions }),
);

function measureTime(work) {
  const before = performance.now();
  const value = work();
  return { value, ms: performance.now() - before };
}
