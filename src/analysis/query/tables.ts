/**
 * What the open files hold as tables of rows and columns: types, members, enumerators, functions
 * and parameters of BTF, relocations and CO-RE relocations of objects. Rows are made one after the
 * other, and a cell when it is asked for, so that the first five types of a kernel cost five.
 */

import { prototypeText } from '#analysis/atlas/prototype.ts';
import { approximateSizes, pointerSize } from '#analysis/types/sizes.ts';
import { memberBits, structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { oncePer } from '#bytes/keep.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import {
  enumeratorAt,
  type ItemReader,
  isComposite,
  isEnum,
  memberAt,
  readEnumerators,
  readMembers,
  readParams,
} from '#model/type-items.ts';
import {
  componentIdx,
  kindFlagOf,
  kindOf,
  nameOf,
  ownerOf,
  refOf,
  sizeOrTypeOf,
  stringAt,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { coreRelocations, relocations } from './object-tables.ts';
import {
  columns,
  type FileRow,
  fileColumns,
  integerOf,
  isKernel,
  kernelOf,
  NAME_BYTES,
  type QueryFile,
  type Table,
  typeGoal,
} from './table.ts';

type TypesRow = FileRow & { readonly types: TypeTable; readonly id: TypeId };
type ItemRow = TypesRow & { readonly items: ItemReader; readonly index: number };
type FunctionRow = TypesRow & { readonly proto: TypeId };
type ParamRow = FunctionRow & { readonly items: ItemReader; readonly index: number };

const sizesOf = oncePer(approximateSizes);

/** Bytes; null where the type has no size. */
function bytesOf(types: TypeTable, id: TypeId): number | null {
  const owner = ownerOf(types, id);
  const size = owner === null ? undefined : sizesOf(owner)[id - owner.firstId];
  return size === undefined || Number.isNaN(size) ? null : size;
}

const kindWord = (types: TypeTable, id: TypeId) => kindName(kindOf(types, id)).toLowerCase();
const shortName = (types: TypeTable, id: TypeId) => nameOf(types, id, NAME_BYTES);
const stringOf = (types: TypeTable, offset: number) =>
  offset === 0 ? '' : stringAt(types, offset, NAME_BYTES);

function* ownTypes(file: QueryFile): Generator<TypesRow, void, undefined> {
  const { types } = file.model;
  if (types === null) return;
  for (let i = 0; i < types.count; i++) yield { file, types, id: typeId(types.firstId + i) };
}

function* itemRows(
  file: QueryFile,
  isKind: (kind: number) => boolean,
  read: (types: TypeTable, id: TypeId) => ItemReader,
): Generator<ItemRow, void, undefined> {
  for (const { types, id } of ownTypes(file)) {
    if (!isKind(kindOf(types, id))) continue;
    const items = read(types, id);
    for (let index = 0; index < items.count; index++) yield { file, types, id, items, index };
  }
}

function* functionRows(file: QueryFile): Generator<FunctionRow, void, undefined> {
  for (const { types, id } of ownTypes(file)) {
    if (kindOf(types, id) === BtfKind.FUNC) {
      yield { file, types, id, proto: typeId(sizeOrTypeOf(types, id)) };
    }
  }
}

function* paramRows(file: QueryFile): Generator<ParamRow, void, undefined> {
  for (const row of functionRows(file)) {
    const items = readParams(row.types, row.proto);
    for (let index = 0; index < items.count; index++) yield { ...row, items, index };
  }
}

/** The functions with the declaration tag that kernels give their kfuncs (kernel, `BTF_KFUNCS_START`, pahole `--btf_features=decl_tag_kfuncs`). */
const kfuncs = oncePer((types: TypeTable) => {
  const found = new Set<number>();
  for (let i = 0; i < types.count; i++) {
    const id = typeId(types.firstId + i);
    if (kindOf(types, id) !== BtfKind.DECL_TAG || componentIdx(types, id) !== -1) continue;
    if (nameOf(types, id, NAME_BYTES) === 'bpf_kfunc') found.add(sizeOrTypeOf(types, id));
  }
  return found;
});

/** `enum btf_func_linkage`. */
const LINKAGES = ['static', 'global', 'extern'];

const layoutNumbers = (types: TypeTable, id: TypeId) => {
  const isStruct = kindOf(types, id) === BtfKind.STRUCT;
  return isStruct ? structLayout(types, id) : null;
};

const kernels = (): Table<TypesRow> => {
  const { text, integer } = columns<TypesRow>();
  const info = ({ file }: TypesRow) => kernelOf(file);
  return {
    name: 'kernels',
    doc: 'Each open kernel: a file of types that stand alone, without programs',
    rows: (file) => {
      const { types } = file.model;
      return types !== null && isKernel(file.model) ? [{ file, types, id: typeId(0) }] : [];
    },
    columns: [
      ...fileColumns<TypesRow>(),
      text('version', 'Version, by the name of the file', (row) => info(row).version),
      text('arch', 'Architecture, by the name of the file', (row) => info(row).arch),
      text('flavour', 'By the name of the file: cloud, rt', (row) => info(row).flavour),
      text('endian', 'Byte order: little or big', ({ types }) => types.endian),
      integer('pointer_size', 'Bytes of a pointer', ({ types }) => pointerSize(types)),
      integer('types', 'Number of types', ({ types }) => types.count),
      integer('btf_size', 'Bytes of the BTF', ({ types }) => types.blob.length),
    ],
  };
};

/** The type that a type refers to, as a pointer or a typedef does; null where it is of another kind. */
const referred = ({ types, id }: TypesRow) => refOf(types, id);

const types = (): Table<TypesRow> => {
  const { text, integer } = columns<TypesRow>();
  const goal = ({ id }: TypesRow) => typeGoal(id);
  const further = (row: TypesRow) => typeGoal(referred(row) ?? VOID);
  return {
    name: 'types',
    doc: 'Each type; of split BTF without those of its base',
    rows: ownTypes,
    columns: [
      ...fileColumns<TypesRow>(),
      integer('id', 'Type id', ({ id }) => id, goal),
      text('kind', 'BTF kind in lower case: struct', (row) => kindWord(row.types, row.id)),
      text('name', 'Name; empty without one', (row) => shortName(row.types, row.id), goal),
      text('spelling', 'As C refers to it: struct sock *', spellingOf, goal),
      integer('size', 'Bytes; null without a size', (row) => bytesOf(row.types, row.id)),
      integer('members', 'Number of members or enumerators; else null', (row) => {
        const kind = kindOf(row.types, row.id);
        return isComposite(kind) || isEnum(kind) ? vlenOf(row.types, row.id) : null;
      }),
      integer('type_id', 'Id of the type that it refers to; else null', referred, further),
      text(
        'type_name',
        'The type that it refers to; else null',
        (row) => {
          const id = referred(row);
          return id === null ? null : typeExpression(row.types, id);
        },
        further,
      ),
      integer('holes', 'Holes between the members of a struct; else null', (row) => {
        return layoutNumbers(row.types, row.id)?.holes ?? null;
      }),
      integer('hole_bits', 'Bits in these holes', (row) => {
        return layoutNumbers(row.types, row.id)?.holeBits ?? null;
      }),
      integer('padding_bits', 'Bits behind the last member of a struct; else null', (row) => {
        return layoutNumbers(row.types, row.id)?.paddingBits ?? null;
      }),
    ],
  };
};

const spellingOf = ({ types, id }: TypesRow) => typeExpression(types, id);

/** Columns of a row that is one of the items of a type: the type of the item, and its number. */
function itemColumns<Row extends ItemRow>() {
  const { text, integer } = columns<Row>();
  const type = ({ items, index }: Row) => items.type(index);
  const goal = (row: Row) => typeGoal(type(row));
  return {
    position: integer('position', 'Its number, from 0', ({ index }) => index),
    typeId: integer('type_id', 'Id of its type', type, goal),
    typeName: text(
      'type_name',
      'Its type as C spells it',
      (row) => (isDots(row) ? '...' : typeExpression(row.types, type(row))),
      goal,
    ),
  };
}

const itemName = ({ types, items, index }: ItemRow) => stringOf(types, items.nameOff(index));
const itemGoal = ({ id, index }: ItemRow) => typeSelection(id, [index]);

/** Is it a parameter without type and name, which stands for variable arguments? */
const isDots = ({ items, index }: ItemRow) =>
  items.kind === BtfKind.FUNC_PROTO && items.type(index) === 0 && items.nameOff(index) === 0;

const members = (): Table<ItemRow> => {
  const { text, integer, flag } = columns<ItemRow>();
  const { position, typeId, typeName } = itemColumns<ItemRow>();
  const parent = ({ id }: ItemRow) => typeGoal(id);
  const bits = ({ types, id, index }: ItemRow) => {
    const member = memberAt(types, id, index);
    return member && memberBits(types, member, kindFlagOf(types, id));
  };
  return {
    name: 'members',
    doc: 'Each member of each struct and union',
    rows: (file) => itemRows(file, isComposite, readMembers),
    columns: [
      ...fileColumns<ItemRow>(),
      integer('id', 'Type id of the struct or union', ({ id }) => id, parent),
      text('kind', 'struct or union', (row) => kindWord(row.types, row.id)),
      text('type', 'Its name; may be empty', (row) => shortName(row.types, row.id), parent),
      position,
      text('name', 'Name of the member; empty for an anonymous one', itemName, itemGoal),
      integer('bit_offset', 'Bits from its start to the member', (row) => {
        return bits(row)?.bitOffset ?? null;
      }),
      integer('bits', 'Width of the member in bits', (row) => bits(row)?.bitSize ?? null),
      flag('bitfield', 'Is it a bit-field?', (row) => bits(row)?.isBitfield ?? false),
      typeId,
      typeName,
    ],
  };
};

const enumerators = (): Table<ItemRow> => {
  const { text, integer } = columns<ItemRow>();
  const goal = ({ id }: ItemRow) => typeGoal(id);
  return {
    name: 'enumerators',
    doc: 'Each enumerator of each enum',
    rows: (file) => itemRows(file, isEnum, readEnumerators),
    columns: [
      ...fileColumns<ItemRow>(),
      integer('id', 'Type id of the enum', ({ id }) => id, goal),
      text('enum', 'Name of the enum; may be empty', (row) => shortName(row.types, row.id), goal),
      itemColumns<ItemRow>().position,
      text('name', 'Name of the enumerator', itemName, itemGoal),
      integer('value', 'Its value, signed where the enum is', (row) => {
        return integerOf(enumeratorAt(row.types, row.id, row.index)?.value ?? 0n);
      }),
    ],
  };
};

const functions = (): Table<FunctionRow> => {
  const { text, integer, flag } = columns<FunctionRow>();
  const goal = ({ id }: FunctionRow) => typeGoal(id);
  const proto = (row: FunctionRow) => typeGoal(row.proto);
  const returns = (row: FunctionRow) => typeId(sizeOrTypeOf(row.types, row.proto));
  return {
    name: 'functions',
    doc: 'Each function',
    rows: functionRows,
    columns: [
      ...fileColumns<FunctionRow>(),
      integer('id', 'Type id', ({ id }) => id, goal),
      text('name', 'Name', (row) => shortName(row.types, row.id), goal),
      text('linkage', 'static, global or extern', (row) => {
        const linkage = vlenOf(row.types, row.id);
        return LINKAGES[linkage] ?? `${linkage}`;
      }),
      text(
        'return_type',
        'Type of its result',
        (row) => typeExpression(row.types, returns(row)),
        (row) => typeGoal(returns(row)),
      ),
      integer('params', 'Number of parameters, with ... as one', (row) => {
        return readParams(row.types, row.proto).count;
      }),
      text('prototype', 'Its prototype as C declares it', prototypeOf, proto),
      integer('type_id', 'Type id of its prototype', (row) => row.proto, proto),
      flag('kfunc', 'Has it the declaration tag bpf_kfunc?', (row) => {
        return kfuncs(row.types).has(row.id);
      }),
    ],
  };
};

/** Parameters of a prototype that are written; the others are `…`. */
const MOST_PARAMS = 64;

function prototypeOf({ types, id, proto }: FunctionRow): string {
  const items = readParams(types, proto);
  const shown = Array.from({ length: Math.min(items.count, MOST_PARAMS) }, (_, i) => {
    const [type, name] = [items.type(i), stringOf(types, items.nameOff(i))];
    return { name, type: type === 0 && name === '' ? '' : typeExpression(types, type) };
  });
  if (items.count > MOST_PARAMS) shown.push({ name: '', type: '…' });
  const returns = typeExpression(types, typeId(sizeOrTypeOf(types, proto)));
  return prototypeText(returns, shortName(types, id), shown);
}

const params = (): Table<ParamRow> => {
  const { text, integer } = columns<ParamRow>();
  const { position, typeId, typeName } = itemColumns<ParamRow>();
  const func = ({ id }: ParamRow) => typeGoal(id);
  return {
    name: 'params',
    doc: 'Each parameter of each function',
    rows: paramRows,
    columns: [
      ...fileColumns<ParamRow>(),
      integer('id', 'Type id of the function', ({ id }) => id, func),
      text('function', 'Its name', (row) => shortName(row.types, row.id), func),
      position,
      text('name', 'Name of the parameter; may be empty', itemName),
      typeId,
      typeName,
    ],
  };
};

/** All tables, in the order in which they are listed. */
export const TABLES: readonly Table[] = [
  kernels(),
  types(),
  members(),
  enumerators(),
  functions(),
  params(),
  relocations(),
  coreRelocations(),
];
