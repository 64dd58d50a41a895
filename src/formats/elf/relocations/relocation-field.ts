/** Bits of a place that a relocation changes: parser, reader and writer. */
import type { Endian } from '#bytes/span.ts';

/** Bits `valueLow` to `valueHigh` of the value, which go to bit `placeLow` and up of a unit. */
export type BitPiece = {
  readonly unit: number;
  readonly valueLow: number;
  readonly valueHigh: number;
  readonly placeLow: number;
  /** True if the bits are those of the value plus `RelocationField.adjust`. */
  readonly adjusted: boolean;
};

export type RelocationField = {
  /** Size of a unit in bytes; 0 for ULEB128, whose length the place states. */
  readonly unitBytes: number;
  readonly units: number;
  /** Constant that is added before the bits are cut: 0x8000 where the low half has a sign. */
  readonly adjust: bigint;
  readonly pieces: readonly BitPiece[];
  /** Encoding of the value that is more than bits; empty for most fields. */
  readonly coding: FieldCoding;
};

/**
 * `word`: an address of the file's class. `uleb`: ULEB128. `gpdisp`: the two instructions of Alpha's
 * GPDISP. `movn`: MOVZ, or MOVN of the inverted bits. `sm`: magnitude with the sign in bit 23.
 * `alu`, `ldrg`, `ldrsg`, `ldcg`, `g1`: Arm's group relocations. `j24`: Thumb BL. `thp`, `tha`: Thumb
 * LDR and ADR with a magnitude. `bp`: a branch of PowerPC with a prediction.
 */
export type FieldCoding =
  | ''
  | 'word'
  | 'uleb'
  | 'gpdisp'
  | 'movn'
  | 'sm'
  | 'alu'
  | 'ldrg'
  | 'ldrsg'
  | 'ldcg'
  | 'g1'
  | 'j24'
  | 'thp'
  | 'tha'
  | 'bp';

const WHOLE = (unitBytes: number, coding: FieldCoding = ''): RelocationField => ({
  unitBytes,
  units: 1,
  adjust: 0n,
  pieces: [{ unit: 0, valueLow: 0, valueHigh: 8 * unitBytes - 1, placeLow: 0, adjusted: false }],
  coding,
});

const ULEB: RelocationField = { unitBytes: 0, units: 0, adjust: 0n, pieces: [], coding: 'uleb' };

/** Parses a field: `4`, `4:12-13@29,14-32@5`, `4x2:+800;0.12-31@12,1.0-11@20p`, `uleb`, `w`. */
export function parseField(text: string): RelocationField {
  if (text === 'uleb') return ULEB;
  if (text === 'w') return WHOLE(8, 'word');
  if (text === 'gpdisp') return { ...parseField('4:+8000;16-31@0'), coding: 'gpdisp' };
  const [, size = '', count = '1', rest = ''] = /^(\d+)(?:x(\d+))?(?::(.*))?$/.exec(text) ?? [];
  if (rest === '') return WHOLE(Number(size));
  const [body = '', coding = ''] = rest.split('!');
  const [, adjust = '0', pieces = ''] = /^(?:\+([0-9a-f]+);)?(.*)$/.exec(body) ?? [];
  const added = BigInt(`0x${adjust}`);
  return {
    unitBytes: Number(size),
    units: Number(count),
    adjust: added,
    pieces: pieces.split(',').map((piece) => parsePiece(piece, added !== 0n)),
    coding: coding as FieldCoding,
  };
}

function parsePiece(text: string, isAdjusted: boolean): BitPiece {
  const [, unit = '0', low = '', high = low, place = '', plain = ''] =
    /^(?:(\d)\.)?(\d+)(?:-(\d+))?@(\d+)(p?)$/.exec(text) ?? [];
  return {
    unit: Number(unit),
    valueLow: Number(low),
    valueHigh: Number(high),
    placeLow: Number(place),
    adjusted: isAdjusted && plain === '',
  };
}

/** Returns `field` with the size that an address has in files of the class. */
export function sizedField(field: RelocationField, addressBits: 32 | 64): RelocationField {
  return field.coding === 'word' ? WHOLE(addressBits / 8) : field;
}

/** Returns the number of bytes from the place on that the field has; 0 for ULEB128. */
export function fieldBytes(field: RelocationField): number {
  return field.unitBytes * field.units;
}

/** Returns true if the field is one whole unit, as in data. */
export function isWholeField({ unitBytes, units, pieces }: RelocationField): boolean {
  const [piece] = pieces;
  return units === 1 && piece?.valueLow === 0 && piece.valueHigh === 8 * unitBytes - 1;
}

/** Reads the units of a field at byte `at`. The caller has checked that they are in `bytes`. */
export function readUnits(
  bytes: Uint8Array,
  at: number,
  field: RelocationField,
  endian: Endian,
): bigint[] {
  const { unitBytes, units } = field;
  return Array.from({ length: units }, (_, u) =>
    readWord(bytes, at + u * unitBytes, unitBytes, endian),
  );
}

/** Reads `size` bytes as an unsigned number. */
export function readWord(bytes: Uint8Array, at: number, size: number, endian: Endian): bigint {
  let word = 0n;
  for (let i = 0; i < size; i++) {
    const byte = bytes[endian === 'big' ? at + i : at + size - 1 - i] ?? 0;
    word = (word << 8n) | BigInt(byte);
  }
  return word;
}

/** Writes the lowest `size` bytes of `word`. */
function writeWord(
  bytes: Uint8Array,
  at: number,
  size: number,
  endian: Endian,
  word: bigint,
): void {
  for (let i = 0; i < size; i++) {
    const shift = BigInt(8 * (endian === 'big' ? size - 1 - i : i));
    bytes[at + i] = Number((word >> shift) & 0xffn);
  }
}

/** Writes the units of a field at byte `at`. */
export function writeUnits(
  bytes: Uint8Array,
  at: number,
  field: RelocationField,
  endian: Endian,
  units: readonly bigint[],
): void {
  units.forEach((unit, u) => {
    writeWord(bytes, at + u * field.unitBytes, field.unitBytes, endian, unit);
  });
}

/** Returns the bits of a value that the units hold, with the sign of the highest one. */
export function gatherBits(units: readonly bigint[], pieces: readonly BitPiece[]): bigint {
  let value = 0n;
  let top = 0;
  for (const { unit, valueLow, valueHigh, placeLow } of pieces) {
    const width = valueHigh - valueLow + 1;
    const bits = BigInt.asUintN(width, (units[unit] ?? 0n) >> BigInt(placeLow));
    value |= bits << BigInt(valueLow);
    top = Math.max(top, valueHigh + 1);
  }
  return BigInt.asIntN(top, value);
}

/** Puts the bits of `value` into the units. Bits outside the pieces stay. */
export function scatterBits(units: bigint[], field: RelocationField, value: bigint): void {
  for (const { unit, valueLow, valueHigh, placeLow, adjusted } of field.pieces) {
    const width = valueHigh - valueLow + 1;
    const from = adjusted ? value + field.adjust : value;
    const bits = BigInt.asUintN(width, from >> BigInt(valueLow));
    const mask = ((1n << BigInt(width)) - 1n) << BigInt(placeLow);
    units[unit] = ((units[unit] ?? 0n) & ~mask) | (bits << BigInt(placeLow));
  }
}
