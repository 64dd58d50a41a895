/**
 * One object and three targets for tests of the matrix. The object has a struct `s` with a, b and
 * an inner struct; one target has all of `s`, one lacks b, one lacks `s`.
 */
import type { CoreObject, CoreObjectRecord } from '#analysis/core/core-records.ts';
import { type CoreMatrix, coreMatrix } from '#analysis/core/matrix/matrix.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { enumeration, int, struct, type TypeRecord } from './btf-types.ts';
import { coreObject, targetOfBlob, typesOfBlob } from './core-cases.ts';

const I = int('int', 4);
const INNER = struct('inner', 4, [{ name: 'x', type: 1, bitOffset: 0 }]);
const A = { name: 'a', type: 1, bitOffset: 0 };
const E = enumeration('e', [
  ['ONE', 1],
  ['TWO', 2],
]);

const LOCAL: readonly TypeRecord[] = [
  I,
  INNER,
  struct('s', 12, [
    A,
    { name: 'b', type: 1, bitOffset: 32 },
    { name: 'in', type: 2, bitOffset: 64 },
  ]),
  E,
];
const WITHOUT_B: readonly TypeRecord[] = [
  I,
  INNER,
  struct('s', 12, [{ ...A, bitOffset: 32 }]),
  enumeration('e', [['ONE', 1]]),
];

export const BYTE_OFF = 0;
export const FIELD_EXISTS = 2;
export const TYPE_EXISTS = 8;
export const ENUMVAL_EXISTS = 10;
export const ENUMVAL_VALUE = 11;

/** Type ID of `s`, the default root of the records. */
const S = 3;
export const ENUM = 4;

export type MatrixCase = {
  readonly kind: number;
  readonly accessStr: string;
  readonly root?: number;
  /** Number in the instruction; must be the right value. */
  readonly value?: bigint;
  readonly func?: CoreObjectRecord['func'];
  readonly insnOff?: number;
};

/** Returns an object with these records; each has 16 bytes of code. */
export function matrixObject(cases: readonly MatrixCase[]): CoreObject {
  const local = coreObject(
    typesOfBlob(LOCAL),
    cases.map((given) => ({ root: S, ...given })),
  );
  const records = local.records.map((record, row) => {
    const { func, insnOff } = cases[row] ?? {};
    return {
      ...record,
      ...(func !== undefined && { func }),
      ...(insnOff !== undefined && { insnOff }),
    };
  });
  return { ...local, records };
}

/**
 * Resolves the cases on the object itself, on a kernel with fewer members in `s` and `e`, and on a
 * kernel without them.
 */
export function matrixOf(cases: readonly MatrixCase[]): CoreMatrix {
  const local = matrixObject(cases);
  const targets = [
    ['whole', LOCAL],
    ['less', WITHOUT_B],
    ['nothing', [I]],
  ] as const;
  return coreMatrix(
    local,
    targets.map(([name, types]) => ({ name, results: resolveObject(local, targetOfBlob(types)) })),
  );
}
