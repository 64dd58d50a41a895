/**
 * Symbol types (`st…`) and storage classes (`sc…`).
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapter
 * 5, and GNU BFD's reading of it.
 */

const TYPES = new Map<number, string>([
  [0, 'stNil'],
  [1, 'stGlobal'],
  [2, 'stStatic'],
  [3, 'stParam'],
  [4, 'stLocal'],
  [5, 'stLabel'],
  [6, 'stProc'],
  [7, 'stBlock'],
  [8, 'stEnd'],
  [9, 'stMember'],
  [10, 'stTypedef'],
  [11, 'stFile'],
  [14, 'stStaticProc'],
  [15, 'stConstant'],
]);

const CLASSES = new Map<number, string>([
  [0, 'scNil'],
  [1, 'scText'],
  [2, 'scData'],
  [3, 'scBss'],
  [4, 'scRegister'],
  [5, 'scAbs'],
  [6, 'scUndefined'],
  [7, 'scUnallocated'],
  [8, 'scBits'],
  [9, 'scTlsUndefined'],
  [11, 'scInfo'],
  [13, 'scSData'],
  [14, 'scSBss'],
  [15, 'scRData'],
  [16, 'scVar'],
  [17, 'scCommon'],
  [18, 'scSCommon'],
  [19, 'scVarRegister'],
  [20, 'scVariant'],
  [21, 'scSUndefined'],
  [22, 'scInit'],
  [24, 'scXData'],
  [25, 'scPData'],
  [26, 'scFini'],
  [27, 'scRConst'],
  [29, 'scTlsCommon'],
  [30, 'scTlsData'],
  [31, 'scTlsBss'],
]);

/** Storage classes of symbols that the object itself places: their value is an address. */
const PLACED = new Map<number, string>([
  [1, '.text'],
  [2, '.data'],
  [3, '.bss'],
  [13, '.sdata'],
  [14, '.sbss'],
  [15, '.rdata'],
  [22, '.init'],
  [24, '.xdata'],
  [25, '.pdata'],
  [26, '.fini'],
  [27, '.rconst'],
  [30, '.tlsdata'],
  [31, '.tlsbss'],
]);

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
