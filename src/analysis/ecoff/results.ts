/**
 * Computes the numeric result of an entry by three readings. `document`: Tru64 UNIX Object File
 * Specification, 4.3.4, literally. `ld`: as GNU ld 2.40. `meant`: keeps a program correct.
 */
import { getOrCreate } from '#bytes/cache.ts';
import { R } from '#formats/ecoff/relocations.ts';
import { evaluateFormula, formulaOf } from '#formats/elf/relocations/formula.ts';

export type Reading = 'document' | 'ld' | 'meant';

export type Results = Readonly<Record<Reading, bigint | null>>;

/** Formulas of an entry type; null for none, or for that of the reading before. */
export type ReadingFormulas = Readonly<Record<Reading, string | null>>;

/** Text in place of a formula for types that GNU ld 2.40 does not have. */
export const UNSUPPORTED = 'not supported';

/** Values of the terms in the formulas: bytes and addresses, not limited to 64 bits. */
export type Terms = {
  readonly rType: number;
  readonly rExtern: boolean;
  readonly rVaddr: bigint;
  /** Stored field, signed (term A). Field of a pair: 65536 * high + low. */
  readonly field: bigint;
  /** Value of the external symbol, or move of the section that a local entry refers to. */
  readonly tracked: bigint;
  readonly thisOldScnAddr: bigint;
  readonly thisNewScnAddr: bigint;
  readonly oldGp: bigint;
  readonly newGp: bigint;
  /** True if the first instruction of a GPDISP pair is the ldah. */
  readonly isHighFirst: boolean;
  readonly isPartialLink: boolean;
};

/** A term as the document writes it, its name in formulas of the engine, and its value. */
type Term = {
  readonly written: RegExp;
  readonly name: string;
  readonly of: (terms: Terms) => bigint;
};

const low = ({ field }: Terms) => BigInt.asIntN(16, field);

/** Longer terms precede their parts. */
export const TERMS: readonly Term[] = [
  {
    written: /\(new_scn_addr - old_scn_addr\)|EXTR\.asym\.value/g,
    name: 'tracked',
    of: ({ tracked }) => tracked,
  },
  {
    written: /SEXT\(\((?:int|short)\)\[r_vaddr\]\)|\((?:int|long)\)\[r_vaddr\]|\[r_vaddr\]/g,
    name: 'field',
    of: ({ field }) => field,
  },
  { written: /\bhigh_disp\b/g, name: 'high', of: (terms) => (terms.field - low(terms)) >> 16n },
  { written: /\blow_disp\b/g, name: 'low', of: low },
  { written: /\bdisplacement\b/g, name: 'field', of: ({ field }) => field },
  {
    written: /\bthis_old_scn_addr\b/g,
    name: 'oldScn',
    of: ({ thisOldScnAddr }) => thisOldScnAddr,
  },
  { written: /\bthis_new_scn_addr\b/g, name: 'newScn', of: ({ thisNewScnAddr }) => thisNewScnAddr },
  { written: /\br_vaddr\b/g, name: 'vaddr', of: ({ rVaddr }) => rVaddr },
  { written: /\bold_GP\b/g, name: 'oldGp', of: ({ oldGp }) => oldGp },
  { written: /\bGP\b/g, name: 'newGp', of: ({ newGp }) => newGp },
];

const BY_NAME = new Map(TERMS.map((term) => [term.name, term.of] as const));

/** Formulas in the engine's notation, by that of the document. */
const engineTexts = new Map<string, string>();

function engineText(formula: string): string {
  return getOrCreate(engineTexts, formula, () =>
    TERMS.reduce((text, { written, name }) => text.replace(written, name), formula),
  );
}

function resultOf(formula: string, terms: Terms): bigint | null {
  return evaluateFormula(
    formulaOf(engineText(formula)),
    (name) => BY_NAME.get(name)?.(terms) ?? null,
  );
}

/** Returns the results of an entry that patches a site; null without a formula. */
export function resultsOf({ document, ld, meant }: ReadingFormulas, terms: Terms): Results | null {
  if (document === null) return null;
  const byDocument = resultOf(document, terms);
  return {
    document: byDocument,
    ld: ld === null ? byDocument : ldResult(ld, terms),
    meant: meant === null ? byDocument : resultOf(meant, terms),
  };
}

/** Returns GNU ld's result; null where it refuses the entry. */
function ldResult(formula: string, terms: Terms): bigint | null {
  if (formula === UNSUPPORTED) return null;
  // GNU ld looks for the ldah at the place of the entry.
  if (terms.rType === R.gpdisp && !terms.isHighFirst) return null;
  return resultOf(formula, terms);
}
