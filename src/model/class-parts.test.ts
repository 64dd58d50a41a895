import { expect, it } from 'vitest';
import { type ClassParts, PART, partsOf, statedAlignment } from './class-parts.ts';
import { typeId } from './ids.ts';

/** Type 2 has an alignment of 64 and a method, type 5 a method with two parameters. */
const PARTS: ClassParts = {
  owner: Uint32Array.of(2, 5),
  firstPart: Uint32Array.of(0, 2, 3),
  entry: Float64Array.of(16, 32, 64),
  flags: Uint16Array.of(PART.alignment, PART.method, PART.method),
  name: Uint32Array.of(0, 1, 2),
  type: Uint32Array.of(0, 1, 0),
  value: new Map([[0, 64n]]),
  firstParam: Uint32Array.of(0, 0, 0, 2),
  paramName: Uint32Array.of(3, 4),
  paramType: Uint32Array.of(1, 2),
  paramFlags: Uint8Array.of(1, 0),
};

it('finds the parts of a type', () => {
  expect(partsOf(PARTS, typeId(2)).map(({ entry, value }) => ({ entry, value }))).toEqual([
    { entry: 16, value: 64n },
    { entry: 32, value: null },
  ]);
  const [method] = partsOf(PARTS, typeId(5));
  expect(method?.params).toEqual([
    { name: 3, type: 1, flags: 1 },
    { name: 4, type: 2, flags: 0 },
  ]);
  for (const id of [1, 3, 6]) expect(partsOf(PARTS, typeId(id))).toEqual([]);
});

it('finds the alignment that a class states', () => {
  expect([1, 2, 3, 5, 6].map((id) => statedAlignment(PARTS, typeId(id)))).toEqual([
    null,
    64n,
    null,
    null,
    null,
  ]);
});
