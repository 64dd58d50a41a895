/**
 * Plans the fields that bpftool prints for each kind of record, in raw text and JSON
 * (`RecordStyle`). Source: bpftool 7.1, `btf dump`; for kinds 20 to 22, bpf-next of September 2026
 * (commit 29f64534).
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
 * A record is written in steps: each writes a text and a value. Adjacent texts are joined first:
 * the loop over the 300,000 records and items of a kernel then has fewer steps.
 */

/** Spelling of records in raw text or JSON. Texts are ASCII; keys and words are bpftool's. */
type RecordStyle = {
  /** True for JSON. JSON widens values, has no suffixes, and omits the type of DATASEC items. */
  readonly json: boolean;
  readonly quote: string;
  /** Writes the name at `nameOff` in the strings of `owner`, without quotes. */
  readonly name: (out: ByteText, owner: TypeTable, nameOff: number) => void;
  /** Writes bytes that are in quotes but are not a name. */
  readonly string: (out: ByteText, bytes: Uint8Array) => void;
  /** Texts before the id of a record, between id and name, and after the record. */
  readonly record: string;
  readonly kind: (word: string) => string;
  readonly recordEnd: string;
  /** Text before a number: a separator from the previous field, and the key. */
  readonly field: (key: string) => string;
  /** Text of a field with a word as value. */
  readonly word: (key: string, value: string) => string;
  /** Texts before and after the items of a record. */
  readonly items: (key: string) => string;
  readonly itemsEnd: string;
  /** Texts before an item, between its start and its name, and after it. */
  readonly item: string;
  readonly itemName: string;
  readonly itemEnd: string;
  /** Texts between two records, and between two items. */
  readonly between: string;
};

/** Form of the value that a step writes after its text. */
export const StepForm = {
  /** The bits of the word as an unsigned number. */
  UNSIGNED: 0,
  /** The name whose string offset is in the bits. */
  NAME: 1,
  ID: 2,
  SIGNED: 3,
  /** Text and number; nothing if the bits are 0. */
  NOT_ZERO: 4,
  /** One of several words, without the text. All larger numbers give the final word. */
  WORD: 5,
  /** A signed or unsigned number of 64 bits: the word and the next one. */
  SIGNED_64: 6,
  UNSIGNED_64: 7,
  /** A number of 32 bits, sign-extended to 64 bits and printed as unsigned. */
  WIDENED: 8,
  /** Kind and name of the type whose id is in the bits; nothing if the type does not exist. */
  POINTEE: 9,
  END: 10,
  /** A hexadecimal number with `0x`. */
  HEX: 11,
  /** The location of the record's parameter. */
  LOCATION: 12,
  /** The location of the parameter described by the LOC_PARAM whose id is in the bits. */
  LOCATION_OF: 13,
  /** The name of the FUNC whose id is in the bits. */
  FUNC_NAME: 14,
  /** The FUNC with its parameters' locations; the next word is the id of the LOC_PROTO. */
  SIGNATURE: 15,
} as const;

export type Step = {
  readonly form: number;
  readonly text: Piece;
  /** The bits of the value: byte offset of their word in the record or item, shift and mask. */
  readonly offset: number;
  readonly shift: number;
  readonly mask: number;
  readonly words: readonly Piece[];
};

/** Mask of all 32 bits; -1 is a small integer for V8. */
const WHOLE_WORD = -1;

/** Collects the steps of a record or an item. Offsets count in bytes from its start. */
class StepList {
  readonly steps: Step[] = [];
  readonly #style: RecordStyle;
  #text = '';

  constructor(style: RecordStyle) {
    this.#style = style;
  }

  /** Adds text before the next value, or after the last value. */
  text(text: string): this {
    this.#text += text;
    return this;
  }

  /** Adds a step with a value. For the parameters see `Step`. */
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

  /** Adds a name with quotes. */
  name(offset: number): this {
    const { quote } = this.#style;
    return this.text(quote).step(StepForm.NAME, offset).text(quote);
  }

  number(key: string, offset: number, form: number = StepForm.UNSIGNED): this {
    return this.bits(key, offset, 0, WHOLE_WORD, form);
  }

  /** Adds a text in quotes that is derived from a word of the file. */
  quoted(key: string, offset: number, form: number): this {
    const { quote } = this.#style;
    return this.text(this.#style.field(key) + quote)
      .step(form, offset)
      .text(quote);
  }

  /** Adds a number that is stored in some bits of a word. */
  bits(
    key: string,
    offset: number,
    shift: number,
    mask: number,
    form: number = StepForm.UNSIGNED,
  ): this {
    return this.text(this.#style.field(key)).step(form, offset, shift, mask);
  }

  /** Adds one of `words`, selected by some bits of a word of the file. */
  words(key: string, offset: number, shift: number, mask: number, words: readonly string[]): this {
    const spelled = words.map((word) => this.#style.word(key, word));
    return this.step(StepForm.WORD, offset, shift, mask, spelled);
  }

  /** Returns all steps. The list must not be used after this call. */
  end(): readonly Step[] {
    if (this.#text !== '') this.step(StepForm.END);
    return this.steps;
  }
}

export type RecordPlan = {
  /** Steps for the part of a record before its items. */
  readonly steps: readonly Step[];
  /** Steps for each item; null for kinds without items. */
  readonly items: ItemPlan | null;
  readonly end: Piece;
};

export type ItemPlan = {
  readonly steps: readonly Step[];
  /** Length of an item in the file, in bytes. */
  readonly length: number;
};

/** Plans for the records of one style. Builds each plan at the first record that needs it. */
export class RecordPlans {
  readonly style: RecordStyle;
  readonly between: Piece;
  readonly #plans: (RecordPlan | undefined)[] = [];

  constructor(style: RecordStyle) {
    this.style = style;
    this.between = pieceOf(style.between);
  }

  /** Returns the plan for a record whose `info` word is `info`. */
  of(info: number): RecordPlan {
    const flagAndKind = info >>> 24;
    const known = this.#plans[flagAndKind];
    if (known !== undefined) return known;
    const plan = recordPlan(this.style, infoKind(info), infoKindFlag(info));
    this.#plans[flagAndKind] = plan;
    return plan;
  }
}

/** Returns bpftool's word for a kind. All unknown kinds have the same word. */
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

/** bpftool's words for BTF_INT_ENCODING. Combinations of bits have no word. */
const ENCODINGS = ['(none)', 'SIGNED', 'CHAR', 'UNKN', 'BOOL', 'UNKN'];
const LINKAGES = ['static', 'global', 'extern', '(unknown)'];
const VLEN_MASK = 0xffffff;
const KIND_FLAG_SHIFT = 31;

/** Adds the fields after a record's name. Offsets count from the start of the record. */
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
      // In raw text, only this field has a comma after it.
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
    // No separator precedes the first field.
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
