/** Tables as columns: one typed array per field, each as long as the table. */

type ColumnType =
  | Uint8ArrayConstructor
  | Uint16ArrayConstructor
  | Uint32ArrayConstructor
  | Int32ArrayConstructor
  | Float64ArrayConstructor
  | BigUint64ArrayConstructor
  | BigInt64ArrayConstructor;

type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** The columns of a table with fields of these `Types`. */
export type Columns<Types extends ColumnTypes> = {
  readonly [Key in keyof Types]: Types[Key]['prototype'];
};

/** Returns columns of `count` zeros. */
export function newColumns<Types extends ColumnTypes>(types: Types, count: number): Columns<Types> {
  const columns = Object.entries(types).map(([key, Type]) => [key, new Type(count)]);
  return Object.fromEntries(columns) as Columns<Types>;
}
