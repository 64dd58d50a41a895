/**
 * Types and subtypes of relocation entries.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapter
 * 4, tables 4-2 to 4-4. The digits in `R_LITUSE1` and `R_IMMED2` there are
 * footnote marks.
 */

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

const NAMES: readonly string[] = [
  ...['ABS', 'REFLONG', 'REFQUAD', 'GPREL32', 'LITERAL', 'LITUSE', 'GPDISP', 'BRADDR', 'HINT'],
  ...['SREL16', 'SREL32', 'SREL64', 'OP_PUSH', 'OP_STORE', 'OP_PSUB', 'OP_PRSHIFT', 'GPVALUE'],
  ...['GPRELHIGH', 'GPRELLOW', 'IMMED', 'TLS_LITERAL', 'TLS_HIGH', 'TLS_LOW'],
];

/** `r_symndx` of a LITUSE entry. */
export const LITUSE = { base: 1, bytoff: 2, jsr: 3 } as const;
const LITUSE_NAMES = [null, 'R_LU_BASE', 'R_LU_BYTOFF', 'R_LU_JSR'] as const;

/** `r_size` of an IMMED entry. */
export const IMMED = { gp16: 1, gpHi32: 2, scnHi32: 3, brHi32: 4, lo32: 5 } as const;
const IMMED_NAMES = [
  null,
  'R_IMMED_GP_16',
  'R_IMMED_GP_HI32',
  'R_IMMED_SCN_HI32',
  'R_IMMED_BR_HI32',
  'R_IMMED_LO32',
] as const;

/** The name without `R_`; null for a number that is no type. */
export function relocationTypeName(rType: number): string | null {
  return NAMES[rType] ?? null;
}

/** `R_LU_…`; null for a number that is no literal use. */
export function lituseName(subtype: number): string | null {
  return LITUSE_NAMES[subtype] ?? null;
}

/** `R_IMMED_…`; null for a number that is no subtype. */
export function immedName(subtype: number): string | null {
  return IMMED_NAMES[subtype] ?? null;
}
