/** Types of tables and rows, and the columns that tables share. */
import type { EntryForm } from '#analysis/atlas/entry-form.ts';
import { kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { memoized } from '#bytes/cache.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import type { AtlasKernel, AtlasModule } from '#formats/atlas/directory.ts';
import type { TypeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';

/** A queried file: its name, which may be any text, and its model. */
export type ModelFile = { readonly name: string; readonly model: ObjectModel };
/** A queried atlas, whose kernels have the rows. */
export type AskedAtlas = { readonly name: string; readonly atlas: AtlasFile };
export type QueryFile = ModelFile | AskedAtlas;

/** Fields that every row of a file has. */
export type FileRow = { readonly file: ModelFile };

/** Fields that every row of an atlas has. */
export type AtlasRow = {
  readonly file: AskedAtlas;
  readonly kernel: AtlasKernel;
  /** The module that has the definition; null for the kernel itself. */
  readonly module: AtlasModule | null;
};

/** A row of a named definition. */
export type FormRow = AtlasRow & {
  readonly form: EntryForm;
  /** Index among the kernel's definitions of one kind and name, in the order of type ids. */
  readonly definition: number;
  /** Index of the member, enumerator or parameter; 0 in tables of whole types. */
  readonly index: number;
};

export type QueryRow = FileRow | AtlasRow;

/** A cell. Integers above 2^53 are `bigint`. */
export type SqlValue = string | number | bigint | boolean | null;

export type ColumnType = 'text' | 'integer' | 'boolean';

export type TableColumn<Row extends FileRow = FileRow> = {
  readonly name: string;
  readonly type: ColumnType;
  /** One sentence without a full stop. */
  readonly doc: string;
  /** Returns the cell. A method, so that a table of any rows is a `Table`. */
  of(row: Row): SqlValue;
  /** Column in rows of an atlas; null if all its cells are null. */
  readonly inAtlas: AtlasColumn | null;
  /** Returns the selection in the file that the cell links to; null for none. */
  goal?(row: Row): Selection | null;
};

/** A column in rows of an atlas. */
export type AtlasColumn = {
  of(row: AtlasRow): SqlValue;
  /** Bits of a stored integer. */
  readonly bits: 32 | 64;
  readonly isNullable: boolean;
  /** True for a column of the Parquet files. */
  readonly isStored: boolean;
  /** Goal of the cells: the definition of the row, or its item. */
  readonly names: 'form' | 'item' | null;
};

/** Rows that an atlas has in a table: kernels, modules, or definitions. */
export type AtlasRows =
  | 'kernels'
  | 'modules'
  | {
      readonly kinds: readonly number[];
      /** Name of the column with the definition's name. */
      readonly nameColumn: string;
      /** Returns the number of rows of a form. */
      readonly count: (form: EntryForm) => number;
    };

export type Table<Row extends FileRow = FileRow> = {
  readonly name: string;
  /** Description of a row: one sentence without a full stop. */
  readonly doc: string;
  readonly columns: readonly TableColumn<Row>[];
  /** Returns the rows of one file in order. */
  readonly rows: (file: ModelFile) => Iterable<Row>;
  /** null if an atlas has no rows here. */
  readonly atlasRows: AtlasRows | null;
};

/** Returns true for a column whose cells have goals, in files or in an atlas. */
export function hasGoals({ goal, inAtlas: atlas }: TableColumn): boolean {
  return goal !== undefined || (atlas !== null && atlas.names !== null);
}

export function isOfAtlas(row: QueryRow): row is AtlasRow {
  return 'atlas' in row.file;
}

/** Returns the getter of a column. */
export function cellsOf(column: TableColumn): (row: QueryRow) => SqlValue {
  const { inAtlas } = column;
  return (row) => (isOfAtlas(row) ? (inAtlas?.of(row) ?? null) : column.of(row));
}

/** Bytes of a name in a cell. Real names have some tens of bytes, names of hostile files megabytes. */
export const NAME_BYTES = 4096;

function column<Row extends FileRow>(type: ColumnType) {
  return (
    name: string,
    doc: string,
    of: (row: Row) => SqlValue,
    goal?: (row: Row) => Selection | null,
  ): TableColumn<Row> => ({ name, type, doc, of, inAtlas: null, ...(goal && { goal }) });
}

/** Returns the column with its cells in rows of an atlas. */
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

/** Returns makers of columns by type. Their arguments are name, doc, cell and goal of the cell. */
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
      // Parquet files have it in the name of the partition.
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

/** Columns that name the owner of a definition. */
export const HOLDER_COLUMNS: ReadonlySet<string> = new Set(['file', 'kernel', 'module']);

/** Returns the facts about a kernel in its file name. */
export const kernelOf = memoized(({ name }: ModelFile) => kernelInfo(name));

/** Returns true for the BTF of a kernel: types without a base and without programs. */
export function isKernel(model: ObjectModel): boolean {
  const { types, ext } = model;
  return types !== null && !types.split && ext.core.count === 0 && !isBpf(model);
}

/** Returns a type as the goal of a cell; null for void. */
export const typeGoal = (id: TypeId): Selection | null => (id === 0 ? null : typeSelection(id));

/** Returns a number if that is exact, else the bigint. */
export function integerOf(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
