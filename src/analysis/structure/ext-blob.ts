/**
 * A `.BTF.ext` section: its header, and in each of three parts the size of a
 * record, then for each ELF section a block of records.
 *
 * Source: "BTF Type Format", section 4.2. The tables of the model say where the
 * records that were read stand; what lies between them are the headers.
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
  type BitSpec,
  type FieldSpec,
  type StructPlace,
  structFields,
} from '#analysis/fields/struct-fields.ts';
import { oncePer } from '#bytes/keep.ts';
import { type Endian, type Span, spanOf } from '#bytes/span.ts';
import { coreIndex, sectionIndex, typeId } from '#model/ids.ts';
import type { HeaderBlock } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { nameOf, stringAt } from '#model/type-table.ts';
import { aboutName, aboutType } from './btf-text.ts';

type PartName = 'func_info' | 'line_info' | 'core_relo';

const PARTS: readonly PartName[] = ['func_info', 'line_info', 'core_relo'];

const RECORDS: Readonly<Record<PartName, string>> = {
  func_info: 'struct bpf_func_info',
  line_info: 'struct bpf_line_info',
  core_relo: 'struct bpf_core_relo',
};

/** The header of the `.BTF.ext` that begins at `start`; null where it was not read there. */
export function extHeaderAt({ model }: FileStructure, start: number): HeaderBlock | null {
  const isThis = ({ title, span }: HeaderBlock) =>
    title === '.BTF.ext header' && span.start === start;
  return model.headers.find(isThis) ?? null;
}

/** The parts of the section at `span` that begins with `header`. */
export function extParts(structure: FileStructure, header: HeaderBlock, span: Span): FieldList {
  const endian = endianOf(header);
  const { read, model } = structure;
  const parts: Piece[] = [
    {
      ...header.span,
      make: () => headerField(header, { endian, read, addressBits: model.addressBits }),
    },
  ];
  for (const name of PARTS) {
    const off = numberOf(header, `${name}_off`);
    const len = numberOf(header, `${name}_len`);
    if (off === null || len === null || len === 0) continue;
    const start = header.span.end + off;
    parts.push({ start, end: start + len, make: (at) => partField(structure, name, at, endian) });
  }
  parts.sort((a, b) => a.start - b.start);
  return pieces(span, parts, (at) => paddingField(at, 'Between the parts of .BTF.ext'));
}

function endianOf({ fields }: HeaderBlock): Endian {
  return fields.find(({ name }) => name === 'magic')?.meaning === 'big-endian' ? 'big' : 'little';
}

function numberOf({ fields }: HeaderBlock, name: string): number | null {
  const field = fields.find((each) => each.name === name);
  return field === undefined ? null : Number(field.value);
}

type Records = {
  readonly count: number;
  readonly recordSize: number;
  readonly recordOffset: Float64Array;
  readonly indexInSection: Uint32Array;
  readonly secNameOff: Uint32Array;
};

function recordsOf({ model }: FileStructure, name: PartName): Records {
  const { func, line, core } = model.ext;
  if (name === 'func_info') return func;
  return name === 'line_info' ? line : core;
}

function partField(
  structure: FileStructure,
  name: PartName,
  span: Span,
  endian: Endian,
): StructureField {
  const records = recordsOf(structure, name);
  return makeField('part', name, span, {
    meaning: records.count === 1 ? '1 record' : `${records.count} records`,
    source: BTF_EXT_SOURCE,
    parts: () => partParts(structure, name, span, endian),
  });
}

const SIZE_FIELD = 4;
const BLOCK_HEADER = 8;

function partParts(
  structure: FileStructure,
  name: PartName,
  span: Span,
  endian: Endian,
): FieldList {
  const records = recordsOf(structure, name);
  const place = {
    span: spanOf(span.start, SIZE_FIELD),
    endian,
    read: structure.read,
    source: BTF_EXT_SOURCE,
  };
  const size: FieldSpec = {
    name: 'rec_size',
    cType: '__u32',
    offset: 0,
    size: SIZE_FIELD,
    meaning: () => 'bytes of one record',
  };
  const parts: Piece[] = [
    { ...place.span, make: (at) => structFields(place, [size]).at(0) ?? paddingField(at) },
  ];
  for (const { first, end } of blocksOf(records)) {
    const start = (records.recordOffset[first] ?? 0) - BLOCK_HEADER;
    const length = BLOCK_HEADER + (end - first) * records.recordSize;
    parts.push({
      ...spanOf(start, length),
      make: (at) => blockField(structure, name, first, { ...place, span: at }),
    });
  }
  return pieces(span, parts, (at) =>
    makeField('undescribed', 'not read', at, { meaning: 'Behind a block that cannot be honoured' }),
  );
}

type Block = { readonly first: number; readonly end: number };

/** The rows of each block: a block begins where the number in it is 0. */
const blocksOf = oncePer(({ count, indexInSection }: Records): readonly Block[] => {
  const starts: number[] = [];
  for (let row = 0; row < count; row++) if (indexInSection[row] === 0) starts.push(row);
  return starts.map((first, i) => ({ first, end: starts[i + 1] ?? count }));
});

function blockField(
  structure: FileStructure,
  name: PartName,
  first: number,
  place: StructPlace,
): StructureField {
  const records = recordsOf(structure, name);
  const { types } = structure.model;
  const section = types === null ? '' : stringAt(types, records.secNameOff[first] ?? 0);
  const { start } = place.span;
  const head = structFields(
    { ...place, span: spanOf(start, BLOCK_HEADER) },
    blockFields(structure),
  );
  const count = (place.span.end - start - BLOCK_HEADER) / records.recordSize;
  return makeField('part', `block ${section || '(no name)'}`, place.span, {
    cType: 'struct btf_ext_info_sec',
    meaning: count === 1 ? '1 record' : `${count} records`,
    source: BTF_EXT_SOURCE,
    parts: () =>
      sequence(
        2 + count,
        (i) => (i < 2 ? start + 4 * i : start + BLOCK_HEADER + (i - 2) * records.recordSize),
        (i) =>
          i < 2
            ? (head.at(i) ?? paddingField(spanOf(start + 4 * i, 4)))
            : recordField(structure, name, first + i - 2, {
                ...place,
                span: spanOf(
                  start + BLOCK_HEADER + (i - 2) * records.recordSize,
                  records.recordSize,
                ),
              }),
      ),
  });
}

function blockFields(structure: FileStructure): readonly FieldSpec[] {
  return [
    stringField(structure, 'sec_name_off', 0),
    { ...u32('num_info', 4), meaning: () => 'records that follow' },
  ];
}

function recordField(
  structure: FileStructure,
  name: PartName,
  row: number,
  place: StructPlace,
): StructureField {
  const records = recordsOf(structure, name);
  return makeField('entry', `${name} [${records.indexInSection[row] ?? 0}]`, place.span, {
    cType: RECORDS[name],
    meaning: recordWords(structure, name, row),
    source: BTF_EXT_SOURCE,
    selection: selectionOf(structure, name, row),
    parts: () => structFields(place, recordFields(structure, name)),
  });
}

/** What a record says, short: `insn 4, session_of()`, `insn 6, line 154`, `insn 9, byte_off 0:2`. */
function recordWords({ model }: FileStructure, name: PartName, row: number): string {
  const { ext, types } = model;
  const at = (insnOff: number | undefined) => `insn ${Math.floor((insnOff ?? 0) / 8)}`;
  switch (name) {
    case 'func_info': {
      const type = typeId(ext.func.typeId[row] ?? 0);
      const func = types === null ? '' : nameOf(types, type);
      return `${at(ext.func.insnOff[row])}${func === '' ? '' : `, ${func}()`}`;
    }
    case 'line_info':
      return `${at(ext.line.insnOff[row])}, line ${(ext.line.lineCol[row] ?? 0) >>> 10}`;
    case 'core_relo': {
      const access = types === null ? '' : stringAt(types, ext.core.accessStrOff[row] ?? 0);
      return `${at(ext.core.insnOff[row])}, ${coreKindName(ext.core.kind[row] ?? 0)} ${access}`;
    }
  }
}

function selectionOf({ model }: FileStructure, name: PartName, row: number): Selection | null {
  if (name === 'core_relo') return { kind: 'core', core: coreIndex(row), step: null };
  const table = name === 'func_info' ? model.ext.func : model.ext.line;
  const section = table.section[row] ?? -1;
  return section < 0
    ? null
    : { kind: 'insn', section: sectionIndex(section), insnOff: table.insnOff[row] ?? 0 };
}

/** Records may be longer than what is known of them: the rest is padding. */
function recordFields(structure: FileStructure, name: PartName): readonly FieldSpec[] {
  const insnOff: FieldSpec = {
    ...u32('insn_off', 0),
    notation: 'hex',
    meaning: (value) => `instruction ${value / 8n} of the section`,
  };
  switch (name) {
    case 'func_info':
      return [insnOff, typeField(structure, 4)];
    case 'line_info':
      return [
        insnOff,
        stringField(structure, 'file_name_off', 4),
        stringField(structure, 'line_off', 8),
        {
          ...u32('line_col', 12),
          notation: 'hex',
          meaning: (value) => `line ${value >> 10n}, column ${value & 0x3ffn}`,
          bits: lineColBits,
        },
      ];
    case 'core_relo':
      return [
        insnOff,
        typeField(structure, 4),
        stringField(structure, 'access_str_off', 8),
        {
          ...u32('kind', 12),
          cType: 'enum bpf_core_relo_kind',
          meaning: (value) => coreKindName(Number(value)),
        },
      ];
  }
}

function lineColBits(): readonly BitSpec[] {
  return [
    { name: 'column', length: 10 },
    { name: 'line', length: 22 },
  ];
}

function u32(name: string, offset: number): FieldSpec {
  return { name, cType: '__u32', offset, size: 4 };
}

/** Offsets and ids are those of the file: they mean other types where the types were moved to a base. */
function stringField({ model }: FileStructure, name: string, offset: number): FieldSpec {
  const { types } = model;
  const isOwn = types !== null && types.fileOffset !== null;
  return {
    ...u32(name, offset),
    meaning: (value) => (isOwn ? aboutName(types, value) : 'offset of a string of .BTF'),
  };
}

function typeField({ model }: FileStructure, offset: number): FieldSpec {
  const { types } = model;
  const isOwn = types !== null && types.fileOffset !== null;
  return {
    ...u32('type_id', offset),
    meaning: (value) => (isOwn ? aboutType(types, value) : 'id of a type of .BTF'),
    selection: (value) => (isOwn && value !== 0n ? typeSelection(typeId(Number(value))) : null),
  };
}
