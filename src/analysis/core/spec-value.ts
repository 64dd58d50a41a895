/** Value of a relocation on local or target types: libbpf's `bpf_core_calc_field_relo` etc. */
import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { pointerSize } from '#analysis/types/sizes.ts';
import type { Endian } from '#bytes/span.ts';
import { BtfKind, IntEncoding } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { enumeratorAt, readMembers } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  isModifier,
  kindFlagOf,
  kindOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { Errno } from './access-string.ts';
import { coreKind } from './core-kinds.ts';
import type { Spec, SpecAccessor } from './spec.ts';

export type ByteSide = 'local' | 'target';

/** Reason why a field has no value. `bitfield`: no aligned load of up to 8 bytes covers it. */
export type FieldFault = 'bitfield' | 'array-access' | 'no-size' | 'kind' | 'no-field';

export type SpecValue = {
  /** Unsigned 64-bit number. */
  readonly value: bigint;
  /** True if libbpf rejects a program whose instruction does not contain the local value. */
  readonly validate: boolean;
  /** Bytes of the load or store; for an array the size of one element; 0 for other values. */
  readonly memSize: number;
  /** Type of the field without modifiers; void for values that are not fields. */
  readonly memType: TypeId;
};

export type NoValue = { readonly fault: FieldFault; readonly errno: number };

function number(value: number | bigint, validate = true): SpecValue {
  return {
    value: typeof value === 'bigint' ? BigInt.asUintN(64, value) : BigInt(value),
    validate,
    memSize: 0,
    memType: VOID,
  };
}

const noValue = (fault: FieldFault, errno: number = Errno.EINVAL): NoValue => ({ fault, errno });

/** Returns the value of a relocation of `kind`; `endian` affects the shifts of bit-fields. */
export function specValue(kind: number, spec: Spec, endian: Endian): SpecValue | NoValue {
  const { types: t, root } = spec;
  switch (kind) {
    case 2: // field_exists
    case 8: // type_exists
    case 10: // enumval_exists
    case 12: // type_matches
      return number(1);
    case 6: // local_type_id
    case 7: // target_type_id
      // Linking objects changes type ids, so libbpf does not validate them.
      return number(root, false);
    case 9: {
      const size = boundedSize(t, root);
      return size < 0 ? noValue('no-size') : number(size);
    }
    case 11:
      return enumValue(spec);
    default:
      return coreKind(kind) === null
        ? noValue('kind', Errno.EOPNOTSUPP)
        : fieldValue(kind, spec, endian);
  }
}

/** Returns an enumerator's value; 32-bit values are sign-extended, as in libbpf. */
function enumValue({ types: t, accessors }: Spec): SpecValue | NoValue {
  const accessor = accessors[0];
  const found = accessor === undefined ? null : enumeratorAt(t, accessor.type, accessor.index);
  if (accessor === undefined || found === null) return noValue('no-field');
  const wide = kindOf(t, accessor.type) === BtfKind.ENUM64;
  return number(wide ? found.value : BigInt.asIntN(32, found.value));
}

function fieldValue(kind: number, spec: Spec, endian: Endian): SpecValue | NoValue {
  // Anonymous members have no accessor, so the accessor before them is used.
  const accessor = spec.accessors.at(-1);
  if (accessor === undefined) return noValue('no-field');
  return accessor.nameOff === null
    ? elementValue(kind, spec, accessor)
    : memberValue(kind, spec, accessor, endian);
}

function elementValue(kind: number, spec: Spec, { type }: SpecAccessor): SpecValue | NoValue {
  switch (kind) {
    case 0:
      return withAccess(spec.types, type, number(spec.bitOffset >>> 3));
    case 1: {
      const size = boundedSize(spec.types, type);
      return size < 0 ? noValue('no-size') : number(size);
    }
    default:
      return noValue('array-access');
  }
}

/** Adds the number of bytes that a load accesses; for an array the size of its inner element. */
function withAccess(t: TypeTable, type: TypeId, value: SpecValue): SpecValue | NoValue {
  const memSize = boundedSize(t, innermostElement(t, type));
  return memSize < 0 ? noValue('no-size') : { ...value, memSize, memType: type };
}

function memberValue(
  kind: number,
  spec: Spec,
  accessor: SpecAccessor,
  endian: Endian,
): SpecValue | NoValue {
  const { types: t, bitOffset } = spec;
  const members = readMembers(t, accessor.type);
  if (accessor.index >= members.count) return noValue('no-field');
  const type = skipModifiers(t, members.type(accessor.index));
  const bitfieldSize = members.bitfieldSize(accessor.index);
  const isBitfield = bitfieldSize > 0;
  const place = isBitfield
    ? loadUnit(bitOffset, bitfieldSize, sizeOrTypeOf(t, type))
    : { byteSize: boundedSize(t, type), byteOffset: bitOffset >>> 3 };
  if (place === null) {
    return sizeOrTypeOf(t, type) === 0 ? noValue('no-size') : noValue('bitfield', Errno.E2BIG);
  }
  const { byteSize, byteOffset } = place;
  if (byteSize < 0) return noValue('no-size');
  const width = isBitfield ? bitfieldSize : (byteSize * 8) >>> 0;
  switch (kind) {
    case 0:
      return isBitfield ? number(byteOffset, false) : withAccess(t, type, number(byteOffset));
    case 1:
      return number(byteSize, !isBitfield);
    case 3:
      return number(isSigned(t, type) ? 1 : 0);
    case 4: {
      const inUnit = bitOffset - byteOffset * 8;
      const shift = endian === 'little' ? 64 - (inUnit + width) : (8 - byteSize) * 8 + inUnit;
      return number(shift >>> 0, !isBitfield);
    }
    case 5:
      return number((64 - width) >>> 0);
    default:
      return noValue('kind', Errno.EOPNOTSUPP);
  }
}

/**
 * Returns the aligned load that covers `width` bits at `bitOffset`. The load has `typeSize` bytes,
 * doubled as needed; null if more than 8 are needed. As in libbpf, a damaged record may pass a type
 * id as `typeSize`.
 */
export function loadUnit(
  bitOffset: number,
  width: number,
  typeSize: number,
): { readonly byteSize: number; readonly byteOffset: number } | null {
  if (typeSize <= 0) return null;
  const aligned = (size: number) => Math.floor((bitOffset >>> 3) / size) * size;
  let byteSize = typeSize;
  let byteOffset = aligned(byteSize);
  while ((bitOffset + width - byteOffset * 8) >>> 0 > (byteSize * 8) >>> 0) {
    if (byteSize >= 8) return null;
    byteSize *= 2;
    byteOffset = aligned(byteSize);
  }
  return { byteSize, byteOffset };
}

function isSigned(t: TypeTable, type: TypeId): boolean {
  switch (kindOf(t, type)) {
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return kindFlagOf(t, type);
    case BtfKind.INT:
      return (intData(t, type).encoding & IntEncoding.SIGNED) !== 0;
    default:
      return false;
  }
}

/** Returns the element type of nested arrays; void for a cycle of types. */
function innermostElement(t: TypeTable, id: TypeId): TypeId {
  const guard = new LoopGuard();
  let at = skipModifiers(t, id);
  while (kindOf(t, at) === BtfKind.ARRAY) {
    if (guard.cameRound(at)) return VOID;
    at = skipModifiers(t, arrayData(t, at).elemType);
  }
  return at;
}

export const FIELD_FAULT_TEXT: Readonly<Record<FieldFault, string>> = {
  bitfield: 'no aligned load of at most 8 bytes holds the whole bit-field',
  'array-access': 'an array element has no sign and no shifts: libbpf rejects this',
  'no-size': 'the type has no size',
  kind: 'there is no such relocation kind',
  'no-field': 'there is no field',
};

/** Maximum number of references that libbpf follows (`MAX_RESOLVE_DEPTH`). */
const MAX_DEPTH = 32;
const MAX_U32 = 0xffffffff;

/** Returns the size in bytes, or libbpf's error number EINVAL or E2BIG (`btf__resolve_size`). */
export function boundedSize(t: TypeTable, id: TypeId): number {
  let at = id;
  let nelems = 1;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const kind = kindOf(t, at);
    switch (kind) {
      case BtfKind.INT:
      case BtfKind.STRUCT:
      case BtfKind.UNION:
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
      case BtfKind.DATASEC:
      case BtfKind.FLOAT:
        return bounded(sizeOrTypeOf(t, at) * nelems);
      case BtfKind.PTR:
        return bounded(pointerSize(t) * nelems);
      case BtfKind.ARRAY: {
        const array = arrayData(t, at);
        nelems *= array.nelems;
        if (nelems > MAX_U32) return Errno.E2BIG;
        at = array.elemType;
        break;
      }
      case BtfKind.VAR:
      case BtfKind.DECL_TAG:
        at = typeId(sizeOrTypeOf(t, at));
        break;
      default:
        if (!isModifier(kind)) return Errno.EINVAL;
        at = typeId(sizeOrTypeOf(t, at));
    }
  }
  return Errno.EINVAL;
}

function bounded(size: number): number {
  return size > MAX_U32 ? Errno.E2BIG : size;
}
