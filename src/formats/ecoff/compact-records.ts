/**
 * One record of the compact relocation tables, its bits taken apart by its type.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, sections
 * 4.4.2.4 and 4.4.2.5. The union there names no member for TLS_HIGH and TLS_LOW;
 * they are read as BRADDR is.
 */
import { numberedNames } from '#bytes/numbered-names.ts';
import type { CompactExpressionTable, CompactRecordTable } from './compact.ts';

export type CompactRecord = {
  readonly vOffset: number;
  readonly type: number;
  /** `CMRLC_…`; null for a number that is no type. */
  readonly typeName: string | null;
  readonly meaning: CompactMeaning;
};

export type CompactMeaning =
  | { readonly kind: 'address'; readonly relScn: number; readonly count: number }
  /** Instructions from the entry to its lda. */
  | { readonly kind: 'gpdisp'; readonly ldaOffset: number }
  | { readonly kind: 'other'; readonly relScn: number; readonly isAssumed: boolean }
  /** Index in the expression table. */
  | { readonly kind: 'expression'; readonly index: number }
  | { readonly kind: 'immed-high'; readonly subop: number; readonly brOffset: number }
  | { readonly kind: 'immed-low'; readonly subop: number; readonly relScn: number }
  /** Signed; its unit is not published. */
  | { readonly kind: 'adjust'; readonly adjust: number }
  | { readonly kind: 'nothing' };

export type CompactExpressionEntry = {
  readonly vaddr: bigint;
  readonly type: number;
  /** `CMRLC_EXPR_…`; null for a number that is no type. */
  readonly typeName: string | null;
  readonly relScn: number;
  readonly offset: number;
  readonly size: number;
  readonly isLast: boolean;
  readonly reserved: number;
};

const TYPE_NAMES = numberedNames(`CMRLC_*
  1: REFLONG REFQUAD GPREL32 GPDISP BRADDR HINT SREL16 SREL32 SREL64 EXPRESSION IMMEDHI IMMEDLO
  NO_RELOC VADJUST TLS_HIGH TLS_LOW
`);
const EXPRESSION_NAMES = numberedNames('CMRLC_EXPR_* 1: PUSH PSUB PRSHIFT STORE');

/** The record `index`, which must be below the table's count. Total: bits without meaning give `nothing`. */
export function compactRecordAt(table: CompactRecordTable, index: number): CompactRecord {
  const info = table.info[index] ?? 0;
  const type = info & 31;
  return {
    vOffset: table.vOffset[index] ?? 0,
    type,
    typeName: TYPE_NAMES.get(type) ?? null,
    meaning: meaningOf(type, info),
  };
}

/** The entry `index` of the expression table. */
export function compactExpressionAt(
  table: CompactExpressionTable,
  index: number,
): CompactExpressionEntry {
  const info = table.info[index] ?? 0;
  return {
    vaddr: table.vaddr[index] ?? 0n,
    type: info & 31,
    typeName: EXPRESSION_NAMES.get(info & 31) ?? null,
    relScn: (info >>> 5) & 31,
    offset: (info >>> 10) & 63,
    size: (info >>> 16) & 63,
    isLast: ((info >>> 22) & 1) === 1,
    reserved: table.reserved[index] ?? 0,
  };
}

function meaningOf(type: number, info: number): CompactMeaning {
  const relScn = (info >>> 5) & 31;
  const subop = (info >>> 5) & 63;
  switch (type) {
    case 1:
    case 2:
    case 3:
    case 7:
    case 8:
    case 9:
      return { kind: 'address', relScn, count: (info >>> 10) & 0xfff };
    case 4:
      return { kind: 'gpdisp', ldaOffset: info >>> 5 };
    case 5:
    case 6:
      return { kind: 'other', relScn, isAssumed: false };
    case 10:
      return { kind: 'expression', index: info >>> 5 };
    case 11:
      return { kind: 'immed-high', subop, brOffset: info >>> 11 };
    case 12:
      return { kind: 'immed-low', subop, relScn: (info >>> 11) & 31 };
    case 14:
      return { kind: 'adjust', adjust: info >> 5 };
    case 15:
    case 16:
      return { kind: 'other', relScn, isAssumed: true };
    default:
      return { kind: 'nothing' };
  }
}
