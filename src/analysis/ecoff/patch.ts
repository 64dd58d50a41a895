/** Computes the bytes of a section after relocation, by one of three readings of the formulas. */
import { type EcoffFile, rawDataOf } from '#formats/ecoff/ecoff-file.ts';
import type { SectionHeader } from '#formats/ecoff/section-headers.ts';
import {
  type RelocationField,
  readUnits,
  scatterBits,
  writeUnits,
} from '#formats/elf/relocations/relocation-field.ts';
import type { RelocIndex, SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Layout } from './layout.ts';
import { type Outcome, outcomeAt } from './relocate.ts';
import type { Reading } from './results.ts';
import { entryRow } from './rows.ts';
import type { Site } from './sites.ts';

/** Returns a copy of a section's data with the results of `outcomes` written to their fields. */
export function patchedData(
  file: EcoffFile,
  section: SectionHeader,
  outcomes: readonly Outcome[],
  reading: Reading,
): Uint8Array {
  const data = new Uint8Array(rawDataOf(file, section));
  for (const outcome of outcomes) writeOutcome(data, 0, outcome, reading);
  return data;
}

/** Writes an entry's result into `data`; `data` begins at byte `start` of the section. */
function writeOutcome(data: Uint8Array, start: number, outcome: Outcome, reading: Reading): void {
  const result = outcome.results?.[reading] ?? null;
  if (result === null) return;
  for (const [i, site] of outcome.sites.entries()) {
    write(data, start, site, partOf(outcome.sites.length, i, result));
  }
}

/** Returns the two halves whose sum is `result`, for two instructions; the low half is signed. */
export function halvesOf(result: bigint): { readonly high: bigint; readonly low: bigint } {
  return {
    high: BigInt.asUintN(16, (result + 32768n) >> 16n),
    low: BigInt.asUintN(16, result),
  };
}

function partOf(siteCount: number, index: number, result: bigint): bigint {
  if (siteCount < 2) return result;
  const { high, low } = halvesOf(result);
  return index === 0 ? high : low;
}

function write(data: Uint8Array, dataStart: number, site: Site, value: bigint): void {
  if (site.found === null) return;
  const start = Number(site.sectionOffset) - dataStart;
  if (start < 0 || start + site.byteCount > data.length) return;
  const field = fieldOf(site);
  const units = readUnits(data, start, field, 'little');
  scatterBits(units, field, value);
  writeUnits(data, start, field, 'little', units);
}

/** Returns the bits of a site as a field of one unit. */
function fieldOf({ byteCount, bitStart, bitLength }: Site): RelocationField {
  const piece = { unit: 0, valueLow: 0, valueHigh: bitLength - 1, placeLow: bitStart };
  return {
    unitBytes: byteCount,
    units: 1,
    adjust: 0n,
    pieces: [{ ...piece, adjusted: false }],
    coding: '',
  };
}

/** Maximum number of bytes that one result patches. */
const MAX_SITE_BYTES = 8;

/**
 * Returns `bytes` (from byte `byteOffset` of `section` on) after relocation. `touching` returns the
 * entries between two offsets. Returns a copy of `bytes` if the file lacks a part of the section.
 */
export function relocatedWindow(
  model: ObjectModel,
  file: EcoffFile,
  section: SectionIndex,
  byteOffset: number,
  bytes: Uint8Array,
  layout: Layout,
  touching: (start: number, end: number) => readonly RelocIndex[],
): Uint8Array {
  const header = file.sections[section - 1];
  const raw = header === undefined ? new Uint8Array(0) : rawDataOf(file, header);
  const { length } = bytes;
  if (byteOffset + length > raw.length) return bytes.slice();
  // Widens the window by one site at both ends, so that sites at its ends are complete.
  const start = Math.max(0, byteOffset - MAX_SITE_BYTES);
  const end = Math.min(raw.length, byteOffset + length + MAX_SITE_BYTES);
  const wide = raw.slice(start, end);
  const rows = touching(start, end).toSorted((a, b) => a - b);
  for (const reloc of rows) {
    const row = entryRow(model, file, reloc);
    const outcome = row === null ? null : outcomeAt(file, row.table, layout, row.n);
    if (outcome !== null) writeOutcome(wide, start, outcome, 'meant');
  }
  return wide.subarray(byteOffset - start, byteOffset - start + length);
}
