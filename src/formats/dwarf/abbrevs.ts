/** Reads tables of abbreviations in `.debug_abbrev`. Source: DWARF 5, section 7.5.3. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { DW_FORM } from './constants.ts';
import { DwarfCursor } from './leb128.ts';

const MAX_U32 = 0xffffffff;

/** One table as columns. A row is an abbreviation; its attributes are a range of other columns. */
export class AbbrevTable {
  readonly tag: Uint32Array;
  readonly hasChildren: Uint8Array;
  /** Index of the first attribute of each row, then the number of attributes. */
  readonly firstAttribute: Uint32Array;
  /** DW_AT of each attribute. */
  readonly attribute: Uint32Array;
  /** DW_FORM of each attribute. */
  readonly form: Uint32Array;
  /** Values of DW_FORM_implicit_const by attribute index. */
  readonly implicit: ReadonlyMap<number, bigint>;
  /** Rows by code; null if the codes are 1, 2, 3 and so on. */
  readonly #rows: ReadonlyMap<number, number> | null;

  constructor(columns: AbbrevColumns) {
    this.tag = Uint32Array.from(columns.tag);
    this.hasChildren = Uint8Array.from(columns.hasChildren);
    this.firstAttribute = Uint32Array.from(columns.firstAttribute);
    this.attribute = Uint32Array.from(columns.attribute);
    this.form = Uint32Array.from(columns.form);
    this.implicit = columns.implicit;
    const isDense = columns.code.every((code, row) => code === row + 1);
    // The first of two abbreviations with one code counts, as in llvm-dwarfdump.
    this.#rows = isDense
      ? null
      : new Map(columns.code.map((code, row) => [code, row] as const).reverse());
  }

  /** Returns the row with the code `code`; -1 if there is none. */
  rowOf(code: number): number {
    if (this.#rows !== null) return this.#rows.get(code) ?? -1;
    return code >= 1 && code <= this.tag.length ? code - 1 : -1;
  }
}

type AbbrevColumns = {
  readonly code: number[];
  readonly tag: number[];
  readonly hasChildren: number[];
  readonly firstAttribute: number[];
  readonly attribute: number[];
  readonly form: number[];
  readonly implicit: Map<number, bigint>;
};

/** Tables of a file by their offset. Each table is read once. */
export class AbbrevTables {
  readonly #section: ByteReader;
  readonly #tables = new Map<number, AbbrevTable>();
  /** Tables do not overlap in valid files. The limit bounds the work on tables that do. */
  #bytesLeft: number;

  constructor(section: ByteReader) {
    this.#section = section;
    this.#bytesLeft = 2 * section.length + 4096;
  }

  /** Returns the table at `offset`. Throws `Malformed` if it is damaged. */
  at(offset: number): AbbrevTable {
    const cached = this.#tables.get(offset);
    if (cached !== undefined) return cached;
    const cursor = new DwarfCursor(this.#section, offset);
    const columns = this.#read(cursor);
    const table = new AbbrevTable(columns);
    this.#tables.set(offset, table);
    return table;
  }

  #read(cursor: DwarfCursor): AbbrevColumns {
    const start = cursor.at;
    const columns: AbbrevColumns = {
      code: [],
      tag: [],
      hasChildren: [],
      firstAttribute: [],
      attribute: [],
      form: [],
      implicit: new Map(),
    };
    try {
      for (;;) {
        const code = cursor.uleb();
        if (code === 0) break;
        this.#requireBytes(start, cursor.at);
        columns.code.push(code);
        columns.tag.push(Math.min(cursor.uleb(), MAX_U32));
        columns.hasChildren.push(cursor.u8() === 0 ? 0 : 1);
        columns.firstAttribute.push(columns.attribute.length);
        readAttributes(cursor, columns);
      }
      columns.firstAttribute.push(columns.attribute.length);
    } finally {
      this.#bytesLeft -= cursor.at - start;
    }
    return columns;
  }

  #requireBytes(start: number, at: number): void {
    if (at - start <= this.#bytesLeft) return;
    throw this.#section.malformed(
      'dwarf.abbrev-overlap',
      `${this.#section.region}: tables of abbreviations overlap`,
      {
        at: [start, at - start],
        expected: 'each table used as a whole',
        found: 'units whose tables begin inside of other tables',
      },
    );
  }
}

function readAttributes(cursor: DwarfCursor, columns: AbbrevColumns): void {
  for (;;) {
    const attribute = cursor.uleb();
    const form = cursor.uleb();
    if (attribute === 0 && form === 0) return;
    if (form === DW_FORM.implicit_const) {
      columns.implicit.set(columns.attribute.length, cursor.sleb());
    }
    columns.attribute.push(Math.min(attribute, MAX_U32));
    columns.form.push(Math.min(form, MAX_U32));
  }
}
