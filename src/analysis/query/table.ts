/** What a table is made of, and the columns that all tables share. */
import { kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { oncePer } from '#bytes/keep.ts';
import type { TypeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';

/** A file that is asked: its name, which may be any text, and what it holds. */
export type QueryFile = { readonly name: string; readonly model: ObjectModel };

/** The least that a row says. */
export type FileRow = { readonly file: QueryFile };

/** A cell. `bigint` only where a number passes 2^53. */
export type SqlValue = string | number | bigint | boolean | null;

export type ColumnType = 'text' | 'integer' | 'boolean';

export type TableColumn<Row extends FileRow = FileRow> = {
  readonly name: string;
  readonly type: ColumnType;
  /** One sentence without a full stop. */
  readonly doc: string;
  /** The cell. A method, so that a table of any rows is a `Table`. */
  of(row: Row): SqlValue;
  /** What the cell names in its file; null: nothing. */
  goal?(row: Row): Selection | null;
};

export type Table<Row extends FileRow = FileRow> = {
  readonly name: string;
  /** One sentence without a full stop: what a row is. */
  readonly doc: string;
  readonly columns: readonly TableColumn<Row>[];
  /** The rows of one file, in its order. */
  readonly rows: (file: QueryFile) => Iterable<Row>;
};

/** Bytes of a name that a cell has: names are some tens of bytes, those of a hostile file megabytes. */
export const NAME_BYTES = 4096;

function column<Row extends FileRow>(type: ColumnType) {
  return (
    name: string,
    doc: string,
    of: (row: Row) => SqlValue,
    goal?: (row: Row) => Selection | null,
  ): TableColumn<Row> => ({ name, type, doc, of, ...(goal && { goal }) });
}

/** Makes columns by their types: name, doc, cell, and what the cell names. */
export function columns<Row extends FileRow>() {
  return {
    text: column<Row>('text'),
    integer: column<Row>('integer'),
    flag: column<Row>('boolean'),
  };
}

/** Says which file a row is of. */
export function fileColumn<Row extends FileRow>(): TableColumn<Row> {
  return columns<Row>().text('file', 'Name of the file', ({ file }) => file.name);
}

/** The same, and of which kernel. */
export function fileColumns<Row extends FileRow>(): TableColumn<Row>[] {
  const { text } = columns<Row>();
  return [
    fileColumn(),
    text('kernel', 'Name of the kernel; empty where the file is no kernel', ({ file }) => {
      return isKernel(file.model) ? kernelOf(file).name : '';
    }),
  ];
}

/** What the name of a file says of its kernel. */
export const kernelOf = oncePer(({ name }: QueryFile) => kernelInfo(name));

/** Is it the BTF of a kernel: types that stand alone, without programs? */
export function isKernel(model: ObjectModel): boolean {
  const { types, ext } = model;
  return types !== null && !types.split && ext.core.count === 0 && !isBpf(model);
}

/** A type as the goal of a cell; null for void, which has nothing to show. */
export const typeGoal = (id: TypeId): Selection | null => (id === 0 ? null : typeSelection(id));

/** Exact: a number where that is possible. */
export function integerOf(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
