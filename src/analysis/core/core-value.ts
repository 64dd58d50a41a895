/**
 * The value that an instruction with a CO-RE record must hold as long as the
 * local types are the truth: what the compiler wrote, and what libbpf looks for
 * before it patches. The rules are those of libbpf's `bpf_core_calc_relo` on
 * the local side.
 */

import { sizeOf } from '#analysis/sizes.ts';
import { stripped } from '#analysis/strip.ts';
import type { Endian } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { memberAt } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';
import type { AccessPath, AccessStep } from './access-path.ts';

export type LocalValue = {
  /** As an unsigned 64-bit number; null where libbpf finds none. */
  readonly value: bigint | null;
  /** Why there is none, in words. */
  readonly error: string | null;
  /** Does libbpf refuse the program when the instruction holds another value? */
  readonly validate: boolean;
};

const found = (value: bigint, validate = true): LocalValue => ({
  value: BigInt.asUintN(64, value),
  error: null,
  validate,
});
const none = (error: string): LocalValue => ({ value: null, error, validate: false });

/** `endian` is that of the program, which decides how bit-fields are shifted. Never throws. */
export function localValue(
  t: TypeTable,
  path: AccessPath,
  kind: number,
  endian: Endian,
): LocalValue {
  if (path.error !== null) return none(path.error.message);
  switch (kind) {
    case 2: // field_exists
    case 8: // type_exists
    case 10: // enumval_exists
    case 12: // type_matches
      return found(1n);
    case 6: // local_type_id
    case 7: // target_type_id
      // Ids change when objects are linked, so that libbpf does not look at them.
      return found(BigInt(path.root), false);
    case 9: {
      const size = boundedSize(t, path.root);
      return size === null ? none('the type has no size') : found(size);
    }
    case 11:
      return enumValue(t, path);
    default:
      return fieldValue(t, path, kind, endian);
  }
}

/** 32-bit values are sign-extended, whatever kind_flag says: libbpf stores them as s32. */
function enumValue(t: TypeTable, path: AccessPath): LocalValue {
  const value = path.steps[0]?.enumValue ?? null;
  if (value === null) return none('there is no enumerator');
  const wide = kindOf(t, stripped(t, path.root)) === BtfKind.ENUM64;
  return found(wide ? value : BigInt.asIntN(32, value));
}

function fieldValue(t: TypeTable, path: AccessPath, kind: number, endian: Endian): LocalValue {
  // Anonymous members are no accessors of their own: what stands before them is asked.
  const accessor = path.steps.findLast((step) => step.means !== 'anonymous-member');
  if (accessor === undefined) return none('there is no field');
  return accessor.means === 'member'
    ? memberValue(t, path, accessor, kind, endian)
    : elementValue(t, path, accessor, kind);
}

function elementValue(
  t: TypeTable,
  path: AccessPath,
  accessor: AccessStep,
  kind: number,
): LocalValue {
  switch (kind) {
    case 0: {
      const size = boundedSize(t, innermostElement(t, accessor.type));
      if (size === null) return none('the element has no size');
      return found(bits32(path.bitOffset) / 8n);
    }
    case 1: {
      const size = boundedSize(t, accessor.type);
      return size === null ? none('the element has no size') : found(size);
    }
    default:
      return none('an array element has no sign and no shifts: libbpf refuses this');
  }
}

function memberValue(
  t: TypeTable,
  path: AccessPath,
  accessor: AccessStep,
  kind: number,
  endian: Endian,
): LocalValue {
  const container = stripped(t, accessor.container);
  const member = memberAt(t, container, accessor.index);
  if (member === null) return none('there is no such member');
  const type = stripped(t, member.type);
  const isBitfield = member.bitfieldSize > 0;
  const size = isBitfield ? bitfieldUnit(t, type) : boundedSize(t, type);
  if (size === null) return none('the field has no size');
  const bitOffset = bits32(path.bitOffset);
  const unit = isBitfield
    ? loadUnit(bitOffset, BigInt(member.bitfieldSize), size)
    : { byteSize: size, byteOffset: bitOffset / 8n };
  if (unit === null) return none('no aligned load of at most 8 bytes holds the whole bit-field');
  const width = isBitfield ? BigInt(member.bitfieldSize) : size * 8n;
  const { byteSize, byteOffset } = unit;
  switch (kind) {
    case 0: {
      if (isBitfield) return found(byteOffset, false);
      const element = boundedSize(t, innermostElement(t, type));
      return element === null ? none('the element has no size') : found(byteOffset);
    }
    case 1:
      return found(byteSize, !isBitfield);
    case 3:
      return found(isSigned(t, type) ? 1n : 0n);
    case 4:
      return found(
        bits32(
          endian === 'little'
            ? 64n - (bitOffset + width - byteOffset * 8n)
            : (8n - byteSize) * 8n + (bitOffset - byteOffset * 8n),
        ),
        !isBitfield,
      );
    case 5:
      return found(bits32(64n - width));
    default:
      return none(`there is no relocation kind ${kind}`);
  }
}

export type LoadUnit = { readonly byteSize: bigint; readonly byteOffset: bigint };

/**
 * The aligned load that holds a bit-field of `width` bits at `bitOffset`: `byteSize`
 * of its type, doubled until it fits. Null where even 8 bytes do not hold it.
 */
export function loadUnit(bitOffset: bigint, width: bigint, typeSize: bigint): LoadUnit | null {
  if (typeSize <= 0n) return null;
  let byteSize = typeSize;
  let byteOffset = (bitOffset / 8n / byteSize) * byteSize;
  while (bitOffset + width - byteOffset * 8n > byteSize * 8n) {
    if (byteSize >= 8n) return null;
    byteSize *= 2n;
    byteOffset = (bitOffset / 8n / byteSize) * byteSize;
  }
  return { byteSize, byteOffset };
}

/**
 * Bytes of a bit-field's type. libbpf takes the record's third word unasked, and
 * that is a type id where a damaged record makes a pointer a bit-field.
 */
function bitfieldUnit(t: TypeTable, type: TypeId): bigint | null {
  const size = sizeOrTypeOf(t, type);
  return size === 0 ? null : BigInt(size);
}

function isSigned(t: TypeTable, type: TypeId): boolean {
  switch (kindOf(t, type)) {
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return kindFlagOf(t, type);
    case BtfKind.INT:
      return (intData(t, type).encoding & 1) !== 0;
    default:
      return false;
  }
}

/** The element of an array of arrays; more dimensions than libbpf can count give void. */
function innermostElement(t: TypeTable, id: TypeId): TypeId {
  let at = stripped(t, id);
  for (let depth = 0; kindOf(t, at) === BtfKind.ARRAY; depth++) {
    if (depth === MAX_DIMENSIONS) return VOID;
    at = stripped(t, arrayData(t, at).elemType);
  }
  return at;
}

const MAX_DIMENSIONS = 1024;

/** libbpf gives up on sizes from 4 GiB on. */
function boundedSize(t: TypeTable, id: TypeId): bigint | null {
  const size = sizeOf(t, id);
  return size === null || size > 0xffffffffn ? null : size;
}

/** libbpf counts bits and sizes in 32 bits, without sign. */
function bits32(value: bigint): bigint {
  return BigInt.asUintN(32, value);
}
