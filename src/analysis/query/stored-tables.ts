/** Tables of an atlas as Parquet files, with one partition per kernel. See `docs/fleet.md`. */
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { foundEntries, heldForms } from './atlas-rows.ts';
import type { AskedAtlas, AtlasColumn, AtlasRow, FormRow, SqlValue } from './table.ts';
import { TABLES } from './tables.ts';

/** Type of a stored column: `int` is a signed 32-bit number, `long` a signed 64-bit number. */
type StoredType = 'text' | 'int' | 'long' | 'flag';

export type StoredColumn = Pick<AtlasColumn, 'of' | 'isNullable'> & {
  readonly name: string;
  readonly type: StoredType;
};

/** Names of the stored tables, in the order in which they are written. */
export const STORED_NAMES = [
  'kernels',
  'modules',
  'types',
  'members',
  'enumerators',
  'functions',
  'params',
] as const;
export type StoredName = (typeof STORED_NAMES)[number];

/** Returns the stored columns of a table without the column `kernel`, which all tables have. */
export function storedColumns(table: StoredName): readonly StoredColumn[] {
  return (TABLES.find(({ name }) => name === table)?.columns ?? []).flatMap(
    ({ name, type, inAtlas }) => {
      if (inAtlas === null || !inAtlas.isStored) return [];
      const { of, bits, isNullable } = inAtlas;
      const integer = bits === 64 ? ('long' as const) : ('int' as const);
      const stored = { text: 'text', boolean: 'flag', integer } as const;
      return [{ name, type: stored[type], of, isNullable }];
    },
  );
}

export type StoredRow = {
  readonly table: StoredName;
  /** Cells in the order of the columns, without `kernel`. 64-bit numbers are bigints. */
  readonly values: readonly SqlValue[];
};

const COLUMNS = STORED_NAMES.map((table) => ({
  table,
  columns: storedColumns(table),
  rows: TABLES.find(({ name }) => name === table)?.atlasRows ?? null,
}));

const MAX_INT = 0x7fffffff;

function stored({ type, of }: StoredColumn, row: AtlasRow): SqlValue {
  const value = of(row);
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  if (type === 'long') return BigInt.asIntN(64, BigInt(value));
  // Omit a version number that exceeds 32 bits: the kernel's name can contain any number.
  return value <= MAX_INT ? value : null;
}

/**
 * Calls `take` with the kernel number and the row, for each row of all tables: kernels and modules
 * first, then definitions by kind and name. Throws `Malformed` for a damaged part of the atlas.
 */
export async function eachStoredRow(
  atlas: AtlasFile,
  take: (kernel: number, row: StoredRow) => void,
): Promise<void> {
  const file: AskedAtlas = { name: atlas.name, atlas };
  const { kernels, modules } = atlas.directory;
  const [firstKernel] = kernels;
  if (firstKernel === undefined) return;
  for (const { table, columns, rows } of COLUMNS) {
    const give = (number: number, row: AtlasRow) =>
      take(number, { table, values: columns.map((column) => stored(column, row)) });
    if (rows === 'kernels') {
      for (const [i, kernel] of kernels.entries()) give(i, { file, kernel, module: null });
    } else if (rows === 'modules') {
      for (const module of modules) {
        give(module.kernel, { file, kernel: kernels[module.kernel] ?? firstKernel, module });
      }
    }
  }
  for await (const block of atlas.entryBlocks()) {
    for (const found of foundEntries(block)) {
      for (const { form, definition, ...holders } of heldForms(found)) {
        const row = { file, kernel: firstKernel, form, definition };
        if (holders.kernels.length > 0) {
          for (const each of formRows({ ...row, module: null })) {
            for (const kernel of holders.kernels) take(kernel, each);
          }
        }
        for (const number of holders.modules) {
          const module = modules[number];
          if (module === undefined) continue;
          for (const each of formRows({ ...row, module })) take(module.kernel, each);
        }
      }
    }
  }
}

/** Yields a definition's rows: type or function, then its members, enumerators or parameters. */
function* formRows(row: Omit<FormRow, 'index'>): Generator<StoredRow, void, undefined> {
  for (const { table, columns, rows } of COLUMNS) {
    if (rows === null || typeof rows === 'string' || !rows.kinds.includes(row.form.kind)) continue;
    const count = rows.count(row.form);
    for (let index = 0; index < count; index++) {
      yield {
        table,
        values: columns.map((column) => stored(column, { ...row, index } as FormRow)),
      };
    }
  }
}
