/**
 * Shows the record of a BTF type as fields. Source: "BTF Type Format", sections 2.2 to 2.2.19, and
 * the structs of include/uapi/linux/btf.h.
 */
import type { PlacedBlob } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  NO_PARTS,
  type Piece,
  pieces,
  type StructureField,
} from '#analysis/fields/field.ts';
import { BTF_TYPE_SOURCE, btfKindSource } from '#analysis/fields/sources.ts';
import { type BitSpec, type FieldSpec, structFields, u32 } from '#analysis/fields/struct-fields.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import {
  BTF_TYPE_SIZE,
  BtfKind,
  infoKind,
  infoVlen,
  kindLayout,
  kindName,
  kindSpec,
} from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, recordSpan, type TypeTable, vlenOf } from '#model/type-table.ts';
import {
  aboutLinkage,
  fixedFields,
  itemsOf,
  itemWord,
  nameField,
  typeField as typeReference,
} from './btf-fields.ts';

/** Returns the record of type `id`, which must be in the blob, with its items. */
export function typeField(blob: PlacedBlob, id: TypeId): StructureField {
  const { types } = blob;
  const kind = kindOf(types, id);
  const span = recordSpan(types, id) ?? spanOf(blob.start, 0);
  return makeField('type', `[${id}] ${kindName(kind)} ${typeTitle(types, id)}`, span, {
    cType: 'struct btf_type',
    source: btfKindSource(kind),
    selection: typeSelection(id),
    parts: () => recordParts(blob, id, kind, span),
  });
}

function recordParts(blob: PlacedBlob, id: TypeId, kind: number, span: Span): FieldList {
  const place = { span, endian: blob.types.endian, read: blob.read, source: btfKindSource(kind) };
  const common = structFields(
    { ...place, span: spanOf(span.start, BTF_TYPE_SIZE), source: BTF_TYPE_SOURCE },
    commonFields(blob, id, kind),
  );
  const parts: Piece[] = [0, 1, 2].map((i) => ({
    ...spanOf(span.start + 4 * i, 4),
    make: (at) => common.at(i) ?? rest(at),
  }));
  const data = { start: span.start + BTF_TYPE_SIZE, end: span.end };
  const fields = fixedFields(blob.types, id, kind);
  const fixed = fields.length === 0 ? NO_PARTS : structFields({ ...place, span: data }, fields);
  for (let i = 0; i < fixed.count; i++) {
    const part = fixed.at(i);
    if (part !== null) parts.push({ ...part.span, make: () => part });
  }
  const items = itemsOf(blob.types, id, kind);
  if (items === null) return pieces(span, parts, rest);
  const headSize = BTF_TYPE_SIZE + (kindLayout(kind)?.fixed ?? 0);
  return joined(pieces(spanOf(span.start, headSize), parts, rest), {
    start: span.start + headSize,
    size: items.size,
    count: vlenOf(blob.types, id),
    make: (i, at) => items.make(i, { ...place, span: at }),
  });
}

type Items = {
  readonly start: number;
  readonly size: number;
  readonly count: number;
  readonly make: (index: number, span: Span) => StructureField;
};

/** Joins fields and items. Creates items on access, since a struct may have a million members. */
function joined(head: FieldList, items: Items): FieldList {
  const count = head.count + items.count;
  const at = (index: number) => {
    if (index < head.count) return head.at(index);
    const i = index - head.count;
    return index < count ? items.make(i, spanOf(items.start + i * items.size, items.size)) : null;
  };
  const indexAt = (fileOffset: number) => {
    if (fileOffset < items.start) return head.indexAt(fileOffset);
    const i = Math.floor((fileOffset - items.start) / items.size);
    return i < items.count ? head.count + i : -1;
  };
  return { count, at, indexAt, childAt: (fileOffset) => at(indexAt(fileOffset)) };
}

function rest(span: Span): StructureField {
  return makeField('content', 'more of the record', span, {
    meaning: 'Unknown kind; its length is from the layout',
  });
}

function commonFields(blob: PlacedBlob, id: TypeId, kind: number): FieldSpec[] {
  const { types } = blob;
  return [
    nameField(types, 0),
    u32('info', 4, {
      notation: 'hex',
      meaning: () => infoWords(types, id),
      bits: (value) => infoBits(Number(value), isWide(blob, Number(value))),
    }),
    thirdWord(types, kind),
  ];
}

function infoWords(types: TypeTable, id: TypeId): string {
  const kind = kindOf(types, id);
  const vlen = vlenOf(types, id);
  return `${kindName(kind)}, vlen ${vlen}${kind === BtfKind.FUNC ? ` (${aboutLinkage(vlen)})` : ''}`;
}

/** Returns true for a header of 2026, or an info word with bits that were reserved before 2026. */
function isWide({ header }: PlacedBlob, info: number): boolean {
  return header.layoutOff !== null || (info & 0x60ff0000) !== 0;
}

/** Returns the bits of the info word: 16 of vlen and 5 of kind; since 2026 (`wide`) 24 and 7. */
function infoBits(info: number, wide: boolean): BitSpec[] {
  const kind = infoKind(info);
  const kindBits = { name: 'kind', notation: 'decimal', meaning: kindName(kind) } as const;
  const vlen = { name: 'vlen', meaning: vlenWords(kind, infoVlen(info)) };
  const flag: BitSpec = { name: 'kind_flag', length: 1, meaning: flagWords(kind, info >>> 31) };
  return wide
    ? [{ ...vlen, length: 24 }, { ...kindBits, length: 7 }, flag]
    : [
        { ...vlen, length: 16 },
        { name: '', length: 8 },
        { ...kindBits, length: 5 },
        { name: '', length: 2 },
        flag,
      ];
}

function vlenWords(kind: number, vlen: number): string {
  if (kind === BtfKind.FUNC) return aboutLinkage(vlen);
  const word = itemWord(kind);
  return word === null ? '' : `${word}s`;
}

function flagWords(kind: number, flag: number): string {
  switch (kind) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return flag === 1 ? 'offsets of members hold the width of bit-fields' : '';
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return flag === 1 ? 'signed' : 'unsigned';
    case BtfKind.FWD:
      return flag === 1 ? 'a union' : 'a struct';
    case BtfKind.DECL_TAG:
    case BtfKind.TYPE_TAG: {
      const tag = kind === BtfKind.DECL_TAG ? 'btf_decl_tag' : 'btf_type_tag';
      return flag === 1 ? 'the name is an attribute itself' : `the name is the string of a ${tag}`;
    }
    default:
      return '';
  }
}

function thirdWord(types: TypeTable, kind: number): FieldSpec {
  switch (kindSpec(kind)?.third) {
    case undefined:
      return u32('size', 8, { label: 'size or type' });
    case 'size':
      return u32('size', 8, { meaning: (value) => (value === 1n ? 'byte' : 'bytes') });
    case 'unused':
      return u32('size', 8, { meaning: () => 'not used' });
    default:
      return typeReference(types, 8);
  }
}
