/**
 * Do two records say the same by themselves? What they refer to is not followed
 * here: each pair of references at the same place is handed on.
 *
 * Source of the records: "BTF Type Format", section 2.2.
 */
import { BTF_ENUM64, BTF_MEMBER, BTF_VAR_SECINFO, BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { ItemReader } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  nameOffOf,
  sizeOrTypeOf,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
import type { Side, Sides } from './side.ts';

/**
 * Takes two types that are referred to at the same place and says whether they
 * are the same as far as kind and name tell. `isPointed`: they are behind a
 * pointer. `index`: of the member, parameter or variable; -1 for the rest.
 */
export type Refer = (a: TypeId, b: TypeId, isPointed: boolean, index: number) => boolean;

/** Whether the records of `a` and `b` and their references agree. Stops at the first that does not. */
export function sameRecord(sides: Sides, a: TypeId, b: TypeId, refer: Refer): boolean {
  const kind = kindOf(sides.a.types, a);
  if (kind !== kindOf(sides.b.types, b)) return false;
  return sameName(sides, a, b) && sameTags(sides, a, b) && sameContent(sides, kind, a, b, refer);
}

function sameContent(sides: Sides, kind: number, a: TypeId, b: TypeId, refer: Refer): boolean {
  const old = sides.a.types;
  const now = sides.b.types;
  const target = (isPointed: boolean) =>
    refer(typeId(sizeOrTypeOf(old, a)), typeId(sizeOrTypeOf(now, b)), isPointed, -1);
  const sameSize = () => sizeOrTypeOf(old, a) === sizeOrTypeOf(now, b);
  switch (kind) {
    case BtfKind.PTR:
      return target(true);
    case BtfKind.TYPEDEF:
    case BtfKind.CONST:
    case BtfKind.VOLATILE:
    case BtfKind.RESTRICT:
    case BtfKind.TYPE_TAG:
      return target(false);
    case BtfKind.FUNC:
      return vlenOf(old, a) === vlenOf(now, b) && target(false);
    case BtfKind.VAR:
      return varLinkage(old, a) === varLinkage(now, b) && target(false);
    case BtfKind.INT: {
      const before = intData(old, a);
      const after = intData(now, b);
      return (
        sameSize() &&
        before.bits === after.bits &&
        before.encoding === after.encoding &&
        before.bitOffset === after.bitOffset
      );
    }
    case BtfKind.ARRAY: {
      const before = arrayData(old, a);
      const after = arrayData(now, b);
      return before.nelems === after.nelems && refer(before.elemType, after.elemType, false, -1);
    }
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return sameSize() && sameMembers(sides, a, b, refer);
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return sameSize() && sameEnumerators(sides, a, b);
    case BtfKind.FUNC_PROTO:
      return target(false) && sameParams(sides, a, b, refer);
    case BtfKind.DATASEC:
      return sameSize() && sameVariables(sides, a, b, refer);
    case BtfKind.FWD:
      return kindFlagOf(old, a) === kindFlagOf(now, b);
    default:
      return sameSize() && vlenOf(old, a) === vlenOf(now, b);
  }
}

/** An anonymous enum is none the less anonymous for having a key. */
function sameName({ a: old, b: now }: Sides, a: TypeId, b: TypeId): boolean {
  return old.nameId(nameOffOf(old.types, a)) === now.nameId(nameOffOf(now.types, b));
}

function sameTags({ a: old, b: now }: Sides, a: TypeId, b: TypeId): boolean {
  const before = old.tagsOf(a);
  const after = now.tagsOf(b);
  if (before === after) return true;
  return before.length === after.length && tagWords(old, a) === tagWords(now, b);
}

function tagWords(side: Side, id: TypeId): string {
  return side
    .tagsOf(id)
    .map((tag) => `${tag.componentIdx}:${tag.nameId}`)
    .sort()
    .join();
}

function sameMembers({ a: old, b: now }: Sides, a: TypeId, b: TypeId, refer: Refer): boolean {
  const count = vlenOf(old.types, a);
  if (count !== vlenOf(now.types, b)) return false;
  const { at } = BTF_MEMBER;
  const before = new ItemReader(old.types, a);
  const after = new ItemReader(now.types, b);
  const [flagA, flagB] = [kindFlagOf(old.types, a), kindFlagOf(now.types, b)];
  for (let i = 0; i < count; i++) {
    const [offsetA, offsetB] = [before.u32(i, at.offset), after.u32(i, at.offset)];
    if (!samePlace(offsetA, flagA, offsetB, flagB)) return false;
    if (old.nameId(before.nameOff(i)) !== now.nameId(after.nameOff(i))) return false;
    if (!refer(before.type(i), after.type(i), false, i)) return false;
  }
  return true;
}

/** With kind_flag the upper byte is the width of a bit-field; without it all is the offset. */
function samePlace(a: number, flagA: boolean, b: number, flagB: boolean): boolean {
  if (flagA === flagB) return a === b;
  return flagA ? a >>> 24 === 0 && a === b : b >>> 24 === 0 && a === b;
}

function sameEnumerators({ a: old, b: now }: Sides, a: TypeId, b: TypeId): boolean {
  const count = vlenOf(old.types, a);
  if (count !== vlenOf(now.types, b)) return false;
  if (kindFlagOf(old.types, a) !== kindFlagOf(now.types, b)) return false;
  const { at } = BTF_ENUM64;
  const before = new ItemReader(old.types, a);
  const after = new ItemReader(now.types, b);
  const isWide = kindOf(old.types, a) === BtfKind.ENUM64;
  for (let i = 0; i < count; i++) {
    if (before.u32(i, at.val_lo32) !== after.u32(i, at.val_lo32)) return false;
    if (isWide && before.u32(i, at.val_hi32) !== after.u32(i, at.val_hi32)) return false;
    if (old.nameId(before.nameOff(i)) !== now.nameId(after.nameOff(i))) return false;
  }
  return true;
}

function sameParams({ a: old, b: now }: Sides, a: TypeId, b: TypeId, refer: Refer): boolean {
  const count = vlenOf(old.types, a);
  if (count !== vlenOf(now.types, b)) return false;
  const before = new ItemReader(old.types, a);
  const after = new ItemReader(now.types, b);
  for (let i = 0; i < count; i++) {
    if (old.nameId(before.nameOff(i)) !== now.nameId(after.nameOff(i))) return false;
    if (!refer(before.type(i), after.type(i), false, i)) return false;
  }
  return true;
}

function sameVariables({ a: old, b: now }: Sides, a: TypeId, b: TypeId, refer: Refer): boolean {
  const count = vlenOf(old.types, a);
  if (count !== vlenOf(now.types, b)) return false;
  const { at } = BTF_VAR_SECINFO;
  const before = new ItemReader(old.types, a);
  const after = new ItemReader(now.types, b);
  for (let i = 0; i < count; i++) {
    if (before.u32(i, at.offset) !== after.u32(i, at.offset)) return false;
    if (before.u32(i, at.size) !== after.u32(i, at.size)) return false;
    if (!refer(typeId(before.u32(i, at.type)), typeId(after.u32(i, at.type)), false, i))
      return false;
  }
  return true;
}
