/**
 * What is known of kernels as tables: the columns, and the rows of each definition. The same tables are
 * exported as Parquet and asked in SQL; `docs/fleet.md` documents them.
 */
import { decodeText } from '#bytes/text.ts';
import type { AtlasFile, FoundEntry } from '#formats/atlas/atlas-file.ts';
import type { AtlasKernel, AtlasModule } from '#formats/atlas/directory.ts';
import { EntryKind } from '#formats/atlas/entry.ts';
import { versionOf } from './kernel-name.ts';
import { enumeratorsOf, layoutOf, paramsOf, prototypeOf } from './questions.ts';

/** `int` has 32 bits, `long` 64, both with a sign. */
export type ColumnType = 'text' | 'int' | 'long' | 'flag';

export type Column = {
  readonly name: string;
  readonly type: ColumnType;
  /** Has it no value in some rows? */
  readonly nullable: boolean;
};

const column = (type: ColumnType, nullable: boolean) => (name: string) => ({
  name,
  type,
  nullable,
});
const text = column('text', false);
const int = column('int', false);
const long = column('long', false);
const maybeText = column('text', true);
const maybeInt = column('int', true);
const maybeFlag = column('flag', true);

/** The module that has it; none where that is the kernel itself. */
const module = maybeText('module');
/** Which of the types of one kind and name, from 0; the one of the lowest id is the first. */
const definition = int('definition');
const position = int('position');

/** The columns of each table. `kernel`, the name of a kernel, comes before them in all. */
export const TABLES = {
  kernels: [
    ...['version', 'arch', 'flavour'].map(text),
    ...['major', 'minor', 'patch', 'rc', 'abi'].map(maybeInt),
    text('endian'),
    int('pointer_size'),
    int('types'),
    long('btf_size'),
  ],
  modules: [text('module'), int('types'), long('btf_size')],
  types: [
    module,
    text('kind'),
    text('name'),
    definition,
    long('size'),
    maybeInt('members'),
    maybeText('layout'),
    maybeFlag('signed'),
    maybeText('type_name'),
  ],
  members: [
    module,
    text('kind'),
    text('type'),
    definition,
    position,
    text('name'),
    long('bit_offset'),
    long('bits'),
    text('type_name'),
  ],
  enumerators: [module, text('enum'), definition, position, text('name'), long('value')],
  functions: [
    module,
    text('name'),
    definition,
    text('return_type'),
    int('params'),
    text('prototype'),
  ],
  params: [module, text('function'), definition, position, text('name'), text('type_name')],
} satisfies Readonly<Record<string, readonly Column[]>>;

export type TableName = keyof typeof TABLES;
/** In the order in which they are written. */
export const TABLE_NAMES: readonly TableName[] = [
  'kernels',
  'modules',
  'types',
  'members',
  'enumerators',
  'functions',
  'params',
];

/** A number of a column of 64 bits is a bigint. */
export type TableValue = string | number | bigint | boolean | null;

export type TableRow = {
  readonly table: TableName;
  /** By column, without the kernel. */
  readonly values: readonly TableValue[];
};

const MAX_INT = 0x7fffffff;
const NO_MODULE = { name: null, kernel: -1 };

/** The row of a kernel. */
export function kernelRow(kernel: AtlasKernel): TableRow {
  const { name, version, arch, flavour, endian, pointerSize, typeCount, size } = kernel;
  const { major, minor, patch, rc, abi } = versionOf(name);
  const numbers = [major, minor, patch, rc, abi].map((number) =>
    number !== null && number <= MAX_INT ? number : null,
  );
  const values = [version, arch, flavour, ...numbers];
  return {
    table: 'kernels',
    values: [...values, endian, pointerSize, typeCount, BigInt(size)],
  };
}

/** The row of a module. */
export function moduleRow({ name, typeCount, size }: AtlasModule): TableRow {
  return { table: 'modules', values: [name, typeCount, BigInt(size)] };
}

/** The rows of one variant of an entry: the type or function, then its members, enumerators or parameters. */
export function* definitionRows(
  found: FoundEntry,
  variant: number,
  module: string | null,
  definition: number,
): Generator<TableRow, void, undefined> {
  const name = found.text(found.entry.name);
  const [first = 0, second = 0] = found.entry.variants[variant] ?? [];
  switch (found.entry.kind) {
    case EntryKind.struct:
    case EntryKind.union: {
      const kind = found.entry.kind === EntryKind.struct ? 'struct' : 'union';
      const { id, size, members } = layoutOf(found, variant);
      const count = members.length;
      const row = [module, kind, name, definition, BigInt(size), count, id, null, null];
      yield { table: 'types', values: row };
      for (const [i, { name: member, bitOffset, bits, type }] of members.entries()) {
        const place = [BigInt(bitOffset), BigInt(bits)];
        const values = [module, kind, name, definition, i, member, ...place, type];
        yield { table: 'members', values };
      }
      break;
    }
    case EntryKind.enum: {
      const items = enumeratorsOf(found, variant);
      const row = [module, 'enum', name, definition, BigInt(first), items.length];
      yield { table: 'types', values: [...row, null, second === 1, null] };
      for (const [i, { name: item, value }] of items.entries()) {
        const own = BigInt.asIntN(64, BigInt(value));
        yield { table: 'enumerators', values: [module, name, definition, i, item, own] };
      }
      break;
    }
    case EntryKind.func: {
      const params = paramsOf(found, variant);
      const prototype = prototypeOf(found, variant);
      const row = [module, name, definition, found.text(first), params.length, prototype];
      yield { table: 'functions', values: row };
      for (const [i, param] of params.entries()) {
        const type = param.type === '' ? '...' : param.type;
        yield { table: 'params', values: [module, name, definition, i, param.name, type] };
      }
      break;
    }
    default: {
      const row = [module, 'typedef', name, definition, BigInt(second), null, null, null];
      yield { table: 'types', values: [...row, found.text(first)] };
    }
  }
}

/** Gives each row of each definition of each kernel to `take`, in the order of kinds and names. Throws `Malformed` where a part of the atlas is damaged. */
export async function eachDefinitionRow(
  atlas: AtlasFile,
  take: (kernel: number, row: TableRow) => void,
): Promise<void> {
  for (const place of atlas.directory.entries) {
    const { strings, entries } = await atlas.entryBlock(place);
    const texts = strings.map((bytes) => decodeText(bytes));
    const textOf = (string: number) => texts[string] ?? '';
    for (const entry of entries) {
      const found = { entry, strings, text: textOf };
      for (const { variants, kernels, modules } of entry.rows) {
        for (const [definition, variant] of variants.entries()) {
          if (kernels.length > 0) {
            for (const row of definitionRows(found, variant, null, definition))
              for (const kernel of kernels) take(kernel, row);
          }
          for (const number of modules) {
            const { name, kernel } = atlas.directory.modules[number] ?? NO_MODULE;
            for (const row of definitionRows(found, variant, name, definition)) take(kernel, row);
          }
        }
      }
    }
  }
}
