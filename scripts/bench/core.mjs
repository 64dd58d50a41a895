// Measures CO-RE: resolves all relocations of all examples, and of all objects of the corpus, on
// one kernel. Compares this with reading and indexing the kernel. Uses new processes, whose code is
// as cold as in the page.
import { execFileSync } from 'node:child_process';
import { median } from './figures.mjs';
import { corpusObjects, sampleObjects } from './objects.mjs';
import { shown } from './processes.mjs';

/** Measures `runs` times, each in a new process, and prints the result. */
export async function measureCore({ program, input, scratch, runs }) {
  const coreRun = await program('scripts/bench/core-run.mjs');
  const sets = [{ name: 'examples', objects: sampleObjects() }];
  const corpus = corpusObjects(scratch);
  if (corpus !== null) sets.push({ name: 'corpus', objects: corpus });
  console.log(`\nCO-RE: every relocation against ${input.from}, ${runs} runs, median\n`);
  for (const { name, objects } of sets) {
    const found = Array.from({ length: runs }, () => run(coreRun, input.path, objects));
    console.log(linesOf(name, found).join('\n'));
  }
}

function run(program, kernel, objects) {
  const maxBuffer = 64 * 1024 * 1024;
  const text = execFileSync(process.execPath, [program, kernel, ...objects], {
    encoding: 'utf8',
    maxBuffer,
  });
  return JSON.parse(text);
}

function linesOf(name, runs) {
  const open = median(runs.map(({ readMs, indexMs }) => readMs + indexMs));
  const names = median(runs.map(({ namesMs }) => namesMs));
  const resolve = median(runs.map(({ times }) => sum(times.map(({ ms }) => ms))));
  const count = sum(runs[0].times.map(({ relocations }) => relocations));
  const each = resolve / count;
  const thousand = names + 1000 * each;
  const largest = runs[0].times.reduce((a, b) => (b.relocations > a.relocations ? b : a));
  return [
    `${name}: ${count.toLocaleString('en')} relocations of ${runs[0].times.length} objects`,
    `  read and index the kernel       ${shown(open)} ms`,
    `  index its essential names       ${shown(names)} ms, ${(names / open).toFixed(2)} × read and index`,
    `  resolve all relocations         ${shown(resolve)} ms, ${(resolve / open).toFixed(2)} ×`,
    `  for each relocation             ${(1000 * each).toFixed(1)} µs`,
    `  1,000 relocations               ${shown(1000 * each)} ms, ${((1000 * each) / (open + names)).toFixed(2)} × reading and indexing, names too (goal: at most 0.3)`,
    `  1,000 relocations, names too    ${shown(thousand)} ms, ${(thousand / open).toFixed(2)} × reading and indexing without names`,
    `  the largest object              ${largest.relocations.toLocaleString('en')} relocations in ${shown(largest.ms)} ms`,
  ];
}

function sum(values) {
  return values.reduce((all, value) => all + value, 0);
}
