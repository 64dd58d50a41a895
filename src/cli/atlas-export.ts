/** `btfscope atlas export`: writes the tables of an atlas as Parquet, one partition per kernel. */
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import {
  eachStoredRow,
  STORED_NAMES,
  type StoredColumn,
  type StoredName,
  storedColumns,
} from '#analysis/query/stored-tables.ts';
import type { SqlValue } from '#analysis/query/table.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { type Call, type NewFile, type NodeIo, UsageError } from './command.ts';
import { partitionPath } from './parquet-paths.ts';

/** Number of rows in a row group. A search for one name reads one row group per file. */
const GROUP_ROWS = 1 << 14;
/** Number of kernels written together. Each has one open file and one row group per table. */
const KERNELS_AT_A_TIME = 32;

/** Writes all tables. Reads the atlas once per 32 kernels, to limit the number of open tables. */
export async function exportTables(call: Call, path: string): Promise<void> {
  const folder = call.option('parquet');
  if (folder === null) throw new UsageError('name a directory with --parquet');
  const atlas = await AtlasFile.open(await call.io.open(path));
  const { kernels } = atlas.directory;
  for (let start = 0; start < kernels.length; start += KERNELS_AT_A_TIME) {
    const own = kernels.slice(start, start + KERNELS_AT_A_TIME);
    const partitions = own.map(({ name }) => new Partition(call.io, folder, name));
    try {
      await eachStoredRow(atlas, (kernel, { table, values }) =>
        partitions[kernel - start]?.add(table, values),
      );
      for (const partition of partitions) partition.finish();
    } finally {
      for (const partition of partitions) partition.discard();
    }
  }
}

class Partition {
  readonly #tables: Readonly<Record<StoredName, TableFile>>;

  constructor(io: NodeIo, folder: string, kernel: string) {
    const open = (table: StoredName) =>
      new TableFile(storedColumns(table), () => io.create(partitionPath(folder, table, kernel)));
    this.#tables = {
      kernels: open('kernels'),
      modules: open('modules'),
      types: open('types'),
      members: open('members'),
      enumerators: open('enumerators'),
      functions: open('functions'),
      params: open('params'),
    };
  }

  add(table: StoredName, values: readonly SqlValue[]): void {
    this.#tables[table].add(values);
  }

  /** Writes the table of kernels last, so that every listed kernel has all its tables. */
  finish(): void {
    for (const table of STORED_NAMES.toReversed()) this.#tables[table].finish();
  }

  /** Removes the unfinished files. */
  discard(): void {
    for (const table of STORED_NAMES) this.#tables[table].discard();
  }
}

/** One Parquet file, written one row group at a time. */
class TableFile {
  readonly #columns: readonly StoredColumn[];
  readonly #open: () => NewFile;
  #written: {
    readonly file: NewFile;
    readonly bytes: ByteWriter;
    readonly to: ParquetWriter;
  } | null = null;
  #rows: (readonly SqlValue[])[] = [];

  constructor(columns: readonly StoredColumn[], open: () => NewFile) {
    this.#columns = columns;
    this.#open = open;
  }

  add(values: readonly SqlValue[]): void {
    if (this.#rows.push(values) === GROUP_ROWS) this.#flush();
  }

  finish(): void {
    this.#flush();
    const { file, bytes, to } = this.#opened();
    void to.finish();
    this.#write();
    bytes.finish();
    file.finish(new Uint8Array(0));
    this.#written = null;
  }

  discard(): void {
    this.#written?.file.discard();
    this.#written = null;
  }

  #opened() {
    if (this.#written === null) {
      const bytes = new ByteWriter();
      const to = new ParquetWriter({
        writer: bytes,
        schema: schemaOf(this.#columns),
        createdBy: 'btfscope',
      });
      this.#written = { file: this.#open(), bytes, to };
    }
    return this.#written;
  }

  #flush(): void {
    if (this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    const columnData = this.#columns.map(({ name }, column) => ({
      name,
      data: rows.map((values) => values[column] ?? null),
    }));
    // `write` is synchronous here: the bytes go to memory.
    void this.#opened().to.write({ columnData, rowGroupSize: GROUP_ROWS });
    this.#write();
  }

  #write(): void {
    const { file, bytes } = this.#opened();
    file.write(new Uint8Array(bytes.buffer, 0, bytes.index));
    bytes.index = 0;
  }
}

const PARQUET_TYPES = { text: 'BYTE_ARRAY', int: 'INT32', long: 'INT64', flag: 'BOOLEAN' } as const;

function schemaOf(columns: readonly StoredColumn[]): SchemaElement[] {
  const elements = columns.map(
    ({ name, type, isNullable }): SchemaElement => ({
      name,
      type: PARQUET_TYPES[type],
      repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED',
      ...(type === 'text' && { converted_type: 'UTF8' }),
    }),
  );
  return [{ name: 'root', num_children: columns.length }, ...elements];
}
