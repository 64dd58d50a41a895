// Builds the program of the fuzzing threads from our sources, with and without counters.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { COUNTERS, countBlocks } from './count-blocks.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Builds into `outDir`; returns the paths of both programs. */
export async function buildPrograms(outDir) {
  await build({
    root: ROOT,
    logLevel: 'warn',
    build: {
      ssr: join(ROOT, 'scripts/fuzz/fuzz-run.mjs'),
      outDir,
      emptyOutDir: true,
      // One file, so that dynamic imports are counted, too.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const plain = join(outDir, 'fuzz-run.mjs');
  const counted = join(outDir, 'fuzz-run-counted.mjs');
  const { code, count } = countBlocks(readFileSync(plain, 'utf8'));
  // Imports are hoisted wherever they are written.
  writeFileSync(
    counted,
    `globalThis.${COUNTERS} = new Uint32Array(${count + (count % 2)});\nconst ${COUNTERS} = globalThis.${COUNTERS};\n${code}`,
  );
  return { plain, counted, blocks: count };
}
