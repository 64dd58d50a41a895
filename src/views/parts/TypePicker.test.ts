import { expect, it } from 'vitest';
import { finish } from '#bytes/long-work.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct, union } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { suggestedTypes } from './TypePicker.tsx';

const blob = () =>
  openModel(
    'suggested.btf',
    btfBlob({
      types: [
        int('int', 64),
        struct('s', 8, []),
        struct('', 99, []),
        union('u', 16, []),
        struct('t', 8, []),
      ],
    }).bytes,
  );

const suggested = (model: ObjectModel, limit: number) => finish(suggestedTypes(model, limit));

/** Returns the file with one CO-RE record for each of the types. */
function withCore(model: ObjectModel, ids: readonly number[]): ObjectModel {
  const core = { ...model.ext.core, count: ids.length, typeId: Uint32Array.from(ids) };
  return { ...model, ext: { ...model.ext, core } };
}

it('suggests the largest structs and unions that have a name', async () => {
  const model = await blob();
  expect(suggested(model, 8)).toEqual({ why: 'size', types: [4, 2, 5] });
  expect(suggested(model, 1).types).toEqual([4]);
});

it('suggests what CO-RE records name most often, where there are any', async () => {
  const model = withCore(await blob(), [2, 5, 5, 1, 77]);
  expect(suggested(model, 8)).toEqual({ why: 'core', types: [5, 2] });
});

it('falls back to size if the records name no struct, and is empty without types', async () => {
  const model = await blob();
  expect(suggested(withCore(model, [1]), 1)).toEqual({ why: 'size', types: [4] });
  expect(suggested({ ...model, types: null }, 8).types).toEqual([]);
});
