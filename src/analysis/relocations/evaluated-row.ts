/** Evaluated relocation entries as plain rows, for JSON. */

import { memoized } from '#bytes/cache.ts';
import { hexDigits } from '#bytes/text.ts';
import { formulaOf, formulaText } from '#formats/elf/relocations/formula.ts';
import {
  fieldBytes,
  type RelocationField,
  readUnits,
  scatterBits,
} from '#formats/elf/relocations/relocation-field.ts';
import { relaxationOf } from '#formats/elf/relocations/tables.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type EvaluatedRelocation, type LinkAddresses, SLOTS } from './evaluated.ts';
import { isKernelModule, moduleLoaderAnswer } from './module-loader.ts';

const isModule = memoized(isKernelModule);

/** What the linker did, if it did neither what the formula says nor a known relaxation. */
export const OTHER_BYTES = 'the linker wrote other bytes';

/** What the linker did where a call has another address, but the same instruction. */
const OTHER_ADDRESS = 'the linker wrote another address, as of a PLT entry or a stub';

/** Terms of addresses that the linker may replace by those of a PLT entry or a stub. */
const CALLED: ReadonlySet<string> = new Set(['L', 'TGA']);

/** Most entries that a row lists of its group. Compilers write two. */
export const MAX_GROUP = 64;

/** Returns the row of an evaluated entry. Numbers that may exceed 2^53 are decimal strings. */
export function evaluatedRow(
  model: ObjectModel,
  evaluated: EvaluatedRelocation,
  addresses: LinkAddresses,
) {
  const { terms, value, field, range, overflow, before, after, second, type } = evaluated;
  const { relocations } = model;
  const target = relocations.targetSection[evaluated.reloc] ?? -1;
  const linked = linkedPlace(model, evaluated, addresses);
  const slot = SLOTS.map((name) => terms.get(name) ?? null).find((at) => at !== null) ?? null;
  const indexIn = (reloc: number) => relocations.indexInSection[reloc] ?? 0;
  return {
    formula: formulaText(evaluated.formula),
    s: decimal(evaluated.s),
    a: decimal(evaluated.a),
    p: decimal(evaluated.p),
    got: decimal(terms.get('GOT') ?? null),
    slot: decimal(slot),
    tp: decimal(terms.get('TPB') ?? null),
    value: decimal(value),
    field: field === null ? null : fieldRows(field),
    range:
      range === null
        ? null
        : { min: decimal(range.min), max: decimal(range.max), multiple_of: range.multipleOf },
    overflow: overflow?.first ?? null,
    overflow_by: overflow?.by ?? null,
    stub: overflow?.stub ?? null,
    bytes_before: bytesText(before),
    bytes_after: bytesText(after),
    second_place:
      second === null
        ? null
        : {
            offset: decimal(second.offset),
            bytes_before: bytesText(second.before),
            bytes_after: bytesText(second.after),
          },
    group: evaluated.group?.slice(0, MAX_GROUP).map(indexIn) ?? null,
    pair: evaluated.pair === null ? null : indexIn(evaluated.pair),
    linked_bytes: bytesText(linked),
    relaxed: type === null ? null : relaxedText(model, evaluated, linked),
    dynamic: dynamicAt(model, evaluated, addresses),
    module_loader:
      type === null || !isModule(model) ? null : moduleLoaderAnswer(model, type, target, before),
    why: evaluated.why,
  };
}

/** Returns what the linker did instead of the formula, in words; null if it did as the formula says. */
export function relaxedText(
  model: ObjectModel,
  evaluated: EvaluatedRelocation,
  linked: Uint8Array | null,
): string | null {
  const { type, after, before } = evaluated;
  if (type === null || type.kind === 'unknown' || linked === null || before === null) return null;
  if (after !== null && isSame(after, linked)) return null;
  if (after === null && type.kind === 'mark') return null;
  if (isOtherAddress(evaluated, linked)) return OTHER_ADDRESS;
  return relaxationOf(model.machine?.number ?? 0, type) || OTHER_BYTES;
}

/** Returns the entry that the dynamic linker applies to the place of an entry, as text, or null. */
export function dynamicAt(
  { relocations }: ObjectModel,
  { reloc }: EvaluatedRelocation,
  addresses: LinkAddresses,
): string | null {
  const target = relocations.targetSection[reloc] ?? -1;
  return target < 0 ? null : addresses.dynamic(target, relocations.offset[reloc] ?? 0n);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

/** Returns true if the linked place of a call differs in nothing but the bits of the value. */
function isOtherAddress(
  { formula, field, endian, after }: EvaluatedRelocation,
  linked: Uint8Array,
): boolean {
  if (after === null || field === null || after.length !== linked.length) return false;
  if (!formulaOf(formula).terms.some((term) => CALLED.has(term))) return false;
  const [ours, theirs] = [after, linked].map((bytes) => {
    const units = readUnits(bytes, 0, field, endian);
    scatterBits(units, field, 0n);
    return units;
  });
  return ours?.every((unit, i) => unit === theirs?.[i]) ?? false;
}

/** Returns the bytes of an entry's place in the linked file; null without one. */
export function linkedPlace(
  { relocations }: ObjectModel,
  { before, reloc }: EvaluatedRelocation,
  addresses: LinkAddresses,
): Uint8Array | null {
  const target = relocations.targetSection[reloc] ?? -1;
  const offset = relocations.offset[reloc] ?? 0n;
  return before === null || target < 0
    ? null
    : addresses.linkedBytes(target, offset, before.length);
}

const fieldRows = memoized(fieldRow);

function fieldRow(field: RelocationField) {
  return {
    bytes: fieldBytes(field),
    unit_bytes: field.unitBytes,
    added: decimal(field.adjust),
    coding: field.coding,
    segments: field.pieces.map(({ unit, valueLow, valueHigh, placeLow, adjusted }) => ({
      unit,
      value_low: valueLow,
      value_high: valueHigh,
      place_low: placeLow,
      adjusted,
    })),
  };
}

function decimal(value: bigint | null): string | null {
  return value === null ? null : value.toString();
}

function bytesText(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : hexDigits(bytes);
}
