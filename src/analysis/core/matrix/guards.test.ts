import { describe, expect, it } from 'vitest';
import { type CoreResult, resolveObject } from '#analysis/core/resolve.ts';
import { int } from '#testing/btf-types.ts';
import { targetOfBlob } from '#testing/core-cases.ts';
import {
  BYTE_OFF,
  ENUM,
  ENUMVAL_EXISTS,
  ENUMVAL_VALUE,
  FIELD_EXISTS,
  type MatrixCase,
  matrixObject,
  matrixOf,
  TYPE_EXISTS,
} from '#testing/matrix-cases.ts';
import { SOON } from '#testing/runs.ts';
import { guardIndex, guardOf } from './guards.ts';
import { guardAt } from './matrix.ts';

const asksB: MatrixCase = { kind: FIELD_EXISTS, accessStr: '0:1', value: 1n };
const readsB: MatrixCase = { kind: BYTE_OFF, accessStr: '0:1', value: 4n };
const asksIn: MatrixCase = { kind: FIELD_EXISTS, accessStr: '0:2', value: 1n };
const readsInX: MatrixCase = { kind: BYTE_OFF, accessStr: '0:2:0', value: 8n };
const asksS: MatrixCase = { kind: TYPE_EXISTS, accessStr: '0', value: 1n };
const asksTwo: MatrixCase = { kind: ENUMVAL_EXISTS, accessStr: '1', root: ENUM, value: 1n };
const readsTwo: MatrixCase = { kind: ENUMVAL_VALUE, accessStr: '1', root: ENUM, value: 2n };

const LESS = 1;
const NOTHING = 2;

/** Returns the row of the check that guards the last record on target `LESS`, or null. */
function guardOfLast(cases: readonly MatrixCase[], target = LESS): number | null {
  const { columns, records } = matrixOf(cases);
  const column = columns[target];
  if (column === undefined) throw new Error('there are three targets');
  return guardAt(column, records, cases.length - 1)?.index ?? null;
}

describe('the check that guards a poisoned access', () => {
  it.each([
    ['asks for the field itself', [asksB, readsB], 0],
    ['asks for the enumerator itself', [asksTwo, readsTwo], 0],
    ['asks for the struct that it goes through', [asksIn, readsInX], 0],
    ['is the nearest of several', [asksB, asksB, readsB], 1],
    ['does not ask for another field', [asksIn, readsB], null],
    [
      'does not ask for the way on',
      [
        { ...asksIn, accessStr: '0:2:0' },
        { ...readsInX, accessStr: '0:2' },
      ],
      null,
    ],
    ['stands before it', [readsB, asksB, readsB], 1],
    ['does not stand after it', [{ ...asksB, insnOff: 64 }, readsB], null],
    [
      'is not in another function',
      [{ ...asksB, func: { name: 'prog', insnIndex: 1 } }, readsB],
      null,
    ],
    [
      'is in a function',
      [
        { ...asksB, func: null },
        { ...readsB, func: null },
      ],
      null,
    ],
    ['answers 0, which a type that is there does not', [asksS, readsB], null],
  ])('%s', (_, cases, guard) => {
    expect(guardOfLast(cases)).toBe(guard);
  });

  it('requires the whole type if it is missing', () => {
    expect(guardOfLast([asksS, readsB], NOTHING)).toBe(0);
    expect(guardOfLast([asksS, asksB, readsB], NOTHING)).toBe(1);
  });

  it('does not mind which element the pointer counts from', () => {
    expect(guardOfLast([{ ...asksB, accessStr: '1:1' }, readsB])).toBe(0);
  });

  it('is none where the access is not poisoned, and none on a target that answers 1', () => {
    expect(guardOfLast([asksB, { ...readsB, accessStr: '0:0', value: 0n }])).toBeNull();
    expect(guardOfLast([asksB, readsB], 0)).toBeNull();
  });

  it('is looked for in no time among a hundred thousand checks that answer 1', SOON, () => {
    const local = matrixObject([readsB]);
    const [access] = local.records;
    const [poisoned] = resolveObject(local, targetOfBlob([int('int', 4)]));
    if (access === undefined || poisoned === undefined) throw new Error('there is one record');
    const records = Array.from({ length: 100_000 }, (_, row) => ({
      ...access,
      kind: row % 2 === 0 ? FIELD_EXISTS : BYTE_OFF,
      insnOff: 8 * row,
      func: { name: 'prog', insnIndex: row },
    }));
    const results = records.map((): CoreResult => poisoned);
    const index = guardIndex({ types: local.types, records });
    const guards = records.filter((_, row) => guardOf(index, results, row) !== null);
    expect(guards).toEqual([]);
  });
});
