/**
 * The BTF of an object as libbpf gives it to the kernel, and what it changed.
 *
 * Compilers leave blanks that the kernel refuses: sizes of sections, places of
 * variables, extern linkage. libbpf fills them in when it opens an object.
 * What is told here is what `bpf_object__open` does; that it leaves out what an
 * old kernel does not know, and makes hidden functions static, comes later.
 *
 * Source: libbpf 1.8, libbpf.c: bpf_object_open, in its order.
 */
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { type SymbolIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { SectionTable } from '#model/sections.ts';
import {
  type SymbolTable,
  SymbolType,
  symbolBinding,
  symbolName,
  symbolType,
} from '#model/symbols.ts';
import type { Rewrite } from './fixup-copy.ts';
import { rewriteDatasecs } from './fixup-datasecs.ts';
import { copyForLoader } from './fixup-dummy.ts';
import { KSYMS, rewriteExterns } from './fixup-externs.ts';

export type Loaded = {
  /** As the kernel would get it: a copy, also where nothing was rewritten. */
  readonly blob: Uint8Array;
  readonly rewrites: readonly Rewrite[];
  /** How many more there are than `rewrites` lists. */
  readonly moreRewrites: number;
  /** Why libbpf stops half-way and loads nothing, in a sentence; null where it does not. */
  readonly stopped: string | null;
};

/** What libbpf makes of the BTF of an ELF object; null where there is none, or only split BTF, which it loads as it is. */
export function asLoaded({
  types,
  sections,
  symbols,
}: Pick<ObjectModel, 'types' | 'sections' | 'symbols'>): Loaded | null {
  if (types === null || types.split) return null;
  const ksyms = datasecsOf(types).get(KSYMS) ?? null;
  const found = loaderSymbols(sections, symbols);
  if (found === null) {
    const stopped = 'The file has no symbol table.';
    return { blob: types.blob.slice(), rewrites: [], moreRewrites: 0, stopped };
  }
  const { copy, dummy } = copyForLoader(types, ksyms);
  const stopped =
    rewriteExterns(copy, found.externs, dummy) ??
    rewriteDatasecs(copy, { sections, symbols, variables: found.variables });
  return { blob: copy.table.blob, rewrites: copy.rewrites, moreRewrites: copy.more, stopped };
}

/** ELF symbols as libbpf looks for them when it opens an object. Source: libbpf.c, sym_is_extern and find_elf_var_sym. */

const SHT_SYMTAB = 2;
const LOCAL = 0;
const MAX_NAMED_BINDING = 2;

type Symbols = {
  /** Names that are defined elsewhere, in the order of the symbol table. */
  readonly externs: readonly string[];
  /** Variables that other files can see: the first symbol of each name. */
  readonly variables: ReadonlyMap<string, SymbolIndex>;
};

/** Global and weak symbols of `.symtab`; null where there is none. */
function loaderSymbols(sections: SectionTable, symbols: SymbolTable): Symbols | null {
  if (!sections.type.includes(SHT_SYMTAB)) return null;
  const externs: string[] = [];
  const variables = new Map<string, SymbolIndex>();
  for (let row = 0; row < symbols.count; row++) {
    const index = symbolIndex(row);
    const binding = symbolBinding(symbols, index);
    const inTable = sections.type[symbols.table[row] ?? 0] === SHT_SYMTAB;
    if (!inTable || binding === LOCAL || binding > MAX_NAMED_BINDING) continue;
    const type = symbolType(symbols, index);
    const name = symbolName(symbols, index);
    const isExtern = type === SymbolType.NOTYPE && symbols.shndx[row] === 0;
    if (isExtern && name !== '') externs.push(name);
    if (type === SymbolType.OBJECT && !variables.has(name)) variables.set(name, index);
  }
  return { externs, variables };
}
