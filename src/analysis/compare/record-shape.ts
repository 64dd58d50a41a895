/** Compares two type records ("BTF Type Format", section 2.2); a callback compares references. */
import { BTF_KIND_MAX, BtfKind, hasItems, kindSpec, thirdWordRole } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { ItemReader, isComposite } from '#model/type-items.ts';
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

/** Returns true if two referenced types match. `index`: item with the reference, or -1. */
export type Refer = (a: TypeId, b: TypeId, isPointed: boolean, index: number) => boolean;

/** Returns true if two records and their references are equal; stops at the first difference. */
export function sameRecord(sides: Sides, a: TypeId, b: TypeId, refer: Refer): boolean {
  const kind = kindOf(sides.a.types, a);
  if (kind !== kindOf(sides.b.types, b)) return false;
  return sameName(sides, a, b) && sameTags(sides, a, b) && sameContent(sides, kind, a, b, refer);
}

function sameContent(sides: Sides, kind: number, a: TypeId, b: TypeId, refer: Refer): boolean {
  const old = sides.a.types;
  const now = sides.b.types;
  const isReference = thirdWordRole(kind) !== null && kind !== BtfKind.DECL_TAG;
  if (!isReference && !sameHead(sides, kind, a, b)) return false;
  if (kind === BtfKind.FUNC && vlenOf(old, a) !== vlenOf(now, b)) return false;
  if (kind === BtfKind.VAR && varLinkage(old, a) !== varLinkage(now, b)) return false;
  if (kind === BtfKind.ARRAY) {
    return refer(arrayData(old, a).elemType, arrayData(now, b).elemType, false, -1);
  }
  if (isReference) {
    const [target, targetNow] = [typeId(sizeOrTypeOf(old, a)), typeId(sizeOrTypeOf(now, b))];
    if (!refer(target, targetNow, kind === BtfKind.PTR, -1)) return false;
  }
  return !hasItems(kind) || sameItems(sides, kind, a, b, refer);
}

/** Returns true if two records are equal apart from items and references. */
function sameHead(
  { a: { types: old }, b: { types: now } }: Sides,
  kind: number,
  a: TypeId,
  b: TypeId,
) {
  const sameSize = sizeOrTypeOf(old, a) === sizeOrTypeOf(now, b);
  const sameFlag = kindFlagOf(old, a) === kindFlagOf(now, b);
  switch (kind) {
    case BtfKind.INT: {
      const before = intData(old, a);
      const after = intData(now, b);
      const sameBits = before.bits === after.bits && before.bitOffset === after.bitOffset;
      return sameSize && sameBits && before.encoding === after.encoding;
    }
    case BtfKind.ARRAY:
      return arrayData(old, a).nelems === arrayData(now, b).nelems;
    case BtfKind.FWD:
      return sameFlag;
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return sameSize && sameFlag;
    default:
      return sameSize && vlenOf(old, a) === vlenOf(now, b);
  }
}

/** Returns true if both names are equal. An anonymous enum has a key, but no name. */
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

/** Fields of an item by kind. References come last: comparing them takes the longest. */
const ITEM_FIELDS = Array.from({ length: BTF_KIND_MAX + 1 }, (_, kind) => {
  const fields = kindSpec(kind)?.item?.fields ?? [];
  const isReference = fields.map(({ holds }) => holds === 'type');
  return [
    ...fields.filter((_f, i) => !isReference[i]),
    ...fields.filter((_f, i) => isReference[i]),
  ];
});

/** Compares members, enumerators, parameters or section variables field by field. */
function sameItems(sides: Sides, kind: number, a: TypeId, b: TypeId, refer: Refer): boolean {
  const { a: old, b: now } = sides;
  const before = new ItemReader(old.types, a);
  const after = new ItemReader(now.types, b);
  if (before.count !== after.count) return false;
  const fields = ITEM_FIELDS[kind] ?? [];
  for (let i = 0; i < before.count; i++) {
    for (const { holds, offset } of fields) {
      const x = before.u32(i, offset);
      const y = after.u32(i, offset);
      if (holds === 'name') {
        if (old.nameId(x) !== now.nameId(y)) return false;
      } else if (holds === 'type') {
        if (!refer(typeId(x), typeId(y), false, i)) return false;
      } else if (x !== y || (isComposite(kind) && !samePlace(x, before, after))) return false;
    }
  }
  return true;
}

/** Compares member offsets. With kind_flag the upper byte is the width of a bit-field. */
function samePlace(offset: number, before: ItemReader, after: ItemReader): boolean {
  return before.kindFlag === after.kindFlag || offset >>> 24 === 0;
}
