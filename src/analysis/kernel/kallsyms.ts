/** Addresses of functions in `/proc/kallsyms`. Source: kernel/kallsyms.c: kallsyms_lookup_name. */
import { addTo, memoized } from '#bytes/cache.ts';
import type { LoadKernel } from './kernel.ts';

/** Names of all symbols, and copies that the compiler made of a function, by its name. */
type Symbols = {
  readonly names: ReadonlySet<string>;
  readonly copies: ReadonlyMap<string, readonly string[]>;
};

/** Symbols of a whole kernel. A part of the file tells nothing about what is missing in it. */
const MIN_SYMBOLS = 1000;
const START_OF_TEXT = /^[0-9a-f]+ [Tt] _s?text$/m;
const LINE = /^[0-9a-f]+ \S (\S+)/gim;
/** Suffixes of copies: of a part, with other arguments, with constants, with a hashed name. */
const COPY = /^([^.]+)\.(?:part|isra|constprop|cold|llvm)\b/;

const symbolsOf = memoized(({ kallsyms }: LoadKernel): Symbols | null => {
  if (kallsyms === null || !START_OF_TEXT.test(kallsyms)) return null;
  const names = new Set<string>();
  const copies = new Map<string, string[]>();
  for (const [, name = ''] of kallsyms.matchAll(LINE)) {
    names.add(name);
    const [, of] = COPY.exec(name) ?? [];
    if (of === undefined) continue;
    addTo(copies, of, name);
  }
  return names.size < MIN_SYMBOLS ? null : { names, copies };
});

export type Address =
  | { readonly is: 'present' }
  /** `copies`: names as `f.isra.0` under which the function exists. */
  | { readonly is: 'absent'; readonly copies: readonly string[] };

/** Returns whether a running kernel has an address for a function; null if this is not known. */
export function addressOf(name: string, kernel: LoadKernel): Address | null {
  const symbols = symbolsOf(kernel);
  if (symbols === null) return null;
  if (symbols.names.has(name)) return { is: 'present' };
  const copies = [...new Set(symbols.copies.get(name))];
  // Kernels built with Clang's LTO look up `f.llvm.1234` as `f`.
  return copies.some((copy) => copy.includes('.llvm.')) ? null : { is: 'absent', copies };
}
