/**
 * Chooses the types of a self-contained link. Types contained by value are whole. Pointees and
 * types in prototypes are declared (a FWD, or an enum without values) or, if nameless, whole.
 * Further pointees are whole in the order of reference, so that a larger choice contains a smaller
 * one.
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

/** Maximum number of types, members and values of a link. */
const MAX_ITEMS = 100_000;

export type CarriedChoice = {
  readonly root: TypeId;
  readonly whole: ReadonlySet<TypeId>;
  readonly declared: ReadonlySet<TypeId>;
  /** Number of whole pointees: as many as requested, or all. */
  readonly pointees: number;
  /** There are too many types for a link; the sets are incomplete. */
  readonly isCut: boolean;
};

/** Chooses the types for `root` with `wantedPointees` whole pointees. */
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
  /** Declared types in order, and the number of those visited again. */
  readonly #pointees: TypeId[] = [];
  #next = 0;
  #items = 0;

  constructor(table: TypeTable) {
    this.#table = table;
  }

  get isCut(): boolean {
    return this.#items > MAX_ITEMS;
  }

  /** Makes the nearest declared type whole; returns false if there is none. */
  holdNextPointee(): boolean {
    while (this.#next < this.#pointees.length && !this.isCut) {
      const id = this.#pointees[this.#next++];
      if (id === undefined || this.whole.has(id)) continue;
      this.hold(id);
      return true;
    }
    return false;
  }

  /** Adds `id` with the types that it contains by value. */
  hold(id: TypeId): void {
    // The list is a stack, so references are pushed in reverse.
    const open: Reference[] = [{ id, isHeld: true }];
    for (let ref = open.pop(); ref !== undefined && !this.isCut; ref = open.pop()) {
      for (const reference of this.#take(ref).toReversed()) open.push(reference);
    }
  }

  /** Adds one type. Returns its references in order. */
  #take({ id, isHeld }: Reference): readonly Reference[] {
    const t = this.#table;
    // A typedef that was only referenced can now lead to a contained type.
    const isKnown =
      this.#held.has(id) || (!isHeld && (this.whole.has(id) || this.declared.has(id)));
    if (isKnown || !hasType(t, id)) return [];
    if (!isHeld && canBeDeclared(t, id)) {
      this.declared.add(id);
      this.#pointees.push(id);
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

/** Returns whether the type can be declared without its contents. */
function canBeDeclared(t: TypeTable, id: TypeId): boolean {
  const kind = kindOf(t, id);
  const hasDeclaration = isComposite(kind) || isEnum(kind);
  return hasDeclaration && !isNameless(t, nameOffOf(t, id));
}

/** Returns the references of a type; those to pointees and in prototypes are not by value. */
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
