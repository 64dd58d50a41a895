// Makes an Alpha eCOFF object from a description: headers, data, relocation entries, external
// symbols. Uses `src/testing/ecoff-object.ts`, so that only one file knows the layout of the
// format.
//
// As a command: node ecoff.mjs DESCRIPTION.json OBJECT
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const WRITER = fileURLToPath(new URL('../../src/testing/ecoff-object.ts', import.meta.url));
/** Value of `CM_COMPACT_RLC`. */
const COMPACT_TAG = 4;

/** Returns the numbers of relocation entries and compact records in a description. */
export function countRelocations(description) {
  return description.sections.reduce(
    (sum, { relocs = [], compact }) => sum + relocs.length + (compact ? compactCount(compact) : 0),
    0,
  );
}

/** Returns `rlc_num`, the second quadword after the version. */
function compactCount(compact) {
  return Number(compact[4][0]);
}

async function write(source, output) {
  const { module } = await runnerImport(WRITER, { configFile: false, logLevel: 'error' });
  const { gp, externals, sections } = JSON.parse(readFileSync(source, 'utf8'));
  const words = (pairs) => module.words(...pairs.map(([word]) => Number(word)));
  const bytes = module.ecoffObject({
    gp: BigInt(gp),
    externals: externals.map((external) => ({
      ...external,
      value: BigInt(external.value ?? 0),
    })),
    sections: sections.map(({ words: data, compact, relocs, flags, vaddr, ...rest }) => ({
      ...rest,
      flags: Number(flags),
      vaddr: BigInt(vaddr),
      ...(data ? { data: words(data) } : {}),
      ...(compact ? { data: module.commentData(COMPACT_TAG, words(compact)) } : {}),
      relocs: (relocs ?? []).map((reloc) => ({ ...reloc, vaddr: BigInt(reloc.vaddr) })),
    })),
  });
  writeFileSync(output, bytes);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [source, output] = process.argv.slice(2);
  await write(source, output);
}
