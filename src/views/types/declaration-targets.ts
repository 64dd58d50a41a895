/** The types that the C declaration of a type can name, for links in its text. */
import { tagKeyword } from '#analysis/types/declarator.ts';
import { refersTo } from '#analysis/types/references.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';

/** What C writes for a reference, `struct foo` or the name of a typedef, and the type it means. */
export type DeclarationTargets = ReadonlyMap<string, TypeId>;

/** A hostile struct can lead through the whole file; a kernel's largest needs a few thousand. */
const MAX_VISITS = 20_000;

/**
 * Every named type that the declaration of `id` reaches through what C writes in
 * place: pointers, arrays, qualifiers, prototypes and anonymous structs.
 */
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

/** How C writes a type that has a name of its own; null for one written out in place, '' for one that gets no link. */
function spellingOf(types: TypeTable, id: TypeId): string | null {
  const kind = kindOf(types, id);
  // These are written by the type behind them; the name of a tag is no name of a type.
  if (kind === BtfKind.TYPE_TAG || kind === BtfKind.VAR || kind === BtfKind.FUNC) return null;
  const name = nameOf(types, id);
  if (name === '') return null;
  // A link at every int would hide the others.
  if (kind === BtfKind.INT || kind === BtfKind.FLOAT) return '';
  const keyword = tagKeyword(types, id);
  return keyword === '' ? name : `${keyword} ${name}`;
}
