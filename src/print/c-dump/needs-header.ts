/**
 * A C header with just the types and members that an object's CO-RE relocations
 * name: enough to compile the same accesses again, without a vmlinux.h.
 *
 * In: the local types and what `coreNeeds` found. Out: the text of `Dump` with a choice
 * of items. Offsets and sizes here need not be those of any kernel; kinds, names and
 * signs are what CO-RE compares, and they are kept, as are flavours. What C cannot
 * spell is left out and counted in a comment.
 */
import type { CoreNeeds } from '#analysis/core-needs/needs.ts';
import { type MatchedSpec, markSpec, TypeMarks } from '#analysis/core-needs/type-marks.ts';
import { isSpellable, tagKeyword } from '#analysis/types/declarator.ts';
import { addTo, keptIn } from '#bytes/keep.ts';
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

/** The header's text. Never throws. Names in it are C identifiers, so it can be shown as it is. */
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

/** Roots that are typedefs: a kernel is searched for a typedef of that name. Each name once. */
function typedefRoots(t: TypeTable, needs: CoreNeeds): Iterable<TypeId> {
  const roots = new Map<string, TypeId>();
  for (const { root, name } of needs.types) {
    if (kindOf(t, root) !== BtfKind.TYPEDEF || !isSpellable(name)) continue;
    if (!roots.has(name)) roots.set(name, root);
  }
  return roots.values();
}

class NeededItems {
  /** Structs, unions and enums of the same tag, of which a linker keeps more than one, are one definition. */
  readonly joined: JoinedTypes;
  /** Those to define, by the first id of their tag. */
  readonly definitions: readonly TypeId[];
  readonly choice: MemberChoice;
  /** Names that were left out so far. */
  leftOut = 0;
  readonly #types: TypeTable;
  readonly #marks: TypeMarks;
  /** Enumerators that relocations name, by enum. */
  readonly #enumerators = new Map<TypeId, Set<number>>();
  /** By id, once they were asked for. */
  readonly #kept = new Map<number, Set<number>>();

  constructor(t: TypeTable, needs: CoreNeeds) {
    this.#types = t;
    this.#marks = new TypeMarks(t);
    this.#mark(needs);
    const byTag = this.#byTag();
    const all = new Map<number, readonly TypeId[]>();
    const first = new Map<number, number>();
    for (const ids of byTag) {
      const [one = 0, ...others] = ids;
      if (others.length > 0) all.set(one, ids);
      for (const other of others) first.set(other, one);
    }
    this.joined = { first, all };
    this.definitions = byTag
      .filter((ids) => ids.some((id) => this.#marks.has(id)))
      .flatMap((ids) => ids.slice(0, 1));
    this.choice = {
      type: null,
      has: (id, index) => this.#keptOf(typeId(id)).has(index),
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
        keptIn(this.#enumerators, skipModifiers(t, root), () => new Set()).add(raw[0] ?? 0);
      }
    }
  }

  /** Structs, unions and enums with a name, in the order of ids. */
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

  #keptOf(id: TypeId): ReadonlySet<number> {
    const known = this.#kept.get(id);
    if (known !== undefined) return known;
    const first = this.joined.first.get(id) ?? id;
    const names = new Set<string>();
    for (const part of this.joined.all.get(first) ?? [first]) {
      const kept = new Set<number>();
      this.#kept.set(part, kept);
      const isOfEnum = isEnum(kindOf(this.#types, typeId(part)));
      const items = isOfEnum ? this.#enumeratorsOf(typeId(part)) : this.#membersOf(typeId(part));
      for (const { index, name, canBe } of items) {
        if (names.has(name)) continue;
        if (canBe) kept.add(index);
        else this.leftOut++;
        if (name !== '') names.add(name);
      }
    }
    return this.#kept.get(id) ?? new Set();
  }

  *#membersOf(id: TypeId): Generator<Item> {
    for (const { index, name, type } of membersFrom(this.#types, id)) {
      if (!this.#marks.hasMember(id, index)) continue;
      yield {
        index,
        name,
        canBe: (name === '' || isSpellable(name)) && canHold(this.#types, type),
      };
    }
  }

  /** Those that are named, and the lowest and the highest: they decide the size, which loads are checked by. */
  *#enumeratorsOf(id: TypeId): Generator<Item> {
    const all = enumeratorsOf(this.#types, id);
    let [low, high] = [0, 0];
    for (const { index, value } of all) {
      if (value < (all[low]?.value ?? 0n)) low = index;
      if (value > (all[high]?.value ?? 0n)) high = index;
    }
    for (const { index, name } of all) {
      const isNeeded = index === low || index === high || this.#enumerators.get(id)?.has(index);
      if (isNeeded) yield { index, name, canBe: isSpellable(name) };
    }
  }
}

/** A member or enumerator that is needed; `canBe` false where C cannot spell it. */
type Item = { readonly index: number; readonly name: string; readonly canBe: boolean };

function isTagged(kind: number): boolean {
  return isComposite(kind) || isEnum(kind);
}

const { INT, FLOAT, PTR, ARRAY } = BtfKind;
const MAX_DIMENSIONS = 64;

/** Can a member be of this type: has it a size, and a name that C can spell? */
function canHold(t: TypeTable, type: TypeId): boolean {
  let at = skipModifiers(t, type);
  for (let depth = 0; kindOf(t, at) === ARRAY && depth < MAX_DIMENSIONS; depth++) {
    at = skipModifiers(t, arrayData(t, at).elemType);
  }
  const kind = kindOf(t, at);
  if (isTagged(kind)) return nameOf(t, at) === '' || isSpellable(nameOf(t, at));
  return kind === INT || kind === FLOAT || kind === PTR;
}
