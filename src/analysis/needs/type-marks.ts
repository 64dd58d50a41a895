/** Marks the types and members that relocations need, and the types that these refer to. */
import { coreKind, TYPE_ID_LOCAL } from '#analysis/core/core-kinds.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, memberAt, membersOf, paramsOf } from '#model/type-items.ts';
import {
  arrayData,
  hasType,
  kindOf,
  lastId,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';

/**
 * References that a mark follows. `near`: from typedefs, modifiers, arrays and prototypes. `far`: as
 * `near`, and from pointers. `match`: as `far`, and from structs. `match-behind`: `match` after a
 * pointer, which leaves structs out until an array or prototype.
 */
export type Reach = 'near' | 'far' | 'match' | 'match-behind';

const BIT: Readonly<Record<Reach, number>> = { near: 1, far: 2, match: 4, 'match-behind': 8 };

type Mark = { readonly id: TypeId; readonly reach: Reach };

export class TypeMarks {
  readonly #types: TypeTable;
  /** By type id: the reaches with which the type was marked, as bits of `BIT`. */
  readonly #reached: Uint8Array;
  readonly #members = new Map<TypeId, Set<number>>();
  #memberCount = 0;

  constructor(types: TypeTable) {
    this.#types = types;
    this.#reached = new Uint8Array(lastId(types) + 1);
  }

  /** Number of marked members of all types. */
  get memberCount(): number {
    return this.#memberCount;
  }

  has(id: TypeId): boolean {
    return (this.#reached[id] ?? 0) !== 0;
  }

  hasMember(id: TypeId, index: number): boolean {
    return this.#members.get(id)?.has(index) ?? false;
  }

  markMember(id: TypeId, index: number): void {
    const members = getOrCreate(this.#members, id, () => new Set<number>());
    if (members.has(index)) return;
    members.add(index);
    this.#memberCount += 1;
  }

  /** Marks `id` and the types that `reach` leads to. Ignores void and invalid ids. */
  mark(id: TypeId, reach: Reach): void {
    const open: Mark[] = [{ id, reach }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const before = this.#reached[next.id] ?? 0;
      if ((before & BIT[next.reach]) !== 0 || !hasType(this.#types, next.id)) continue;
      this.#reached[next.id] = before | BIT[next.reach];
      if (next.reach === 'match') this.#markMembers(next.id);
      for (const reached of this.#reachedFrom(next)) open.push(reached);
    }
  }

  #markMembers(id: TypeId): void {
    for (const { index } of membersOf(this.#types, id)) this.markMember(id, index);
  }

  *#reachedFrom({ id, reach }: Mark): Generator<Mark, void, void> {
    const t = this.#types;
    const matching = reach === 'match' || reach === 'match-behind';
    // A match marks structs in an array or prototype completely, even after a pointer.
    const within: Reach = matching ? 'match' : reach;
    switch (kindOf(t, id)) {
      case BtfKind.PTR:
        if (reach === 'near') return;
        yield { id: typeId(sizeOrTypeOf(t, id)), reach: matching ? 'match-behind' : reach };
        return;
      case BtfKind.CONST:
      case BtfKind.VOLATILE:
      case BtfKind.RESTRICT:
      case BtfKind.TYPEDEF:
      case BtfKind.TYPE_TAG:
        yield { id: typeId(sizeOrTypeOf(t, id)), reach };
        return;
      case BtfKind.ARRAY: {
        const { elemType, indexType } = arrayData(t, id);
        yield { id: elemType, reach: within };
        yield { id: indexType, reach: within };
        return;
      }
      case BtfKind.FUNC_PROTO:
        yield { id: typeId(sizeOrTypeOf(t, id)), reach: within };
        for (const { type } of paramsOf(t, id)) yield { id: type, reach: within };
        return;
      case BtfKind.STRUCT:
      case BtfKind.UNION:
        if (reach !== 'match') return;
        for (const { type } of membersOf(t, id)) yield { id: type, reach };
        return;
      default:
    }
  }
}

/** Path of the access that matched a relocation in a table. */
export type MatchedSpec = {
  /** Relocation kind, `enum bpf_core_relo_kind`. */
  readonly kind: number;
  /** Id of the root type, which may be a typedef or modifier. */
  readonly root: TypeId;
  /** All indices of the path. A field's first index selects an element of the pointer's target. */
  readonly raw: readonly number[];
};

const TYPE_MATCHES = 12;

/** Marks the parts of `t` that `spec` needs, by the rules of `bpftool gen min_core_btf`. */
export function markSpec(t: TypeTable, marks: TypeMarks, spec: MatchedSpec): void {
  if (spec.kind === TYPE_ID_LOCAL) return;
  switch (coreKind(spec.kind)?.group) {
    case 'field':
      markField(t, marks, spec);
      return;
    case 'enum':
      marks.mark(spec.root, 'near');
      return;
    case 'type':
      marks.mark(spec.root, spec.kind === TYPE_MATCHES ? 'match' : 'far');
      return;
    default:
  }
}

function markField(t: TypeTable, marks: TypeMarks, { root, raw }: MatchedSpec): void {
  marks.mark(root, 'near');
  let at = skipModifiers(t, root);
  for (const index of raw.slice(1)) {
    const kind = kindOf(t, at);
    if (kind === BtfKind.ARRAY) {
      at = skipModifiers(t, arrayData(t, at).elemType);
    } else if (isComposite(kind)) {
      const member = memberAt(t, at, index);
      if (member === null) return;
      marks.markMember(at, index);
      marks.mark(member.type, 'near');
      at = skipModifiers(t, member.type);
    } else {
      return;
    }
  }
}
