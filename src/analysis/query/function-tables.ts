/** The tables of functions and of their parameters. */
import { prototypeText } from '#analysis/atlas/prototype.ts';
import { taggedKfuncs } from '#analysis/kernel/kfuncs.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { EntryKind } from '#formats/atlas/entry.ts';
import { BtfKind, LINKAGE_NAMES } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { readParams } from '#model/type-items.ts';
import { kindOf, sizeOrTypeOf, vlenOf } from '#model/type-table.ts';
import {
  columns,
  type FormRow,
  holderColumns,
  inAtlas,
  type ModelFile,
  type Table,
  typeGoal,
} from './table.ts';
import {
  definitionColumn,
  type ItemRow,
  itemColumns,
  itemName,
  nameColumn,
  ownTypes,
  shortName,
  stringOf,
  type TypesRow,
} from './type-rows.ts';

type FunctionRow = TypesRow & { readonly proto: TypeId };
type ParamRow = FunctionRow & ItemRow;

function* functionRows(file: ModelFile): Generator<FunctionRow, void, undefined> {
  for (const { types, id } of ownTypes(file)) {
    if (kindOf(types, id) === BtfKind.FUNC) {
      yield { file, types, id, proto: typeId(sizeOrTypeOf(types, id)) };
    }
  }
}

function* paramRows(file: ModelFile): Generator<ParamRow, void, undefined> {
  for (const row of functionRows(file)) {
    const items = readParams(row.types, row.proto);
    for (let index = 0; index < items.count; index++) yield { ...row, items, index };
  }
}

export const functions = (): Table<FunctionRow> => {
  const { text, integer, flag } = columns<FunctionRow>();
  const goal = ({ id }: FunctionRow) => typeGoal(id);
  const proto = (row: FunctionRow) => typeGoal(row.proto);
  const returns = (row: FunctionRow) => typeId(sizeOrTypeOf(row.types, row.proto));
  return {
    name: 'functions',
    doc: 'Each function',
    rows: functionRows,
    atlasRows: { kinds: [EntryKind.func], nameColumn: 'name', count: () => 1 },
    columns: [
      ...holderColumns<FunctionRow>(),
      integer('id', 'Type id; null in an atlas', ({ id }) => id, goal),
      nameColumn(text('name', 'Name', (row) => shortName(row.types, row.id), goal)),
      definitionColumn(),
      text('linkage', 'static, global or extern; null in an atlas', (row) => {
        const linkage = vlenOf(row.types, row.id);
        return LINKAGE_NAMES[linkage] ?? `${linkage}`;
      }),
      inAtlas<FunctionRow, FormRow>(
        text(
          'return_type',
          'Type of its result',
          (row) => typeExpression(row.types, returns(row)),
          (row) => typeGoal(returns(row)),
        ),
        ({ form }) => form.type,
      ),
      inAtlas<FunctionRow, FormRow>(
        integer('params', 'Number of parameters, with ... as one', (row) => {
          return readParams(row.types, row.proto).count;
        }),
        ({ form }) => form.params.length,
      ),
      inAtlas<FunctionRow, FormRow>(
        text('prototype', 'Its prototype as C declares it', prototypeOf, proto),
        ({ form }) => form.prototype,
        { names: 'form' },
      ),
      integer('type_id', 'Type id of its prototype; null in an atlas', (row) => row.proto, proto),
      flag('kfunc', 'Has it the declaration tag bpf_kfunc? null in an atlas', (row) => {
        return taggedKfuncs(row.types).has(row.id);
      }),
    ],
  };
};

/** Maximum parameters in the text of a prototype; an ellipsis replaces the others. */
const MAX_PARAMS = 64;

function prototypeOf({ types, id, proto }: FunctionRow): string {
  const items = readParams(types, proto);
  const shown = Array.from({ length: Math.min(items.count, MAX_PARAMS) }, (_, i) => {
    const [type, name] = [items.type(i), stringOf(types, items.nameOff(i))];
    return { name, type: type === 0 && name === '' ? '' : typeExpression(types, type) };
  });
  if (items.count > MAX_PARAMS) shown.push({ name: '', type: '…' });
  const returns = typeExpression(types, typeId(sizeOrTypeOf(types, proto)));
  return prototypeText(returns, shortName(types, id), shown);
}

export const params = (): Table<ParamRow> => {
  const { text, integer } = columns<ParamRow>();
  const { position, typeId, typeName } = itemColumns<ParamRow>();
  const func = ({ id }: ParamRow) => typeGoal(id);
  return {
    name: 'params',
    doc: 'Each parameter of each function',
    rows: paramRows,
    atlasRows: {
      kinds: [EntryKind.func],
      nameColumn: 'function',
      count: ({ params: items }) => items.length,
    },
    columns: [
      ...holderColumns<ParamRow>(),
      integer('id', 'Type id of the function; null in an atlas', ({ id }) => id, func),
      nameColumn(text('function', 'Its name', (row) => shortName(row.types, row.id), func)),
      definitionColumn(),
      position,
      inAtlas<ParamRow, FormRow>(
        text('name', 'Name of the parameter; may be empty', itemName),
        ({ form, index }) => form.params[index]?.name ?? '',
        { names: 'item' },
      ),
      typeId,
      inAtlas<ParamRow, FormRow>(typeName, ({ form, index }) => form.params[index]?.type || '...'),
      inAtlas<ParamRow, FormRow>(
        text('prototype', 'Prototype of the function as C declares it', prototypeOf, func),
        ({ form }) => form.prototype,
        { isStored: false, names: 'form' },
      ),
    ],
  };
};
