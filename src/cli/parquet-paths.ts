/** Paths of Parquet files, `TABLE/kernel=NAME/`, as Hive, Spark, Trino and DuckDB read them. */
import { STORED_NAMES, type StoredName } from '#analysis/query/stored-tables.ts';

/** Spaces, and the characters that Hive writes as `%` and two hex digits in partition values. */
const ESCAPED = /[\p{Cc} "#%'*/:=?\\{}[\]^]/gu;

/** Returns the path of the file of one table and kernel. */
export function partitionPath(folder: string, table: StoredName, kernel: string): string {
  const value = kernel.replace(
    ESCAPED,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return `${folder.replace(/\/$/, '')}/${table}/kernel=${value}/${table}.parquet`;
}

/** A file of a Parquet set, with its table and kernel. A partition can have several files. */
export type PartitionFile = {
  readonly path: string;
  readonly table: StoredName;
  readonly kernel: string;
};

/** Returns the files of a Parquet set among `paths`. */
export function partitionFiles(paths: readonly string[]): readonly PartitionFile[] {
  return paths.flatMap((path) => {
    const found = /(?:^|\/)(\w+)\/kernel=([^/]+)\/[^/]+\.parquet$/.exec(path);
    const table = STORED_NAMES.find((name) => name === found?.[1]);
    const kernel = (found?.[2] ?? '').replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    return table === undefined ? [] : [{ path, table, kernel }];
  });
}
