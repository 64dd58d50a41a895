/**
 * Chooses the types of a self-contained link, whole or declared.
 *
 * In: a table, the type that the link is about, and how many pointees shall come
 * whole. Out: ids that are carried whole, and ids that are only declared. Whole
 * is what the type holds by value, through typedefs, arrays and nested structs.
 * What it only points at, or names in a prototype, is declared: a struct or union
 * as a FWD, an enum without its values. What has no name cannot be declared and
 * comes whole. Pointees come whole in the order in which they are met, nearest
 * first, so that a larger choice always holds a smaller one. Never throws.
 */
import { BtfKind, hasItems } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isNameless } from '#model/names.ts';
import { isComposite, isEnum, membersOf, paramsOf, varSecinfosOf } from '#model/type-items.ts';
import {
  arrayData,
  hasType,
  kindOf,
  nameOffOf,
  refOf,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';

/** Types, members and values of a link. */
const MAX_ITEMS = 100_000;

export type CarriedChoice = {
  readonly root: TypeId;
  readonly whole: ReadonlySet<TypeId>;
  readonly declared: ReadonlySet<TypeId>;
  /** Number of whole pointees: as many as requested, or all. */
  readonly pointees: number;
  /** True if there are too many types for a link; the sets are cut. */
  readonly isCut: boolean;
};

/** Chooses the types for `root`, with its first `wantedPointees` pointees whole. */
export function chooseCarried(t: TypeTable, root: TypeId, wantedPointees: number): CarriedChoice {
  const walk = new CarryWalk(t);
  walk.hold(root);
  let pointees = 0;
  while (pointees < wantedPointees && walk.holdNextPointee()) pointees++;
  return { root, whole: walk.whole, declared: walk.declared, pointees, isCut: walk.isCut };
}

class CarryWalk {
  readonly whole = new Set<TypeId>();
  readonly declared = new Set<TypeId>();
  readonly #table: TypeTable;
  readonly #held = new Set<TypeId>();
  /** Declared types in order, and how many of them were visited again. */
  readonly #met: TypeId[] = [];
  #next = 0;
  #items = 0;

  constructor(table: TypeTable) {
    this.#table = table;
  }

  get isCut(): boolean {
    return this.#items > MAX_ITEMS;
  }

  /** Makes the nearest declared type whole. Returns false without one. */
  holdNextPointee(): boolean {
    while (this.#next < this.#met.length && !this.isCut) {
      const id = this.#met[this.#next++];
      if (id === undefined || this.whole.has(id)) continue;
      this.hold(id);
      return true;
    }
    return false;
  }

  /** Adds `id` with all that it holds by value. */
  hold(id: TypeId): void {
    // The list is a stack, so references are pushed in reverse.
    const open: Reference[] = [{ id, isHeld: true }];
    for (let ref = open.pop(); ref !== undefined && !this.isCut; ref = open.pop()) {
      const found = this.#take(ref);
      for (let i = found.length - 1; i >= 0; i--) {
        const next = found[i];
        if (next !== undefined) open.push(next);
      }
    }
  }

  /** Adds one type. Returns its references in order. */
  #take({ id, isHeld }: Reference): readonly Reference[] {
    const t = this.#table;
    // A typedef that was only named can now lead to a held type.
    const isKnown =
      this.#held.has(id) || (!isHeld && (this.whole.has(id) || this.declared.has(id)));
    if (isKnown || !hasType(t, id)) return [];
    if (!isHeld && canBeDeclared(t, id)) {
      this.declared.add(id);
      this.#met.push(id);
      this.#items += 1;
      return [];
    }
    if (!this.whole.has(id)) this.#items += 1 + (hasItems(kindOf(t, id)) ? vlenOf(t, id) : 0);
    this.declared.delete(id);
    this.whole.add(id);
    const holds = isHeld || isComposite(kindOf(t, id));
    if (holds) this.#held.add(id);
    return this.isCut ? [] : referencesFrom(t, id, holds);
  }
}

/** A reference to a type, by value or not. */
type Reference = { readonly id: TypeId; readonly isHeld: boolean };

/** Can the type be declared without its contents? */
function canBeDeclared(t: TypeTable, id: TypeId): boolean {
  const kind = kindOf(t, id);
  const hasDeclaration = isComposite(kind) || isEnum(kind);
  return hasDeclaration && !isNameless(t, nameOffOf(t, id));
}

/** Pointees and types in prototypes are not held by value. */
function referencesFrom(t: TypeTable, id: TypeId, isHeld: boolean): readonly Reference[] {
  const kind = kindOf(t, id);
  if (kind === BtfKind.ARRAY) {
    const { elemType, indexType } = arrayData(t, id);
    return [
      { id: elemType, isHeld },
      { id: indexType, isHeld: true },
    ];
  }
  const target = refOf(t, id);
  const parts = [...membersOf(t, id), ...varSecinfosOf(t, id)];
  if (target === null) return parts.map(({ type }) => ({ id: type, isHeld: true }));
  const holds = isHeld && kind !== BtfKind.PTR && kind !== BtfKind.FUNC_PROTO;
  const params = paramsOf(t, id).map(({ type }) => ({ id: type, isHeld: false }));
  return [{ id: target, isHeld: holds }, ...params];
}
