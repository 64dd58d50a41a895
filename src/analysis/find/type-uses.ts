/** Where a type is used: the types that name it, the words that hold its id, and the CO-RE records that pass it. */
import { coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { buildReferrers, referrersIn } from '#analysis/types/references.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { scanReferences } from '#formats/btf/records.ts';
import { coreIndex, type TypeId, typeId } from '#model/ids.ts';
import { tablesOf } from '#model/joined-words.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';

export type TypeUses = {
  readonly type: TypeId;
  /**
   * The type, and what C writes with its name in place: pointers to it, arrays, qualifiers,
   * prototypes, anonymous structs that have it.
   */
  readonly written: Uint32Array;
  /** Own types with a name that refer to one of these, ascending. */
  readonly users: Uint32Array;
  /** Offsets in the file of the words that hold the id of one of these, ascending; empty where the types are not in the file. */
  readonly words: Uint32Array;
  /** CO-RE records whose root type or path is one of these, ascending. */
  readonly cores: Uint32Array;
};

const IN_PLACE: ReadonlySet<number> = new Set([
  BtfKind.PTR,
  BtfKind.ARRAY,
  BtfKind.CONST,
  BtfKind.VOLATILE,
  BtfKind.RESTRICT,
  BtfKind.TYPE_TAG,
  BtfKind.FUNC_PROTO,
]);

function isInPlace(t: TypeTable, id: TypeId): boolean {
  const kind = kindOf(t, id);
  return IN_PLACE.has(kind) || (isComposite(kind) && nameOf(t, id) === '');
}

/** All uses of `type` in the file of `model`; time grows with the size of the file. */
export function typeUses(model: ObjectModel, t: TypeTable, type: TypeId): TypeUses {
  const written = writtenWith(t, type);
  const base = t.fileOffset;
  const users: number[] = [];
  const words: number[] = [];
  scanReferences(t, (i, to, _role, offset) => {
    if (!written.has(to)) return;
    if (base !== null) words.push(base + offset);
    const from = t.firstId + i;
    if (users.at(-1) !== from && !written.has(from)) users.push(from);
  });
  return {
    type,
    written: Uint32Array.from(written),
    users: Uint32Array.from(users),
    words: Uint32Array.from(words).sort(),
    cores: coresPassing(model, t, written),
  };
}

/** The type and all that C writes in place around it. The base comes first: it knows nothing of the types above it. */
function writtenWith(t: TypeTable, type: TypeId): ReadonlySet<number> {
  const found = new Set<number>([type]);
  for (const table of tablesOf(t)) {
    const index = buildReferrers(table);
    const open = [...found];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const from of referrersIn(index, typeId(id))) {
        if (found.has(from) || !isInPlace(table, typeId(from))) continue;
        found.add(from);
        open.push(from);
      }
    }
  }
  return found;
}

/** Records that differ in what they access are walked once each, at most so many; nobody compiles more. */
const MOST_WALKS = 100_000;

function coresPassing(model: ObjectModel, t: TypeTable, written: ReadonlySet<number>): Uint32Array {
  const { core } = model.ext;
  const known = new Map<string, boolean>();
  const found: number[] = [];
  for (let row = 0; row < core.count; row++) {
    const key = `${core.typeId[row]} ${core.accessStrOff[row]} ${core.kind[row]}`;
    let passes = known.get(key);
    if (passes === undefined) {
      const { root, accessStr, kind } = coreRecord(model, coreIndex(row));
      passes =
        written.has(root) ||
        (known.size < MOST_WALKS &&
          walkAccess(t, root, accessStr, kind).steps.some((step) => written.has(step.type)));
      known.set(key, passes);
    }
    if (passes) found.push(row);
  }
  return Uint32Array.from(found);
}
