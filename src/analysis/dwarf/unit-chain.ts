/** Finds the units of a `.debug_` section, each of which states its length at its start. */
import type { FileStructure } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  type ReadBytes,
  type StructureField,
  sequence,
} from '#analysis/fields/field.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Span } from '#bytes/span.ts';
import { DwarfCursor } from '#formats/dwarf/leb128.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { notRead } from './field-run.ts';

/** Most units that are found. Large programs have some ten thousand. */
const MAX_UNITS = 1 << 17;
/** Longest form of a length in bytes: 0xffffffff, then 8 bytes. */
const MAX_LENGTH_FIELD = 12;

/** Units from the start of a section up to `end`; offsets are relative to the section. */
class UnitChain {
  readonly starts: number[] = [];
  end = 0;
  /** True if no unit follows `end`. */
  isDone = false;

  /** Finds more units, as far as bytes are loaded. */
  extend(read: ReadBytes, section: Span, endian: 'little' | 'big'): void {
    const size = section.end - section.start;
    while (!this.isDone && this.end < size && this.starts.length < MAX_UNITS) {
      const at = section.start + this.end;
      const bytes = read(at, Math.min(section.end, at + MAX_LENGTH_FIELD));
      if (bytes === null) return;
      const length = lengthOf(new ByteReader(bytes, '', endian));
      if (length === null || this.end + length > size) break;
      this.starts.push(this.end);
      this.end += length;
    }
    this.isDone = true;
  }
}

/** Returns the size of a unit with its length field; null if the length is invalid. */
function lengthOf(reader: ByteReader): number | null {
  try {
    const cursor = new DwarfCursor(reader, 0);
    const short = cursor.u32();
    if (short < 0xfffffff0) return cursor.at + short;
    if (short !== 0xffffffff) return null;
    const long = cursor.u64();
    return long > BigInt(Number.MAX_SAFE_INTEGER) ? null : cursor.at + Number(long);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return null;
  }
}

const chainsOf = memoized((_: ObjectModel) => new Map<number, UnitChain>());

/** Returns the units of a section at `span`, as far as they are known. */
function chainOf({ model, read }: FileStructure, section: SectionIndex, span: Span): UnitChain {
  const chain = getOrCreate(chainsOf(model), section, () => {
    const made = new UnitChain();
    const known = model.dwarf?.section === section ? model.dwarf.unitOffset : null;
    const size = span.end - span.start;
    // Units that follow those of this section are in `.debug_types`, or in a section of that name.
    for (const start of known ?? []) if (start < size) made.starts.push(start);
    // Units whose header is damaged are not known: they become a part of the unit before them.
    if (made.starts[0] !== 0) made.starts.unshift(0);
    made.end = made.starts.pop() ?? 0;
    return made;
  });
  chain.extend(read, span, model.endian);
  return chain;
}

/** Creates the field of the unit at `span`. `offset` is relative to the section. */
export type MakeUnit = (offset: number, span: Span) => StructureField;

/** Returns the units of a section as fields. */
export function unitFields(
  structure: FileStructure,
  section: SectionIndex,
  span: Span,
  make: MakeUnit,
): FieldList {
  const { starts, end, isDone } = chainOf(structure, section, span);
  const isWhole = span.start + end >= span.end;
  const startOf = (i: number) => (i > starts.length ? span.end : span.start + (starts[i] ?? end));
  return sequence(isWhole ? starts.length : starts.length + 1, startOf, (i) => {
    const at = { start: startOf(i), end: startOf(i + 1) };
    if (i < starts.length) return make(starts[i] ?? 0, at);
    return isDone
      ? notRead(at, 'No unit of a valid length begins here')
      : makeField('undescribed', 'loading', at);
  });
}
