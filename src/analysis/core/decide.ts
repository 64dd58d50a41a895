/** Decides the value that libbpf writes, as its `bpf_core_calc_relo` does (src/relo_core.c). */
import type { Endian } from '#bytes/span.ts';
import { BtfKind, IntEncoding } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { intData, kindOf } from '#model/type-table.ts';
import type { Decision } from './patch-insn.ts';
import type { Spec } from './spec.ts';
import { type ByteSide, type NoValue, type SpecValue, specValue } from './spec-value.ts';
import type { Recorder } from './trace.ts';

/** The only encoding that libbpf treats as signed; libbpf treats a signed char as unsigned. */
const SIGNED = IntEncoding.SIGNED;

/** Decides the value from the specs of both sides; `target` is null if no candidate matches. */
export function decide(
  kind: number,
  local: Spec,
  target: Spec | null,
  endian: Endian,
  recorder: Recorder,
): Decision | NoValue {
  const poison = target === null && POISONED_KINDS.has(kind);
  if (target === null) recorder.log({ step: 'no-match', poison });
  // Without a local value libbpf fails before it reads the target.
  const orig = sideValue('local', kind, local, endian, recorder);
  if ('fault' in orig) return orig;
  if (target === null) {
    const { value: origVal, validate, memSize: origSz, memType: origTypeId } = orig;
    return { ...UNDECIDED, origVal, validate, poison, origSz, origTypeId };
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

/** Decides the value of a local_type_id record: the id of its root type. */
export function decideLocalTypeId(root: TypeId): Decision {
  const value = BigInt(root);
  return { ...UNDECIDED, origVal: value, newVal: value, validate: false };
}

const UNDECIDED: Decision = {
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

/** Kinds whose instruction libbpf poisons if no candidate matches; other kinds get the value 0. */
const POISONED_KINDS: ReadonlySet<number> = new Set([0, 1, 3, 4, 5, 11]);

function sideValue(
  side: ByteSide,
  kind: number,
  spec: Spec,
  endian: Endian,
  { log, detail }: Recorder,
): SpecValue | NoValue {
  const value = specValue(kind, spec, endian);
  if ('fault' in value) log({ step: 'value-fault', side, ...value });
  else detail?.({ step: 'value', side, ...value });
  return value;
}

/** Returns true if an access may change size: pointers and unsigned integers are zero-extended. */
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
