/** A table as columns: one typed array per field, with an element for each row. */

type ColumnType =
  | Uint8ArrayConstructor
  | Uint16ArrayConstructor
  | Uint32ArrayConstructor
  | Int32ArrayConstructor
  | Float64ArrayConstructor
  | BigUint64ArrayConstructor
  | BigInt64ArrayConstructor;

type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** Columns of a table. `Types` gives the array type of each field. */
export type Columns<Types extends ColumnTypes> = {
  readonly [Key in keyof Types]: Types[Key]['prototype'];
};

/** Returns columns of `count` rows with zeros. */
export function newColumns<Types extends ColumnTypes>(types: Types, count: number): Columns<Types> {
  const columns = Object.entries(types).map(([key, Type]) => [key, new Type(count)]);
  return Object.fromEntries(columns) as Columns<Types>;
}
