/** Reads kernels from a set of Parquet files that `btfscope atlas export` has written. */
import { type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { AtlasBuilder } from '#analysis/atlas/builder.ts';
import { count, definitionsOf, type NamedRow } from '#analysis/atlas/from-tables.ts';
import { compareKernels, kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { type StoredName, storedColumns } from '#analysis/query/stored-tables.ts';
import { append } from '#bytes/arrays.ts';
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';
import { freshInfo } from './atlas-inputs.ts';
import { CommandFailure, type NodeIo } from './command.ts';
import { checkPages, unsnapped } from './parquet-pages.ts';
import type { PartitionFile } from './parquet-paths.ts';

/** Rows of one kernel, grouped by table. */
type KernelTables = { readonly kernel: string } & Readonly<Record<StoredName, readonly NamedRow[]>>;

/** Adds the kernels of a Parquet set to an atlas, oldest first. Rejects with `CommandFailure`. */
export async function addSet(
  io: NodeIo,
  builder: AtlasBuilder,
  files: readonly PartitionFile[],
): Promise<void> {
  for await (const tables of kernelsOfSet(io, files)) {
    const [row] = tables.kernels;
    if (row === undefined) {
      throw new CommandFailure(`the table kernels has no row of ${visible(tables.kernel)}`);
    }
    const path = `kernel=${tables.kernel}`;
    const info = { ...kernelInfo(tables.kernel), name: tables.kernel };
    const text = (column: 'version' | 'arch' | 'flavour') => {
      const value = row[column];
      return typeof value === 'string' ? value : info[column];
    };
    try {
      const kernel = {
        name: tables.kernel,
        version: text('version'),
        arch: text('arch'),
        flavour: text('flavour'),
        endian: row.endian === 'big' ? 'big' : 'little',
        pointerSize: Number(row.pointer_size) === 4 ? 4 : 8,
        typeCount: count(row.types, 'types'),
        size: count(row.btf_size, 'btf_size'),
      } as const;
      const unique = freshInfo({ info: kernel, path }, (name) => builder.has(name));
      const definitions = definitionsOf(tables);
      const own = (module: string | null) => definitions.filter((each) => each.module === module);
      await builder.addDefinitions({ ...kernel, ...unique }, own(null));
      for (const { module: name, types, btf_size } of tables.modules) {
        if (typeof name !== 'string') throw new TypeError('the column module has no name');
        const module = {
          name,
          typeCount: count(types, 'types'),
          size: count(btf_size, 'btf_size'),
        };
        builder.addModuleDefinitions(module, own(name));
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new CommandFailure(
        `the tables of ${visible(tables.kernel)}: ${visible(error.message)}`,
      );
    }
  }
}

async function* kernelsOfSet(
  io: NodeIo,
  files: readonly PartitionFile[],
): AsyncGenerator<KernelTables, void, undefined> {
  const names = [...new Set(files.map(({ kernel }) => kernel))].sort(compareKernels);
  for (const kernel of names) {
    const own = files.filter((file) => file.kernel === kernel);
    const rows = async (table: StoredName) => {
      const found: NamedRow[] = [];
      for (const file of own) {
        if (file.table === table) append(found, await rowsOf(io, file));
      }
      return found;
    };
    yield {
      kernel,
      kernels: await rows('kernels'),
      modules: await rows('modules'),
      types: await rows('types'),
      members: await rows('members'),
      enumerators: await rows('enumerators'),
      functions: await rows('functions'),
      params: await rows('params'),
    };
  }
}

async function rowsOf(io: NodeIo, { path, table }: PartitionFile): Promise<readonly NamedRow[]> {
  const source = await io.open(path);
  try {
    const file = { byteLength: source.size, slice: sliceOf(source) };
    const metadata = await parquetMetadataAsync(file);
    refuseUnlikely(metadata, source.size);
    const known = new Set(metadata.schema.map(({ name }) => name));
    const columns = storedColumns(table).map(({ name }) => name);
    const missing = columns.find((name) => !known.has(name));
    if (missing !== undefined) throw new TypeError(`there is no column ${missing}`);
    await checkPages(source, metadata, new Set(columns));
    return await parquetReadObjects({
      file,
      metadata,
      columns,
      compressors: { SNAPPY: unsnapped },
    });
  } catch (error) {
    if (error instanceof Malformed || error instanceof CommandFailure) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${visible(path)} cannot be read as Parquet: ${visible(reason)}`);
  }
}

function sliceOf(source: ByteSource) {
  return async (start: number, end = source.size) => {
    const bytes = await source.read(start, end);
    return bytes.slice().buffer;
  };
}

/** Throws for a file with more than 8 rows per byte: its rows would not fit into memory. */
function refuseUnlikely({ num_rows: rows }: FileMetaData, size: number): void {
  if (rows > 8 * size) throw new TypeError(`it says that it has ${rows} rows in ${size} bytes`);
}
