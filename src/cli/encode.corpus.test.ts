/**
 * Compares the BTF of objects with DWARF with that of pahole: types and ids, in the order of the
 * file, and the bytes of the blob. Where pahole refuses a file, the encoding refuses it, too.
 */
import { describe, expect, it } from 'vitest';
import { encode } from '#analysis/encode/encode.ts';
import { type Feature, PLAIN_FEATURES, parseFeatures } from '#analysis/encode/features.ts';
import { Malformed } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { ingestElf } from '#ingest/elf.ts';
import { corpusRows, isLargeCorpus, readCorpusFile, readCorpusText } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { rawLines } from '#testing/raw-lines.ts';
import { blobOf } from './encode.ts';
import { readEncodedFile } from './encoded-file.ts';

const KERNEL =
  'encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs';
const SETS: ReadonlyMap<string, ReadonlySet<Feature>> = new Map([
  ['default', PLAIN_FEATURES],
  ['kernel', parseFeatures(KERNEL).features],
  ['newest', parseFeatures(`${KERNEL},global_var,attributes,true_signature,layout`).features],
]);

type Expected = { readonly text: string; readonly btf: Uint8Array };

/** Returns the output of pahole for a file and a set of features. */
function expectedOf(goldens: ReadonlyMap<string, Expected>, object: JsonRow, set: string) {
  const { id, sets } = { id: object.text('id'), sets: object.row('btf').row(set) };
  const same = sets.has('same_as') ? sets.text('same_as') : set;
  const expected = goldens.get(`${id} ${same}`);
  if (expected === undefined) throw new Error(`no output of pahole for ${id}, ${set}`);
  return expected;
}

/** Returns types and blob of an encoding; empty if the encoding refuses the file. */
async function encoded(bytes: Uint8Array, features: ReadonlySet<Feature>): Promise<Expected> {
  const source = bufferSource('object', bytes);
  const file = await readEncodedFile(source, await ingestElf(source, []));
  if (file === null) throw new Error('no DWARF');
  try {
    const { deduped } = encode(file, { features, base: null, isReported: true });
    if (deduped === null) return { text: '', btf: new Uint8Array(0) };
    const text = rawLines(deduped.types).map((line) => `${line}\n`);
    return { text: text.join(''), btf: blobOf(deduped.types, features) };
  } catch (error) {
    if (!(error instanceof Malformed) || error.issue.code !== 'encode.refused') throw error;
    return { text: '', btf: new Uint8Array(0) };
  }
}

// Only the large corpus has objects with DWARF.
describe.skipIf(!isLargeCorpus)('the BTF of an object with DWARF is that of pahole 1.31', () => {
  const manifest = isLargeCorpus ? JsonRow.parse(readCorpusText('dwarf/MANIFEST.json')) : null;
  const bySource = new Map<string, JsonRow[]>();
  for (const object of manifest?.rows('objects') ?? []) {
    const source = object.text('id').replace(/\..*$/, '');
    bySource.set(source, [...(bySource.get(source) ?? []), object]);
  }

  it('for all objects of the corpus', () => {
    expect([...bySource.values()].flat()).toHaveLength(343);
  });

  it.each([...bySource])('%s', async (source, objects) => {
    const goldens = new Map<string, Expected>();
    for (const row of corpusRows(`dwarf/goldens/${source}.jsonl.zst`)) {
      const btf = new Uint8Array(Buffer.from(row.text('btf'), 'base64'));
      goldens.set(`${row.text('id')} ${row.text('set')}`, { text: row.text('text'), btf });
    }
    for (const object of objects) {
      const [id, file] = [object.text('id'), `dwarf/${object.text('file')}`];
      const bytes = readCorpusFile({ id, name: `${id}.o`, file });
      for (const [set, features] of SETS) {
        const expected = expectedOf(goldens, object, set);
        const found = await encoded(bytes, features);
        expect(found.text, `${id}, ${set}`).toBe(expected.text);
        expect(Buffer.from(found.btf).equals(expected.btf), `${id}, ${set}`).toBe(true);
      }
    }
  });
});
