/**
 * Types and subtypes of relocation entries.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapter
 * 4, tables 4-2 to 4-4. The digits in `R_LITUSE1` and `R_IMMED2` there are
 * footnote marks.
 */

import { numberedNames } from '#bytes/numbered-names.ts';

/** `r_type`. */
export const R = {
  abs: 0,
  reflong: 1,
  refquad: 2,
  gprel32: 3,
  literal: 4,
  lituse: 5,
  gpdisp: 6,
  braddr: 7,
  hint: 8,
  srel16: 9,
  srel32: 10,
  srel64: 11,
  opPush: 12,
  opStore: 13,
  opPsub: 14,
  opPrshift: 15,
  gpvalue: 16,
  gprelhigh: 17,
  gprellow: 18,
  immed: 19,
  tlsLiteral: 20,
  tlsHigh: 21,
  tlsLow: 22,
} as const;

const NAMES = numberedNames(`
  ABS REFLONG REFQUAD GPREL32 LITERAL LITUSE GPDISP BRADDR HINT SREL16 SREL32 SREL64 OP_PUSH
  OP_STORE OP_PSUB OP_PRSHIFT GPVALUE GPRELHIGH GPRELLOW IMMED TLS_LITERAL TLS_HIGH TLS_LOW
`);

/** `r_symndx` of a LITUSE entry. */
export const LITUSE = { base: 1, bytoff: 2, jsr: 3 } as const;
const LITUSE_NAMES = numberedNames('R_LU_* 1: BASE BYTOFF JSR');

/** `r_size` of an IMMED entry. */
export const IMMED = { gp16: 1, gpHi32: 2, scnHi32: 3, brHi32: 4, lo32: 5 } as const;
const IMMED_NAMES = numberedNames('R_IMMED_* 1: GP_16 GP_HI32 SCN_HI32 BR_HI32 LO32');

/** The name without `R_`; null for a number that is no type. */
export function relocationTypeName(rType: number): string | null {
  return NAMES.get(rType) ?? null;
}

/** `R_LU_…`; null for a number that is no literal use. */
export function lituseName(subtype: number): string | null {
  return LITUSE_NAMES.get(subtype) ?? null;
}

/** `R_IMMED_…`; null for a number that is no subtype. */
export function immedName(subtype: number): string | null {
  return IMMED_NAMES.get(subtype) ?? null;
}
