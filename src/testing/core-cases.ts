/** Small CO-RE objects for tests: types, and records that patch an ld_imm64. */

import { type CoreTarget, targetOf } from '#analysis/core/candidates.ts';
import type { CoreObject, CoreObjectRecord } from '#analysis/core/core-records.ts';
import { matchSpec } from '#analysis/core/match-spec.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { localSpec, specText } from '#analysis/core/spec.ts';
import type { TraceStep } from '#analysis/core/trace.ts';
import { Work } from '#analysis/core/type-pairs.ts';
import type { Endian } from '#bytes/span.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from './btf-blob.ts';
import type { TypeRecord } from './btf-types.ts';
import { tableOf } from './type-table.ts';

export type CoreCase = {
  readonly kind: number;
  readonly root: number;
  readonly accessStr: string;
  readonly hasAccessStr?: boolean;
  /** Number that the ld_imm64 loads; 0 by default. */
  readonly value?: bigint;
  /** Bytes of the instruction; by default an ld_imm64. */
  readonly insn?: Uint8Array;
  readonly eliminated?: boolean;
};

/** Returns a table of the given types; their ids begin at 1. */
export function typesOfBlob(types: readonly TypeRecord[], endian: Endian = 'little'): TypeTable {
  return tableOf(btfBlob({ types, endian }).bytes);
}

/** Returns a CO-RE target with only the given types. */
export function targetOfBlob(types: readonly TypeRecord[], endian: Endian = 'little'): CoreTarget {
  return targetOf('a kernel', typesOfBlob(types, endian));
}

/** Returns the bytes of an ld_imm64 that loads `value` into r1. */
export function ldImm64(value: bigint, endian: Endian = 'little'): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  bytes[0] = 0x18;
  bytes[1] = endian === 'little' ? 0x01 : 0x10;
  view.setUint32(4, Number(BigInt.asUintN(32, value)), endian === 'little');
  view.setUint32(12, Number(BigInt.asUintN(32, value >> 32n)), endian === 'little');
  return bytes;
}

/** Returns an object with the given records, which all patch the program `prog`. */
export function coreObject(
  types: TypeTable,
  cases: readonly CoreCase[],
  endian: Endian = 'little',
): CoreObject {
  const insns = new Uint8Array(16 * cases.length);
  const records = cases.map((given, row): CoreObjectRecord => {
    const insn = given.insn ?? ldImm64(given.value ?? 0n, endian);
    insns.set(insn, 16 * row);
    return {
      index: row,
      kind: given.kind,
      root: typeId(given.root),
      accessStr: given.accessStr,
      hasAccessStr: given.hasAccessStr ?? true,
      sectionName: 'tp_btf/a',
      relocIndexInSection: row,
      insnOff: 16 * row,
      func: { name: 'prog', insnIndex: 2 * row },
      eliminated: given.eliminated ?? false,
      insnLength: insn.length === 16 ? 16 : 8,
    };
  });
  return { types, endian, records, insns };
}

/**
 * Matches a local access with one candidate and returns all steps. The root is the last type of
 * each list. Throws if the access string does not fit the local types.
 */
export function matchCase(
  local: readonly TypeRecord[],
  target: readonly TypeRecord[],
  accessStr: string,
  kind = 0,
) {
  const localTypes = typesOfBlob(local);
  const path = walkAccess(localTypes, typeId(local.length), accessStr, kind);
  if (path.error !== null) throw new Error(path.error.message);
  const steps: TraceStep[] = [];
  const log = (step: TraceStep) => {
    steps.push(step);
  };
  const recorder = { log, detail: log, work: new Work(1) };
  const root = typeId(target.length);
  const { spec, verdict } = matchSpec(
    localSpec(localTypes, path),
    typesOfBlob(target),
    root,
    recorder,
  );
  return { text: specText(spec), verdict, spec, steps };
}
