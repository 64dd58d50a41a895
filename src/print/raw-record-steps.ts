/**
 * How a record is spelled, and the steps in which it is written: each a text and
 * then a value. Texts that no value parts are joined to one, once for a whole dump,
 * so that what runs for the 300,000 records and items of a kernel is a short loop.
 */
import type { TypeTable } from '#model/type-table.ts';
import { type ByteText, type Piece, pieceOf } from './byte-text.ts';

/** Texts are ASCII; keys, kinds and other words are bpftool's. */
export type RecordStyle = {
  /** JSON widens values, has no suffixes, and does not tell what an item of a DATASEC is. */
  readonly json: boolean;
  /** Stands on both sides of a name. */
  readonly quote: string;
  /** Writes the name at `nameOff`, which lies in the strings of `owner`, without quotes. */
  readonly name: (out: ByteText, owner: TypeTable, nameOff: number) => void;
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
export const WHOLE_WORD = -1;

/** Gathers the steps of a record or an item. Offsets are in bytes from its start. */
export class StepList {
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
