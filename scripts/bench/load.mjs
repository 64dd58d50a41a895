// Measures load verdicts in new processes: all examples, and all objects of the corpus, on one
// kernel or on all kernels of the corpus.
import { execFileSync } from 'node:child_process';
import { median } from './figures.mjs';
import { corpusKernels, corpusObjects, sampleObjects } from './objects.mjs';
import { shown } from './processes.mjs';

export async function measureLoad({ program, input, scratch, runs }) {
  const loadRun = await program('scripts/bench/load-run.mjs');
  const sets = [{ name: 'examples', kernels: [input.path], objects: sampleObjects() }];
  const corpus = corpusObjects(scratch);
  if (corpus !== null) sets.push({ name: 'corpus', kernels: corpusKernels(), objects: corpus });
  console.log(`\nload: every object on every kernel, processor time, ${runs} runs, median\n`);
  for (const { name, kernels, objects } of sets) {
    const found = Array.from({ length: runs }, () => {
      const words = [loadRun, `${kernels.length}`, ...kernels, ...objects];
      const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
      return JSON.parse(execFileSync(process.execPath, words, options));
    });
    console.log(linesOf(name, found).join('\n'));
  }
}

function linesOf(name, runs) {
  const [{ pairs, objects, outcomes, slowest }] = runs;
  const of = (key) => median(runs.map((run) => run[key]));
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  return [
    `${name}: ${objects} objects on ${pairs / objects} kernels, ${pairs.toLocaleString('en')} pairs: ${counts.join(', ')}`,
    `  read the kernels                ${shown(of('readMs'))} ms`,
    `  open the objects                ${shown(of('openMs'))} ms`,
    `  judge all pairs                 ${shown(of('judgeMs'))} ms of the processor`,
    `  1,000 pairs                     ${shown((1000 * of('judgeMs')) / pairs)} ms (goal: under 10,000)`,
    `  the slowest pair                ${shown(slowest.ms)} ms: ${slowest.path}`,
  ];
}
