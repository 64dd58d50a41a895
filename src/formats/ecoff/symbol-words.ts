/**
 * Symbol types (`st…`) and storage classes (`sc…`).
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapter
 * 5, and GNU BFD's reading of it.
 */
import { numberedNames } from '#bytes/numbered-names.ts';

const TYPES = numberedNames(`st*
  Nil Global Static Param Local Label Proc Block End Member Typedef File 14: StaticProc Constant
`);

const CLASSES = numberedNames(`sc*
  Nil Text Data Bss Register Abs Undefined Unallocated Bits TlsUndefined 11: Info 13: SData SBss
  RData Var Common SCommon VarRegister Variant SUndefined Init 24: XData PData Fini RConst 29:
  TlsCommon TlsData TlsBss
`);

/** Storage classes of symbols that the object itself places: their value is an address. */
const PLACED = numberedNames(`.*
  1: text data bss 13: sdata sbss rdata 22: init 24: xdata pdata fini rconst 30: tlsdata tlsbss
`);

/** `stProc` and the like; null for a number without a name. */
export function symbolTypeName(st: number): string | null {
  return TYPES.get(st) ?? null;
}

/** `scText` and the like; null for a number without a name. */
export function storageClassName(sc: number): string | null {
  return CLASSES.get(sc) ?? null;
}

/** The section that a symbol of this class lies in; null where it lies in none (undefined, common, absolute). */
export function sectionOfClass(sc: number): string | null {
  return PLACED.get(sc) ?? null;
}
