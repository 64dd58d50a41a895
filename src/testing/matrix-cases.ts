/**
 * An object and its targets, for tests of the matrix. The object has a struct `s` with members a, b
 * and in. The targets have all of `s`, `s` without b, and no `s`.
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

/** Type id of `s`, which is the root of a record by default. */
const S = 3;
export const ENUM = 4;

export type MatrixCase = {
  readonly kind: number;
  readonly accessStr: string;
  readonly root?: number;
  /** Value that the instruction loads; must be right on the object itself. */
  readonly value?: bigint;
  readonly func?: CoreObjectRecord['func'];
  readonly insnOff?: number;
};

/** Returns an object with these records; the code of each record has 16 bytes. */
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
 * Resolves the cases on the object, on a kernel that lacks members, and on one that lacks the
 * types.
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
