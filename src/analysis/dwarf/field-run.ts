/** Reads bytes of DWARF one field after the other. */
import {
  type FieldList,
  makeField,
  NO_PARTS,
  type StructureField,
  sequence,
} from '#analysis/fields/field.ts';
import { type Notation, numberText } from '#analysis/fields/struct-fields.ts';
import { attempt, type Issue } from '#bytes/issue.ts';
import type { Span } from '#bytes/span.ts';
import { decodeText } from '#bytes/text.ts';
import { stringEnd } from '#formats/dwarf/forms.ts';
import { DwarfCursor } from '#formats/dwarf/leb128.ts';
import type { Selection } from '#model/selection.ts';
import type { SectionBytes } from './debug-sections.ts';

/** Properties of a field that its bytes do not tell. */
export type FieldFacts = {
  readonly notation?: Notation;
  readonly meaning?: (value: bigint) => string;
  readonly selection?: Selection | null;
};

/** Types of fields that have no type in C. */
const ULEB128 = 'ULEB128';
const SLEB128 = 'SLEB128';

/** Fields from a position on. Values are those that the file stores; numbers returned are linked. */
export class FieldRun {
  readonly fields: StructureField[] = [];
  readonly cursor: DwarfCursor;
  readonly #bytes: SectionBytes;
  readonly #source: string;

  constructor(bytes: SectionBytes, at: number, source: string) {
    this.#bytes = bytes;
    this.#source = source;
    this.cursor = new DwarfCursor(bytes.linked, at);
  }

  /** Adds a number of `size` bytes. Returns it as linked. */
  number(name: string, size: number, facts: FieldFacts = {}): bigint {
    const start = this.cursor.at;
    const value = this.cursor.unsigned(size);
    const stored = new DwarfCursor(this.#bytes.stored, start).unsigned(size);
    const { notation = 'decimal' } = facts;
    const linkedAs = stored === value ? '' : `${numberText(value, notation, 8 * size)} once linked`;
    const means = facts.meaning?.(value) ?? '';
    this.#add(name, start, `u${8 * size}`, {
      value: numberText(stored, notation, 8 * size),
      meaning: [linkedAs, means].filter((text) => text !== '').join(': '),
      selection: facts.selection ?? null,
    });
    return value;
  }

  /** Adds an unsigned LEB128. */
  uleb(name: string, meaning: (value: number) => string = () => ''): number {
    const start = this.cursor.at;
    const value = this.cursor.uleb();
    this.#addLeb(name, start, ULEB128, `${value}`, meaning(value));
    return value;
  }

  /** Adds an unsigned LEB128 of up to 64 bits. */
  bigUleb(name: string): void {
    const start = this.cursor.at;
    const value = this.cursor.bigUleb();
    this.#addLeb(name, start, ULEB128, `${value}`, '');
  }

  /** Adds a signed LEB128. */
  sleb(name: string): void {
    const start = this.cursor.at;
    const value = this.cursor.sleb();
    this.#addLeb(name, start, SLEB128, `${value}`, '');
  }

  #addLeb(name: string, start: number, cType: string, value: string, meaning: string): void {
    const isStored = isUnchanged(this.#bytes, start, this.cursor.at);
    this.#add(
      name,
      start,
      cType,
      isStored ? { value, meaning } : { meaning: `${value} once linked` },
    );
  }

  /** Adds a string with the NUL that ends it. */
  string(name: string): string {
    const start = this.cursor.at;
    const { reader } = this.cursor;
    const end = stringEnd(reader, start);
    this.cursor.at = end + 1;
    const text = decodeText(reader.bytes.subarray(start, Math.min(end, start + MAX_SHOWN)));
    this.#add(name, start, 'char[]', { meaning: `"${text}"` });
    return text;
  }

  /** Adds `length` bytes that are no number. */
  bytes(name: string, length: number, meaning = ''): void {
    const start = this.cursor.at;
    this.cursor.reader.require(start, length, name);
    this.cursor.at += length;
    if (length > 0) this.#add(name, start, `u8[${length}]`, { meaning });
  }

  #add(name: string, start: number, cType: string, more: Partial<StructureField>): void {
    const span = this.cursor.reader.span(start, this.cursor.at - start);
    const { label = name } = more;
    this.fields.push(
      makeField('field', label, span, { name, cType, source: this.#source, ...more }),
    );
  }
}

/** True if no relocation changes the bytes from `start` to `end`. */
export function isUnchanged({ stored, linked }: SectionBytes, start: number, end: number): boolean {
  if (stored === linked) return true;
  for (let at = start; at < end; at++) if (stored.bytes[at] !== linked.bytes[at]) return false;
  return true;
}

/** Longest text in bytes that a field shows. */
const MAX_SHOWN = 256;

/**
 * Returns `fields`, which are in order, as the parts of `span`; `rest` names what follows. Fields of
 * damaged bytes may reach past the end of `span`; they are left out.
 */
export function listOf(
  span: Span,
  all: readonly StructureField[],
  rest: (at: Span) => StructureField,
): FieldList {
  const outside = all.findIndex((field) => field.span.end > span.end);
  const fields = outside < 0 ? all : all.slice(0, outside);
  const end = fields.at(-1)?.span.end ?? span.start;
  const isWhole = end >= span.end;
  const count = isWhole ? fields.length : fields.length + 1;
  const startOf = (i: number) => fields[i]?.span.start ?? (i === fields.length ? end : span.end);
  return count === 0
    ? NO_PARTS
    : sequence(count, startOf, (i) => fields[i] ?? rest({ start: end, end: span.end }));
}

/** Returns a field for bytes that cannot be decoded. */
export function notRead(at: Span, meaning: string): StructureField {
  return makeField('undescribed', 'not read', at, { meaning });
}

/** Runs `read`. Returns why it failed on the bytes; empty if it did not. */
export function faultOf(read: () => void): string {
  const issues: Issue[] = [];
  attempt(issues, read);
  return issues[0]?.message ?? '';
}
