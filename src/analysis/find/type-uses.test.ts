import { expect, it } from 'vitest';
import { coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { referrersOf } from '#analysis/types/references.ts';
import { coreIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { lastId, nameOf } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, func, funcProto, int, ptr, struct, typedef } from '#testing/btf-types.ts';
import { sampleModel } from '#testing/samples.ts';
import { tableOf } from '#testing/type-table.ts';
import { typeUses } from './type-uses.ts';

const object = await sampleModel('exec_trace.bpf.o');
const NO_CORE: ObjectModel = {
  ...object,
  ext: { ...object.ext, core: { ...object.ext.core, count: 0 } },
};

const TYPES = [
  int('int', 4), // 1
  struct('s', 4, [{ name: 'a', type: 1, bitOffset: 0 }]),
  ptr(2),
  struct('holder', 16, [
    { name: 'one', type: 3, bitOffset: 0 },
    { name: 'two', type: 6, bitOffset: 64 },
  ]),
  struct('other', 4, [{ name: 'x', type: 1, bitOffset: 0 }]), // 5
  struct('', 4, [{ name: 'in', type: 2, bitOffset: 0 }]),
  funcProto(0, [['x', 3]]),
  func('f', 7),
  typedef('s_t', 2),
  ptr(9), // 10
  array(3, 1, 2),
];

it('goes through what C writes in place, and ends at names', () => {
  const t = tableOf(btfBlob({ types: TYPES }).bytes);
  const { written, users, words } = typeUses(NO_CORE, t, typeId(2));
  expect([...written].sort((a, b) => a - b)).toEqual([2, 3, 6, 7, 11]);
  // Type 10, a pointer to s_t, is no user of `struct s`: C writes the pointer with the name s_t.
  expect([...users]).toEqual([4, 8, 9]);
  const view = new DataView(t.blob.buffer, t.blob.byteOffset);
  const ids = [...words].map((at) => view.getUint32(at - (t.fileOffset ?? 0), true));
  expect(ids).toEqual([2, 3, 6, 2, 3, 7, 2, 3]);
  expect([...words]).toEqual([...words].sort((a, b) => a - b));
});

it('finds the uses of a type of the base, through pointers of the base', () => {
  const base = tableOf(btfBlob({ types: TYPES }).bytes);
  const own = tableOf(
    btfBlob({ types: [struct('mine', 8, [{ name: 'p', type: 3, bitOffset: 0 }])] }).bytes,
    base,
  );
  expect([...typeUses(NO_CORE, own, typeId(2)).users]).toEqual([12]);
  expect(typeUses(NO_CORE, own, typeId(99)).users).toHaveLength(0);
});

it('ends where types lead in a circle', () => {
  const t = tableOf(btfBlob({ types: [ptr(2), ptr(1)] }).bytes);
  expect([...typeUses(NO_CORE, t, typeId(1)).written]).toEqual([1, 2]);
});

it('finds the CO-RE records of a sample that pass a type, and no others', () => {
  const { types } = object;
  if (types === null) throw new Error('exec_trace.bpf.o has types');
  for (let id = 1; id <= lastId(types); id++) {
    const { cores, written } = typeUses(object, types, typeId(id));
    const passing = Array.from({ length: object.ext.core.count }, (_, i) => i).filter((i) => {
      const { root, accessStr, kind } = coreRecord(object, coreIndex(i));
      const { steps } = walkAccess(types, root, accessStr, kind);
      return [root, ...steps.map((step) => step.type)].some((one) => written.includes(one));
    });
    expect([...cores], nameOf(types, typeId(id))).toEqual(passing);
    for (const user of referrersOf(types, typeId(id))) {
      const all = typeUses(object, types, typeId(id));
      expect([...all.written, ...all.users]).toContain(user);
    }
  }
});
