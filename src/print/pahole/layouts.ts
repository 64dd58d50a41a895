/**
 * Computes the places of a composite's members and the holes between them. All open composites
 * share the columns. Numbers have the width of pahole's fields, since pahole prints truncated
 * values. Source: pahole, class__fixup_btf_bitfields (btf_loader.c), class__find_holes (dwarves.c).
 */
import { memberSize } from '#analysis/encode/type-sizes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { isEnum } from '#model/type-items.ts';
import { type Remark, Remarks } from './members.ts';
import { HEAD_WORDS, MEMBER_WORDS, type Records } from './records.ts';
import type { Sizes } from './sizes.ts';

export const CACHELINE_BYTES = 64;

/** Layout of a composite as a whole. For a union, all fields except `alignment` are 0. */
export class Layout {
  first = 0;
  /** Row that follows the row of the last member. */
  end = 0;
  /** Alignment of an inferred `__aligned__` attribute; 0 = none. */
  alignment = 0;
  /** Hole before the first member, in bytes and bits. */
  preHole = 0;
  preBitHole = 0;
  /** Number of holes, including one before the first member. Has 8 bits, as in pahole. */
  holeCount = 0;
  bitHoleCount = 0;
  /** Padding after the last member, in bytes and bits. */
  padding = 0;
  bitPadding = 0;
}

const INITIAL_CAPACITY = 1 << 10;

/** Members of all open composites, one row each. Rows of the innermost composite are last. */
export class MemberRows {
  count = 0;
  #capacity = INITIAL_CAPACITY;
  /** Index of the member's `struct btf_member` in the words of the records. */
  at = new Uint32Array(INITIAL_CAPACITY);
  type = new Uint32Array(INITIAL_CAPACITY);
  /** Type of the member without typedefs and modifiers; 0 = none. */
  stripped = new Uint32Array(INITIAL_CAPACITY);
  bitOffset = new Uint32Array(INITIAL_CAPACITY);
  byteOffset = new Uint32Array(INITIAL_CAPACITY);
  /** Size of the member's type (see `Sizes`); 0 if the type is missing. */
  byteSize = new Float64Array(INITIAL_CAPACITY);
  natural = new Uint32Array(INITIAL_CAPACITY);
  /** Width of a bit-field in bits; 0 for other members. */
  bitfieldSize = new Uint8Array(INITIAL_CAPACITY);
  /** First bit of a bit-field, counted from `byteOffset`. */
  bitfieldOffset = new Int8Array(INITIAL_CAPACITY);
  /** Alignment of an inferred `__aligned__` attribute; 0 = none. */
  alignment = new Uint32Array(INITIAL_CAPACITY);
  /** 0 for a simple member: not a bit-field, no attribute, no hole after it. */
  special = new Uint8Array(INITIAL_CAPACITY);
  /** Hole between the member and the next one, in bytes and bits. */
  hole = new Int32Array(INITIAL_CAPACITY);
  bitHole = new Uint8Array(INITIAL_CAPACITY);

  /** Adds `count` rows. Returns the index of the first one. */
  open(count: number): number {
    const first = this.count;
    this.count += count;
    if (this.count > this.#capacity) this.#grow();
    return first;
  }

  #grow(): void {
    const capacity = Math.max(this.count, this.#capacity * 2);
    this.#capacity = capacity;
    const u32 = (from: Uint32Array<ArrayBuffer>) => copied(from, new Uint32Array(capacity));
    const u8 = (from: Uint8Array<ArrayBuffer>) => copied(from, new Uint8Array(capacity));
    for (const name of WORDS) this[name] = u32(this[name]);
    for (const name of BYTES) this[name] = u8(this[name]);
    this.byteSize = copied(this.byteSize, new Float64Array(capacity));
    this.bitfieldOffset = copied(this.bitfieldOffset, new Int8Array(capacity));
    this.hole = copied(this.hole, new Int32Array(capacity));
  }
}

const WORDS = [
  'at',
  'type',
  'stripped',
  'bitOffset',
  'byteOffset',
  'natural',
  'alignment',
] as const;
const BYTES = ['bitfieldSize', 'special', 'bitHole'] as const;

function copied<Column extends { set(from: Column): void }>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}

/** Adds the members of `id` to `rows`, and stores the properties of the composite in `layout`. */
export function layOut(
  records: Records,
  sizes: Sizes,
  id: number,
  rows: MemberRows,
  layout: Layout,
): void {
  layout.first = rows.open(records.vlen(id));
  layout.end = rows.count;
  const size = records.size(id);
  const composite = records.composite(id);
  if (composite === null) {
    const end = placeMembers(records, sizes, id, rows, layout.first);
    const index = sizes.indexOf(id);
    layout.alignment = inferredAlignment(size, sizes.alignments[index] ?? 1, end);
  } else {
    placeStated(records, sizes, id, rows, layout.first);
    layout.alignment = composite.alignment;
  }
  if (records.keyword(id) === 'struct') {
    findHoles(rows, layout, size, records.dialect.hasSignedHoles);
  }
}

/** Fills the columns except holes, from row `first` on. Returns the end of the final member. */
function placeMembers(
  records: Records,
  sizes: Sizes,
  id: number,
  rows: MemberRows,
  first: number,
): number {
  const { words } = records;
  const { stripped, byteSize, natural, bitOffset, byteOffset, bitfieldOffset, alignment } = rows;
  const { special } = rows;
  const flag = records.kindFlag(id);
  const { infersFromBits } = records.dialect;
  const count = rows.count - first;
  const start = records.start(id) + HEAD_WORDS;
  let end = 0;
  for (let i = 0; i < count; i++) {
    const row = first + i;
    const at = start + MEMBER_WORDS * i;
    const type = words[at + 1] ?? 0;
    const offset = words[at + 2] ?? 0;
    const index = sizes.indexOf(type);
    const size = index < 0 ? 0 : (sizes.sizes[index] ?? 0);
    rows.at[row] = at;
    rows.type[row] = type;
    stripped[row] = index < 0 ? 0 : (sizes.stripped[index] ?? 0) - 1;
    byteSize[row] = size;
    natural[row] = index < 0 ? 1 : (sizes.alignments[index] ?? 1);
    bitOffset[row] = flag ? offset & 0xffffff : offset;
    byteOffset[row] = flag ? (offset & 0xffffff) >>> 3 : offset >>> 3;
    const bits = flag ? offset >>> 24 : 0;
    rows.bitfieldSize[row] = bits;
    bitfieldOffset[row] = 0;
    alignment[row] = 0;
    special[row] = index < 0 || bits !== 0 ? 1 : 0;
    if (size === 0 && (index < 0 || !infersFromBits)) continue;
    const isBitfield = bits !== 0 && size !== 0;
    if (isBitfield && isScalar(records.kind(stripped[row] ?? 0))) placeBitfield(rows, row);
    const from = byteOffset[row] ?? 0;
    if (from !== end) {
      alignment[row] = inferredAlignment(from, natural[row] ?? 1, end);
      if (alignment[row] !== 0) special[row] = 1;
    }
    if (size === 0) continue;
    // A negative first bit, which pahole reads as a large number, gives an equal sum modulo 2^32.
    const used = isBitfield && infersFromBits ? ((bitfieldOffset[row] ?? 0) + bits + 7) >> 3 : size;
    end = (from + used) >>> 0;
  }
  return end;
}

/** Fills the columns except holes, from row `first` on, with the places that DWARF states. */
function placeStated(
  records: Records,
  sizes: Sizes,
  id: number,
  rows: MemberRows,
  first: number,
): void {
  const { unit } = records;
  const members = records.composite(id)?.members ?? [];
  const start = records.start(id) + HEAD_WORDS;
  if (unit === null) return;
  for (const [i, member] of members.entries()) {
    const row = first + i;
    const index = sizes.indexOf(member.type);
    rows.at[row] = start + MEMBER_WORDS * i;
    rows.type[row] = member.type;
    rows.stripped[row] = index < 0 ? 0 : (sizes.stripped[index] ?? 0) - 1;
    rows.natural[row] = index < 0 ? 1 : (sizes.alignments[index] ?? 1);
    rows.byteSize[row] = member.bitfieldSize === 0 ? memberSize(unit, member) : member.byteSize;
    rows.bitOffset[row] = member.bitOffset;
    rows.byteOffset[row] = member.byteOffset;
    rows.bitfieldSize[row] = member.bitfieldSize;
    rows.bitfieldOffset[row] = member.bitfieldOffset;
    rows.alignment[row] = member.alignment;
    rows.special[row] = index < 0 || member.bitfieldSize !== 0 || member.alignment !== 0 ? 1 : 0;
  }
}

/** Places a bit-field in a unit as large as its type. Units begin at multiples of their size. */
function placeBitfield(rows: MemberRows, row: number): void {
  const { bitOffset, byteOffset, bitfieldOffset } = rows;
  const size = rows.byteSize[row] ?? 0;
  const unit = (size * 8) >>> 0;
  const offset = bitOffset[row] ?? 0;
  byteOffset[row] = (Math.floor(offset / unit) * unit) >>> 3;
  bitfieldOffset[row] = offset - (byteOffset[row] ?? 0) * 8;
  // pahole stores `bitfieldOffset` in 8 signed bits.
  if ((bitfieldOffset[row] ?? 0) >= 0) return;
  bitfieldOffset[row] = (bitfieldOffset[row] ?? 0) + unit;
  byteOffset[row] = (byteOffset[row] ?? 0) - size;
  bitOffset[row] = (byteOffset[row] ?? 0) * 8 + (bitfieldOffset[row] ?? 0);
}

/** Returns true for kinds whose bit-fields pahole places in units of the type's size. */
function isScalar(kind: number): boolean {
  return kind === BtfKind.INT || kind === BtfKind.FLOAT || isEnum(kind);
}

/** Returns the smallest alignment that explains `byteOffset`; 0 if the natural alignment does. */
function inferredAlignment(byteOffset: number, natural: number, smallestOffset: number): number {
  const delta = (byteOffset - smallestOffset) >>> 0;
  if (delta === 0 || byteOffset % 2 !== 0) return 0;
  // For a delta from 2^31 on, x86's shift by 32 in pahole gives 1, which means no alignment.
  const alignment = (1 << (32 - Math.clz32(delta))) >>> 0;
  if (alignment <= natural || alignment === 1) return 0;
  return alignment < CACHELINE_BYTES && byteOffset % CACHELINE_BYTES === 0
    ? CACHELINE_BYTES
    : alignment;
}

/** Fills the columns of holes, and the remaining fields of `layout`. */
function findHoles(rows: MemberRows, layout: Layout, size: number, hasSigned: boolean): void {
  const { bitOffset, byteOffset, byteSize, bitfieldSize, special, hole, bitHole } = rows;
  const sizeInBits = (size * 8) >>> 0;
  layout.preHole = 0;
  layout.preBitHole = 0;
  layout.holeCount = 0;
  layout.bitHoleCount = 0;
  let bitfieldsEnd = sizeInBits;
  let bitfieldsWidth = 0;
  let lastBit = 0;
  let inBitfield = false;
  for (let row = layout.first; row < layout.end; row++) {
    const start = bitOffset[row] ?? 0;
    const width = bitfieldSize[row] ?? 0;
    const typeBits = ((byteSize[row] ?? 0) * 8) >>> 0;
    const end = (start + (width || typeBits)) >>> 0;
    let bits = 0;
    let bytes = 0;
    if (inBitfield) {
      // Rest of the storage unit of the preceding bit-fields.
      const stop = Math.min(start, bitfieldsEnd);
      bits = (stop - lastBit) | 0;
      lastBit = stop;
    }
    if (width !== 0) {
      const aligned = ((byteOffset[row] ?? 0) * 8) >>> 0;
      if (lastBit < aligned && aligned <= start) {
        bytes = (byteOffset[row] ?? 0) - (lastBit >>> 3);
        lastBit = aligned;
      }
      bits = (bits + start - lastBit) | 0;
      inBitfield = true;
      if (end > bitfieldsEnd || typeBits > bitfieldsWidth) {
        bitfieldsWidth = typeBits;
        bitfieldsEnd = (aligned + typeBits) >>> 0;
        // The bit-field starts in the preceding storage unit and ends in the next one.
        if (end > bitfieldsEnd) bitfieldsEnd = (bitfieldsEnd + typeBits) >>> 0;
      }
    } else {
      bytes = (start >>> 3) - (lastBit >>> 3);
      inBitfield = false;
      bitfieldsWidth = 0;
      bitfieldsEnd = end;
    }
    lastBit = end;
    if (row === layout.first) {
      layout.preHole = bytes & 0xffff;
      layout.preBitHole = bits & 0xff;
    } else {
      hole[row - 1] = hasSigned ? bytes : bytes & 0xffff;
      bitHole[row - 1] = bits;
      if (bytes !== 0 || bits !== 0) special[row - 1] = 1;
    }
    hole[row] = 0;
    bitHole[row] = 0;
    if (bits !== 0) layout.bitHoleCount = (layout.bitHoleCount + 1) & 0xff;
    if (bytes > 0 || (bytes < 0 && !hasSigned)) layout.holeCount = (layout.holeCount + 1) & 0xff;
  }
  layout.bitPadding = 0;
  if (inBitfield) {
    const stop = Math.min(sizeInBits, bitfieldsEnd);
    layout.bitPadding = (stop - lastBit) & 0xff;
    lastBit = stop;
  }
  layout.padding = (size - (lastBit >>> 3)) & 0xffff;
}

/**
 * Decides which structs are printed as `__packed__`. pahole decides this when it prints the struct
 * or a container of the struct, so the order of printing matters: it is the same here. Source:
 * class__infer_packed_attributes in pahole's dwarves.c.
 */

const DECIDED = 1;
const PACKED = 2;

export class Packing {
  readonly #records: Records;
  readonly #sizes: Sizes;
  readonly #rows: MemberRows;
  /** State of each struct, by id minus the first id. */
  readonly #states: Uint8Array;
  /** Remark on each struct, by id minus the first id; undefined until the struct is laid out. */
  readonly #remarks: (Remark | null | undefined)[];
  readonly #remarkOn: Remarks;
  readonly #scratch = new Layout();

  constructor(records: Records, sizes: Sizes, rows: MemberRows) {
    this.#records = records;
    this.#sizes = sizes;
    this.#rows = rows;
    this.#states = new Uint8Array(records.last + 1 - records.first);
    this.#remarks = new Array(records.last + 1 - records.first);
    this.#remarkOn = new Remarks(records, sizes);
  }

  /** Returns true if the struct is printed as packed; false also if that is not decided yet. */
  isPacked(id: number): boolean {
    return ((this.#states[id - this.#records.first] ?? 0) & PACKED) !== 0;
  }

  /** Decides if a struct is packed. Its members are in the rows of `layout`. */
  decide(id: number, layout: Layout): void {
    const index = id - this.#records.first;
    const state = this.#states[index] ?? 0;
    this.#states[index] = state | DECIDED;
    if (this.#remarks[index] === undefined) this.#remarks[index] = this.#remarkOn.of(id, layout);
    if ((state & DECIDED) !== 0) return;
    if (layout.padding !== 0 || layout.holeCount !== 0) this.#markUnaligned(layout);
    else if (this.#looksPacked(id, layout)) this.#states[index] = state | DECIDED | PACKED;
  }

  /** Decides if a member's struct is packed. Returns the remark for the member. */
  remarkOn(id: number): Remark | null {
    const known = this.#remarks[id - this.#records.first];
    if (known !== undefined) return known;
    layOut(this.#records, this.#sizes, id, this.#rows, this.#scratch);
    this.decide(id, this.#scratch);
    this.#rows.count = this.#scratch.first;
    return this.#remarks[id - this.#records.first] ?? null;
  }

  /** Marks structs in a union as packed if their alignment does not divide the union's size. */
  decideUnion(id: number, layout: Layout): void {
    const index = id - this.#records.first;
    if (((this.#states[index] ?? 0) & DECIDED) !== 0) return;
    const size = this.#records.size(id);
    for (let row = layout.first; row < layout.end; row++) this.#markIfUnaligned(row, size);
    this.#states[index] = DECIDED;
  }

  #markUnaligned(layout: Layout): void {
    for (let row = layout.first; row < layout.end; row++) {
      this.#markIfUnaligned(row, this.#rows.byteOffset[row] ?? 0);
    }
  }

  /** Marks a member's struct as packed if `offset` is not a multiple of the struct's alignment. */
  #markIfUnaligned(row: number, offset: number): void {
    if (offset % (this.#rows.natural[row] ?? 1) === 0) return;
    const type = this.#rows.stripped[row] ?? 0;
    if (this.#records.keyword(type) !== 'struct') return;
    const index = type - this.#records.first;
    this.#states[index] = (this.#states[index] ?? 0) | DECIDED | PACKED;
  }

  /** Returns true if natural alignment requires a gap where the struct has none. */
  #looksPacked(id: number, layout: Layout): boolean {
    const { natural: naturals, byteOffset } = this.#rows;
    let widest = 1;
    for (let row = layout.first; row < layout.end; row++) {
      const natural = naturals[row] ?? 1;
      if (natural === 1) continue;
      if (widest < natural) widest = natural & 0xffff;
      if ((byteOffset[row] ?? 0) % natural !== 0) return true;
    }
    if (widest !== 1 && layout.alignment === 1) return true;
    return widest !== 0 && this.#records.size(id) % widest !== 0;
  }
}
