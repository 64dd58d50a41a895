/**
 * Records of BTF types as an atlas has them: the words of `struct btf_type` and of what follows
 * it, with names as numbers of names, and types as references: 0 void, an odd number another
 * record, an even one a *symbol*, which is a kind and a name.
 */
import { infoKind, kindSpec } from '#formats/btf/kinds.ts';

/** What a word of a record holds. */
export const WordRole = { number: 0, name: 1, type: 2 } as const;

/** Roles of the words by kind: of the third and those that follow once, and of those of an item. */
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

/** Words of a record of `kind` before its items, and of an item; 0 where it has none. */
export function recordShape(kind: number): { readonly head: number; readonly item: number } {
  const { fixed, item } = ROLES[kind] ?? NO_ROLES;
  return { head: 2 + fixed.length, item: item.length };
}

/** What word `index` of a record of `kind` holds. */
export function roleOf(kind: number, index: number): number {
  if (index < 2) return index === 0 ? WordRole.name : WordRole.number;
  const { fixed, item } = ROLES[kind] ?? NO_ROLES;
  const behind = index - 2 - fixed.length;
  const role = behind < 0 ? fixed[index - 2] : item[behind % Math.max(1, item.length)];
  return role ?? WordRole.number;
}

/** The next word behind word `index` of a record of `kind` that holds a name; -1 is before the first one. Beyond any record where there is none. */
export function nextName(kind: number, index: number): number {
  if (index < 0) return 0;
  const { fixed, item } = ROLES[kind] ?? NO_ROLES;
  // Names are the first words of items, and no words that follow once.
  if (item[0] !== WordRole.name) return Number.MAX_SAFE_INTEGER;
  return index === 0 ? 2 + fixed.length : index + item.length;
}

/** BTF_KIND_* of a record. */
export function kindOfRecord(words: ArrayLike<number>): number {
  return infoKind(words[1] ?? 0);
}

export const refToRecord = (record: number) => 2 * record + 1;
export const refToSymbol = (symbol: number) => 2 * symbol + 2;
