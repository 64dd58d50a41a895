/** Types of tables and rows, and the columns that tables share. */
import type { EntryForm } from '#analysis/atlas/entry-form.ts';
import { kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { memoized } from '#bytes/cache.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import type { AtlasKernel, AtlasModule } from '#formats/atlas/directory.ts';
import type { TypeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';

/** A queried file: model and name. The name may be any text. */
export type ModelFile = { readonly name: string; readonly model: ObjectModel };
/** A queried atlas; its kernels provide the rows. */
export type AskedAtlas = { readonly name: string; readonly atlas: AtlasFile };
export type QueryFile = ModelFile | AskedAtlas;

/** Fields of every row that comes from a file. */
export type FileRow = { readonly file: ModelFile };

/** Fields of every row that comes from an atlas. */
export type AtlasRow = {
  readonly file: AskedAtlas;
  readonly kernel: AtlasKernel;
  /** Module that contains the definition; null for the kernel itself. */
  readonly module: AtlasModule | null;
};

/** A row about a named definition in an atlas. */
export type FormRow = AtlasRow & {
  readonly form: EntryForm;
  /** Number of earlier definitions of this kind and name in the kernel, ordered by type id. */
  readonly definition: number;
  /** Index of the member, enumerator or parameter; 0 in tables of types and functions. */
  readonly index: number;
};

export type QueryRow = FileRow | AtlasRow;

/** Value of a cell. Integers beyond 2^53 are `bigint`. */
export type SqlValue = string | number | bigint | boolean | null;

export type ColumnType = 'text' | 'integer' | 'boolean';

export type TableColumn<Row extends FileRow = FileRow> = {
  readonly name: string;
  readonly type: ColumnType;
  /** Description of the column: one sentence without a full stop. */
  readonly doc: string;
  /** Returns the value of the cell. Is a method, so that a table of any row type is a `Table`. */
  of(row: Row): SqlValue;
  /** The column for rows of an atlas; null if the atlas has no values for it. */
  readonly inAtlas: AtlasColumn | null;
  /** Returns the selection that the cell links to, or null. */
  goal?(row: Row): Selection | null;
};

/** A table column for rows of an atlas. */
export type AtlasColumn = {
  of(row: AtlasRow): SqlValue;
  /** Size of an integer in Parquet files, in bits. */
  readonly bits: 32 | 64;
  readonly isNullable: boolean;
  /** True if Parquet files store the column. */
  readonly isStored: boolean;
  /** Goal of the cells: the row's definition, or its member, enumerator or parameter. */
  readonly names: 'form' | 'item' | null;
};

/** Rows of a table that come from an atlas: kernels, modules, or definitions. */
export type AtlasRows =
  | 'kernels'
  | 'modules'
  | {
      readonly kinds: readonly number[];
      /** Name of the column that has the name of the definition. */
      readonly nameColumn: string;
      /** Returns the number of rows for a form of a definition. */
      readonly count: (form: EntryForm) => number;
    };

export type Table<Row extends FileRow = FileRow> = {
  readonly name: string;
  /** Description of the table's rows: one sentence without a full stop. */
  readonly doc: string;
  readonly columns: readonly TableColumn<Row>[];
  /** Returns the rows of a file, in order. */
  readonly rows: (file: ModelFile) => Iterable<Row>;
  /** Rows of this table in an atlas; null if an atlas has no such rows. */
  readonly atlasRows: AtlasRows | null;
};

/** Returns true if cells of the column have goals, in files or in an atlas. */
export function hasGoals({ goal, inAtlas: atlas }: TableColumn): boolean {
  return goal !== undefined || (atlas !== null && atlas.names !== null);
}

export function isOfAtlas(row: QueryRow): row is AtlasRow {
  return 'atlas' in row.file;
}

/** Returns the function that computes a column's cells. */
export function cellsOf(column: TableColumn): (row: QueryRow) => SqlValue {
  const { inAtlas } = column;
  return (row) => (isOfAtlas(row) ? (inAtlas?.of(row) ?? null) : column.of(row));
}

/** Maximum bytes of a name in a cell. Real names have some tens of bytes, hostile ones millions. */
export const NAME_BYTES = 4096;

function column<Row extends FileRow>(type: ColumnType) {
  return (
    name: string,
    doc: string,
    of: (row: Row) => SqlValue,
    goal?: (row: Row) => Selection | null,
  ): TableColumn<Row> => ({ name, type, doc, of, inAtlas: null, ...(goal && { goal }) });
}

/** Returns `column` with the function for its cells in rows of an atlas. */
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
  // All rows of a table have the same type, so the cast is safe.
  const cell = of as (row: AtlasRow) => SqlValue;
  return { ...column, inAtlas: { of: cell, bits, isNullable, isStored, names } };
}

/** Returns a function for each column type. It makes a column from name, doc, cells and goals. */
export function columns<Row extends FileRow>() {
  return {
    text: column<Row>('text'),
    integer: column<Row>('integer'),
    flag: column<Row>('boolean'),
  };
}

/** Returns the column `file`. */
export function fileColumn<Row extends FileRow>(): TableColumn<Row> {
  const { text } = columns<Row>();
  return inAtlas(
    text('file', 'Name of the file', ({ file }) => file.name),
    ({ file }) => file.name,
    { isStored: false },
  );
}

/** Returns the columns `file` and `kernel`. */
export function fileColumns<Row extends FileRow>(): TableColumn<Row>[] {
  const { text } = columns<Row>();
  return [
    fileColumn(),
    inAtlas(
      text('kernel', 'Name of the kernel; empty where the file is no kernel', ({ file }) => {
        return isKernel(file.model) ? kernelOf(file).name : '';
      }),
      ({ kernel }) => kernel.name,
      // Parquet files have the kernel in the name of the partition.
      { isStored: false },
    ),
  ];
}

/** Returns the columns `file`, `kernel` and `module`. */
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

/** Names of the columns that identify a definition's file, kernel or module. */
export const HOLDER_COLUMNS: ReadonlySet<string> = new Set(['file', 'kernel', 'module']);

/** Returns facts about a kernel, read from its file name. Cached. */
export const kernelOf = memoized(({ name }: ModelFile) => kernelInfo(name));

/** Returns true if the model is the BTF of a kernel: types without a base, and no programs. */
export function isKernel(model: ObjectModel): boolean {
  const { types, ext } = model;
  return types !== null && !types.split && ext.core.count === 0 && !isBpf(model);
}

/** Returns the selection of a type, or null for void. */
export const typeGoal = (id: TypeId): Selection | null => (id === 0 ? null : typeSelection(id));
