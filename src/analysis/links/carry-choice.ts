/**
 * Chooses the types of a self-contained link. Types contained by value are whole. Types behind
 * pointers and in prototypes are only declared (a FWD, or an enum without values) or, if nameless,
 * whole. More pointed-to types become whole in the order of reference, so that a larger choice
 * contains each smaller one.
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
  /** Number of whole pointed-to types: the requested number, or all there are. */
  readonly pointees: number;
  /** True if there are too many types for a link: `whole` and `declared` are incomplete. */
  readonly isCut: boolean;
};

/** Returns the types for a link to `root` in which `wantedPointees` pointed-to types are whole. */
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
  /** Declared types in order of reference; `#next` is the index of the next one to make whole. */
  readonly #pointees: TypeId[] = [];
  #next = 0;
  #items = 0;

  constructor(table: TypeTable) {
    this.#table = table;
  }

  get isCut(): boolean {
    return this.#items > MAX_ITEMS;
  }

  /** Makes the next declared type whole. Returns false if there is none. */
  holdNextPointee(): boolean {
    while (this.#next < this.#pointees.length && !this.isCut) {
      const id = this.#pointees[this.#next++];
      if (id === undefined || this.whole.has(id)) continue;
      this.hold(id);
      return true;
    }
    return false;
  }

  /** Adds `id` and the types that it contains by value. */
  hold(id: TypeId): void {
    // The list is a stack: references are pushed in reverse, so that the first is popped first.
    const open: Reference[] = [{ id, isHeld: true }];
    for (let ref = open.pop(); ref !== undefined && !this.isCut; ref = open.pop()) {
      for (const reference of this.#take(ref).toReversed()) open.push(reference);
    }
  }

  /** Adds one type. Returns the references of the type in order. */
  #take({ id, isHeld }: Reference): readonly Reference[] {
    const t = this.#table;
    // A typedef that was only referred to may be contained by value now: visit it again.
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

/** A reference to a type; `isHeld` is true if the type is contained by value. */
type Reference = { readonly id: TypeId; readonly isHeld: boolean };

/** Returns true if the type can be declared without its contents. */
function canBeDeclared(t: TypeTable, id: TypeId): boolean {
  const kind = kindOf(t, id);
  const hasDeclaration = isComposite(kind) || isEnum(kind);
  return hasDeclaration && !isNameless(t, nameOffOf(t, id));
}

/** Returns the references of a type. Those behind pointers and in prototypes are not by value. */
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
