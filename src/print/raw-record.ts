/** bpftool's raw text (`bpftool btf dump file … format raw`) of one type. */
import { TextOut } from '#analysis/text-out.ts';
import { BtfKind, kindLayout, kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf, membersOf, paramsOf, varSecinfosOf } from '#model/type-items.ts';
import {
  arrayData,
  componentIdx,
  hasType,
  intData,
  kindFlagOf,
  kindOf,
  nameOffOf,
  sizeOrTypeOf,
  stringAt,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';

/** Characters. Names of a hostile file may add up to more than a string can hold. */
const MAX_LENGTH = 1 << 26;

/**
 * The lines of one type, without a newline at the end: `[12] STRUCT 'foo' size=8 vlen=1`,
 * then a line with a tab for each item. Empty for void and for ids that do not
 * exist. Names are as in the file: escape the text when it is drawn.
 */
export function rawRecord(t: TypeTable, id: TypeId): string {
  if (!hasType(t, id)) return '';
  const out = new TextOut(MAX_LENGTH);
  out.write(`[${id}] ${kindWord(t, id)} ${quoted(t, nameOffOf(t, id))}${tail(t, id)}`);
  for (const item of items(t, id)) {
    out.write(`\n\t${item}`);
    if (out.full) break;
  }
  return out.toString();
}

/** The kind's word; bpftool has one for all that it does not know. */
function kindWord(t: TypeTable, id: TypeId): string {
  const kind = kindOf(t, id);
  return kindLayout(kind) === null ? 'UNKNOWN' : kindName(kind);
}

/** Offset 0 means no name, whatever stands there; an offset outside all strings is no name at all. */
function quoted(t: TypeTable, nameOff: number): string {
  if (nameOff === 0) return "'(anon)'";
  return nameOff < t.strBase + (t.strEnd - t.strStart)
    ? `'${stringAt(t, nameOff)}'`
    : "'(invalid)'";
}

const LINKAGE = ['static', 'global', 'extern'];
const linkage = (n: number) => LINKAGE[n] ?? '(unknown)';

const ENCODING = new Map([
  [0, '(none)'],
  [1, 'SIGNED'],
  [2, 'CHAR'],
  [4, 'BOOL'],
]);

function tail(t: TypeTable, id: TypeId): string {
  const third = sizeOrTypeOf(t, id);
  const vlen = vlenOf(t, id);
  switch (kindOf(t, id)) {
    case BtfKind.INT: {
      const { bitOffset, bits, encoding } = intData(t, id);
      const word = ENCODING.get(encoding) ?? 'UNKN';
      return ` size=${third} bits_offset=${bitOffset} nr_bits=${bits} encoding=${word}`;
    }
    case BtfKind.PTR:
    case BtfKind.CONST:
    case BtfKind.VOLATILE:
    case BtfKind.RESTRICT:
    case BtfKind.TYPEDEF:
    case BtfKind.TYPE_TAG:
      return ` type_id=${third}`;
    case BtfKind.ARRAY: {
      const { elemType, indexType, nelems } = arrayData(t, id);
      return ` type_id=${elemType} index_type_id=${indexType} nr_elems=${nelems}`;
    }
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.DATASEC:
      return ` size=${third} vlen=${vlen}`;
    case BtfKind.ENUM:
    case BtfKind.ENUM64: {
      const encoding = kindFlagOf(t, id) ? 'SIGNED' : 'UNSIGNED';
      return ` encoding=${encoding} size=${third} vlen=${vlen}`;
    }
    case BtfKind.FWD:
      return ` fwd_kind=${kindFlagOf(t, id) ? 'union' : 'struct'}`;
    case BtfKind.FUNC:
      return ` type_id=${third} linkage=${linkage(vlen)}`;
    case BtfKind.FUNC_PROTO:
      return ` ret_type_id=${third} vlen=${vlen}`;
    case BtfKind.VAR:
      return ` type_id=${third}, linkage=${linkage(varLinkage(t, id))}`;
    case BtfKind.FLOAT:
      return ` size=${third}`;
    case BtfKind.DECL_TAG:
      return ` type_id=${third} component_idx=${componentIdx(t, id)}`;
    default:
      return '';
  }
}

function* items(t: TypeTable, id: TypeId): Generator<string, void, void> {
  switch (kindOf(t, id)) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      for (const { nameOff, type, bitOffset, bitfieldSize } of membersOf(t, id)) {
        const width = bitfieldSize === 0 ? '' : ` bitfield_size=${bitfieldSize}`;
        yield `${quoted(t, nameOff)} type_id=${type} bits_offset=${bitOffset}${width}`;
      }
      return;
    case BtfKind.ENUM:
      for (const { nameOff, value } of enumeratorsOf(t, id)) {
        yield `${quoted(t, nameOff)} val=${value}`;
      }
      return;
    case BtfKind.ENUM64: {
      const suffix = kindFlagOf(t, id) ? 'LL' : 'ULL';
      for (const { nameOff, value } of enumeratorsOf(t, id)) {
        yield `${quoted(t, nameOff)} val=${value}${suffix}`;
      }
      return;
    }
    case BtfKind.FUNC_PROTO:
      for (const { nameOff, type } of paramsOf(t, id)) {
        yield `${quoted(t, nameOff)} type_id=${type}`;
      }
      return;
    case BtfKind.DATASEC:
      for (const { type, offset, size } of varSecinfosOf(t, id)) {
        yield `type_id=${type} offset=${offset} size=${size}${pointee(t, type)}`;
      }
      return;
    default:
  }
}

/** bpftool adds what an item of a DATASEC points at, as far as that exists. */
function pointee(t: TypeTable, id: TypeId): string {
  return hasType(t, id) ? ` (${kindWord(t, id)} ${quoted(t, nameOffOf(t, id))})` : '';
}
