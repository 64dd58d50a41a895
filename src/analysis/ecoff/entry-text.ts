/** Texts for the fields of an entry: Tru64 UNIX Object File Specification, 4.2.1 and 4.3.4. */
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { externalAt } from '#formats/ecoff/external-symbols.ts';
import {
  IMMED,
  immedName,
  lituseName,
  R,
  type Relocation,
  sectionNumberName,
} from '#formats/ecoff/relocations.ts';

/** Meanings of `r_symndx`. */
export type SymndxRole =
  | 'none'
  | 'external'
  | 'section'
  | 'lituse-subtype'
  | 'distance-to-partner'
  | 'distance-to-branch'
  | 'gp-delta'
  | 'unused';

/** Returns the meaning of `r_symndx`. It depends on the entry's type, then on `r_extern`. */
export function symndxRole(entry: Relocation): SymndxRole {
  switch (entry.rType) {
    case R.abs:
      return 'none';
    case R.lituse:
      return 'lituse-subtype';
    case R.gpdisp:
      return 'distance-to-partner';
    case R.gpvalue:
      return 'gp-delta';
    case R.immed:
      if (entry.rSize === IMMED.brHi32) return 'distance-to-branch';
      if (entry.rSize === IMMED.gpHi32 || entry.rSize === IMMED.scnHi32) return 'unused';
  }
  return entry.rExtern ? 'external' : 'section';
}

/** Returns `r_symndx` as a number: the distance to the branch of an IMMED BR_HI32 is signed. */
export function symndxValue(entry: Relocation): number {
  return symndxRole(entry) === 'distance-to-branch' ? entry.rSymndx | 0 : entry.rSymndx;
}

/** Returns the subtype `R_LU_…` of a literal use, `R_IMMED_…` of an immediate, or null. */
export function subtypeName(entry: Relocation): string | null {
  if (entry.rType === R.lituse) return lituseName(entry.rSymndx);
  if (entry.rType === R.immed) return immedName(entry.rSize);
  return null;
}

/** Returns the text in the last column of the listing: symbol, section, subtype, or empty. */
export function symbolText(file: Pick<EcoffFile, 'externals'>, entry: Relocation): string {
  switch (symndxRole(entry)) {
    case 'none':
      return '<null>';
    case 'lituse-subtype':
      return lituseName(entry.rSymndx) ?? `<subtype ${entry.rSymndx}>`;
    case 'external':
      return externalName(file, entry.rSymndx) ?? `<external ${entry.rSymndx}>`;
    case 'section':
      return sectionNumberName(entry.rSymndx) ?? `<section ${entry.rSymndx}>`;
    default:
      return '';
  }
}

/** Returns the name of external symbol `index`; null if the symbol does not exist. */
function externalName(file: Pick<EcoffFile, 'externals'>, index: number): string | null {
  return file.externals === null ? null : (externalAt(file.externals, index)?.name ?? null);
}
