// Builds the program of the fuzzing threads twice: with and without counters.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { COUNTERS, countBlocks } from './count-blocks.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Builds both programs into `outDir`; returns their paths. */
export async function buildPrograms(outDir) {
  await build({
    root: ROOT,
    logLevel: 'warn',
    build: {
      ssr: join(ROOT, 'scripts/fuzz/fuzz-run.mjs'),
      outDir,
      emptyOutDir: true,
      // A single file, so that code in dynamic imports gets counters, too.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const plain = join(outDir, 'fuzz-run.mjs');
  const counted = join(outDir, 'fuzz-run-counted.mjs');
  const { code, count } = countBlocks(readFileSync(plain, 'utf8'));
  // The array may precede the imports in `code`, because JavaScript hoists imports.
  writeFileSync(
    counted,
    `globalThis.${COUNTERS} = new Uint32Array(${count + (count % 2)});\nconst ${COUNTERS} = globalThis.${COUNTERS};\n${code}`,
  );
  return { plain, counted, blocks: count };
}
