/** Scans a kernel's BTF for a name, without an index: expected results for atlas tests. */
import { declaratorText } from '#analysis/types/declarator.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { enumeratorsOf, isComposite, membersOf, paramsOf } from '#model/type-items.ts';
import {
  kindOf,
  lastId,
  nameOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';

/** Returns the types with a kind and name, by ascending id. */
export function typesNamed(t: TypeTable, kinds: readonly number[], name: string): TypeId[] {
  const found: TypeId[] = [];
  for (let id = t.firstId; id <= lastId(t); id++) {
    if (kinds.includes(kindOf(t, typeId(id))) && nameOf(t, typeId(id)) === name)
      found.push(typeId(id));
  }
  return found;
}

export type ScannedMember = { name: string; bitOffset: number; bits: number; type: string };

/** Returns the members of a struct. An anonymous member is replaced by its own members. */
export function scannedMembers(t: TypeTable, id: TypeId, start = 0): ScannedMember[] {
  return membersOf(t, id).flatMap((member) => {
    const bitOffset = start + member.bitOffset;
    const inner = skipModifiers(t, member.type);
    if (member.name !== '') {
      const bits = member.bitfieldSize || 8 * byteSize(t, member.type);
      return [{ name: member.name, bitOffset, bits, type: typeText(t, member.type, '') }];
    }
    return isComposite(kindOf(t, inner)) ? scannedMembers(t, inner, bitOffset) : [];
  });
}

/** Returns the size of a type in bytes; 0 for a type without a size. */
export function byteSize(t: TypeTable, id: TypeId): number {
  return Number(sizeOf(t, id) ?? 0);
}

/** Returns the C declaration of a variable `name` with the type. */
export function typeText(t: TypeTable, id: TypeId, name: string): string {
  return declaratorText(t, id, name, 2000, { tags: false }).replaceAll('{…}', '{...}');
}

/** Returns the prototype of a function as text; the function must not have `...`. */
export function scannedPrototype(t: TypeTable, id: TypeId): string {
  const proto = typeId(sizeOrTypeOf(t, id));
  const params = paramsOf(t, proto).map(({ name, type }) => typeText(t, type, name));
  return typeText(t, typeId(sizeOrTypeOf(t, proto)), `${nameOf(t, id)}(${params.join(', ')})`);
}

/** Returns the value of an enumerator, in the first enum `name` that has the enumerator. */
export function scannedValue(t: TypeTable, name: string, enumerator: string): bigint | null {
  for (const id of typesNamed(t, [BtfKind.ENUM, BtfKind.ENUM64], name)) {
    const found = enumeratorsOf(t, id).find((each) => each.name === enumerator);
    if (found !== undefined) return BigInt(found.value);
  }
  return null;
}
