/**
 * Computes the numeric result of an entry by three readings. `document`: Tru64 UNIX Object File
 * Specification, 4.3.4, literally. `ld`: as GNU ld 2.40. `meant`: keeps a program correct.
 */
import { R } from '#formats/ecoff/relocations.ts';

export type Reading = 'document' | 'ld' | 'meant';

export type Results = Readonly<Record<Reading, bigint | null>>;

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

/** Returns the results of an entry that patches a site; null for other entries and high halves. */
export function resultsOf(terms: Terms): Results | null {
  const { field, tracked, oldGp, newGp } = terms;
  switch (terms.rType) {
    case R.reflong:
    case R.refquad:
      return same(tracked + field);
    case R.gprel32:
      return gprel32(terms);
    case R.literal:
      return same(tracked + field + oldGp - newGp);
    case R.tlsLiteral:
      return { ...same(tracked + field + oldGp - newGp), ld: null };
    case R.gpdisp:
      return gpdisp(terms);
    case R.braddr:
    case R.hint:
      return branch(terms);
    case R.srel16:
    case R.srel32:
    case R.srel64:
      return selfRelative(terms);
    case R.gprellow: {
      const document = field + tracked + oldGp - newGp;
      return { document, ld: null, meant: terms.rExtern ? field + tracked - newGp : document };
    }
    case R.tlsLow:
      return { ...same(field + tracked), ld: null };
    default:
      return null;
  }
}

function same(value: bigint): Results {
  return { document: value, ld: value, meant: value };
}

function gprel32({ rExtern, field, tracked, oldGp, newGp }: Terms): Results {
  if (!rExtern) return same(tracked + oldGp - newGp + field);
  const value = tracked - newGp + field;
  return { document: value, ld: value + oldGp, meant: value };
}

function gpdisp(terms: Terms): Results {
  const moved = terms.thisOldScnAddr - terms.thisNewScnAddr + terms.field;
  const meant = terms.newGp - terms.oldGp + moved;
  return {
    document: terms.oldGp - terms.newGp + moved,
    ld: terms.isHighFirst ? meant : null,
    meant,
  };
}

function branch(terms: Terms): Results {
  const { rExtern, rVaddr, field, tracked, thisOldScnAddr, thisNewScnAddr } = terms;
  const newAddress = rVaddr - thisOldScnAddr + thisNewScnAddr;
  // Branch fields count instructions. The shift rounds down; a bigint division rounds to 0.
  const target = rExtern ? tracked + field * 4n : tracked + field * 4n + rVaddr + 4n;
  const document = (target - newAddress) >> 2n;
  const meant = document - 1n;
  const ldHint = rExtern && terms.rType === R.hint;
  return { document, ld: ldHint ? field + ((tracked - thisNewScnAddr) >> 2n) : meant, meant };
}

function selfRelative(terms: Terms): Results {
  const { rExtern, rVaddr, field, tracked, thisOldScnAddr, thisNewScnAddr } = terms;
  const newAddress = rVaddr - thisOldScnAddr + thisNewScnAddr;
  if (!rExtern) return same(tracked + field + rVaddr - newAddress);
  const value = tracked - newAddress;
  const origin = terms.isPartialLink ? 0n : thisOldScnAddr;
  return { document: value, ld: value - 4n - origin + field, meant: value };
}
