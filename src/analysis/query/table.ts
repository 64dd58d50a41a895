/** What a table is made of, and the columns that all tables share. */
import type { EntryForm } from '#analysis/atlas/entry-form.ts';
import { kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { oncePer } from '#bytes/keep.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import type { AtlasKernel, AtlasModule } from '#formats/atlas/directory.ts';
import type { TypeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';

/** A file that is asked: its name, which may be any text, and what it holds. */
export type ModelFile = { readonly name: string; readonly model: ObjectModel };
/** An atlas that is asked, in place of each of its kernels. */
export type AskedAtlas = { readonly name: string; readonly atlas: AtlasFile };
export type QueryFile = ModelFile | AskedAtlas;

/** The least that a row of a file says. */
export type FileRow = { readonly file: ModelFile };

/** The least that a row of an atlas says. */
export type AtlasRow = {
  readonly file: AskedAtlas;
  readonly kernel: AtlasKernel;
  /** The module that has it; null: the kernel itself. */
  readonly module: AtlasModule | null;
};

/** A row of something that has a name. */
export type FormRow = AtlasRow & {
  readonly form: EntryForm;
  /** Which of the kernel's definitions of that kind and name, from 0; the one of the lowest type id is the first. */
  readonly definition: number;
  /** Number of the member, enumerator or parameter; 0 in tables of whole types. */
  readonly index: number;
};

export type QueryRow = FileRow | AtlasRow;

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
  /** What it is in rows of an atlas; null: always null. */
  readonly inAtlas: AtlasColumn | null;
  /** What the cell names in its file; null: nothing. */
  goal?(row: Row): Selection | null;
};

/** A column of rows of an atlas, which are stored as Parquet, too. */
export type AtlasColumn = {
  of(row: AtlasRow): SqlValue;
  /** Of an integer that is stored. */
  readonly bits: 32 | 64;
  /** Has it no value in some rows? */
  readonly isNullable: boolean;
  /** Is it a column of the Parquet files, too? */
  readonly isStored: boolean;
  /** What its cells name in a row of something that has a name: that, or its item. */
  readonly names: 'form' | 'item' | null;
};

/** What the rows of an atlas are in a table: its kernels, its modules, or what has a name. */
export type AtlasRows =
  | 'kernels'
  | 'modules'
  | {
      readonly kinds: readonly number[];
      /** The column that has the name. */
      readonly nameColumn: string;
      /** Number of rows that a form has. */
      readonly count: (form: EntryForm) => number;
    };

export type Table<Row extends FileRow = FileRow> = {
  readonly name: string;
  /** One sentence without a full stop: what a row is. */
  readonly doc: string;
  readonly columns: readonly TableColumn<Row>[];
  /** The rows of one file, in its order. */
  readonly rows: (file: ModelFile) => Iterable<Row>;
  /** null: an atlas has none. */
  readonly atlasRows: AtlasRows | null;
};

/** Has a column cells that name something, in any kind of file? */
export function hasGoals({ goal, inAtlas: atlas }: TableColumn): boolean {
  return goal !== undefined || (atlas !== null && atlas.names !== null);
}

export function isOfAtlas(row: QueryRow): row is AtlasRow {
  return 'atlas' in row.file;
}

/** The cells of a column. */
export function cellsOf(column: TableColumn): (row: QueryRow) => SqlValue {
  const { inAtlas } = column;
  return (row) => (isOfAtlas(row) ? (inAtlas?.of(row) ?? null) : column.of(row));
}

/** Bytes of a name that a cell has: names are some tens of bytes, those of a hostile file megabytes. */
export const NAME_BYTES = 4096;

function column<Row extends FileRow>(type: ColumnType) {
  return (
    name: string,
    doc: string,
    of: (row: Row) => SqlValue,
    goal?: (row: Row) => Selection | null,
  ): TableColumn<Row> => ({ name, type, doc, of, inAtlas: null, ...(goal && { goal }) });
}

/** The column with what it is in rows of an atlas. */
export function inAtlas<Row extends FileRow, Of extends AtlasRow = AtlasRow>(
  column: TableColumn<Row>,
  of: (row: Of) => SqlValue,
  {
    bits = 32,
    isNullable = false,
    isStored = true,
    names = null,
  }: Partial<Omit<AtlasColumn, 'of'>> = {},
): TableColumn<Row> {
  // The rows of one table are all of one kind.
  const cell = of as (row: AtlasRow) => SqlValue;
  return { ...column, inAtlas: { of: cell, bits, isNullable, isStored, names } };
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
  const { text } = columns<Row>();
  return inAtlas(
    text('file', 'Name of the file', ({ file }) => file.name),
    ({ file }) => file.name,
    { isStored: false },
  );
}

/** The same, and of which kernel. */
export function fileColumns<Row extends FileRow>(): TableColumn<Row>[] {
  const { text } = columns<Row>();
  return [
    fileColumn(),
    inAtlas(
      text('kernel', 'Name of the kernel; empty where the file is no kernel', ({ file }) => {
        return isKernel(file.model) ? kernelOf(file).name : '';
      }),
      ({ kernel }) => kernel.name,
      // It names the partition.
      { isStored: false },
    ),
  ];
}

/** The same, and of which of its modules. */
export function holderColumns<Row extends FileRow>(): TableColumn<Row>[] {
  const { text } = columns<Row>();
  const module = text(
    'module',
    'Of an atlas: the module that has it; null in the kernel itself, and of other files',
    () => null,
  );
  return [
    ...fileColumns<Row>(),
    inAtlas(module, (row) => row.module?.name ?? null, { isNullable: true }),
  ];
}

/** The columns that say who has something, and not what it is. */
export const HOLDER_COLUMNS: ReadonlySet<string> = new Set(['file', 'kernel', 'module']);

/** What the name of a file says of its kernel. */
export const kernelOf = oncePer(({ name }: ModelFile) => kernelInfo(name));

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
