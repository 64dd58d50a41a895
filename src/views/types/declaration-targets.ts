/** Finds the types that a declaration names. */
import { tagKeyword } from '#analysis/types/declarator.ts';
import { refersTo } from '#analysis/types/references.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';

/** A part of the code: a link to a type, a keyword, a number or a comment. */
export type DeclarationPart = {
  readonly text: string;
  readonly role: 'plain' | 'keyword' | 'number' | 'comment';
  /** Type that the part names; null if it names no type. */
  readonly type: TypeId | null;
};

/** Types by their name in C: `struct foo`, or the name of a typedef. */
export type DeclarationTargets = ReadonlyMap<string, TypeId>;

/** Maximum number of visited types of a hostile struct. A kernel needs a few thousand. */
const MAX_VISITS = 20_000;

/** Returns the named types in the declaration of `id`, including those in anonymous structs. */
export function declarationTargets(types: TypeTable, id: TypeId): DeclarationTargets {
  const targets = new Map<string, TypeId>();
  const seen = new Set<TypeId>([VOID, id]);
  const open: TypeId[] = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { type } of refersTo(types, at)) {
      if (seen.has(type)) continue;
      if (seen.size >= MAX_VISITS) return targets;
      seen.add(type);
      const spelling = spellingOf(types, type);
      if (spelling === null) open.push(type);
      else if (spelling !== '' && !targets.has(spelling)) targets.set(spelling, type);
    }
  }
  return targets;
}

/** Returns the name of a type in C; '' if it gets no link, null if it is declared in place. */
function spellingOf(types: TypeTable, id: TypeId): string | null {
  const kind = kindOf(types, id);
  // C names the referenced type instead. The name of a type tag is not a type.
  if (kind === BtfKind.TYPE_TAG || kind === BtfKind.VAR || kind === BtfKind.FUNC) return null;
  const name = nameOf(types, id);
  if (name === '') return null;
  // int and float get no links: so many would hide the links to other types.
  if (kind === BtfKind.INT || kind === BtfKind.FLOAT) return '';
  const keyword = tagKeyword(types, id);
  return keyword === '' ? name : `${keyword} ${name}`;
}
