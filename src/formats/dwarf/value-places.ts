/**
 * Positions of the attribute values of a table's entries. Values of a fixed size are added up
 * once, so that moving past an entry takes one step for each value of variable size, which has at
 * least one byte. An abbreviation with many values of no bytes thus costs nothing per entry.
 * Sums are integers of 32 bits, as a sum beyond them ends after every section.
 */
import { MAX_U32 } from '#bytes/byte-reader.ts';
import type { AbbrevTable } from './abbrevs.ts';
import { DW_FORM } from './constants.ts';
import { fixedSize, skipValue, type UnitFormat } from './forms.ts';
import type { DwarfCursor } from './leb128.ts';

/** Forms of references that may lead to another unit. */
const ACROSS: ReadonlySet<number> = new Set([DW_FORM.ref_addr, DW_FORM.ref_sig8, DW_FORM.indirect]);

/** Longest list of attributes that is searched from its start. */
const MAX_SEARCHED = 32;

export class ValuePlaces {
  readonly table: AbbrevTable;
  readonly #format: UnitFormat;
  /** Index of the first variable value of each row in the columns below, then their number. */
  readonly #firstVariable: Uint32Array;
  /** Fixed bytes before each variable value, since the variable value before it. */
  readonly #gap: number[] = [];
  readonly #form: number[] = [];
  /** Fixed bytes after the last variable value of each row. */
  readonly #tail: Uint32Array;
  /** Number of variable values before each attribute, in its row. */
  readonly #variablesBefore: Uint32Array;
  /** Fixed bytes between the last variable value before each attribute and its value. */
  readonly #fixedBefore: Uint32Array;
  /** Attributes of the rows that are too long to search: row, attribute → index. */
  readonly #indexes = new Map<number, ReadonlyMap<number, number>>();

  constructor(table: AbbrevTable, format: UnitFormat) {
    this.table = table;
    this.#format = format;
    const rows = table.tag.length;
    this.#firstVariable = new Uint32Array(rows + 1);
    this.#tail = new Uint32Array(rows);
    this.#variablesBefore = new Uint32Array(table.form.length);
    this.#fixedBefore = new Uint32Array(table.form.length);
    for (let row = 0; row < rows; row++) this.#addRow(row);
    this.#firstVariable[rows] = this.#gap.length;
  }

  #addRow(row: number): void {
    const firstVariable = this.#gap.length;
    const first = this.table.firstAttribute[row] ?? 0;
    const end = this.table.firstAttribute[row + 1] ?? first;
    this.#firstVariable[row] = firstVariable;
    let fixed = 0;
    for (let index = first; index < end; index++) {
      this.#variablesBefore[index] = this.#gap.length - firstVariable;
      this.#fixedBefore[index] = fixed;
      const form = this.table.form[index] ?? 0;
      const size = fixedSize(form, this.#format);
      if (size >= 0) {
        fixed = Math.min(fixed + size, MAX_U32);
        continue;
      }
      this.#gap.push(fixed);
      this.#form.push(form);
      fixed = 0;
    }
    this.#tail[row] = fixed;
    if (end - first <= MAX_SEARCHED) return;
    const indexes = new Map<number, number>();
    for (let index = end - 1; index >= first; index--) {
      indexes.set(this.table.attribute[index] ?? 0, index);
    }
    this.#indexes.set(row, indexes);
  }

  /** True if an entry may refer to an entry of another unit. */
  get refersAcross(): boolean {
    return this.table.form.some((form) => ACROSS.has(form));
  }

  /** Returns the index of `attribute` in the columns of the table; -1 if the row lacks it. */
  indexOf(row: number, attribute: number): number {
    const { firstAttribute, attribute: attributes } = this.table;
    const first = firstAttribute[row] ?? 0;
    const end = firstAttribute[row + 1] ?? first;
    if (end - first > MAX_SEARCHED) return this.#indexes.get(row)?.get(attribute) ?? -1;
    for (let index = first; index < end; index++) {
      if (attributes[index] === attribute) return index;
    }
    return -1;
  }

  /** Moves `cursor` from the first value of an entry of `row` to its value at `index`. */
  moveTo(cursor: DwarfCursor, row: number, index: number): void {
    this.#skip(cursor, row, this.#variablesBefore[index] ?? 0);
    cursor.at += this.#fixedBefore[index] ?? 0;
  }

  /** Moves `cursor` from the first value of an entry of `row` past its last one. */
  moveToEnd(cursor: DwarfCursor, row: number): void {
    const first = this.#firstVariable[row] ?? 0;
    this.#skip(cursor, row, (this.#firstVariable[row + 1] ?? first) - first);
    cursor.at += this.#tail[row] ?? 0;
  }

  #skip(cursor: DwarfCursor, row: number, count: number): void {
    const first = this.#firstVariable[row] ?? 0;
    for (let variable = first; variable < first + count; variable++) {
      cursor.at += this.#gap[variable] ?? 0;
      skipValue(cursor, this.#form[variable] ?? 0, this.#format);
    }
  }
}
