/**
 * Writes a C header with the types and members that an object's CO-RE relocations name: programs
 * with the same accesses compile without a vmlinux.h. Offsets and sizes may differ from those of
 * the object. Names that are not valid in C are omitted and counted.
 */
import type { CoreNeeds } from '#analysis/needs/core-needs.ts';
import { type MatchedSpec, markSpec, TypeMarks } from '#analysis/needs/type-marks.ts';
import { isSpellable, tagKeyword } from '#analysis/types/declarator.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { counted } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { enumeratorsOf, isComposite, isEnum, membersFrom } from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  lastId,
  nameOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { definitionsText, POP, PUSH } from './header.ts';
import { type JoinedTypes, type MemberChoice, recordsOf } from './records.ts';

/** Returns the header. Never throws. All names in it are C identifiers: it needs no escaping. */
export function needsHeader(t: TypeTable, needs: CoreNeeds): string {
  const items = new NeededItems(t, needs);
  const records = { ...recordsOf(t), joined: items.joined };
  const roots = [...items.definitions, ...typedefRoots(t, needs)];
  const { text } = definitionsText(records, roots, items.choice);
  const leftOut = items.leftOut === 0 ? '' : `/* ${leftOutText(items.leftOut)} */\n`;
  const all = `#pragma once\n\n${text === '' ? '' : PUSH + text + POP}${leftOut}`;
  return `${all.trimEnd()}\n`;
}

function leftOutText(count: number): string {
  return `${counted(count, 'name')} that C cannot spell ${count === 1 ? 'is' : 'are'} left out.`;
}

/** Returns the typedefs that relocations have as root, one per name: CO-RE looks up the name. */
function typedefRoots(t: TypeTable, needs: CoreNeeds): Iterable<TypeId> {
  const roots = new Map<string, TypeId>();
  for (const { root, name } of needs.types) {
    if (kindOf(t, root) !== BtfKind.TYPEDEF || !isSpellable(name)) continue;
    if (!roots.has(name)) roots.set(name, root);
  }
  return roots.values();
}

class NeededItems {
  /** A linker keeps all types with the same tag. Here they are written as one type. */
  readonly joined: JoinedTypes;
  /** Types to define, each represented by the first type with its tag. */
  readonly definitions: readonly TypeId[];
  readonly choice: MemberChoice;
  /** Number of names that have been omitted. */
  leftOut = 0;
  readonly #types: TypeTable;
  readonly #marks: TypeMarks;
  /** By enum: indices of the enumerators that relocations name. */
  readonly #enumerators = new Map<TypeId, Set<number>>();
  /** By type id: indices of the needed members or enumerators, computed at the first use. */
  readonly #indices = new Map<number, Set<number>>();

  constructor(t: TypeTable, needs: CoreNeeds) {
    this.#types = t;
    this.#marks = new TypeMarks(t);
    this.#mark(needs);
    const byTag = this.#byTag();
    const all = new Map<number, readonly TypeId[]>();
    const first = new Map<number, number>();
    for (const ids of byTag) {
      const [firstId = 0, ...repeated] = ids;
      if (repeated.length > 0) all.set(firstId, ids);
      for (const id of repeated) first.set(id, firstId);
    }
    this.joined = { first, all };
    this.definitions = byTag
      .filter((ids) => ids.some((id) => this.#marks.has(id)))
      .flatMap((ids) => ids.slice(0, 1));
    this.choice = {
      type: null,
      has: (id, index) => this.#indicesOf(typeId(id)).has(index),
      hasPrototype: (id) => this.#marks.has(typeId(id)),
      isPadded: false,
    };
  }

  #mark(needs: CoreNeeds): void {
    const t = this.#types;
    for (const { root, paths } of needs.types) {
      for (const { group, path } of paths) {
        const raw = path.steps.map((step) => step.index);
        const spec: MatchedSpec = { kind: path.kind, root, raw };
        markSpec(t, this.#marks, spec);
        if (group !== 'enum' || path.error !== null) continue;
        getOrCreate(this.#enumerators, skipModifiers(t, root), () => new Set()).add(raw[0] ?? 0);
      }
    }
  }

  /** Groups structs, unions and enums by tag. Groups are in the order of their first ids. */
  #byTag(): (readonly TypeId[])[] {
    const t = this.#types;
    const byTag = new Map<string, TypeId[]>();
    for (let i = 1; i <= lastId(t); i++) {
      const id = typeId(i);
      const name = isTagged(kindOf(t, id)) ? nameOf(t, id) : '';
      if (name !== '' && isSpellable(name)) {
        addTo(byTag, `${tagKeyword(t, id)} ${name}`, id);
      } else if (name !== '' && this.#marks.has(id)) {
        this.leftOut++;
      }
    }
    return [...byTag.values()];
  }

  #indicesOf(id: TypeId): ReadonlySet<number> {
    const known = this.#indices.get(id);
    if (known !== undefined) return known;
    const first = this.joined.first.get(id) ?? id;
    const names = new Set<string>();
    for (const part of this.joined.all.get(first) ?? [first]) {
      const indices = new Set<number>();
      this.#indices.set(part, indices);
      const isOfEnum = isEnum(kindOf(this.#types, typeId(part)));
      const items = isOfEnum ? this.#enumeratorsOf(typeId(part)) : this.#membersOf(typeId(part));
      for (const { index, name, canDeclare } of items) {
        if (names.has(name)) continue;
        if (canDeclare) indices.add(index);
        else this.leftOut++;
        if (name !== '') names.add(name);
      }
    }
    return this.#indices.get(id) ?? new Set();
  }

  *#membersOf(id: TypeId): Generator<Item> {
    for (const { index, name, type } of membersFrom(this.#types, id)) {
      if (!this.#marks.hasMember(id, index)) continue;
      yield {
        index,
        name,
        canDeclare: (name === '' || isSpellable(name)) && canHold(this.#types, type),
      };
    }
  }

  /** Yields the needed enumerators, the lowest and the highest: these determine the enum's size. */
  *#enumeratorsOf(id: TypeId): Generator<Item> {
    const all = enumeratorsOf(this.#types, id);
    let [low, high] = [0, 0];
    for (const { index, value } of all) {
      if (value < (all[low]?.value ?? 0n)) low = index;
      if (value > (all[high]?.value ?? 0n)) high = index;
    }
    for (const { index, name } of all) {
      const isNeeded = index === low || index === high || this.#enumerators.get(id)?.has(index);
      if (isNeeded) yield { index, name, canDeclare: isSpellable(name) };
    }
  }
}

/** A needed member or enumerator. `canDeclare` is false if its name is not valid in C. */
type Item = { readonly index: number; readonly name: string; readonly canDeclare: boolean };

function isTagged(kind: number): boolean {
  return isComposite(kind) || isEnum(kind);
}

const { INT, FLOAT, PTR, ARRAY } = BtfKind;
const MAX_DIMENSIONS = 64;

/** Returns true if a member can have this type: the type has a size, and its name is valid in C. */
function canHold(t: TypeTable, type: TypeId): boolean {
  let at = skipModifiers(t, type);
  for (let depth = 0; kindOf(t, at) === ARRAY && depth < MAX_DIMENSIONS; depth++) {
    at = skipModifiers(t, arrayData(t, at).elemType);
  }
  const kind = kindOf(t, at);
  if (isTagged(kind)) return nameOf(t, at) === '' || isSpellable(nameOf(t, at));
  return kind === INT || kind === FLOAT || kind === PTR;
}
