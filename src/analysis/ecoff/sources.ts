/** Tru64 UNIX Object File and Symbol Table Format Specification. */
const tru64 = (section: string): string => `Tru64 UNIX Object File Specification, ${section}`;

export const TRU64_HEADERS = tru64('chapter 2 “Headers”');
export const TRU64_RELOCATIONS = tru64('4.2.1 “Relocation Entry”');
export const TRU64_COMPACT = tru64('4.4.2 “Compact Relocations”');
export const TRU64_SYMBOLS = tru64('chapter 5 “Symbol Table”');
