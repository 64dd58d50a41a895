/** What a header of needs defines, each thing behind what it holds by value. */
import type { TypeMarks } from '#analysis/core-needs/type-marks.ts';
import { stripped } from '#analysis/types/strip.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, membersOf } from '#model/type-items.ts';
import { arrayData, kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import { isSpellable, tagOf } from './needs-header-words.ts';

/** The header under way. */
export type HeaderTypes = {
  readonly types: TypeTable;
  /** Types and members that are needed. */
  readonly marks: TypeMarks;
  /** Enumerators that are needed, by enum. */
  readonly enumerators: ReadonlyMap<TypeId, ReadonlySet<number>>;
  /** Enumerators that were written: they share one name space. */
  readonly spelled: Set<string>;
  /** `struct foo`, for what is only pointed at. */
  readonly forward: Set<string>;
  /** Anonymous types that are being spelled out. */
  readonly open: Set<TypeId>;
  /** Names that were left out. */
  leftOut: number;
};

/** Types of one tag: several ids where a linker has kept more than one of a name. */
export type Definition = { readonly tag: string; readonly ids: readonly TypeId[] };

/** All marked structs, unions and enums with a name, by tag, in the order of ids. */
export function definitionsOf(header: HeaderTypes): Map<string, Definition> {
  const { types: t, marks } = header;
  const ids = new Map<string, TypeId[]>();
  for (let i = 1; i <= lastId(t); i++) {
    const id = typeId(i);
    if (!marks.has(id) || !isTagged(kindOf(t, id)) || nameOf(t, id) === '') continue;
    if (!isSpellable(nameOf(t, id))) {
      header.leftOut += 1;
      continue;
    }
    const tag = tagOf(t, id);
    const known = ids.get(tag);
    if (known === undefined) ids.set(tag, [id]);
    else known.push(id);
  }
  return new Map(Array.from(ids, ([tag, all]) => [tag, { tag, ids: all }]));
}

function isTagged(kind: number): boolean {
  return isComposite(kind) || kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
}

type Visit = { readonly definition: Definition; readonly left: string[] };

/** The definitions, those first that others hold. One that holds itself, which C forbids, stands where it is met. */
export function inOrder(
  header: HeaderTypes,
  definitions: ReadonlyMap<string, Definition>,
): Definition[] {
  const ordered: Definition[] = [];
  const seen = new Set<string>();
  const visit = (tag: string): Visit | null => {
    const definition = definitions.get(tag);
    if (definition === undefined || seen.has(tag)) return null;
    seen.add(tag);
    return { definition, left: heldTags(header, definition.ids).reverse() };
  };
  for (const tag of definitions.keys()) {
    const stack = [visit(tag)].filter((one) => one !== null);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.left.pop();
      if (next === undefined) {
        ordered.push(top.definition);
        stack.pop();
      } else {
        const inner = visit(next);
        if (inner !== null) stack.push(inner);
      }
    }
  }
  return ordered;
}

/** Tags that the marked members of `ids` hold by value, through arrays and anonymous structs. */
function heldTags({ types: t, marks }: HeaderTypes, ids: readonly TypeId[]): string[] {
  const tags = new Set<string>();
  const open = [...ids].reverse();
  const seen = new Set<TypeId>(ids);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const member of membersOf(t, id)) {
      if (!marks.hasMember(id, member.index)) continue;
      const held = elementOf(t, member.type);
      if (!isTagged(kindOf(t, held))) continue;
      if (nameOf(t, held) !== '') tags.add(tagOf(t, held));
      else if (!seen.has(held)) {
        seen.add(held);
        open.push(held);
      }
    }
  }
  return [...tags];
}

/** The element of an array of any dimensions; the type itself where it is no array. */
function elementOf(t: TypeTable, id: TypeId): TypeId {
  let at = stripped(t, id);
  for (let depth = 0; kindOf(t, at) === BtfKind.ARRAY && depth < MAX_DIMENSIONS; depth++) {
    at = stripped(t, arrayData(t, at).elemType);
  }
  return at;
}

const MAX_DIMENSIONS = 64;
