/**
 * The value to write, from the local spec and that of a candidate: libbpf's `bpf_core_calc_relo`
 * (src/relo_core.c).
 */
import type { Endian } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { intData, kindOf } from '#model/type-table.ts';
import type { Decision } from './patch-insn.ts';
import type { Spec } from './spec.ts';
import { type ByteSide, type NoValue, type SpecValue, specValue } from './spec-value.ts';
import type { Recorder } from './trace.ts';

/** BTF_INT_SIGNED and nothing else: libbpf takes a signed char for unsigned. */
const SIGNED = 1;

/**
 * Decides the value for `enum bpf_core_relo_kind` and both specs. Without a `target` no candidate
 * matches, and the kind decides the meaning.
 */
export function decide(
  kind: number,
  local: Spec,
  target: Spec | null,
  endian: Endian,
  recorder: Recorder,
): Decision | NoValue {
  const poison = target === null && POISONED_KINDS.has(kind);
  if (target === null) recorder.log({ step: 'no-match', poison });
  // The local value comes first: without one the target is not read.
  const orig = sideValue('local', kind, local, endian, recorder);
  if ('fault' in orig) return orig;
  if (target === null) {
    const { value: origVal, validate, memSize: origSz, memType: origTypeId } = orig;
    return { ...NOTHING, origVal, validate, poison, origSz, origTypeId };
  }
  const targetValue = sideValue('target', kind, target, endian, recorder);
  if ('fault' in targetValue) return targetValue;
  const origSz = orig.memSize;
  const newSz = targetValue.memSize;
  const failMemszAdjust = origSz !== newSz && !mayResize(local, orig, target, targetValue);
  if (origSz !== newSz) {
    recorder.detail?.({ step: 'mem-size', origSz, newSz, allowed: !failMemszAdjust });
  }
  return {
    origVal: orig.value,
    newVal: targetValue.value,
    validate: orig.validate,
    poison: false,
    failMemszAdjust,
    origSz,
    newSz,
    origTypeId: orig.memType,
    newTypeId: targetValue.memType,
  };
}

/** local_type_id does not depend on a target: the root type of the record. */
export function decideLocalTypeId(root: TypeId): Decision {
  const value = BigInt(root);
  return { ...NOTHING, origVal: value, newVal: value, validate: false };
}

const NOTHING: Decision = {
  origVal: 0n,
  newVal: 0n,
  validate: true,
  poison: false,
  failMemszAdjust: false,
  origSz: 0,
  newSz: 0,
  origTypeId: VOID,
  newTypeId: VOID,
};

/**
 * Without a match questions get the answer 0; for these, a place or a value that
 * is not there, the instruction is made invalid.
 */
const POISONED_KINDS: ReadonlySet<number> = new Set([0, 1, 3, 4, 5, 11]);

function sideValue(
  side: ByteSide,
  kind: number,
  spec: Spec,
  endian: Endian,
  { log, detail }: Recorder,
): SpecValue | NoValue {
  const found = specValue(kind, spec, endian);
  if ('fault' in found) log({ step: 'value-fault', side, ...found });
  else detail?.({ step: 'value', side, ...found });
  return found;
}

/** Pointers and integers without sign may shrink and grow: the upper bits are zeros. */
function mayResize(local: Spec, orig: SpecValue, target: Spec, targetValue: SpecValue): boolean {
  const kind = kindOf(local.types, orig.memType);
  if (kind !== kindOf(target.types, targetValue.memType)) return false;
  if (kind === BtfKind.PTR) return true;
  return (
    kind === BtfKind.INT &&
    intData(local.types, orig.memType).encoding !== SIGNED &&
    intData(target.types, targetValue.memType).encoding !== SIGNED
  );
}
