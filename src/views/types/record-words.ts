/**
 * The record of a type word by word, each with the field's name in the kernel's
 * <linux/btf.h>. Source: "BTF Type Format", section 2.2.
 */
import { typeExpression } from '#analysis/type-name.ts';
import { visible } from '#bytes/text.ts';
import {
  BtfKind,
  infoKind,
  infoKindFlag,
  infoVlen,
  kindLayout,
  kindName,
} from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import {
  kindFlagOf,
  kindOf,
  ownerOf,
  recordBytes,
  stringAt,
  type TypeTable,
} from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf, hexText } from '#views/parts/number-text.ts';

export type RecordWord = {
  /** Bytes from the start of the record. */
  readonly byteOffset: number;
  readonly bytes: Uint8Array;
  /** As the kernel's header spells it: `name_off`; empty in records of a kind that is not known. */
  readonly field: string;
  /** What the field is of: `member 3`; empty for the record itself. */
  readonly part: string;
  readonly value: number;
  /** What the value means here, fit to be drawn. */
  readonly meaning: string;
};

export type RecordWords = { readonly words: readonly RecordWord[]; readonly leftOut: number };

/** The first `limit` words of the record, and how many more it has. Words are 32 bits in the file's byte order. */
export function recordWords(types: TypeTable, id: TypeId, limit: number): RecordWords {
  const bytes = recordBytes(types, id);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = (ownerOf(types, id) ?? types).endian === 'little';
  const count = Math.floor(bytes.length / 4);
  const words = Array.from({ length: Math.min(count, limit) }, (_, i): RecordWord => {
    const value = view.getUint32(4 * i, little);
    const { field, part } = fieldAt(kindOf(types, id), i);
    return {
      byteOffset: 4 * i,
      bytes: bytes.subarray(4 * i, 4 * i + 4),
      field,
      part,
      value,
      meaning: meaningOf(types, id, field, value),
    };
  });
  return { words, leftOut: count - words.length };
}

const ITEM_FIELDS: Readonly<Record<number, readonly [part: string, ...fields: string[]]>> = {
  [BtfKind.STRUCT]: ['member', 'name_off', 'type', 'offset'],
  [BtfKind.UNION]: ['member', 'name_off', 'type', 'offset'],
  [BtfKind.ENUM]: ['enumerator', 'name_off', 'val'],
  [BtfKind.ENUM64]: ['enumerator', 'name_off', 'val_lo32', 'val_hi32'],
  [BtfKind.FUNC_PROTO]: ['parameter', 'name_off', 'type'],
  [BtfKind.DATASEC]: ['variable', 'type', 'offset', 'size'],
};

const FIXED_FIELDS: Readonly<Record<number, readonly string[]>> = {
  [BtfKind.INT]: ['data'],
  [BtfKind.ARRAY]: ['type', 'index_type', 'nelems'],
  [BtfKind.VAR]: ['linkage'],
  [BtfKind.DECL_TAG]: ['component_idx'],
};

function fieldAt(kind: number, word: number): { readonly field: string; readonly part: string } {
  if (word === 0) return { field: 'name_off', part: '' };
  if (word === 1) return { field: 'info', part: '' };
  if (word === 2) return { field: thirdWord(kind), part: '' };
  const fixed = FIXED_FIELDS[kind];
  if (fixed !== undefined) return { field: fixed[word - 3] ?? '', part: '' };
  const [part, ...fields] = ITEM_FIELDS[kind] ?? [''];
  const index = word - 3;
  return fields.length === 0
    ? { field: '', part: '' }
    : {
        field: fields[index % fields.length] ?? '',
        part: `${part} ${Math.floor(index / fields.length)}`,
      };
}

function thirdWord(kind: number): string {
  switch (kind) {
    case BtfKind.INT:
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
    case BtfKind.DATASEC:
    case BtfKind.FLOAT:
      return 'size';
    case BtfKind.ARRAY:
    case BtfKind.FWD:
      return 'unused';
    default:
      return kindLayout(kind) === null ? 'size or type' : 'type';
  }
}

const LINKAGE = ['static', 'global', 'extern'];

function meaningOf(types: TypeTable, id: TypeId, field: string, value: number): string {
  const kind = kindOf(types, id);
  switch (field) {
    case 'name_off':
      return value === 0 ? 'no name' : visible(stringAt(types, value));
    case 'type':
    case 'index_type':
      return visible(typeExpression(types, typeId(value)));
    case 'info': {
      const flag = infoKindFlag(value) ? 1 : 0;
      return `kind ${infoKind(value)} ${kindName(infoKind(value))}, kind_flag ${flag}, vlen ${vlenText(kind, infoVlen(value))}`;
    }
    case 'size':
      return countOf(value, 'byte');
    case 'data':
      return `encoding ${(value >>> 24) & 0xf}, offset ${(value >>> 16) & 0xff}, bits ${value & 0xff}`;
    case 'nelems':
      return grouped(value);
    case 'linkage':
      return LINKAGE[value] ?? '';
    case 'component_idx':
      return (value | 0) < 0 ? 'the type itself' : `${value}`;
    case 'val':
      return kindFlagOf(types, id) ? `${value | 0}` : grouped(value);
    case 'offset':
      return offsetText(kind, kindFlagOf(types, id), value);
    default:
      return '';
  }
}

function vlenText(kind: number, vlen: number): string {
  if (kind !== BtfKind.FUNC) return `${vlen}`;
  const linkage = LINKAGE[vlen];
  return linkage === undefined ? `${vlen}` : `${vlen} (linkage: ${linkage})`;
}

function offsetText(kind: number, kindFlag: boolean, value: number): string {
  if (kind === BtfKind.DATASEC) return `byte ${hexText(value)}`;
  if (!kindFlag) return `bit ${grouped(value)}`;
  const width = value >>> 24;
  return `bit ${grouped(value & 0xffffff)}${width === 0 ? '' : `, ${width} wide`}`;
}
