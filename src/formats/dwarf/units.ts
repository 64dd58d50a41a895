/** Reads the headers of units in `.debug_info` and `.debug_types`. Source: DWARF 5, section 7.5.1. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { attempt, type Issue, IssueCollector } from '#bytes/issue.ts';
import { hexText } from '#bytes/text.ts';
import { DW_UT } from './constants.ts';
import { DwarfCursor } from './leb128.ts';

/** Header of a unit. All offsets count in the section of the unit. */
export type UnitHeader = {
  /** Offset of the header. */
  readonly start: number;
  /** Offset of the first entry. */
  readonly firstDie: number;
  /** Offset after the unit. */
  readonly end: number;
  readonly version: number;
  /** DW_UT; DW_UT_compile or DW_UT_type before DWARF 5, which does not store it. */
  readonly unitType: number;
  readonly addressSize: number;
  /** Size of an offset in bytes: 8 in 64-bit DWARF. */
  readonly offsetSize: 4 | 8;
  readonly abbrevOffset: number;
  /** Signature of a type unit or id of a skeleton and its split unit; null for other units. */
  readonly signature: bigint | null;
  /** Offset of the type from the start of a type unit; null for other units. */
  readonly typeOffset: number | null;
};

const LONG_LENGTH = 0xffffffff;
const RESERVED_LENGTH = 0xfffffff0;
const MIN_VERSION = 2;
const MAX_VERSION = 5;

/**
 * Returns the headers in `section`. A unit that cannot be read becomes an issue. `isTypes`: the
 * section is `.debug_types` of DWARF 4.
 */
export function readUnitHeaders(
  section: ByteReader,
  isTypes: boolean,
): { readonly units: UnitHeader[]; readonly issues: readonly Issue[] } {
  const units: UnitHeader[] = [];
  const faults = new IssueCollector(section.region);
  let start = 0;
  while (start < section.length) {
    const issues: Issue[] = [];
    const next = attempt(issues, () => endOfUnit(section, start));
    const isBroken = next === null;
    if (next !== null && next.end > next.at) {
      const unit = attempt(issues, () => readHeader(section, start, next, isTypes));
      if (unit !== null) units.push(unit);
    }
    for (const issue of issues) faults.add(issue.code, () => issue);
    // Where a unit without a valid length ends is unknown, and with it where the next one begins.
    if (isBroken) break;
    start = next.end;
  }
  return { units, issues: faults.issues() };
}

type UnitLength = {
  readonly offsetSize: 4 | 8;
  readonly at: number;
  readonly end: number;
};

function endOfUnit(section: ByteReader, start: number): UnitLength {
  const cursor = new DwarfCursor(section, start);
  const short = cursor.u32();
  if (short >= RESERVED_LENGTH && short !== LONG_LENGTH) {
    throw section.malformed('dwarf.unit-length', `${section.region}: a unit of reserved length`, {
      at: [start, 4],
      expected: `a length below ${hexText(RESERVED_LENGTH)}, or 0xffffffff`,
      found: hexText(short),
    });
  }
  const offsetSize = short === LONG_LENGTH ? 8 : 4;
  const length = offsetSize === 8 ? cursor.offset(8) : short;
  const { at } = cursor;
  section.require(at, length, 'a unit');
  return { offsetSize, at, end: at + length };
}

function readHeader(
  section: ByteReader,
  start: number,
  { offsetSize, at, end }: UnitLength,
  isTypes: boolean,
): UnitHeader {
  const cursor = new DwarfCursor(section, at);
  const version = cursor.u16();
  if (version < MIN_VERSION || version > MAX_VERSION) {
    throw section.malformed('dwarf.version', `${section.region}: a unit of DWARF ${version}`, {
      at: [at, 2],
      expected: `DWARF ${MIN_VERSION} to ${MAX_VERSION}`,
      found: `${version}`,
    });
  }
  let unitType: number = isTypes ? DW_UT.type : DW_UT.compile;
  let addressSize = 0;
  if (version === 5) {
    unitType = cursor.u8();
    addressSize = cursor.u8();
  }
  const abbrevOffset = cursor.offset(offsetSize);
  if (version < 5) addressSize = cursor.u8();
  if (addressSize !== 4 && addressSize !== 8 && addressSize !== 2) {
    throw section.malformed('dwarf.address-size', `${section.region}: unknown address size`, {
      at: [cursor.at - 1, 1],
      expected: '2, 4 or 8',
      found: `${addressSize}`,
    });
  }
  const isTypeUnit = unitType === DW_UT.type || unitType === DW_UT.split_type;
  const hasId = unitType === DW_UT.skeleton || unitType === DW_UT.split_compile;
  const signature = isTypeUnit || hasId ? cursor.u64() : null;
  const typeOffset = isTypeUnit ? cursor.offset(offsetSize) : null;
  if (cursor.at > end) {
    throw section.malformed('dwarf.unit-length', `${section.region}: the unit ends in its header`, {
      at: [start, end - start],
      expected: `at least ${cursor.at - at} bytes`,
      found: `${end - at} bytes`,
    });
  }
  return {
    start,
    firstDie: cursor.at,
    end,
    version,
    unitType,
    addressSize,
    offsetSize,
    abbrevOffset,
    signature,
    typeOffset,
  };
}
