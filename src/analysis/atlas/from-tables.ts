/** Reads the definitions of a kernel from database rows, which may be in any order. */
import { EntryKind, type EntryKindName } from '#formats/atlas/entry.ts';

/** Row of a table: values by column name. */
export type NamedRow = Readonly<Record<string, unknown>>;

/** Type or function of an atlas entry, with texts instead of string numbers. */
export type NamedDefinition = {
  readonly kind: number;
  readonly name: string;
  readonly module: string | null;
  readonly definition: number;
  readonly variant: readonly (string | number)[];
};

type Tables = Readonly<
  Record<'types' | 'members' | 'enumerators' | 'functions' | 'params', readonly NamedRow[]>
>;

/** Returns the definitions, sorted by kind, name, module, id. Throws `TypeError` for bad values. */
export function definitionsOf(tables: Tables): readonly NamedDefinition[] {
  const members = grouped(tables.members, (row) => [row.kind, row.type]);
  const enumerators = grouped(tables.enumerators, (row) => ['enum', row.enum]);
  const params = grouped(tables.params, (row) => ['func', row.function]);
  const types = tables.types.map((row) => {
    const kind = kindOf(row.kind);
    const size = count(row.size, 'size');
    switch (kind) {
      case 'struct':
      case 'union': {
        const parts = of(members, row, kind).flatMap((member) => [
          text(member.name, 'name'),
          text(member.type_name, 'type_name'),
          count(member.bits, 'bits'),
          count(member.bit_offset, 'bit_offset'),
        ]);
        return definition(kind, row, [size, ...parts]);
      }
      case 'enum': {
        const parts = of(enumerators, row, kind).flatMap((each) => {
          const value = long(each.value, 'value');
          return [text(each.name, 'name'), Number(BigInt.asIntN(32, value)), Number(value >> 32n)];
        });
        return definition(kind, row, [size, row.signed === true ? 1 : 0, ...parts]);
      }
      default:
        return definition(kind, row, [text(row.type_name, 'type_name'), size]);
    }
  });
  const functions = tables.functions.map((row) => {
    const parts = of(params, row, 'func').flatMap((param) => {
      const type = text(param.type_name, 'type_name');
      return [text(param.name, 'name'), type === '...' ? '' : type];
    });
    return definition('func', row, [text(row.return_type, 'return_type'), ...parts]);
  });
  return [...types, ...functions].sort(
    (a, b) =>
      a.kind - b.kind ||
      compare(a.name, b.name) ||
      compare(a.module ?? '', b.module ?? '') ||
      a.definition - b.definition,
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function definition(
  kind: EntryKindName,
  row: NamedRow,
  variant: readonly (string | number)[],
): NamedDefinition {
  return {
    kind: EntryKind[kind],
    name: text(row.name, 'name'),
    module: moduleOf(row),
    definition: count(row.definition, 'definition'),
    variant,
  };
}

/** Returns the rows grouped by parent; each group is sorted by `position`. */
function grouped(
  rows: readonly NamedRow[],
  owner: (row: NamedRow) => readonly [kind: unknown, name: unknown],
): ReadonlyMap<string, NamedRow[]> {
  const groups = new Map<string, NamedRow[]>();
  for (const row of rows) {
    const [kind, name] = owner(row);
    const key = keyOf(row, `${kind}`, text(name, 'name'));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  for (const group of groups.values())
    group.sort((a, b) => Number(a.position) - Number(b.position));
  return groups;
}

function of(
  groups: ReadonlyMap<string, readonly NamedRow[]>,
  row: NamedRow,
  kind: string,
): readonly NamedRow[] {
  return groups.get(keyOf(row, kind, text(row.name, 'name'))) ?? [];
}

/** Returns the key of a row's parent. NUL separates the parts, since names contain no NUL. */
function keyOf(row: NamedRow, kind: string, name: string): string {
  return `${kind}\0${name}\0${row.definition}\0${moduleOf(row) ?? ''}`;
}

function kindOf(value: unknown): Exclude<EntryKindName, 'func'> {
  if (value === 'struct' || value === 'union' || value === 'enum' || value === 'typedef')
    return value;
  throw wrong('kind', value);
}

function moduleOf(row: NamedRow): string | null {
  const { module = null } = row;
  return module === null ? null : text(module, 'module');
}

function text(value: unknown, column: string): string {
  if (typeof value === 'string' && !value.includes('\0')) return value;
  throw wrong(column, value);
}

function long(value: unknown, column: string): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw wrong(column, value);
}

/** Returns `value` as a non-negative number that an atlas can store, or throws `TypeError`. */
export function count(value: unknown, column: string): number {
  const number = Number(long(value, column));
  if (number >= 0 && number < 2 ** 48) return number;
  throw wrong(column, value);
}

function wrong(column: string, value: unknown): TypeError {
  return new TypeError(`the column ${column} has the value ${String(value)}`);
}
