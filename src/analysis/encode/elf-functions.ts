/**
 * Functions of the symbol table by their names without suffixes, and the kfuncs among them.
 *
 * Source: pahole 1.31, btf_encoder.c, `elf_functions__collect`, `elf_function__has_ambiguous_address`,
 * `btf_encoder__collect_kfuncs`.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';

/** A symbol. Names have one character per byte. */
export type EncodedSymbol = {
  readonly name: string;
  /** STT_*. */
  readonly type: number;
  readonly value: bigint;
  readonly size: bigint;
  /** Section index; 0 or less for none. */
  readonly section: number;
};

export type ElfFunction = {
  /** Name up to the first dot. */
  readonly name: string;
  readonly symbols: EncodedSymbol[];
  /** The symbols by their values. */
  readonly symbolsAt: Map<bigint, EncodedSymbol[]>;
  /** True if symbols of the name are at several addresses. */
  isAmbiguous: boolean;
  /** Flags of a kfunc (KF_*); null for another function. */
  kfuncFlags: number | null;
};

const STT_FUNC = 2;
const NO_FUNCTION = ['.cold', '.part'];
const CHANGED = ['.constprop', '.isra'];

/** Returns true for a symbol of a function whose parameters the compiler changed. */
export function isChangedFunction(symbol: string): boolean {
  return hasSuffix(symbol, CHANGED);
}

function hasSuffix(symbol: string, suffixes: readonly string[]): boolean {
  const dot = symbol.indexOf('.');
  return dot >= 0 && suffixes.some((suffix) => symbol.includes(suffix, dot));
}

/** Returns the functions by name. */
export function elfFunctions(symbols: readonly EncodedSymbol[]): Map<string, ElfFunction> {
  const functions = new Map<string, ElfFunction>();
  for (const symbol of symbols) {
    if (symbol.type !== STT_FUNC || hasSuffix(symbol.name, NO_FUNCTION)) continue;
    const dot = symbol.name.indexOf('.');
    const name = dot < 0 ? symbol.name : symbol.name.slice(0, dot);
    const func = getOrCreate(functions, name, () => newFunction(name));
    func.symbols.push(symbol);
    addTo(func.symbolsAt, symbol.value, symbol);
  }
  // pahole looks at a name when it comes to the next one, and so never at the last.
  let last: ElfFunction | null = null;
  for (const each of functions.values()) {
    each.isAmbiguous = hasSeveralAddresses(each.symbols);
    if (last === null || each.name > last.name) last = each;
  }
  if (last !== null) last.isAmbiguous = false;
  return functions;
}

function newFunction(name: string): ElfFunction {
  return { name, symbols: [], symbolsAt: new Map(), isAmbiguous: false, kfuncFlags: null };
}

function hasSeveralAddresses(symbols: readonly EncodedSymbol[]): boolean {
  let address = 0n;
  for (const { value } of symbols) {
    if (address !== 0n && address !== value) return symbols.length > 1;
    address = value;
  }
  return false;
}

/** The section `.BTF_ids` of a kernel or module. */
export type IdSection = {
  readonly index: number;
  readonly address: bigint;
  readonly bytes: ByteReader;
};

const SET_PREFIX = '__BTF_ID__set8__';
const FUNC_PREFIX = '__BTF_ID__func__';
/** BTF_SET8_KFUNCS: the set has kfuncs. */
const SET_OF_KFUNCS = 1;

/** Marks the kfuncs among `functions`: the functions in sets of `ids` that are marked as such. */
export function markKfuncs(
  functions: ReadonlyMap<string, ElfFunction>,
  symbols: readonly EncodedSymbol[],
  { index, address, bytes }: IdSection,
): void {
  const own = symbols.filter(({ section }) => section === index);
  const sets = own.filter(({ name, value }) => {
    const offset = Number(value - address);
    if (!name.startsWith(SET_PREFIX) || offset < 0 || offset + 8 > bytes.length) return false;
    return (bytes.u32(offset + 4) & SET_OF_KFUNCS) !== 0;
  });
  const ends = mergedRanges(sets);
  for (const { name, value } of own) {
    const func = functions.get(functionOf(name) ?? '');
    const offset = Number(value - address);
    if (func === undefined || offset < 0 || offset + 8 > bytes.length) continue;
    if (isWithin(ends, value)) func.kfuncFlags = bytes.u32(offset + 4);
  }
}

type Range = { readonly start: bigint; readonly end: bigint };

/** Returns the ranges of sets by their starts; ranges that touch become one. */
function mergedRanges(sets: readonly EncodedSymbol[]): Range[] {
  const sorted = sets
    .map(({ value, size }) => ({ start: value, end: value + size }))
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const merged: Range[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || last.end < range.start) merged.push(range);
    else if (last.end < range.end)
      merged[merged.length - 1] = { start: last.start, end: range.end };
  }
  return merged;
}

function isWithin(ranges: readonly Range[], value: bigint): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? 0n) <= value) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low - 1];
  return range !== undefined && value < range.end;
}

/** Returns the function in a symbol such as `__BTF_ID__func__vfs_close__1`; null for another. */
function functionOf(symbol: string): string | null {
  if (!symbol.startsWith(FUNC_PREFIX)) return null;
  const rest = symbol.slice(FUNC_PREFIX.length);
  const last = rest.lastIndexOf('_');
  return last > 0 && rest[last - 1] === '_' ? rest.slice(0, last - 1) : null;
}
