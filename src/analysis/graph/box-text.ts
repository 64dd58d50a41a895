/** What the box of a type says: its name and size, and the members that have rows. */
import { enumeratorAt } from '#analysis/types/enumerator-at.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { typeExpression, typeTitle } from '#analysis/types/type-name.ts';
import { visible } from '#bytes/text.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { kindOf, skipModifiers } from '#model/type-table.ts';
import type { GraphReader } from './entries.ts';
import { type Forced, itemCount, rowsOf } from './rows.ts';

/** A member, parameter, variable or enumerator; all texts fit to be drawn. */
export type BoxRow = {
  /** Member numbers from the type; empty for what cannot be selected. */
  readonly path: readonly number[];
  readonly name: string;
  /** `:3` for a bit-field, else empty. */
  readonly bits: string;
  /** The type as C writes it, or the value of an enumerator. */
  readonly type: string;
  /** Does it lead to no other node? */
  readonly isScalar: boolean;
};

export type BoxText = {
  readonly type: TypeId;
  /** BTF_KIND_*. */
  readonly kind: number;
  readonly name: string;
  /** Bytes; null where the type has no size. */
  readonly size: bigint | null;
  readonly rows: readonly BoxRow[];
  /** Items without a row, where there are rows at all. */
  readonly rest: number;
};

/** The text of a box; `limit` and `forced` as the layout of the graph was asked for. */
export function boxText(
  reader: GraphReader,
  type: TypeId,
  limit: number,
  forced: readonly Forced[],
): BoxText {
  const { types } = reader;
  const numbers = rowsOf(reader, type, limit, forced);
  const entries = reader.entriesOf(type);
  return {
    type,
    kind: kindOf(types, type),
    name: visible(typeTitle(types, type)),
    size: sizeOf(types, type),
    rows: numbers.map((number) => {
      const entry = entries[number];
      return entry === undefined ? enumeratorRow(reader, type, number) : entryRow(types, entry);
    }),
    rest: limit > 0 ? itemCount(reader, type) - numbers.length : 0,
  };
}

function entryRow(
  types: GraphReader['types'],
  entry: ReturnType<GraphReader['entriesOf']>[number],
): BoxRow {
  const { name, path, type, bitfieldSize, to } = entry;
  const isEllipsis = name === '' && type === VOID;
  return {
    path,
    name: isEllipsis ? '...' : visible(name) || '(anon)',
    bits: bitfieldSize === 0 ? '' : `:${bitfieldSize}`,
    type: isEllipsis ? '' : shortType(visible(typeExpression(types, type)), to !== null),
    isScalar: to === null,
  };
}

/** Where a row leads to a box of its own, that box tells whether it is a struct, union or enum. */
function shortType(text: string, isLinked: boolean): string {
  return isLinked ? text.replace(/\b(?:struct|union|enum) (?=\S)/, '') : text;
}

function enumeratorRow({ types }: GraphReader, type: TypeId, index: number): BoxRow {
  const enumerator = enumeratorAt(types, skipModifiers(types, type), index);
  return {
    path: [],
    name: visible(enumerator?.name ?? ''),
    bits: '',
    type: `${enumerator?.value ?? ''}`,
    isScalar: true,
  };
}
