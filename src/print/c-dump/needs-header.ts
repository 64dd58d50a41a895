/**
 * A C header with just the types and members that an object's CO-RE relocations
 * name: enough to compile the same accesses again, without a vmlinux.h.
 *
 * In: the local types and what `coreNeeds` found. Each struct carries
 * `preserve_access_index`, so offsets and sizes here need not be those of any
 * kernel; kinds, names and signs are what CO-RE compares, and they are kept, as
 * are flavours. What C cannot spell is left out and counted in a comment.
 */

import type { CoreNeeds } from '#analysis/core-needs/needs.ts';
import { type MatchedSpec, markSpec, TypeMarks } from '#analysis/core-needs/type-marks.ts';
import { isSpellable } from '#analysis/types/declarator.ts';
import { stripped } from '#analysis/types/strip.ts';
import { emit, TextOut } from '#analysis/types/text-out.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, isEnum, membersOf } from '#model/type-items.ts';
import { arrayData, kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import { definitionText, tagOf, typedefText } from './needs-header-types.ts';

/** Characters; beyond it the header is cut, which only a hostile file comes to. */
const MAX_LENGTH = 1 << 24;

/** The header's text. Never throws. Names in it are C identifiers, so it can be shown as it is. */
export function needsHeader(t: TypeTable, needs: CoreNeeds): string {
  const header = headerTypes(t, needs);
  const definitions = inOrder(header, definitionsOf(header));
  const out = new TextOut(MAX_LENGTH);
  out.write('#pragma once\n\n');
  const { out: body } = header;
  for (const definition of definitions) {
    emit(definitionText(header, definition), body);
    body.write('\n');
  }
  for (const root of typedefRoots(t, needs)) emit(typedefText(header, root), body);
  for (const name of header.forward) out.write(`${name};\n`);
  if (header.forward.size > 0) out.write('\n');
  out.write(body.toString());
  if (header.leftOut > 0)
    out.write(`/* ${header.leftOut} names that C cannot spell are left out. */\n`);
  return `${out.toString().trimEnd()}\n`;
}

function headerTypes(t: TypeTable, needs: CoreNeeds): HeaderTypes {
  const marks = new TypeMarks(t);
  const enumerators = new Map<TypeId, Set<number>>();
  for (const { root, paths } of needs.types) {
    for (const { group, path } of paths) {
      const raw = path.steps.map((step) => step.index);
      const spec: MatchedSpec = { kind: path.kind, root, raw };
      markSpec(t, marks, spec);
      if (group === 'enum' && path.error === null) addEnumerator(t, enumerators, root, raw[0] ?? 0);
    }
  }
  const out = new TextOut(MAX_LENGTH);
  const sets = { spelled: new Set<string>(), forward: new Set<string>(), open: new Set<TypeId>() };
  return { types: t, out, marks, enumerators, ...sets, leftOut: 0 };
}

function addEnumerator(
  t: TypeTable,
  enumerators: Map<TypeId, Set<number>>,
  root: TypeId,
  index: number,
): void {
  const id = stripped(t, root);
  const wanted = enumerators.get(id) ?? new Set();
  enumerators.set(id, wanted.add(index));
}

/** Roots that are typedefs: a kernel is searched for a typedef of that name. Each name once. */
function typedefRoots(t: TypeTable, needs: CoreNeeds): TypeId[] {
  const roots = new Map<string, TypeId>();
  for (const { root, name } of needs.types) {
    if (kindOf(t, root) !== BtfKind.TYPEDEF || !isSpellable(name)) continue;
    if (!roots.has(name)) roots.set(name, root);
  }
  return [...roots.values()];
}

/** The header under way. */
export type HeaderTypes = {
  readonly types: TypeTable;
  /** The definitions so far. */
  readonly out: TextOut;
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
function definitionsOf(header: HeaderTypes): Map<string, Definition> {
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
  return isComposite(kind) || isEnum(kind);
}

type Visit = { readonly definition: Definition; readonly left: string[] };

/** The definitions, those first that others hold. One that holds itself, which C forbids, stands where it is met. */
function inOrder(header: HeaderTypes, definitions: ReadonlyMap<string, Definition>): Definition[] {
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
