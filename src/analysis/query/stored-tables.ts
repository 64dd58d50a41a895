/** Tables of an atlas as Parquet files store them, one partition per kernel. `docs/fleet.md` documents them. */
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { foundEntries, heldForms } from './atlas-rows.ts';
import type { AskedAtlas, AtlasColumn, AtlasRow, FormRow, SqlValue } from './table.ts';
import { TABLES } from './tables.ts';

/** `int` has 32 bits, `long` 64; both are signed. */
type StoredType = 'text' | 'int' | 'long' | 'flag';

export type StoredColumn = Pick<AtlasColumn, 'of' | 'isNullable'> & {
  readonly name: string;
  readonly type: StoredType;
};

/** Names of the stored tables, in the order of writing. */
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

/** Returns the stored columns of a table without `kernel`, which precedes them in every table. */
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
  /** Values by column, without `kernel`. A 64-bit number is a bigint. */
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
  // Version numbers come from the kernel's name and can have any size.
  return value <= MAX_INT ? value : null;
}

/**
 * Calls `take` with a kernel number and a row: first each kernel and module, then definitions in the order
 * of kinds and names. Throws `Malformed` for a damaged part of the atlas.
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

/** Yields the rows of a definition: the type or function, then its members, enumerators or parameters. */
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
