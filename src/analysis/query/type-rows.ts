/** Rows for types and their items, and the columns that several of these tables have. */
import { typeExpression } from '#analysis/types/type-name.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import type { ItemReader } from '#model/type-items.ts';
import { kindOf, nameOf, stringAt, type TypeTable } from '#model/type-table.ts';
import {
  columns,
  type FileRow,
  type FormRow,
  inAtlas,
  type ModelFile,
  NAME_BYTES,
  type TableColumn,
  typeGoal,
} from './table.ts';

export type TypesRow = FileRow & { readonly types: TypeTable; readonly id: TypeId };
export type ItemRow = TypesRow & { readonly items: ItemReader; readonly index: number };

export const kindWord = (types: TypeTable, id: TypeId) => kindName(kindOf(types, id)).toLowerCase();
export const shortName = (types: TypeTable, id: TypeId) => nameOf(types, id, NAME_BYTES);
export const stringOf = (types: TypeTable, offset: number) =>
  offset === 0 ? '' : stringAt(types, offset, NAME_BYTES);

export function* ownTypes(file: ModelFile): Generator<TypesRow, void, undefined> {
  const { types } = file.model;
  if (types === null) return;
  for (let i = 0; i < types.count; i++) yield { file, types, id: typeId(types.firstId + i) };
}

/** Returns an array with one number per type: how many earlier types have its kind and name. */
const definitions = memoized((types: TypeTable) => {
  const counts = new Map<string, number>();
  return Uint32Array.from({ length: types.count }, (_, i) => {
    const id = typeId(types.firstId + i);
    const key = `${kindOf(types, id)} ${shortName(types, id)}`;
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before;
  });
});

/** Returns the column `definition`. */
export function definitionColumn<Row extends TypesRow>() {
  return inAtlas<Row, FormRow>(
    columns<Row>().integer(
      'definition',
      'Which of the types of its kind and name, from 0; the lowest id is the first',
      ({ types, id }) => definitions(types)[id - types.firstId] ?? 0,
    ),
    ({ definition }) => definition,
  );
}

/** Returns `column` with cells for rows of an atlas: the kind of the definition. */
export function kindColumn<Row extends TypesRow>(column: TableColumn<Row>): TableColumn<Row> {
  return inAtlas<Row, FormRow>(column, ({ form }) => form.kindName);
}
/** Returns `column` with cells for rows of an atlas: the name of the definition. */
export function nameColumn<Row extends TypesRow>(column: TableColumn<Row>): TableColumn<Row> {
  return inAtlas<Row, FormRow>(column, ({ form }) => form.name, { names: 'form' });
}

/** Returns the columns that every item table has: position and type of the item. */
export function itemColumns<Row extends ItemRow>() {
  const { text, integer } = columns<Row>();
  const type = ({ items, index }: Row) => items.type(index);
  const goal = (row: Row) => typeGoal(type(row));
  return {
    position: inAtlas<Row, FormRow>(
      integer('position', 'Its number, from 0', ({ index }) => index),
      ({ index }) => index,
    ),
    typeId: integer('type_id', 'Id of its type; null in an atlas', type, goal),
    typeName: text(
      'type_name',
      'Its type as C spells it',
      (row) => (isDots(row) ? '...' : typeExpression(row.types, type(row))),
      goal,
    ),
  };
}

export const itemName = ({ types, items, index }: ItemRow) => stringOf(types, items.nameOff(index));
export const itemGoal = ({ id, index }: ItemRow) => typeSelection(id, [index]);

/** Returns true for the `...` of C, which BTF stores as a parameter without type and name. */
const isDots = ({ items, index }: ItemRow) =>
  items.kind === BtfKind.FUNC_PROTO && items.type(index) === 0 && items.nameOff(index) === 0;
