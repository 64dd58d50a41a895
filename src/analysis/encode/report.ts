/** Lists what became of the entries of a file: what BTF leaves out, merges, or has twice. */
import { DuplicateSearch, IDENTICAL } from '#analysis/compare/duplicates.ts';
import { Malformed } from '#bytes/issue.ts';
import { hexText } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { DW_AT } from '#formats/dwarf/constants.ts';
import { declarationOf, linesOf } from '#formats/dwarf/declarations.ts';
import type { LineTable } from '#formats/dwarf/line.ts';
import type { Die, DwarfReader, DwarfUnit } from '#formats/dwarf/reader.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOf, nameOffOf, type TypeTable } from '#model/type-table.ts';
import type { Decision } from './decisions.ts';
import type { Encoded } from './encode.ts';

/** Where an entry is declared. */
export type EntryPlace = {
  /** Name of the unit; empty if it has none. */
  readonly unit: string;
  /** File of the declaration; empty if the entry states none. */
  readonly file: string;
  /** Line of the declaration; 0 if the entry states none. */
  readonly line: number;
};

export type ReportRow = Decision & EntryPlace;

/** A type of the BTF that shares kind and name with another, and the difference that keeps both. */
export type KeptApart = {
  readonly name: string;
  readonly kind: string;
  /** Ids of the first type of the name, and of this one. */
  readonly first: number;
  readonly id: number;
  /** Offset of the entry of `id` in `.debug_info`. */
  readonly offset: number;
  /** Member names from the type to the difference. */
  readonly path: readonly string[];
  readonly why: string;
};

/** Most pairs of types that are compared for one difference, and most work in all. */
const MAX_PAIRS = 20_000;
const MAX_COMPARED = 2_000_000;
/** Most types of one name that are compared with the first. */
const MAX_COPIES = 8;

/** Yields the decisions, then the types that were merged, with their places. */
export function* reportRows(encoded: Encoded, dwarf: DwarfReader): Generator<ReportRow> {
  const places = new EntryPlaces(dwarf);
  for (const decision of encoded.decisions.list) {
    yield { ...decision, ...places.of(decision.offset) };
  }
  for (const decision of mergedTypes(encoded)) yield { ...decision, ...places.of(decision.offset) };
}

/** Yields the types that became one with another of equal contents, in the order of the file. */
function* mergedTypes({ deduped, entries }: Encoded): Generator<Decision> {
  if (deduped === null || entries === null) return;
  const { types, newIds, keptIds } = deduped;
  for (let id = types.firstId; id < newIds.length; id++) {
    const offset = entries[id] ?? 0;
    const newId = newIds[id] ?? 0;
    const kept = keptIds[newId - types.firstId];
    if (offset === 0 || kept === id) continue;
    const kind = kindName(kindOf(types, typeId(newId)));
    const other = kept === undefined ? 'the base' : `the entry at ${hexText(entries[kept] ?? 0)}`;
    const detail = `${kind} [${newId}], of ${other}`;
    yield { subject: 'type', name: nameOf(types, typeId(newId)), offset, reason: 'merged', detail };
  }
}

/** Yields types with a name that another type of the same kind has, too. */
export function* keptApart({ deduped, entries }: Encoded): Generator<KeptApart> {
  if (deduped === null || entries === null) return;
  const { types, keptIds } = deduped;
  const offsetOf = (id: number) => entries[keptIds[id - types.firstId] ?? 0] ?? 0;
  const search = new DuplicateSearch(types, MAX_PAIRS);
  for (const [first, ...others] of search.groups()) {
    if (first === undefined || nameOffOf(types, first) === 0) continue;
    for (const id of others.slice(0, MAX_COPIES)) {
      if (search.compared > MAX_COMPARED) return;
      const { path, why } = search.between(first, id);
      yield {
        ...named(types, first),
        first,
        id,
        offset: offsetOf(id),
        path,
        why: why === IDENTICAL ? 'no difference in what is compared' : why,
      };
    }
  }
}

function named(types: TypeTable, id: number) {
  return { name: nameOf(types, typeId(id)), kind: kindName(kindOf(types, typeId(id))) };
}

const NO_PLACE: EntryPlace = { unit: '', file: '', line: 0 };

/** Places of entries by their offsets. */
class EntryPlaces {
  readonly #dwarf: DwarfReader;
  readonly #units = new Map<
    DwarfUnit,
    { readonly name: string; readonly lines: LineTable | null }
  >();

  constructor(dwarf: DwarfReader) {
    this.#dwarf = dwarf;
  }

  /** Returns the place of the entry at `offset`; empty if it cannot be read. */
  of(offset: number): EntryPlace {
    const unit = this.#dwarf.unitAt(offset);
    if (offset === 0 || unit === null) return NO_PLACE;
    try {
      const { name, lines } = this.#unitOf(unit);
      const { file, line } = declaredAt(unit.dieAt(offset), lines);
      return { unit: name, file, line };
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      return NO_PLACE;
    }
  }

  #unitOf(unit: DwarfUnit) {
    const known = this.#units.get(unit);
    if (known !== undefined) return known;
    const made = { name: unit.root.string(DW_AT.name) ?? '', lines: linesOf(unit) };
    this.#units.set(unit, made);
    return made;
  }
}

/** Returns file and line of a declaration; of its origin if the entry states none. */
function declaredAt(die: Die, lines: LineTable | null): Omit<EntryPlace, 'unit'> {
  const { file, line } = declarationOf(die);
  const declared = file === null ? undefined : lines?.file(file);
  return { file: declared?.name ?? '', line };
}
