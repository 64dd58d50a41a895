/**
 * The numbers that libbpf works out on the local types for a record, and how.
 *
 * The rules are those of `bpf_core_calc_field_relo`: a bit-field is read by the
 * smallest aligned load that holds all of it, shifted up and down again.
 */
import type { AccessPath } from '#analysis/core/access-path.ts';
import { CORE_KINDS, coreKind } from '#analysis/core/core-kinds.ts';
import { localValue } from '#analysis/core/core-value.ts';
import { typeExpression } from '#analysis/type-name.ts';
import type { Endian } from '#bytes/span.ts';
import type { TypeTable } from '#model/type-table.ts';

export type CoreNumber = {
  /** `enum bpf_core_relo_kind`. */
  readonly kind: number;
  /** As libbpf writes it: `byte_off`. */
  readonly name: string;
  readonly value: bigint;
  /** The reckoning with its numbers; empty where there is none. */
  readonly how: string;
  /** Is it the one that the record asks for? */
  readonly isAsked: boolean;
};

/** For each group the kinds that say something about the same field, type or enumerator. */
const TOLD = { field: [0, 1, 3, 4, 5], type: [9], enum: [11] } as const;

/** `kind` is the record's own; what cannot be worked out is left out. */
export function coreNumbers(
  t: TypeTable,
  path: AccessPath,
  kind: number,
  endian: Endian,
): CoreNumber[] {
  const group = coreKind(kind)?.group;
  if (group === undefined || path.error !== null) return [];
  const kinds: readonly number[] = TOLD[group];
  const numbers: CoreNumber[] = [];
  for (const asked of kinds.includes(kind) ? kinds : [kind, ...kinds]) {
    const { value } = localValue(t, path, asked, endian);
    if (value === null) continue;
    numbers.push({
      kind: asked,
      name: CORE_KINDS[asked]?.name ?? '',
      value,
      how: howOf(t, path, asked, endian),
      isAsked: asked === kind,
    });
  }
  return numbers;
}

function howOf(t: TypeTable, path: AccessPath, kind: number, endian: Endian): string {
  const load = loadOf(t, path, endian);
  const bit = path.bitOffset;
  switch (kind) {
    case 0:
      return load === null
        ? `bit ${bit} / 8`
        : `the aligned load that holds bits ${bit} to ${bit + BigInt(path.bitfieldSize) - 1n}`;
    case 1:
      return load === null ? `sizeof(${typeExpression(t, path.leaf)})` : 'the bytes of that load';
    case 2:
    case 8:
    case 10:
    case 12:
      return 'the local types have it';
    case 4:
      return load === null ? plainShift(t, path, endian) : shiftUp(path, load, endian);
    case 5:
      return load === null ? plainShift(t, path, endian) : `64 - ${path.bitfieldSize}`;
    default:
      return '';
  }
}

/** A field of whole bytes is shifted by what it leaves of the register, both ways. */
function plainShift(t: TypeTable, path: AccessPath, endian: Endian): string {
  const size = localValue(t, path, 1, endian).value;
  return size === null ? '' : `64 - ${size} × 8`;
}

function shiftUp(path: AccessPath, load: Load, endian: Endian): string {
  const { byteOffset, byteSize } = load;
  return endian === 'little'
    ? `64 - (${path.bitOffset} + ${path.bitfieldSize} - ${byteOffset} × 8)`
    : `(8 - ${byteSize}) × 8 + (${path.bitOffset} - ${byteOffset} × 8)`;
}

type Load = { readonly byteOffset: bigint; readonly byteSize: bigint };

/** The load that holds the bit-field; null where there is no bit-field, or no such load. */
function loadOf(t: TypeTable, path: AccessPath, endian: Endian): Load | null {
  if (path.bitfieldSize === 0) return null;
  const byteOffset = localValue(t, path, 0, endian).value;
  const byteSize = localValue(t, path, 1, endian).value;
  return byteOffset === null || byteSize === null ? null : { byteOffset, byteSize };
}

export type RegisterRow = {
  readonly words: string;
  /** Bits from the low end that come from the load; 64 once the register was shifted. */
  readonly loadedBits: number;
  /** The lowest bit of the bit-field in the register. */
  readonly lowBit: number;
};

export type RegisterPicture = { readonly width: number; readonly rows: readonly RegisterRow[] };

/** A bit-field on its way through a 64-bit register: loaded, shifted left, shifted right. Null where there is none. */
export function registerPicture(
  t: TypeTable,
  path: AccessPath,
  endian: Endian,
): RegisterPicture | null {
  const load = loadOf(t, path, endian);
  const lshift = localValue(t, path, 4, endian).value;
  const rshift = localValue(t, path, 5, endian).value;
  if (load === null || lshift === null || rshift === null) return null;
  const width = path.bitfieldSize;
  const inLoad = Number(path.bitOffset - load.byteOffset * 8n);
  const bits = Number(load.byteSize) * 8;
  // In big-endian memory bit 0 of a struct is the highest bit of its first byte.
  const lowBit = endian === 'little' ? inLoad : bits - inLoad - width;
  const size = load.byteSize === 1n ? '1 byte' : `${load.byteSize} bytes`;
  return {
    width,
    rows: [
      { words: `load ${size} from byte ${load.byteOffset}`, loadedBits: bits, lowBit },
      { words: `shift left by ${lshift}`, loadedBits: 64, lowBit: lowBit + Number(lshift) },
      {
        words: `shift right by ${rshift}`,
        loadedBits: 64,
        lowBit: lowBit + Number(lshift) - Number(rshift),
      },
    ],
  };
}
