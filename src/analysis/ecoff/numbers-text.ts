/** A formula of the document with the numbers of one entry in it, and what comes out. */
import { signedHex } from '#bytes/text.ts';
import { R } from '#formats/ecoff/relocations.ts';
import type { Outcome } from './relocate.ts';
import type { Reading, Terms } from './results.ts';

/**
 * `(0x120001000 - 0x0) + 0x30 = 0x120001030`; empty where a term or the result is
 * not known. `formula` is that of `reading`.
 */
export function numbersText(formula: string, outcome: Outcome, reading: Reading): string {
  const { terms } = outcome;
  const result = outcome.results?.[reading] ?? null;
  if (terms === null || result === null || formula === '') return '';
  const put = (text: string, [pattern, value]: readonly [RegExp, bigint]) =>
    text.replace(pattern, numberText(value));
  return `${termsOf(terms).reduce(put, formula)} = ${resultText(terms.rType, result)}`;
}

/** A result as it is read: counts of instructions in decimal, all else in hex with its sign. */
export function resultText(rType: number, value: bigint): string {
  return rType === R.braddr || rType === R.hint ? `${value}` : signedHex(value);
}

/** The words of the formulas, the longer ones before those that are parts of them. */
function termsOf(terms: Terms): readonly (readonly [RegExp, bigint])[] {
  const { field, tracked, rVaddr, thisOldScnAddr, thisNewScnAddr } = terms;
  const low = BigInt.asIntN(16, field);
  return [
    [/\(new_scn_addr - old_scn_addr\)/g, tracked],
    [/EXTR\.asym\.value/g, tracked],
    [/SEXT\(\((?:int|short)\)\[r_vaddr\]\)/g, field],
    [/\((?:int|long)\)\[r_vaddr\]/g, field],
    [/\[r_vaddr\]/g, field],
    [/\bhigh_disp\b/g, (field - low) >> 16n],
    [/\blow_disp\b/g, low],
    [/\bdisplacement\b/g, field],
    [/\bthis_old_scn_addr\b/g, thisOldScnAddr],
    [/\bthis_new_scn_addr\b/g, thisNewScnAddr],
    [/\br_vaddr\b/g, rVaddr],
    [/\bold_GP\b/g, terms.oldGp],
    [/\bGP\b/g, terms.newGp],
  ];
}

/** Small numbers as they are, negative ones in brackets: they stand behind a sign. */
function numberText(value: bigint): string {
  if (value < 0n) return `(${signedHex(value)})`;
  return signedHex(value);
}
