/**
 * Finds structs that `__attribute__((packed))` must have made: a packed struct that is passed on
 * the stack may be anywhere on it.
 *
 * Source: pahole 1.31, btf_encoder.c, `ftype__has_uncertain_arg_loc`; dwarves.c,
 * `class__infer_packed_attributes`, `class__find_holes`, `tag__natural_alignment`,
 * `type__check_structs_at_unnatural_alignments`.
 */
import { DW_TAG } from '#formats/dwarf/constants.ts';
import { memberSize } from './type-sizes.ts';
import {
  ArrayType,
  BaseType,
  Composite,
  Enumeration,
  type FunctionTag,
  type Holes,
  isStruct,
  MAX_CHAIN,
  type Member,
  strippedType,
  type TypeTag,
  type Unit,
} from './unit-tags.ts';

const VIRTUAL = 1;

/** Returns true if a parameter after the `registers` first ones is a named, packed struct. */
export function hasUncertainLocation(
  unit: Unit,
  { parameters }: FunctionTag,
  registers: number,
): boolean {
  if (parameters.length < registers) return false;
  return parameters.slice(registers).some(({ type: id }) => {
    const type = unit.types[id];
    return isStruct(type) && type.name !== 0 && isPacked(unit, type);
  });
}

function isPacked(unit: Unit, struct: Composite): boolean {
  if (struct.isInferred) return struct.isPacked;
  const { count, padding } = holesOf(unit, struct);
  if (count !== 0 || padding !== 0) {
    markUnaligned(unit, struct);
    struct.isPacked = false;
  } else if (isUnaligned(unit, struct)) {
    struct.isPacked = true;
  }
  struct.isInferred = true;
  return struct.isPacked;
}

/** Returns true if a member, or the end of the struct, is not at a multiple of its alignment. */
function isUnaligned(unit: Unit, struct: Composite): boolean {
  let highest = 1;
  for (const member of placedMembers(struct)) {
    const alignment = alignmentOf(unit, strippedType(unit, member.type));
    if (member.byteOffset % alignment !== 0) return true;
    if (alignment > highest) highest = alignment;
  }
  return struct.byteSize % highest !== 0;
}

/** Marks structs inside of `struct` as packed if they are at an offset that is not natural. */
function markUnaligned(unit: Unit, struct: Composite): void {
  for (const member of struct.members) {
    const type = strippedType(unit, member.type);
    if (!isStruct(type) || member.byteOffset % alignmentOf(unit, type) === 0) continue;
    type.isPacked = true;
    type.isInferred = true;
  }
}

function placedMembers({ members }: Composite): Member[] {
  return members.filter(
    ({ tag, virtuality, isStatic }) =>
      !isStatic && !(tag === DW_TAG.inheritance && virtuality === VIRTUAL),
  );
}

/** Returns the natural alignment of a type in bytes, at least 1. Structs keep theirs. */
function alignmentOf(unit: Unit, type: TypeTag | null): number {
  const first: Composite[] = [];
  const direct = directAlignment(unit, type, first);
  if (direct !== null) return Math.max(1, direct);
  // A struct waits until those inside of it are known.
  const open = first.map(waitingStruct);
  const begun = new Set(first);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const member = top.members[top.next];
    if (member === undefined) {
      top.struct.naturalAlignment = top.highest & 0xffff;
      open.pop();
      continue;
    }
    const inner: Composite[] = [];
    const alignment = directAlignment(unit, strippedType(unit, member.type), inner);
    const [waited] = inner;
    if (waited !== undefined && !begun.has(waited)) {
      begun.add(waited);
      open.push(waitingStruct(waited));
      continue;
    }
    top.highest = Math.max(top.highest, alignment ?? waited?.naturalAlignment ?? 1, 1);
    top.next += 1;
  }
  return Math.max(1, directAlignment(unit, type, []) ?? 1);
}

function waitingStruct(struct: Composite) {
  return { struct, members: placedMembers(struct), next: 0, highest: 0 };
}

/** Returns the alignment of a type; null if it is that of the struct that is added to `open`. */
function directAlignment(unit: Unit, type: TypeTag | null, open: Composite[]): number | null {
  let at = type;
  for (let steps = MAX_CHAIN; at !== null && steps > 0; steps--) {
    if (at.tag === DW_TAG.pointer_type) return unit.addressSize;
    if (at instanceof BaseType || at instanceof Enumeration) return at.bitSize >>> 3;
    if (at instanceof Composite) {
      if (at.naturalAlignment !== 0 || at.members.length === 0) return at.naturalAlignment;
      open.push(at);
      return null;
    }
    if (!(at instanceof ArrayType)) return 1;
    at = strippedType(unit, at.type);
  }
  return 1;
}

/** Returns the holes between members and the bytes after the last, as pahole counts them. */
function holesOf(unit: Unit, struct: Composite): Holes {
  struct.holes ??= findHoles(unit, struct);
  return struct.holes;
}

function findHoles(unit: Unit, struct: Composite): Holes {
  const size = struct.byteSize;
  let count = 0;
  let lastBit = 0;
  let fieldEnd = (size * 8) >>> 0;
  let fieldSize = 0;
  let isInField = false;
  for (const member of struct.members) {
    if (member.isStatic) continue;
    const isBase = member.tag === DW_TAG.inheritance;
    const start = member.bitOffset;
    const isField = member.bitfieldSize !== 0;
    const bytes = isField ? 0 : memberSize(unit, member);
    if (isBase && (member.virtuality === VIRTUAL || bytes === 0)) continue;
    const end = (start + (isField ? member.bitfieldSize : bytes * 8)) >>> 0;
    let holeBytes = 0;
    if (isInField) lastBit = Math.min(start, fieldEnd);
    if (!isField) {
      holeBytes = ((start >>> 3) - (lastBit >>> 3)) | 0;
    } else {
      const aligned = (member.byteOffset * 8) >>> 0;
      if (lastBit < aligned && aligned <= start) {
        holeBytes = (member.byteOffset - (lastBit >>> 3)) | 0;
      }
    }
    lastBit = end;
    isInField = isField;
    if (!isField) {
      fieldSize = 0;
      fieldEnd = end;
    } else if (end > fieldEnd || member.bitSize > fieldSize) {
      fieldSize = member.bitSize;
      fieldEnd = (member.byteOffset * 8 + fieldSize) >>> 0;
      if (end > fieldEnd) fieldEnd = (fieldEnd + fieldSize) >>> 0;
    }
    if (holeBytes > 0) count = (count + 1) & 0xff;
  }
  if (isInField) lastBit = Math.min((size * 8) >>> 0, fieldEnd);
  return { count, padding: (size - (lastBit >>> 3)) & 0xffff };
}
