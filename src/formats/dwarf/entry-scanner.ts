/**
 * Reads all entries of a unit in the order of the file, with the values of chosen attributes as
 * numbers. Unlike `DwarfUnit.tree` and `Die`, it makes no objects and reads each byte once.
 */
import type { AbbrevTable } from './abbrevs.ts';
import { DW_FORM } from './constants.ts';
import { directForm, fixedSize, skipValue, UNSIGNED_LEB_FORMS } from './forms.ts';
import { DwarfCursor } from './leb128.ts';
import type { DwarfUnit } from './reader.ts';
import type { UnitHeader } from './units.ts';

/**
 * Steps over the values of an abbreviation, three numbers each: what, slot or size, form. They are
 * integers, as are offsets and references: a field that once holds a double makes one for each store.
 */
const STEP = { skip: 0, fixed: 1, leb: 2, signed: 3, present: 4, constant: 5, other: 6 } as const;

const SIZE_SHIFT = 8;
const SLOT_MASK = 0xff;
/** Largest number of bytes whose value is read; others are only placed. */
const MAX_FIXED = 8;

export class EntryScanner {
  readonly unit: DwarfUnit;
  /** DW_TAG of the current entry, its offset and the number of entries above it. */
  tag = 0;
  offset = 0;
  depth = 0;
  hasChildren = false;
  /** DW_FORM of each attribute by slot; 0 if the current entry lacks it. */
  readonly form: Uint32Array;
  /**
   * Value of each attribute: a constant, an offset or an index as stored, exact up to 53 bits; the
   * length of a block. Only valid where `form` is not 0.
   */
  readonly value: Float64Array;
  /** Offset in the section of each value; of the first byte of a block or string. */
  readonly at: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #isLittle: boolean;
  readonly #cursor: DwarfCursor;
  readonly #header: UnitHeader;
  readonly #table: AbbrevTable;
  readonly #wanted: ReadonlyMap<number, number>;
  /** Steps of each abbreviation by its row; made when an entry first uses it. */
  readonly #steps: (Int32Array | undefined)[] = [];
  /** Values of DW_FORM_implicit_const to which steps refer by index. */
  readonly #constants: number[] = [];
  #isOpen = false;

  /** `wanted`: the slot of each attribute, from 0 to 255. Throws `Malformed`. */
  constructor(unit: DwarfUnit, wanted: ReadonlyMap<number, number>) {
    const { section, header, places } = unit;
    this.unit = unit;
    this.#header = header;
    this.#table = places.table;
    this.#bytes = section.bytes;
    this.#isLittle = section.endian === 'little';
    this.#cursor = new DwarfCursor(section, header.firstDie);
    this.#wanted = wanted;
    this.form = new Uint32Array(wanted.size);
    this.value = new Float64Array(wanted.size);
    this.at = new Uint32Array(wanted.size);
  }

  /** Reads the next entry. Returns false after the last one. Throws `Malformed`. */
  next(): boolean {
    const cursor = this.#cursor;
    if (this.#isOpen) this.depth += 1;
    this.#isOpen = false;
    const start = this.#nextCode();
    if (start < 0) return false;
    const row = this.#rowAt(start);
    this.tag = this.#table.tag[row] ?? 0;
    this.offset = this.unit.base + start;
    this.hasChildren = this.#table.hasChildren[row] === 1;
    this.#isOpen = this.hasChildren;
    const { form } = this;
    // A loop takes less time than `fill`, which the engine does not inline.
    for (let slot = 0; slot < form.length; slot++) form[slot] = 0;
    this.#read(this.#steps[row] ?? this.#plan(row));
    this.#requireWithin(start);
    if (this.depth === 0 && !this.hasChildren) cursor.at = this.#header.end;
    return true;
  }

  /** Moves past the entries below the current one, without reading them. Throws `Malformed`. */
  skipChildren(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { places } = this.unit;
    const cursor = this.#cursor;
    const { depth } = this;
    this.depth += 1;
    for (;;) {
      const start = this.#nextCode(depth + 1);
      if (start < 0) break;
      const row = this.#rowAt(start);
      places.moveToEnd(cursor, row);
      this.#requireWithin(start);
      if (this.#table.hasChildren[row] === 1) this.depth += 1;
    }
    this.depth = depth;
  }

  /**
   * Moves to the code of the next entry, past ends of lists of children. Returns its offset; -1 at
   * the end of the unit, or after the list at `lowest`.
   */
  #nextCode(lowest = 1): number {
    const cursor = this.#cursor;
    const { end } = this.#header;
    while (cursor.at < end) {
      if (this.#bytes[cursor.at] !== 0) return cursor.at;
      cursor.at += 1;
      this.depth -= 1;
      if (this.depth < lowest) {
        if (lowest === 1) cursor.at = end;
        return -1;
      }
    }
    return -1;
  }

  #rowAt(start: number): number {
    const code = this.#cursor.uleb();
    const row = this.#table.rowOf(code);
    if (row >= 0) return row;
    const { section } = this.unit;
    throw section.malformed('dwarf.abbrev-code', `${section.region}: no abbreviation ${code}`, {
      at: [start, 1],
      expected: 'a code of the unit’s table in .debug_abbrev',
      found: `code ${code}`,
    });
  }

  #requireWithin(start: number): void {
    const { end } = this.#header;
    if (this.#cursor.at <= end) return;
    const { section } = this.unit;
    throw section.malformed('dwarf.entry-end', `${section.region}: an entry runs past its unit`, {
      at: [start, end - start],
      expected: `its end at ${end} or before`,
      found: `${this.#cursor.at}`,
    });
  }

  #read(steps: Int32Array): void {
    const cursor = this.#cursor;
    for (let i = 0; i < steps.length; i += 3) {
      const argument = steps[i + 1] ?? 0;
      const form = steps[i + 2] ?? 0;
      switch (steps[i]) {
        case STEP.skip:
          cursor.at += argument;
          break;
        case STEP.fixed: {
          const size = argument >> SIZE_SHIFT;
          const slot = argument & SLOT_MASK;
          this.form[slot] = form;
          this.at[slot] = cursor.at;
          this.value[slot] = this.#number(cursor.at, size);
          cursor.at += size;
          break;
        }
        case STEP.leb:
          this.form[argument] = form;
          this.at[argument] = cursor.at;
          this.value[argument] = this.#leb(cursor);
          break;
        case STEP.signed: {
          this.form[argument] = form;
          this.at[argument] = cursor.at;
          const byte = this.#bytes[cursor.at] ?? 0;
          if (byte < 0x80) {
            this.value[argument] = (byte << 25) >> 25;
            cursor.at += 1;
          } else {
            this.value[argument] = Number(cursor.sleb());
          }
          break;
        }
        case STEP.present:
          this.form[argument] = form;
          this.value[argument] = 1;
          break;
        case STEP.constant:
          this.form[argument] = DW_FORM.implicit_const;
          this.value[argument] = this.#constants[form] ?? 0;
          break;
        default:
          this.#readOther(cursor, argument, form);
      }
    }
  }

  /** Reads a value whose size depends on its contents. `slot` is -1 if it is not wanted. */
  #readOther(cursor: DwarfCursor, slot: number, stated: number): void {
    const form = stated === DW_FORM.indirect ? directForm(cursor) : stated;
    const start = cursor.at;
    skipValue(cursor, form, this.#header);
    if (slot < 0) return;
    this.form[slot] = form;
    const size = fixedSize(form, this.#header);
    this.at[slot] = start;
    if (size >= 0) this.value[slot] = this.#number(start, Math.min(size, MAX_FIXED));
    else if (UNSIGNED_LEB_FORMS.has(form))
      this.value[slot] = this.#leb(new DwarfCursor(cursor.reader, start));
    else if (form === DW_FORM.sdata) {
      this.value[slot] = Number(new DwarfCursor(cursor.reader, start).sleb());
    } else if (form !== DW_FORM.string) {
      const length = lengthOfBlock(new DwarfCursor(cursor.reader, start), form);
      this.value[slot] = length;
      this.at[slot] = cursor.at - length;
    }
  }

  #leb(cursor: DwarfCursor): number {
    const byte = this.#bytes[cursor.at] ?? 0;
    if (byte < 0x80) {
      cursor.at += 1;
      return byte;
    }
    return Number(cursor.bigUleb());
  }

  /** Returns the unsigned number of `size` bytes at `at`; bytes after the section are 0. */
  #number(at: number, size: number): number {
    const bytes = this.#bytes;
    if (size === 1) return bytes[at] ?? 0;
    if (size === 4 && this.#isLittle) {
      const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
      return (low | ((bytes[at + 3] ?? 0) << 24)) >>> 0;
    }
    let value = 0;
    if (this.#isLittle) {
      for (let i = at + size - 1; i >= at; i--) value = value * 256 + (bytes[i] ?? 0);
    } else {
      for (let i = at; i < at + size; i++) value = value * 256 + (bytes[i] ?? 0);
    }
    return value;
  }

  /** Makes the steps of an abbreviation: values that are not wanted become one skip. */
  #plan(row: number): Int32Array {
    const { firstAttribute, attribute, form: forms, implicit } = this.#table;
    const steps: number[] = [];
    const seen = new Set<number>();
    let skipped = 0;
    const flush = () => {
      if (skipped > 0) steps.push(STEP.skip, skipped, 0);
      skipped = 0;
    };
    const end = firstAttribute[row + 1] ?? 0;
    for (let index = firstAttribute[row] ?? 0; index < end; index++) {
      const form = forms[index] ?? 0;
      const slot = this.#wanted.get(attribute[index] ?? 0) ?? -1;
      const isWanted = slot >= 0 && !seen.has(slot);
      const size = fixedSize(form, this.#header);
      if (!isWanted) {
        if (size >= 0) {
          skipped += size;
          continue;
        }
        flush();
        steps.push(STEP.other, -1, form);
        continue;
      }
      seen.add(slot);
      flush();
      if (form === DW_FORM.flag_present) steps.push(STEP.present, slot, form);
      else if (form === DW_FORM.implicit_const) {
        steps.push(STEP.constant, slot, this.#constants.length);
        this.#constants.push(Number(implicit.get(index) ?? 0n));
      } else if (size >= 0 && size <= MAX_FIXED) {
        steps.push(STEP.fixed, (size << SIZE_SHIFT) | slot, form);
      } else if (UNSIGNED_LEB_FORMS.has(form)) steps.push(STEP.leb, slot, form);
      else if (form === DW_FORM.sdata) steps.push(STEP.signed, slot, form);
      else steps.push(STEP.other, slot, form);
    }
    flush();
    const plan = Int32Array.from(steps);
    this.#steps[row] = plan;
    return plan;
  }
}

function lengthOfBlock(cursor: DwarfCursor, form: number): number {
  if (form === DW_FORM.data16) return 16;
  if (form === DW_FORM.block1) return cursor.u8();
  if (form === DW_FORM.block2) return cursor.u16();
  return form === DW_FORM.block4 ? cursor.u32() : cursor.uleb();
}
