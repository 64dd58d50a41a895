/**
 * The fields that bpftool prints of each kind of record, in raw text and JSON (`RecordStyle`).
 * Source: bpftool 7.1, `btf dump`; kinds 20 to 22 as in bpf-next of September 2026 (commit
 * 29f64534).
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
 * A record is written in steps: each a text and then a value. Adjacent texts are joined once for a
 * whole dump, so that the loop over the 300,000 records and items of a kernel is short.
 */

/** The spelling of records. Texts are ASCII; keys, kinds and other words are bpftool's. */
type RecordStyle = {
  /** True for JSON, which widens values, has no suffixes, and does not print the type of a DATASEC item. */
  readonly json: boolean;
  readonly quote: string;
  /** Writes the name at `nameOff`, in the strings of `owner`, without quotes. */
  readonly name: (out: ByteText, owner: TypeTable, nameOff: number) => void;
  /** Writes other bytes between quotes. */
  readonly string: (out: ByteText, bytes: Uint8Array) => void;
  /** Text before the id of a record, between id and name, and after the record. */
  readonly record: string;
  readonly kind: (word: string) => string;
  readonly recordEnd: string;
  /** Text before a number. Its first character separates it from the previous field. */
  readonly field: (key: string) => string;
  /** Text of a field whose value is a word. */
  readonly word: (key: string, value: string) => string;
  /** Text around all items of a record. */
  readonly items: (key: string) => string;
  readonly itemsEnd: string;
  /** Text before an item, between its start and the name, and after the item. */
  readonly item: string;
  readonly itemName: string;
  readonly itemEnd: string;
  /** Text between two records, and between two items. */
  readonly between: string;
};

/** The value that a step writes after its text. */
export const StepForm = {
  /** 32 bits, or some of them. */
  UNSIGNED: 0,
  /** The name at the offset in the bits. */
  NAME: 1,
  ID: 2,
  SIGNED: 3,
  /** Text and number, or nothing if the bits are 0. */
  NOT_ZERO: 4,
  /** One of the words instead of the text; the last word is for all higher numbers. */
  WORD: 5,
  /** 64 bits from the word on, signed or unsigned. */
  SIGNED_64: 6,
  UNSIGNED_64: 7,
  /** 32 bits, sign-extended to 64 and printed as unsigned. */
  WIDENED: 8,
  /** Kind and name of the type with the id in the bits, if it exists. */
  POINTEE: 9,
  END: 10,
  /** Hexadecimal, after `0x`. */
  HEX: 11,
  /** Location of the record's parameter. */
  LOCATION: 12,
  /** Location of the parameter of the LOC_PARAM with this id. */
  LOCATION_OF: 13,
  /** Name of the FUNC with the id in the bits. */
  FUNC_NAME: 14,
  /** The FUNC with the locations of its parameters, by the LOC_PROTO in the next word. */
  SIGNATURE: 15,
} as const;

export type Step = {
  readonly form: number;
  readonly text: Piece;
  /** Position of the bits: byte offset of their word in the record or item, then shift and mask. */
  readonly offset: number;
  readonly shift: number;
  readonly mask: number;
  readonly words: readonly Piece[];
};

/** All 32 bits, as a small integer of the engine. */
const WHOLE_WORD = -1;

/** Collects the steps of a record or an item. Offsets are in bytes from its start. */
class StepList {
  readonly steps: Step[] = [];
  readonly #style: RecordStyle;
  #text = '';

  constructor(style: RecordStyle) {
    this.#style = style;
  }

  /** Adds a text before the next value, or after the last. */
  text(text: string): this {
    this.#text += text;
    return this;
  }

  /** Adds a value: see `Step`. */
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

  /** Adds a name in quotes. */
  name(offset: number): this {
    const { quote } = this.#style;
    return this.text(quote).step(StepForm.NAME, offset).text(quote);
  }

  number(key: string, offset: number, form: number = StepForm.UNSIGNED): this {
    return this.bits(key, offset, 0, WHOLE_WORD, form);
  }

  /** Adds a text that is derived from the word. */
  quoted(key: string, offset: number, form: number): this {
    const { quote } = this.#style;
    return this.text(this.#style.field(key) + quote)
      .step(form, offset)
      .text(quote);
  }

  /** Adds a number that is a part of a word. */
  bits(
    key: string,
    offset: number,
    shift: number,
    mask: number,
    form: number = StepForm.UNSIGNED,
  ): this {
    return this.text(this.#style.field(key)).step(form, offset, shift, mask);
  }

  /** Adds one of `words`, chosen by a part of a word of the file. */
  words(key: string, offset: number, shift: number, mask: number, words: readonly string[]): this {
    const spelled = words.map((word) => this.#style.word(key, word));
    return this.step(StepForm.WORD, offset, shift, mask, spelled);
  }

  /** Returns all steps; the list must not be used afterwards. */
  end(): readonly Step[] {
    if (this.#text !== '') this.step(StepForm.END);
    return this.steps;
  }
}

export type RecordPlan = {
  /** Steps of the record up to its items. */
  readonly steps: readonly Step[];
  /** null for kinds without items. */
  readonly items: ItemPlan | null;
  readonly end: Piece;
};

export type ItemPlan = {
  readonly steps: readonly Step[];
  /** Length of an item in bytes. */
  readonly length: number;
};

/** The plans of a style. A plan is built for the first record of its kind. */
export class RecordPlans {
  readonly style: RecordStyle;
  readonly between: Piece;
  readonly #plans: (RecordPlan | undefined)[] = [];

  constructor(style: RecordStyle) {
    this.style = style;
    this.between = pieceOf(style.between);
  }

  /** Returns the plan for a record with this `info` word. */
  of(info: number): RecordPlan {
    const flagAndKind = info >>> 24;
    const known = this.#plans[flagAndKind];
    if (known !== undefined) return known;
    const plan = recordPlan(this.style, infoKind(info), infoKindFlag(info));
    this.#plans[flagAndKind] = plan;
    return plan;
  }
}

/** Returns bpftool's word for a kind: one word for all unknown kinds. */
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

/** Adds the fields after the name of a record. Offsets count from its start. */
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
      // Only here the raw text has a comma.
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

/** Adds the fields of an item. Offsets count from the start of the item. */
function itemFields(list: StepList, kind: number, kindFlag: boolean, style: RecordStyle): void {
  const { json } = style;
  if (kind === BtfKind.DATASEC) {
    // The first field has no separator.
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
