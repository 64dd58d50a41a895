import { describe, expect, it } from 'vitest';
import { coreRecord } from '#analysis/core/core-records.ts';
import { coreIndex, typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, enumeration, int, modifier, struct, typedef } from '#testing/btf-types.ts';
import { corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { goldenOf } from '#testing/goldens.ts';
import { openModel } from '#testing/open-model.ts';
import { coreRelocationText } from './core-relocation.ts';

async function text(kind: number, root: number, accessStr: string) {
  const { bytes } = btfBlob({
    types: [
      int('int', 4),
      array(1, 1, 4),
      struct('', 8, [{ name: 'a', type: 1, bitOffset: 0 }]),
      struct('s', 24, [
        { name: '', type: 3, bitOffset: 0 },
        { name: 'm', type: 2, bitOffset: 64 },
      ]),
      modifier('const', 4),
      typedef('s_t', 5),
      enumeration('e', [
        ['A', 7],
        ['B', -2],
      ]),
    ],
  });
  const { types } = await openModel('a.btf', bytes);
  return types && coreRelocationText(types, { kind, root: typeId(root), accessStr });
}

describe('coreRelocationText', () => {
  it.each([
    [0, 4, '0:0:0', '<byte_off> [4] struct s::<anon 0>.a (0:0:0)'],
    [1, 5, '2:1:9', '<byte_sz> [5] const struct s::[2].m[9] (2:1:9)'],
    [0, 6, '0', '<byte_off> [6] typedef s_t:: (0)'],
    [2, 3, '0:0', '<field_exists> [3] struct <anon 3>::a (0:0)'],
    [8, 4, '0', '<type_exists> [4] struct s'],
    [11, 7, '0', '<enumval_value> [7] enum e::A = 7'],
    [11, 7, '1', '<enumval_value> [7] enum e::B = 18446744073709551614'],
    [0, 4, '0:2', "<byte_off> [4] '0:2' <there is no member 2: [4] has 2>"],
    [0, 4, '0:1:1:1', "<byte_off> [4] '0:1:1:1' <index 1 does not apply: [1] is int>"],
    [10, 7, '2', "<enumval_exists> [7] '2' <there is no enumerator 2>"],
    [0, 4, 'x', "<byte_off> [4] 'x' <the access string is not a list of numbers>"],
    [13, 4, '0', "<reloc kind #13> [4] '0' <there is no relocation kind 13>"],
  ])('kind %i of [%i] by %s', async (kind, root, accessStr, expected) => {
    expect(await text(kind, root, accessStr)).toBe(expected);
  });
});

describe('objects of the corpus', () => {
  it('read as llvm-objdump prints them', async () => {
    let compared = 0;
    for (const object of corpusObjects()) {
      const golden = goldenOf(object.id, 'objdump.txt');
      const theirs = golden?.text.match(/(?<=: {2}CO-RE ).*/g) ?? [];
      if (theirs.length === 0) continue;
      const { types, ext, ...model } = await openModel(object.name, readCorpusFile(object));
      if (types === null) continue;
      const ours = Array.from({ length: ext.core.count }, (_, i) =>
        coreRelocationText(types, coreRecord({ types, ext, ...model }, coreIndex(i))),
      );
      // The tool leaves out records of code that no symbol covers.
      for (const line of theirs) expect(ours, object.id).toContain(line);
      compared += theirs.length;
    }
    expect(compared).toBeGreaterThan(1000);
  }, 60_000);
});
