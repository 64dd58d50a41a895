/**
 * Records of BTF types in an atlas, as words. Names are numbers. A reference to a type is 0 for
 * void, odd for a record, or even for a *symbol* (a kind and a name).
 */
import { infoKind, kindSpec } from '#formats/btf/kinds.ts';

/** Content of a word of a record: a number, a name, or a reference to a type. */
export const WordRole = { number: 0, name: 1, type: 2 } as const;

/** Contents of the words of each kind: the third word and the fixed part, then one item. */
const ROLES = Array.from({ length: 128 }, (_, kind) => {
  const spec = kindSpec(kind);
  const roles = (part: NonNullable<typeof spec>['fixed']) =>
    (part?.fields ?? []).map(({ holds }) =>
      holds === 'name' ? WordRole.name : holds === 'type' ? WordRole.type : WordRole.number,
    );
  const isType = spec !== null && spec.third !== 'size' && spec.third !== 'unused';
  const third: number = isType ? WordRole.type : WordRole.number;
  return { fixed: [third, ...roles(spec?.fixed ?? null)], item: roles(spec?.item ?? null) };
});

const NO_ROLES = { fixed: [], item: [] };

/** Returns the numbers of words before the items and in each item (0 if there are no items). */
export function recordShape(kind: number): { readonly head: number; readonly item: number } {
  const { fixed, item } = ROLES[kind] ?? NO_ROLES;
  return { head: 2 + fixed.length, item: item.length };
}

/** Returns the content of word `index` of a record of `kind`. */
export function roleOf(kind: number, index: number): number {
  if (index < 2) return index === 0 ? WordRole.name : WordRole.number;
  const { fixed, item } = ROLES[kind] ?? NO_ROLES;
  const itemWord = index - 2 - fixed.length;
  const role = itemWord < 0 ? fixed[index - 2] : item[itemWord % Math.max(1, item.length)];
  return role ?? WordRole.number;
}

/** Returns the index of the next name after `index`; a very large number if there is none. */
export function nextName(kind: number, index: number): number {
  if (index < 0) return 0;
  const { fixed, item } = ROLES[kind] ?? NO_ROLES;
  // Only the first word of an item can be a name.
  if (item[0] !== WordRole.name) return Number.MAX_SAFE_INTEGER;
  return index === 0 ? 2 + fixed.length : index + item.length;
}

/** Returns the BTF_KIND_* of a record. */
export function kindOfRecord(words: ArrayLike<number>): number {
  return infoKind(words[1] ?? 0);
}

export const refToRecord = (record: number) => 2 * record + 1;
export const refToSymbol = (symbol: number) => 2 * symbol + 2;
