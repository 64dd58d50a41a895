/**
 * The values that libbpf computes on the local types for a record, and how.
 *
 * The rules are those of `bpf_core_calc_field_relo`: a bit-field is read by the
 * smallest aligned load that holds all of it, shifted up and down again.
 */
import type { AccessPath } from '#analysis/core/access-path.ts';
import { CORE_KINDS, coreKind } from '#analysis/core/core-kinds.ts';
import { localValue } from '#analysis/core/core-value.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { Endian } from '#bytes/span.ts';
import type { TypeTable } from '#model/type-table.ts';

export type CoreNumber = {
  /** `enum bpf_core_relo_kind`; null for a fact that no kind asks for. */
  readonly kind: number | null;
  /** As libbpf writes it: `byte_off`. */
  readonly name: string;
  readonly value: bigint;
  /** The reckoning with its numbers; empty where there is none. */
  readonly how: string;
};

const LOCAL_TYPE_ID = 6;
const TARGET_TYPE_ID = 7;

/** For each group the kinds that say something about the same field, type or enumerator. */
const TOLD = { field: [0, 1, 3, 4, 5], type: [9], enum: [11] } as const;

/** The numbers of one side: those of `path`, which is in `t`. What cannot be worked out is left out. */
export function coreNumbers(
  t: TypeTable,
  path: AccessPath,
  kind: number,
  endian: Endian,
): CoreNumber[] {
  const group = coreKind(kind)?.group;
  if (group === undefined || path.error !== null) return [];
  const told: readonly number[] = TOLD[group];
  const isId = kind === LOCAL_TYPE_ID || kind === TARGET_TYPE_ID;
  const numbers: CoreNumber[] = [];
  for (const asked of told.includes(kind) || isId ? told : [kind, ...told]) {
    const { value } = localValue(t, path, asked, endian);
    if (value === null) continue;
    const name = CORE_KINDS[asked]?.name ?? '';
    numbers.push({ kind: asked, name, value, how: howOf(t, path, asked, endian) });
  }
  if (group === 'field') {
    numbers.unshift({ kind: null, name: 'bit offset', value: path.bitOffset, how: '' });
  } else {
    numbers.push({
      kind: isId ? kind : null,
      name: 'type id',
      value: BigInt(path.root),
      how: typeExpression(t, path.root),
    });
  }
  return numbers;
}

/** A number on both sides; null where a side has none. */
export type NumberRow = {
  readonly name: string;
  readonly local: CoreNumber | null;
  readonly target: CoreNumber | null;
  /** Is it the one that the record asks for? */
  readonly isAsked: boolean;
  readonly differs: boolean;
};

/**
 * The numbers of both sides beside each other. `answer` is what the resolver
 * decided for the number that is asked for, which the target's types alone do not
 * say where nothing matches; null without a decision.
 */
export function numberRows(
  local: readonly CoreNumber[],
  target: readonly CoreNumber[],
  kind: number,
  answer: bigint | null,
): NumberRow[] {
  const names = new Set([...local, ...target].map(({ name }) => name));
  return Array.from(names, (name) => {
    const here = local.find((number) => number.name === name) ?? null;
    const isAsked = (here?.kind ?? null) === kind;
    const there = target.find((number) => number.name === name) ?? null;
    const given = isAsked && here !== null && answer !== null ? { ...here, value: answer } : null;
    const decided = given && { ...given, how: there?.how ?? unaskedWords(kind) };
    const theirs = decided ?? there;
    return {
      name,
      local: here,
      target: theirs,
      isAsked,
      differs: here !== null && theirs !== null && here.value !== theirs.value,
    };
  });
}

function unaskedWords(kind: number): string {
  return kind === LOCAL_TYPE_ID ? 'target not consulted' : 'no match: default value';
}

function howOf(t: TypeTable, path: AccessPath, kind: number, endian: Endian): string {
  const load = loadOf(t, path, endian);
  const bit = path.bitOffset;
  switch (kind) {
    case 0:
      return load === null
        ? `bit ${bit} / 8`
        : `the aligned load that holds ${bitsText(bit, path.bitfieldSize)}`;
    case 1:
      return load === null ? `sizeof(${typeExpression(t, path.leaf)})` : 'the bytes of that load';
    case 2:
    case 8:
    case 10:
    case 12:
      return 'found in the local types';
    case 4:
      return load === null ? plainShift(t, path, endian) : shiftUp(path, load, endian);
    case 5:
      return load === null ? plainShift(t, path, endian) : `64 - ${path.bitfieldSize}`;
    default:
      return '';
  }
}

function bitsText(bit: bigint, width: number): string {
  return width === 1 ? `bit ${bit}` : `bits ${bit} to ${bit + BigInt(width) - 1n}`;
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
  /** `off 2, sz 2`, `<< 48`, `>> 53`. */
  readonly words: string;
  /** Bits from the low end that come from the load; 64 once the register was shifted. */
  readonly loadedBits: number;
  /** The lowest bit of the bit-field in the register. */
  readonly lowBit: number;
};

export type RegisterPicture = {
  readonly width: number;
  /** Does the last shift copy the sign into the bits above? */
  readonly isSigned: boolean;
  readonly rows: readonly RegisterRow[];
};

/**
 * A bit-field on its way through a 64-bit register: loaded, shifted left, shifted
 * right, as "BPF LLVM Relocations" reads one. Null where there is none.
 */
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
  const up = lowBit + Number(lshift);
  return {
    width,
    isSigned: localValue(t, path, 3, endian).value === 1n,
    rows: [
      { words: `off ${load.byteOffset}, sz ${load.byteSize}`, loadedBits: bits, lowBit },
      { words: `<< ${lshift}`, loadedBits: 64, lowBit: up },
      { words: `>> ${rshift}`, loadedBits: 64, lowBit: up - Number(rshift) },
    ],
  };
}
