/**
 * What bpftool tells of each kind of record, field by field. Its raw text and its
 * JSON have the same fields in the same order, and differ in a `RecordStyle`.
 *
 * Source: bpftool 7.1, `btf dump`; "BTF Type Format", section 2.2; kinds 20 to 22 as in
 * bpf-next of September 2026 (commit 29f64534).
 */
import {
  BTF_KIND_MAX,
  BtfKind,
  infoKind,
  infoKindFlag,
  kindLayout,
  kindName,
} from '#formats/btf/kinds.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type ByteText, type Piece, pieceOf } from './byte-text.ts';

/**
 * How a record is spelled, and the steps in which it is written: each a text and
 * then a value. Texts that no value parts are joined to one, once for a whole dump,
 * so that what runs for the 300,000 records and items of a kernel is a short loop.
 */

/** Texts are ASCII; keys, kinds and other words are bpftool's. */
type RecordStyle = {
  /** JSON widens values, has no suffixes, and does not tell what an item of a DATASEC is. */
  readonly json: boolean;
  /** Stands on both sides of a name. */
  readonly quote: string;
  /** Writes the name at `nameOff`, which lies in the strings of `owner`, without quotes. */
  readonly name: (out: ByteText, owner: TypeTable, nameOff: number) => void;
  /** Writes other bytes between quotes. */
  readonly string: (out: ByteText, bytes: Uint8Array) => void;
  /** Before the id of a record, from there to the name's quote, and behind all. */
  readonly record: string;
  readonly kind: (word: string) => string;
  readonly recordEnd: string;
  /** What stands before a number. The first character parts it from the field before. */
  readonly field: (key: string) => string;
  /** A field whose value is a word. */
  readonly word: (key: string, value: string) => string;
  /** Around all items of a record. */
  readonly items: (key: string) => string;
  readonly itemsEnd: string;
  /** Before an item, from there to the name's quote, and behind the item. */
  readonly item: string;
  readonly itemName: string;
  readonly itemEnd: string;
  /** Between two records, and between two items. */
  readonly between: string;
};

/** What a step writes behind its text. */
export const StepForm = {
  /** 32 bits, or some of them. */
  UNSIGNED: 0,
  /** The name whose offset the bits are. */
  NAME: 1,
  /** The id of the record. */
  ID: 2,
  SIGNED: 3,
  /** Text and number, or nothing where the bits are 0. */
  NOT_ZERO: 4,
  /** One of the words, in place of the text; the last stands for all numbers from there on. */
  WORD: 5,
  /** 64 bits that begin at the word, with sign or without. */
  SIGNED_64: 6,
  UNSIGNED_64: 7,
  /** 32 bits made 64 with their sign, and then taken without. */
  WIDENED: 8,
  /** Kind and name of the type whose id the bits are, where it exists. */
  POINTEE: 9,
  /** Nothing. */
  END: 10,
  /** Hexadecimal, after `0x`. */
  HEX: 11,
  /** Where the record's own parameter is. */
  LOCATION: 12,
  /** Where the parameter is that the LOC_PARAM with this id describes. */
  LOCATION_OF: 13,
  /** Name of the FUNC whose id the bits are. */
  FUNC_NAME: 14,
  /** The FUNC, with where its parameters are by the LOC_PROTO of the next word. */
  SIGNATURE: 15,
} as const;

export type Step = {
  readonly form: number;
  readonly text: Piece;
  /** Where the bits are: byte offset of their word in the record or item, then shift and mask. */
  readonly offset: number;
  readonly shift: number;
  readonly mask: number;
  readonly words: readonly Piece[];
};

/** All 32 bits, as a small number of the engine. */
const WHOLE_WORD = -1;

/** Gathers the steps of a record or an item. Offsets are in bytes from its start. */
class StepList {
  readonly steps: Step[] = [];
  readonly #style: RecordStyle;
  #text = '';

  constructor(style: RecordStyle) {
    this.#style = style;
  }

  /** A text before the next value, or behind the last. */
  text(text: string): this {
    this.#text += text;
    return this;
  }

  /** Any value: see `Step`. */
  step(
    form: number,
    offset = 0,
    shift = 0,
    mask = WHOLE_WORD,
    words: readonly string[] = [],
  ): this {
    const before = this.#text;
    this.#text = '';
    this.steps.push({
      form,
      text: pieceOf(before),
      offset,
      shift,
      mask,
      words: words.map((word) => pieceOf(before + word)),
    });
    return this;
  }

  /** A name in quotes. */
  name(offset: number): this {
    const { quote } = this.#style;
    return this.text(quote).step(StepForm.NAME, offset).text(quote);
  }

  /** A number that is a whole word. */
  number(key: string, offset: number, form: number = StepForm.UNSIGNED): this {
    return this.bits(key, offset, 0, WHOLE_WORD, form);
  }

  /** A text that is made from the word. */
  quoted(key: string, offset: number, form: number): this {
    const { quote } = this.#style;
    return this.text(this.#style.field(key) + quote)
      .step(form, offset)
      .text(quote);
  }

  /** A number that is a part of a word. */
  bits(
    key: string,
    offset: number,
    shift: number,
    mask: number,
    form: number = StepForm.UNSIGNED,
  ): this {
    return this.text(this.#style.field(key)).step(form, offset, shift, mask);
  }

  /** A word that a part of a word of the file chooses. */
  words(key: string, offset: number, shift: number, mask: number, words: readonly string[]): this {
    const spelled = words.map((word) => this.#style.word(key, word));
    return this.step(StepForm.WORD, offset, shift, mask, spelled);
  }

  /** All of them; the list is not used any more. */
  end(): readonly Step[] {
    if (this.#text !== '') this.step(StepForm.END);
    return this.steps;
  }
}

export type RecordPlan = {
  /** The record up to its items. */
  readonly steps: readonly Step[];
  /** null for kinds without items. */
  readonly items: ItemPlan | null;
  /** Behind the items. */
  readonly end: Piece;
};

export type ItemPlan = {
  readonly steps: readonly Step[];
  /** Bytes of an item. */
  readonly length: number;
};

/** The plans of a style. Each is made when a record of its kind is met first. */
export class RecordPlans {
  readonly style: RecordStyle;
  readonly between: Piece;
  readonly #plans: (RecordPlan | undefined)[] = [];

  constructor(style: RecordStyle) {
    this.style = style;
    this.between = pieceOf(style.between);
  }

  /** The plan for a record with this `info` word. */
  of(info: number): RecordPlan {
    const flagAndKind = info >>> 24;
    const known = this.#plans[flagAndKind];
    if (known !== undefined) return known;
    const plan = recordPlan(this.style, infoKind(info), infoKindFlag(info));
    this.#plans[flagAndKind] = plan;
    return plan;
  }
}

/** bpftool's word for a kind: one for all that it does not know. */
export function kindWord(kind: number): string {
  return kind > BTF_KIND_MAX || kind === 0 ? 'UNKNOWN' : kindName(kind);
}

function recordPlan(style: RecordStyle, kind: number, kindFlag: boolean): RecordPlan {
  const list = new StepList(style);
  list
    .text(style.record)
    .step(StepForm.ID)
    .text(style.kind(kindWord(kind)))
    .name(0);
  recordFields(list, kind, style.json);
  const key = ITEMS.get(kind);
  if (key === undefined) return { steps: list.end(), items: null, end: pieceOf(style.recordEnd) };
  const item = new StepList(style).text(style.item);
  itemFields(item, kind, kindFlag, style);
  return {
    steps: list.text(style.items(key)).end(),
    items: { steps: item.text(style.itemEnd).end(), length: kindLayout(kind)?.item ?? 0 },
    end: pieceOf(style.itemsEnd + style.recordEnd),
  };
}

/** Words of BTF_INT_ENCODING; combinations have none. */
const ENCODINGS = ['(none)', 'SIGNED', 'CHAR', 'UNKN', 'BOOL', 'UNKN'];
const LINKAGES = ['static', 'global', 'extern', '(unknown)'];
const VLEN_MASK = 0xffffff;
const KIND_FLAG_SHIFT = 31;

/** What stands behind the name of a record. Offsets count from its start. */
function recordFields(list: StepList, kind: number, json: boolean): void {
  switch (kind) {
    case BtfKind.INT:
      list.number('size', 8).bits('bits_offset', 12, 16, 0xff).bits('nr_bits', 12, 0, 0xff);
      list.words('encoding', 12, 24, 0xf, ENCODINGS);
      break;
    case BtfKind.PTR:
    case BtfKind.CONST:
    case BtfKind.VOLATILE:
    case BtfKind.RESTRICT:
    case BtfKind.TYPEDEF:
    case BtfKind.TYPE_TAG:
      list.number('type_id', 8);
      break;
    case BtfKind.ARRAY:
      list.number('type_id', 12).number('index_type_id', 16).number('nr_elems', 20);
      break;
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.DATASEC:
      list.number('size', 8).bits('vlen', 4, 0, VLEN_MASK);
      break;
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      list.words('encoding', 4, KIND_FLAG_SHIFT, 1, ['UNSIGNED', 'SIGNED']);
      list.number('size', 8).bits('vlen', 4, 0, VLEN_MASK);
      break;
    case BtfKind.FWD:
      list.words('fwd_kind', 4, KIND_FLAG_SHIFT, 1, ['struct', 'union']);
      break;
    case BtfKind.FUNC:
      list.number('type_id', 8).words('linkage', 4, 0, VLEN_MASK, LINKAGES);
      break;
    case BtfKind.FUNC_PROTO:
      list.number('ret_type_id', 8).bits('vlen', 4, 0, VLEN_MASK);
      break;
    case BtfKind.VAR:
      // The raw text has a comma in this one place.
      list.number('type_id', 8).text(json ? '' : ',');
      list.words('linkage', 12, 0, WHOLE_WORD, LINKAGES);
      break;
    case BtfKind.FLOAT:
      list.number('size', 8);
      break;
    case BtfKind.DECL_TAG:
      list.number('type_id', 8).number('component_idx', 12, StepForm.SIGNED);
      break;
    case BtfKind.LOC_PARAM:
      list.number('size', 8).number('flags', 12, json ? StepForm.UNSIGNED : StepForm.HEX);
      list.bits('vlen', 4, 0, VLEN_MASK).quoted('values', 0, StepForm.LOCATION);
      break;
    case BtfKind.LOC_PROTO:
    case BtfKind.LOCSEC:
      list.bits('vlen', 4, 0, VLEN_MASK);
      break;
    default:
  }
}

/** What the items of a kind are called. */
const ITEMS = new Map<number, string>([
  [BtfKind.STRUCT, 'members'],
  [BtfKind.UNION, 'members'],
  [BtfKind.ENUM, 'values'],
  [BtfKind.ENUM64, 'values'],
  [BtfKind.FUNC_PROTO, 'params'],
  [BtfKind.DATASEC, 'vars'],
  [BtfKind.LOC_PROTO, 'params'],
  [BtfKind.LOCSEC, 'locs'],
]);

/** An item of a record. Offsets count from the start of the item. */
function itemFields(list: StepList, kind: number, kindFlag: boolean, style: RecordStyle): void {
  const { json } = style;
  if (kind === BtfKind.DATASEC) {
    // Nothing to be parted from stands before the first field.
    list.text(style.field('type_id').slice(1)).step(StepForm.UNSIGNED);
    list.number('offset', 4).number('size', 8);
    if (!json) list.step(StepForm.POINTEE);
    return;
  }
  if (kind === BtfKind.LOC_PROTO) {
    list.text(style.field('type_id').slice(1)).step(StepForm.UNSIGNED);
    list.quoted('value', 0, StepForm.LOCATION_OF);
    return;
  }
  if (kind === BtfKind.LOCSEC) {
    if (json) {
      list.text(style.field('func_type_id').slice(1)).step(StepForm.UNSIGNED);
      list.quoted('name', 0, StepForm.FUNC_NAME).quoted('func', 0, StepForm.SIGNATURE);
    } else {
      list.text("func='").step(StepForm.SIGNATURE).text("'").number('func_type_id', 0);
    }
    list.number('loc_proto_type_id', 4).number('offset', 8);
    return;
  }
  list.text(style.itemName).name(0);
  switch (kind) {
    case BtfKind.ENUM: {
      const unsigned = json ? StepForm.WIDENED : StepForm.UNSIGNED;
      list.number('val', 4, kindFlag ? StepForm.SIGNED : unsigned);
      break;
    }
    case BtfKind.ENUM64:
      list.number('val', 4, kindFlag ? StepForm.SIGNED_64 : StepForm.UNSIGNED_64);
      if (!json) list.text(kindFlag ? 'LL' : 'ULL');
      break;
    case BtfKind.FUNC_PROTO:
      list.number('type_id', 4);
      break;
    default:
      list.number('type_id', 4).bits('bits_offset', 8, 0, kindFlag ? 0xffffff : WHOLE_WORD);
      if (kindFlag) list.bits('bitfield_size', 8, 24, 0xff, StepForm.NOT_ZERO);
  }
}
