/** Finds the uses of a type: types that refer to it, places of its id, and CO-RE records. */
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
  /** Ids of the type and of pointers, arrays, qualifiers, prototypes that contain its name in C. */
  readonly written: Uint32Array;
  /** Named own types that refer to a type in `written`, ascending. */
  readonly users: Uint32Array;
  /** File offsets of words with ids in `written`, ascending; empty for types outside the file. */
  readonly words: Uint32Array;
  /** Rows of CO-RE records with a type in `written` as root or on the path, ascending. */
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

/** Returns all uses of `type` in a file. Reads all references in the file. */
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

/** Returns the type and the types that C writes with its name; types of the base come first. */
function writtenWith(t: TypeTable, type: TypeId): ReadonlySet<number> {
  const written = new Set<number>([type]);
  for (const table of tablesOf(t)) {
    const index = buildReferrers(table);
    const open = [...written];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const from of referrersIn(index, typeId(id))) {
        if (written.has(from) || !isInPlace(table, typeId(from))) continue;
        written.add(from);
        open.push(from);
      }
    }
  }
  return written;
}

/** Maximum number of different accesses to follow. */
const MAX_WALKS = 100_000;

function coresPassing(model: ObjectModel, t: TypeTable, written: ReadonlySet<number>): Uint32Array {
  const { core } = model.ext;
  const known = new Map<string, boolean>();
  const rows: number[] = [];
  for (let row = 0; row < core.count; row++) {
    const key = `${core.typeId[row]} ${core.accessStrOff[row]} ${core.kind[row]}`;
    let passes = known.get(key);
    if (passes === undefined) {
      const { root, accessStr, kind } = coreRecord(model, coreIndex(row));
      passes =
        written.has(root) ||
        (known.size < MAX_WALKS &&
          walkAccess(t, root, accessStr, kind).steps.some((step) => written.has(step.type)));
      known.set(key, passes);
    }
    if (passes) rows.push(row);
  }
  return Uint32Array.from(rows);
}
