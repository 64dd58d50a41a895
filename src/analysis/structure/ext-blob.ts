/**
 * Shows a `.BTF.ext` section as fields: the header and three parts. A part has the record size,
 * then a block of records per ELF section. Source: "BTF Type Format", section 4.2.
 */
import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { FileStructure } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  type Piece,
  paddingField,
  pieces,
  type StructureField,
  sequence,
} from '#analysis/fields/field.ts';
import { headerField } from '#analysis/fields/header.ts';
import { BTF_EXT_SOURCE } from '#analysis/fields/sources.ts';
import {
  type FieldSpec,
  type StructPlace,
  structFields,
  u32,
} from '#analysis/fields/struct-fields.ts';
import { memoized } from '#bytes/cache.ts';
import { type Endian, type Span, spanOf } from '#bytes/span.ts';
import { counted } from '#bytes/text.ts';
import { BLOCK_HEADER } from '#formats/btf/ext-blocks.ts';
import type { ExtTables } from '#model/ext.ts';
import { coreIndex, sectionIndex, typeId } from '#model/ids.ts';
import type { HeaderBlock, ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { nameOf, stringAt, type TypeTable } from '#model/type-table.ts';
import { nameField, typeField } from './btf-fields.ts';

/** One of the three parts: func_info, line_info or core_relo. */
type PartForm = {
  readonly name: 'func_info' | 'line_info' | 'core_relo';
  readonly cType: string;
  readonly records: (ext: ExtTables) => Records;
  /** Returns a short text about record `row`, which the page shows after the instruction. */
  readonly about: (model: ObjectModel, row: number) => string;
  /** Returns the fields that follow `insn_off` in a record. */
  readonly fields: (types: TypeTable | null) => readonly FieldSpec[];
};

const PARTS: readonly PartForm[] = [
  {
    name: 'func_info',
    cType: 'struct bpf_func_info',
    records: ({ func }) => func,
    about: ({ types, ext }, row) => {
      const name = types === null ? '' : nameOf(types, typeId(ext.func.typeId[row] ?? 0));
      return name === '' ? '' : `, ${name}()`;
    },
    fields: (types) => [typeField(types, 4, 'type_id')],
  },
  {
    name: 'line_info',
    cType: 'struct bpf_line_info',
    records: ({ line }) => line,
    about: ({ ext }, row) => `, line ${(ext.line.lineCol[row] ?? 0) >>> 10}`,
    fields: (types) => [
      nameField(types, 4, 'file_name_off'),
      nameField(types, 8, 'line_off'),
      u32('line_col', 12, {
        notation: 'hex',
        meaning: (value) => `line ${value >> 10n}, column ${value & 0x3ffn}`,
        bits: () => [
          { name: 'column', length: 10 },
          { name: 'line', length: 22 },
        ],
      }),
    ],
  },
  {
    name: 'core_relo',
    cType: 'struct bpf_core_relo',
    records: ({ core }) => core,
    about: ({ types, ext: { core } }, row) => {
      const access = types === null ? '' : stringAt(types, core.accessStrOff[row] ?? 0);
      return `, ${coreKindName(core.kind[row] ?? 0)} ${access}`;
    },
    fields: (types) => [
      typeField(types, 4, 'type_id'),
      nameField(types, 8, 'access_str_off'),
      u32('kind', 12, {
        cType: 'enum bpf_core_relo_kind',
        meaning: (value) => coreKindName(Number(value)),
      }),
    ],
  },
];

/** Returns the types, or null for relocated split BTF: its ids are not those in the file. */
function ownTypes({ types }: ObjectModel): TypeTable | null {
  return types?.fileOffset === null ? null : types;
}

/** Returns the header of the `.BTF.ext` that begins at `start`, or null if none begins there. */
export function extHeaderAt({ model }: FileStructure, start: number): HeaderBlock | null {
  const isAtStart = (block: HeaderBlock) =>
    block.title === '.BTF.ext header' && block.span.start === start;
  return model.headers.find(isAtStart) ?? null;
}

/** Returns the parts of the section at `span`, which begins with `header`. */
export function extParts(structure: FileStructure, header: HeaderBlock, span: Span): FieldList {
  const endian =
    header.fields.find(({ name }) => name === 'magic')?.meaning === 'big-endian' ? 'big' : 'little';
  const { read, model } = structure;
  const parts: Piece[] = [
    {
      ...header.span,
      make: () => headerField(header, { endian, read, addressBits: model.addressBits }),
    },
  ];
  for (const form of PARTS) {
    const off = numberOf(header, `${form.name}_off`);
    const len = numberOf(header, `${form.name}_len`);
    if (off === null || len === null || len === 0) continue;
    const start = header.span.end + off;
    parts.push({ start, end: start + len, make: (at) => partField(structure, form, at, endian) });
  }
  parts.sort((a, b) => a.start - b.start);
  return pieces(span, parts, (at) => paddingField(at, 'Between the parts of .BTF.ext'));
}

function numberOf({ fields }: HeaderBlock, name: string): number | null {
  const field = fields.find((each) => each.name === name);
  return field === undefined ? null : Number(field.value);
}

type Records = ExtTables[keyof ExtTables];

function partField(
  structure: FileStructure,
  form: PartForm,
  span: Span,
  endian: Endian,
): StructureField {
  return makeField('part', form.name, span, {
    meaning: counted(form.records(structure.model.ext).count, 'record'),
    source: BTF_EXT_SOURCE,
    parts: () => partParts(structure, form, span, endian),
  });
}

const SIZE_FIELD = 4;

function partParts(
  { model, read }: FileStructure,
  form: PartForm,
  span: Span,
  endian: Endian,
): FieldList {
  const records = form.records(model.ext);
  const place = { span: spanOf(span.start, SIZE_FIELD), endian, read, source: BTF_EXT_SOURCE };
  const size = u32('rec_size', 0, { meaning: () => 'bytes of one record' });
  const parts: Piece[] = [
    { ...place.span, make: (at) => structFields(place, [size]).at(0) ?? paddingField(at) },
  ];
  for (const { first, end } of blocksOf(records)) {
    const start = (records.recordOffset[first] ?? 0) - BLOCK_HEADER;
    const length = BLOCK_HEADER + (end - first) * records.recordSize;
    parts.push({
      ...spanOf(start, length),
      make: (at) => blockField(model, form, first, { ...place, span: at }),
    });
  }
  return pieces(span, parts, (at) =>
    makeField('undescribed', 'not read', at, { meaning: 'After an invalid block' }),
  );
}

type Block = { readonly first: number; readonly end: number };

/** Finds the rows of each block: a block begins at a row with `indexInSection` 0. */
const blocksOf = memoized(({ count, indexInSection }: Records): readonly Block[] => {
  const starts: number[] = [];
  for (let row = 0; row < count; row++) if (indexInSection[row] === 0) starts.push(row);
  return starts.map((first, i) => ({ first, end: starts[i + 1] ?? count }));
});

function blockField(
  model: ObjectModel,
  form: PartForm,
  first: number,
  place: StructPlace,
): StructureField {
  const { recordSize, secNameOff } = form.records(model.ext);
  const { start, end } = place.span;
  const section = model.types === null ? '' : stringAt(model.types, secNameOff[first] ?? 0);
  const header = spanOf(start, BLOCK_HEADER);
  const head = structFields({ ...place, span: header }, [
    nameField(ownTypes(model), 0, 'sec_name_off'),
    u32('num_info', 4, { meaning: () => 'records that follow' }),
  ]);
  const count = (end - start - BLOCK_HEADER) / recordSize;
  const startOf = (i: number) =>
    i < head.count ? start + 4 * i : header.end + (i - head.count) * recordSize;
  return makeField('part', `block ${section || '(no name)'}`, place.span, {
    cType: 'struct btf_ext_info_sec',
    meaning: counted(count, 'record'),
    source: BTF_EXT_SOURCE,
    parts: () =>
      sequence(head.count + count, startOf, (i) => {
        const at = { ...place, span: spanOf(startOf(i), recordSize) };
        return head.at(i) ?? recordField(model, form, first + i - head.count, at);
      }),
  });
}

function recordField(
  model: ObjectModel,
  form: PartForm,
  row: number,
  place: StructPlace,
): StructureField {
  const { indexInSection, insnOff } = form.records(model.ext);
  const insn = Math.floor((insnOff[row] ?? 0) / 8);
  return makeField('entry', `${form.name} [${indexInSection[row] ?? 0}]`, place.span, {
    cType: form.cType,
    // Texts such as `insn 4, session_of()`, `insn 6, line 154`, `insn 9, byte_off 0:2`.
    meaning: `insn ${insn}${form.about(model, row)}`,
    source: BTF_EXT_SOURCE,
    selection: selectionOf(model, form, row),
    // A record can be longer than its fields: the other bytes are padding.
    parts: () => structFields(place, [INSN_OFF, ...form.fields(ownTypes(model))]),
  });
}

const INSN_OFF = u32('insn_off', 0, {
  notation: 'hex',
  meaning: (value) => `instruction ${value / 8n} of the section`,
});

function selectionOf(model: ObjectModel, form: PartForm, row: number): Selection | null {
  if (form.name === 'core_relo') return { kind: 'core', core: coreIndex(row), step: null };
  const { section, insnOff } = form.records(model.ext);
  const index = section[row] ?? -1;
  return index < 0
    ? null
    : { kind: 'insn', section: sectionIndex(index), insnOff: insnOff[row] ?? 0 };
}
