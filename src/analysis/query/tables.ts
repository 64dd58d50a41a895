/**
 * Tables of the open files: types, members, enumerators, functions and parameters from BTF,
 * relocations and CO-RE relocations from objects. Rows and cells are computed on demand.
 */

import { versionOf } from '#analysis/atlas/kernel-name.ts';
import { memberBits } from '#analysis/types/member-bits.ts';
import { approximateSizes, pointerSize, sizeOf } from '#analysis/types/sizes.ts';
import { type StructGaps, structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { memoized } from '#bytes/cache.ts';
import { integerOf } from '#bytes/text.ts';
import { EntryKind } from '#formats/atlas/entry.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import {
  enumeratorAt,
  type ItemReader,
  isComposite,
  isEnum,
  memberAt,
  readEnumerators,
  readMembers,
} from '#model/type-items.ts';
import { kindFlagOf, kindOf, ownerOf, refOf, type TypeTable, vlenOf } from '#model/type-table.ts';
import { functions, params } from './function-tables.ts';
import { coreRelocations, relocations } from './object-tables.ts';
import {
  columns,
  type FormRow,
  fileColumns,
  holderColumns,
  inAtlas,
  isKernel,
  kernelOf,
  type ModelFile,
  type Table,
  type TableColumn,
  typeGoal,
} from './table.ts';
import {
  definitionColumn,
  type ItemRow,
  itemColumns,
  itemGoal,
  itemName,
  kindColumn,
  kindWord,
  nameColumn,
  ownTypes,
  shortName,
  type TypesRow,
} from './type-rows.ts';

const sizesOf = memoized(approximateSizes);

/** Returns the size of a type in bytes, or null. */
function bytesOf(types: TypeTable, id: TypeId): number | bigint | null {
  const owner = ownerOf(types, id);
  const size = owner === null ? undefined : sizesOf(owner)[id - owner.firstId];
  if (size === undefined || Number.isNaN(size)) return null;
  return Number.isSafeInteger(size) ? size : sizeOf(types, id);
}

const NULLABLE = { isNullable: true };
const LONG = { bits: 64 } as const;

const layoutNumbers = ({ types, id }: TypesRow) =>
  kindOf(types, id) === BtfKind.STRUCT ? structLayout(types, id) : null;

const NAME_PARTS = {
  version: 'Version, by the name of the kernel',
  arch: 'Architecture, by the name of the kernel',
  flavour: 'By the name of the kernel: cloud, rt',
} as const;

const PARTS = {
  major: 'First number',
  minor: 'Second number',
  patch: 'Third number',
  rc: 'Release candidate',
  abi: 'ABI number',
} as const;

const kernels = (): Table<TypesRow> => {
  const { text, integer } = columns<TypesRow>();
  const info = ({ file }: TypesRow) => kernelOf(file);
  return {
    name: 'kernels',
    doc: 'Each kernel: of an atlas, or a file of types without programs',
    rows: (file) => {
      const { types } = file.model;
      return types !== null && isKernel(file.model) ? [{ file, types, id: typeId(0) }] : [];
    },
    atlasRows: 'kernels',
    columns: [
      ...fileColumns<TypesRow>(),
      ...(['version', 'arch', 'flavour'] as const).map((part) =>
        inAtlas(
          text(part, NAME_PARTS[part], (row) => info(row)[part]),
          ({ kernel }) => kernel[part],
        ),
      ),
      ...(['major', 'minor', 'patch', 'rc', 'abi'] as const).map((part) =>
        inAtlas(
          integer(part, `${PARTS[part]} of the version; null without one`, ({ file }) => {
            return versionOf(kernelOf(file).name)[part];
          }),
          ({ kernel }) => versionOf(kernel.name)[part],
          NULLABLE,
        ),
      ),
      inAtlas(
        text('endian', 'Byte order: little or big', ({ types }) => types.endian),
        ({ kernel }) => kernel.endian,
      ),
      inAtlas(
        integer('pointer_size', 'Bytes of a pointer', ({ types }) => pointerSize(types)),
        ({ kernel }) => kernel.pointerSize,
      ),
      inAtlas(
        integer('types', 'Number of types', ({ types }) => types.count),
        ({ kernel }) => kernel.typeCount,
      ),
      inAtlas(
        integer('btf_size', 'Bytes of the BTF', ({ types }) => types.blob.length),
        ({ kernel }) => kernel.size,
        LONG,
      ),
    ],
  };
};

const modules = (): Table => {
  const { integer } = columns();
  return {
    name: 'modules',
    doc: 'Each module of an atlas',
    rows: () => [],
    atlasRows: 'modules',
    columns: [
      ...holderColumns(),
      inAtlas(
        integer('types', 'Number of its own types', () => null),
        ({ module }) => module?.typeCount ?? 0,
      ),
      inAtlas(
        integer('btf_size', 'Bytes of its BTF', () => null),
        ({ module }) => module?.size ?? 0,
        LONG,
      ),
    ],
  };
};

/** Returns the type that a pointer, typedef or modifier refers to, or null for another kind. */
const referred = ({ types, id }: TypesRow) => refOf(types, id);

const types = (): Table<TypesRow> => {
  const { text, integer, flag } = columns<TypesRow>();
  const goal = ({ id }: TypesRow) => typeGoal(id);
  const further = (row: TypesRow) => typeGoal(referred(row) ?? VOID);
  return {
    name: 'types',
    doc: 'Each type; of split BTF without those of its base',
    rows: ownTypes,
    atlasRows: {
      kinds: [EntryKind.struct, EntryKind.union, EntryKind.enum, EntryKind.typedef],
      nameColumn: 'name',
      count: () => 1,
    },
    columns: [
      ...holderColumns<TypesRow>(),
      integer('id', 'Type id; null in an atlas', ({ id }) => id, goal),
      kindColumn(
        text('kind', 'BTF kind in lower case: struct; in an atlas enum for enum64, too', (row) => {
          return kindWord(row.types, row.id);
        }),
      ),
      nameColumn(
        text('name', 'Name; empty without one', (row) => shortName(row.types, row.id), goal),
      ),
      definitionColumn(),
      inAtlas<TypesRow, FormRow>(
        text('spelling', 'As C refers to it: struct sock *', spellingOf, goal),
        ({ form }) => {
          return form.kind === EntryKind.typedef ? form.name : `${form.kindName} ${form.name}`;
        },
        { isStored: false, names: 'form' },
      ),
      inAtlas<TypesRow, FormRow>(
        integer('size', 'Bytes; null without a size', (row) => bytesOf(row.types, row.id)),
        ({ form }) => form.size,
        LONG,
      ),
      inAtlas<TypesRow, FormRow>(
        integer('members', 'Number of members or enumerators; else null', (row) => {
          const kind = kindOf(row.types, row.id);
          return isComposite(kind) || isEnum(kind) ? vlenOf(row.types, row.id) : null;
        }),
        ({ form }) => {
          if (form.isComposite) return form.members.length;
          return form.kind === EntryKind.enum ? form.enumerators.length : null;
        },
        NULLABLE,
      ),
      inAtlas<TypesRow, FormRow>(
        text('layout', 'In an atlas: equal where size and members are; else null', () => null),
        ({ form }) => (form.isComposite ? form.layout : null),
        NULLABLE,
      ),
      inAtlas<TypesRow, FormRow>(
        flag('signed', 'Are the values of the enum signed? Else null', ({ types, id }) => {
          return isEnum(kindOf(types, id)) ? kindFlagOf(types, id) : null;
        }),
        ({ form }) => (form.kind === EntryKind.enum ? form.isSigned : null),
        NULLABLE,
      ),
      integer('type_id', 'Id of the type that it refers to; else null', referred, further),
      inAtlas<TypesRow, FormRow>(
        text(
          'type_name',
          'The type that it refers to; else null',
          (row) => {
            const id = referred(row);
            return id === null ? null : typeExpression(row.types, id);
          },
          further,
        ),
        ({ form }) => (form.kind === EntryKind.typedef ? form.type : null),
        NULLABLE,
      ),
      ...gapColumns(),
    ],
  };
};

const GAPS = {
  holes: 'Holes between the members of a struct, in an atlas also in anonymous members; else null',
  hole_bits: 'Bits in these holes',
  padding_bits: 'Bits after the last member of a struct; else null',
} as const;

/** Returns the columns on the gaps of a struct. */
function gapColumns(): TableColumn<TypesRow>[] {
  const gap = (name: keyof typeof GAPS, of: (gaps: StructGaps) => number) =>
    inAtlas<TypesRow, FormRow>(
      columns<TypesRow>().integer(name, GAPS[name], (row) => {
        const layout = layoutNumbers(row);
        return layout === null || layout.unknownSizes > 0 ? null : of(layout);
      }),
      ({ form }) => (form.kind === EntryKind.struct ? of(form.gaps) : null),
      { ...LONG, ...NULLABLE },
    );
  return [
    gap('holes', ({ holes }) => holes),
    gap('hole_bits', ({ holeBits }) => holeBits),
    gap('padding_bits', ({ paddingBits }) => paddingBits),
  ];
}

const spellingOf = ({ types, id }: TypesRow) => typeExpression(types, id);

function* itemRows(
  file: ModelFile,
  isKind: (kind: number) => boolean,
  read: (types: TypeTable, id: TypeId) => ItemReader,
): Generator<ItemRow, void, undefined> {
  for (const { types, id } of ownTypes(file)) {
    if (!isKind(kindOf(types, id))) continue;
    const items = read(types, id);
    for (let index = 0; index < items.count; index++) yield { file, types, id, items, index };
  }
}

const members = (): Table<ItemRow> => {
  const { text, integer, flag } = columns<ItemRow>();
  const { position, typeId, typeName } = itemColumns<ItemRow>();
  const parent = ({ id }: ItemRow) => typeGoal(id);
  const bits = ({ types, id, index }: ItemRow) => {
    const member = memberAt(types, id, index);
    return member && memberBits(types, id, member);
  };
  return {
    name: 'members',
    doc: 'Each member of each struct and union; of an atlas those of its anonymous members in their place',
    rows: (file) => itemRows(file, isComposite, readMembers),
    atlasRows: {
      kinds: [EntryKind.struct, EntryKind.union],
      nameColumn: 'type',
      count: ({ members }) => members.length,
    },
    columns: [
      ...holderColumns<ItemRow>(),
      integer('id', 'Type id of the struct or union; null in an atlas', ({ id }) => id, parent),
      kindColumn(text('kind', 'struct or union', (row) => kindWord(row.types, row.id))),
      nameColumn(
        text('type', 'Its name; may be empty', (row) => shortName(row.types, row.id), parent),
      ),
      definitionColumn(),
      position,
      inAtlas<ItemRow, FormRow>(
        text('name', 'Name of the member; empty for an anonymous one', itemName, itemGoal),
        (row) => memberOf(row)?.name ?? '',
        { names: 'item' },
      ),
      inAtlas<ItemRow, FormRow>(
        integer('bit_offset', 'Bits from its start to the member', (row) => {
          return bits(row)?.bitOffset ?? null;
        }),
        (row) => memberOf(row)?.bitOffset ?? 0,
        LONG,
      ),
      inAtlas<ItemRow, FormRow>(
        integer('bits', 'Width of the member in bits', (row) => bits(row)?.bitSize ?? null),
        (row) => memberOf(row)?.bits ?? 0,
        LONG,
      ),
      inAtlas<ItemRow, FormRow>(
        flag(
          'bitfield',
          'Is it a bit-field? In an atlas true if it is not of whole bytes, else null',
          (row) => bits(row)?.isBitfield ?? false,
        ),
        (row) => isOfPartBytes(row) || null,
        NULLABLE,
      ),
      typeId,
      inAtlas<ItemRow, FormRow>(typeName, (row) => memberOf(row)?.type ?? ''),
    ],
  };
};

const memberOf = ({ form, index }: FormRow) => form.members[index];

/** Returns true if a member begins or ends inside a byte. Only bit-fields do. */
function isOfPartBytes(row: FormRow): boolean {
  const { bitOffset = 0, bits = 0 } = memberOf(row) ?? {};
  return bitOffset % 8 !== 0 || bits % 8 !== 0;
}

const enumerators = (): Table<ItemRow> => {
  const { text, integer } = columns<ItemRow>();
  const goal = ({ id }: ItemRow) => typeGoal(id);
  return {
    name: 'enumerators',
    doc: 'Each enumerator of each enum',
    rows: (file) => itemRows(file, isEnum, readEnumerators),
    atlasRows: {
      kinds: [EntryKind.enum],
      nameColumn: 'enum',
      count: ({ enumerators: items }) => items.length,
    },
    columns: [
      ...holderColumns<ItemRow>(),
      integer('id', 'Type id of the enum; null in an atlas', ({ id }) => id, goal),
      nameColumn(
        text('enum', 'Name of the enum; may be empty', (row) => shortName(row.types, row.id), goal),
      ),
      definitionColumn(),
      itemColumns<ItemRow>().position,
      inAtlas<ItemRow, FormRow>(
        text('name', 'Name of the enumerator', itemName, itemGoal),
        ({ form, index }) => form.enumerators[index]?.name ?? '',
        { names: 'item' },
      ),
      inAtlas<ItemRow, FormRow>(
        integer('value', 'Its value, signed where the enum is', (row) => {
          return integerOf(enumeratorAt(row.types, row.id, row.index)?.value ?? 0n);
        }),
        ({ form, index }) => form.enumerators[index]?.value ?? 0,
        LONG,
      ),
    ],
  };
};

/** All tables, in the order in which the documentation lists them. */
export const TABLES: readonly Table[] = [
  kernels(),
  modules(),
  types(),
  members(),
  enumerators(),
  functions(),
  params(),
  relocations(),
  coreRelocations(),
];
