/**
 * Finds the bits that an entry patches: Tru64 UNIX Object File Specification, 4.3.4, `r_vaddr`. Bit
 * 0 is the lowest bit of the site's little-endian value.
 */
import { type EcoffFile, rawDataOf } from '#formats/ecoff/ecoff-file.ts';
import { R, type Relocation } from '#formats/ecoff/relocations.ts';
import type { SectionHeader } from '#formats/ecoff/section-headers.ts';

export type SiteRole =
  | 'data'
  | 'displacement'
  | 'instruction-hint'
  | 'first'
  | 'partner'
  | 'bitfield';

/** Patched bits of a site, which depend on the entry's type. */
type Shape = {
  readonly role: SiteRole;
  readonly byteCount: number;
  readonly bitStart: number;
  readonly bitLength: number;
};

export type Site = Shape & {
  readonly vaddr: bigint;
  /** Bytes from the start of the section; negative or too large if the entry points outside. */
  readonly sectionOffset: bigint;
  /** Stored bytes and field; null if a byte of the site is outside of the section's raw data. */
  readonly found: SiteBytes | null;
};

export type SiteBytes = {
  readonly fileOffset: number;
  readonly bytes: Uint8Array;
  /** Value of the patched bits before relocation, unsigned. */
  readonly fieldValue: bigint;
};

/** Returns the sites of an entry of `section`; empty for types that patch nothing. */
export function sitesOf(
  file: EcoffFile,
  section: SectionHeader,
  entry: Relocation,
): readonly Site[] {
  const shape = shapeOf(entry);
  if (shape === null) return [];
  const first = siteAt(file, section, entry.rVaddr, shape);
  if (entry.rType !== R.gpdisp) return [first];
  const partner = BigInt.asUintN(64, entry.rVaddr + BigInt(entry.rSymndx));
  return [first, siteAt(file, section, partner, { ...shape, role: 'partner' })];
}

/** Returns the 32-bit word at an address of `section`; null outside of the section's raw data. */
export function wordAt(file: EcoffFile, section: SectionHeader, vaddr: bigint): number | null {
  const { found } = siteAt(file, section, vaddr, instruction('displacement', 32));
  return found === null ? null : Number(found.fieldValue);
}

function shapeOf(entry: Relocation): Shape | null {
  switch (entry.rType) {
    case R.reflong:
    case R.gprel32:
    case R.srel32:
      return data(4);
    case R.refquad:
    case R.srel64:
      return data(8);
    case R.srel16:
      return data(2);
    case R.literal:
    case R.gprelhigh:
    case R.gprellow:
    case R.immed:
    case R.tlsLiteral:
    case R.tlsHigh:
    case R.tlsLow:
      return instruction('displacement', 16);
    case R.gpdisp:
      return instruction('first', 16);
    case R.braddr:
      return instruction('displacement', 21);
    case R.hint:
      return instruction('displacement', 14);
    case R.lituse:
      return instruction('instruction-hint', 32);
    case R.opStore:
      return bitField(entry);
    default:
      return null;
  }
}

function data(byteCount: number): Shape {
  return { role: 'data', byteCount, bitStart: 0, bitLength: byteCount * 8 };
}

function instruction(role: SiteRole, bitLength: number): Shape {
  return { role, byteCount: 4, bitStart: 0, bitLength };
}

function bitField(entry: Relocation): Shape {
  // r_size 0 means 64 bits. Bits after the end of the quadword are dropped.
  const wanted = entry.rSize === 0 ? 64 : entry.rSize;
  const bitLength = Math.min(wanted, 64 - entry.rOffset);
  return { role: 'bitfield', byteCount: 8, bitStart: entry.rOffset, bitLength };
}

function siteAt(file: EcoffFile, section: SectionHeader, vaddr: bigint, shape: Shape): Site {
  const sectionOffset = vaddr - section.sVaddr;
  return { ...shape, vaddr, sectionOffset, found: bytesAt(file, section, sectionOffset, shape) };
}

function bytesAt(
  file: EcoffFile,
  section: SectionHeader,
  sectionOffset: bigint,
  shape: Shape,
): SiteBytes | null {
  const raw = rawDataOf(file, section);
  if (sectionOffset < 0n || sectionOffset + BigInt(shape.byteCount) > BigInt(raw.length)) {
    return null;
  }
  const start = Number(sectionOffset);
  const bytes = raw.subarray(start, start + shape.byteCount);
  const value = littleEndian(bytes) >> BigInt(shape.bitStart);
  return {
    fileOffset: Number(section.sScnptr) + start,
    bytes,
    fieldValue: BigInt.asUintN(shape.bitLength, value),
  };
}

/** Returns true for the opcodes of jmp, jsr, ret and branches. */
function isBranch(opcode: number): boolean {
  return opcode === 0x1a || opcode >= 0x30;
}

/** Returns the branch r_symndx bytes before or after an IMMED BR_HI32; null if there is none. */
export function branchOf(
  file: EcoffFile,
  section: SectionHeader,
  { rVaddr, rSymndx }: Relocation,
): bigint | null {
  const distance = BigInt(Math.abs(rSymndx | 0));
  const places = [rVaddr - distance, rVaddr + distance].map((vaddr) => BigInt.asUintN(64, vaddr));
  const isThere = (vaddr: bigint) => isBranch((wordAt(file, section, vaddr) ?? 0) >>> 26);
  return places.find(isThere) ?? null;
}

/** Returns the unsigned value of up to eight bytes in little-endian order. */
export function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i] ?? 0);
  return value;
}
