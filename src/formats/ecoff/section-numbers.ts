/**
 * Section numbers of local relocation entries (`R_SN_*`).
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapter
 * 4, table 4-1.
 */

import { numberedNames } from '#bytes/numbered-names.ts';

/** `R_SN_ABS`: the entry's address is a constant. */
export const R_SN_ABS = 14;
/** `R_SN_LITA`: the literal address pool. */
export const R_SN_LITA = 13;
export const R_SN_TLSDATA = 16;
export const R_SN_TLSBSS = 17;

const NAMES = numberedNames(`
  R_SN_NULL .text .rdata .data .sdata .sbss .bss .init .lit8 .lit4 .xdata .pdata .fini .lita
  R_SN_ABS .rconst .tlsdata .tlsbss .tlsinit
`);

const NUMBERS = new Map(Array.from(NAMES, ([number, name]) => [name, number]));

/** The section's name as the document lists it (`.text`, `R_SN_ABS`); null for a number without meaning. */
export function sectionNumberName(number: number): string | null {
  return NAMES.get(number) ?? null;
}

/** The number that local entries use for the section of this name; null for a section that has none. */
export function sectionNumberOf(name: string): number | null {
  return name.startsWith('.') ? (NUMBERS.get(name) ?? null) : null;
}
