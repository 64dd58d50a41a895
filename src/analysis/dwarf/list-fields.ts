/**
 * Shows tables of addresses and offsets, and lists of ranges and locations, as fields. Source:
 * DWARF 5, 7.25 to 7.29; DWARF 4, 2.6.2 and 2.17.3.
 */
import type { FileStructure } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  NO_PARTS,
  type StructureField,
} from '#analysis/fields/field.ts';
import { table } from '#analysis/fields/table.ts';
import { attempt } from '#bytes/issue.ts';
import type { Span } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { DW_AT, namer } from '#formats/dwarf/constants.ts';
import { operationsOf } from '#formats/dwarf/expressions.ts';
import type { DwarfCursor } from '#formats/dwarf/leb128.ts';
import { DW_LLE, DW_RLE } from '#formats/dwarf/lists.ts';
import type { SectionIndex } from '#model/ids.ts';
import { hasAttribute } from './abbreviation-fields.ts';
import { bytesOf, debugSection, type SectionBytes, stringIn } from './debug-sections.ts';
import { FieldRun, faultOf, listOf, notRead } from './field-run.ts';
import { kept } from './kept.ts';
import { operationText } from './operations.ts';
import { findRecords, type Records, recordFields } from './records.ts';
import { unitFields } from './unit-chain.ts';

/** Largest list section or unit in bytes whose entries are listed. */
const MAX_LISTED = 8 << 20;

/** Parts of a section; `name` is its name without `.debug_`. */
type Section = {
  readonly structure: FileStructure;
  readonly section: SectionIndex;
  readonly name: string;
};

const SOURCES: Readonly<Record<string, string>> = {
  addr: 'DWARF 5, 7.27 Address Table',
  str_offsets: 'DWARF 5, 7.26 String Offsets Table',
  rnglists: 'DWARF 5, 7.28 Range List Table',
  loclists: 'DWARF 5, 7.29 Location List Table',
  ranges: 'DWARF 4, 2.17.3 Non-Contiguous Address Ranges',
  loc: 'DWARF 4, 2.6.2 Location Lists',
};

/** Returns the units of `.debug_addr`, `.debug_str_offsets`, `.debug_rnglists`, `.debug_loclists`. */
export function tableParts(place: Section, span: Span): FieldList {
  const { structure, section, name } = place;
  const isOfWords = name === 'addr' || name === 'str_offsets';
  const head = bytesOf(structure, section, 0, 6);
  if (head === null) return NO_PARTS;
  // Tables that GNU added to DWARF 4 have no header.
  if (isOfWords && !hasHeader(head)) {
    const size = name === 'addr' ? structure.model.addressBits / 8 : 4;
    return words(place, 0, span, size);
  }
  return unitFields(structure, section, span, (offset, at) =>
    makeField('part', `${UNIT_NAMES[name] ?? 'table'} ${hexText(offset)}`, at, {
      source: SOURCES[name] ?? '',
      parts: () => unitParts(place, offset, at),
    }),
  );
}

const UNIT_NAMES: Readonly<Record<string, string>> = {
  addr: 'addresses',
  str_offsets: 'string offsets',
  rnglists: 'ranges',
  loclists: 'locations',
};

function hasHeader({ linked }: SectionBytes): boolean {
  if (linked.length < 6) return false;
  return linked.u32(0) === 0xffffffff || linked.u16(4) === 5;
}

function unitParts(place: Section, offset: number, at: Span): FieldList {
  const { structure, section, name } = place;
  const size = at.end - at.start;
  if (size > MAX_LISTED) return listOf(at, [], (rest) => notRead(rest, 'Too large to list'));
  const bytes = bytesOf(structure, section, offset, size);
  if (bytes === null) return NO_PARTS;
  const run = new FieldRun(bytes, 0, SOURCES[name] ?? '');
  let width = 4;
  let entries = 0;
  let addressSize = structure.model.addressBits / 8;
  const fault = faultOf(() => {
    const isLong = run.number('unit_length', 4, { notation: 'hex' }) === 0xffffffffn;
    if (isLong) run.number('unit_length', 8, { notation: 'hex' });
    width = isLong ? 8 : 4;
    run.number('version', 2);
    if (name === 'str_offsets') run.number('padding', 2);
    else {
      addressSize = Number(run.number('address_size', 1));
      run.number('segment_selector_size', 1);
    }
    if (name === 'rnglists' || name === 'loclists') {
      entries = Number(run.number('offset_entry_count', 4));
    }
  });
  const head = run.cursor.at;
  const rest = (span: Span): StructureField => {
    if (fault !== '') return notRead(span, fault);
    const note = name === 'loclists' ? viewsNote(place) : null;
    if (note !== null) return makeField('content', 'lists', span, { meaning: note });
    const isOfWords = name === 'addr' || name === 'str_offsets';
    const wordSize = name === 'addr' ? addressSize : width;
    return makeField('part', isOfWords ? 'entries' : 'lists', span, {
      source: SOURCES[name] ?? '',
      parts: () =>
        isOfWords
          ? words(place, offset + head, span, wordSize)
          : lists(place, bytes, { head, entries, width, addressSize }, span),
    });
  };
  return listOf(at, run.fields, rest);
}

/** Returns a table of numbers of `size` bytes; `offset` is that of its first byte in the section. */
function words(place: Section, offset: number, span: Span, size: number): FieldList {
  const { structure, section, name } = place;
  if (size !== 2 && size !== 4 && size !== 8) {
    return listOf(span, [], (rest) => notRead(rest, 'Numbers of an unknown size'));
  }
  const strings = name === 'addr' ? null : debugSection(structure.model, 'str', section);
  return table(span, size, Math.floor((span.end - span.start) / size), (index, at) => {
    const bytes = bytesOf(structure, section, offset + index * size, size);
    const run = bytes === null ? null : new FieldRun(bytes, 0, SOURCES[name] ?? '');
    faultOf(() =>
      run?.number(`[${index}]`, size, {
        notation: 'hex',
        meaning: (value) => {
          const text = strings === null ? null : stringIn(structure, strings, Number(value));
          return text === null ? '' : `"${text}"`;
        },
      }),
    );
    return run?.fields[0] ?? makeField('field', `[${index}]`, at);
  });
}

type ListFormat = {
  /** Offset of the first byte after the header in the unit. */
  readonly head: number;
  /** Number of offsets before the lists, and their size in bytes. */
  readonly entries: number;
  readonly width: number;
  readonly addressSize: number;
};

/** Operands of entries: `u` a LEB128, `a` an address, `b` an expression after its length. */
const RANGE_OPERANDS: ReadonlyMap<number, string> = new Map([
  [DW_RLE.end_of_list, ''],
  [DW_RLE.base_addressx, 'u'],
  [DW_RLE.startx_endx, 'uu'],
  [DW_RLE.startx_length, 'uu'],
  [DW_RLE.offset_pair, 'uu'],
  [DW_RLE.base_address, 'a'],
  [DW_RLE.start_end, 'aa'],
  [DW_RLE.start_length, 'au'],
]);
const LOCATION_OPERANDS: ReadonlyMap<number, string> = new Map([
  [DW_LLE.end_of_list, ''],
  [DW_LLE.base_addressx, 'u'],
  [DW_LLE.startx_endx, 'uub'],
  [DW_LLE.startx_length, 'uub'],
  [DW_LLE.offset_pair, 'uub'],
  [DW_LLE.default_location, 'b'],
  [DW_LLE.base_address, 'a'],
  [DW_LLE.start_end, 'aab'],
  [DW_LLE.start_length, 'aub'],
]);

const rangeName = namer('DW_RLE_', DW_RLE);
const locationName = namer('DW_LLE_', DW_LLE);

const keptRecords = kept<Records>();

function lists(
  { structure, name }: Section,
  bytes: SectionBytes,
  format: ListFormat,
  span: Span,
): FieldList {
  const { head, entries, width, addressSize } = format;
  const source = SOURCES[name] ?? '';
  const end = bytes.linked.length;
  const offsetsEnd = Math.min(head + entries * width, end);
  const isRanges = name === 'rnglists';
  const operands = isRanges ? RANGE_OPERANDS : LOCATION_OPERANDS;
  const skip = (cursor: DwarfCursor) => {
    if (cursor.at < offsetsEnd) {
      cursor.at += width;
      return;
    }
    for (const kind of operands.get(cursor.u8()) ?? 'x') skipOperand(cursor, kind, addressSize);
  };
  const records = keptRecords(structure.model, span.start, () =>
    findRecords(bytes, head, end, skip),
  );
  if (records === null) return NO_PARTS;
  return recordFields(bytes, records, span, (at, own, index) => {
    const run = new FieldRun(bytes, at, source);
    if (at < offsetsEnd) {
      faultOf(() => run.number(`offset [${index}]`, width, { notation: 'hex' }));
      return run.fields[0] ?? makeField('field', `offset [${index}]`, own);
    }
    const code = bytes.linked.u8(at);
    return makeField('entry', isRanges ? rangeName(code) : locationName(code), own, {
      source,
      parts: () => {
        const kinds = operands.get(code) ?? '';
        const fault = faultOf(() => entryRun(run, kinds, addressSize));
        return listOf(own, run.fields, (rest) => notRead(rest, fault));
      },
    });
  });
}

/**
 * Returns why lists of locations cannot be told apart; null if they can. GCC writes pairs of view
 * numbers before lists, and only the entries (DW_AT_GNU_locviews) tell where those begin.
 */
function viewsNote({ structure, section }: Section): string | null {
  const abbrevs = debugSection(structure.model, 'abbrev', section);
  const hasViews =
    abbrevs !== null && hasAttribute(structure, abbrevs, DW_AT.GNU_locviews) !== false;
  return hasViews ? 'Lists and pairs of view numbers of GCC, which only entries tell apart' : null;
}

function skipOperand(cursor: DwarfCursor, kind: string, addressSize: number): void {
  if (kind === 'u') cursor.skipLeb();
  else if (kind === 'a') cursor.unsigned(addressSize);
  else if (kind === 'b') {
    const length = cursor.uleb();
    cursor.reader.require(cursor.at, length, 'an expression');
    cursor.at += length;
  } else {
    cursor.reader.require(cursor.reader.length, 1, 'an entry of a known kind');
  }
}

function entryRun(run: FieldRun, kinds: string, addressSize: number): void {
  run.number('kind', 1);
  const names = kinds.startsWith('b') ? [] : ['first operand', 'second operand'];
  for (const kind of kinds) {
    const name = kind === 'b' ? 'length' : (names.shift() ?? 'operand');
    if (kind === 'a') run.number(name, addressSize, { notation: 'hex' });
    else if (kind === 'u') run.bigUleb(name);
    else expression(run, run.uleb(name), addressSize);
  }
}

function expression(run: FieldRun, length: number, addressSize: number): void {
  const block = run.cursor.reader.slice(run.cursor.at, length);
  const format = { version: 5, addressSize, offsetSize: 4 } as const;
  const operations = attempt([], () => operationsOf(block, format)) ?? [];
  run.bytes('expression', length, operations.map(operationText).join(', '));
}

/** Returns the pairs of `.debug_ranges`. */
export function rangeParts({ structure, section, name }: Section, span: Span): FieldList {
  const size = structure.model.addressBits / 8;
  const count = Math.floor((span.end - span.start) / (2 * size));
  return table(span, 2 * size, count, (index, at) => {
    const bytes = bytesOf(structure, section, index * 2 * size, 2 * size);
    const run = bytes === null ? null : new FieldRun(bytes, 0, SOURCES[name] ?? '');
    const fault = faultOf(() => {
      run?.number('start', size, { notation: 'hex' });
      run?.number('end', size, { notation: 'hex' });
    });
    const isEnd = bytes?.linked.bytes.every((byte) => byte === 0) === true;
    return makeField('entry', isEnd ? 'end of the list' : `range ${index}`, at, {
      source: SOURCES[name] ?? '',
      parts: () => listOf(at, run?.fields ?? [], (rest) => notRead(rest, fault)),
    });
  });
}

/** Returns the entries of `.debug_loc`: a pair of addresses, then an expression. */
export function locationParts({ structure, section, name }: Section, span: Span): FieldList {
  const length = span.end - span.start;
  const note = viewsNote({ structure, section, name });
  if (note !== null) {
    return listOf(span, [], (at) => makeField('content', 'lists', at, { meaning: note }));
  }
  if (length > MAX_LISTED) return listOf(span, [], (rest) => notRead(rest, 'Too large to list'));
  const bytes = bytesOf(structure, section, 0, length);
  if (bytes === null) return NO_PARTS;
  const size = structure.model.addressBits / 8;
  const hasExpression = (start: bigint, end: bigint) =>
    (start !== 0n || end !== 0n) && start !== BigInt.asUintN(8 * size, -1n);
  const skip = (cursor: DwarfCursor) => {
    const start = cursor.unsigned(size);
    if (!hasExpression(start, cursor.unsigned(size))) return;
    const block = cursor.u16();
    cursor.reader.require(cursor.at, block, 'an expression');
    cursor.at += block;
  };
  const records = keptRecords(structure.model, span.start, () =>
    findRecords(bytes, 0, length, skip),
  );
  if (records === null) return NO_PARTS;
  return recordFields(bytes, records, span, (at, own, index) => {
    const run = new FieldRun(bytes, at, SOURCES[name] ?? '');
    const fault = faultOf(() => {
      const start = run.number('start', size, { notation: 'hex' });
      const end = run.number('end', size, { notation: 'hex' });
      if (hasExpression(start, end)) expression(run, Number(run.number('length', 2)), size);
    });
    const [start, end] = run.fields;
    const isEnd = run.fields.length === 2 && start?.value === '0x0' && end?.value === '0x0';
    return makeField('entry', isEnd ? 'end of the list' : `location ${index}`, own, {
      source: SOURCES[name] ?? '',
      parts: () => listOf(own, run.fields, (rest) => notRead(rest, fault)),
    });
  });
}
