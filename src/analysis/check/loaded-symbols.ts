/** ELF symbols as libbpf looks for them when it opens an object. Source: libbpf.c, sym_is_extern and find_elf_var_sym. */
import { type SymbolIndex, symbolIndex } from '#model/ids.ts';
import type { SectionTable } from '#model/sections.ts';
import {
  type SymbolTable,
  SymbolType,
  symbolBinding,
  symbolName,
  symbolType,
} from '#model/symbols.ts';

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
export function loaderSymbols(sections: SectionTable, symbols: SymbolTable): Symbols | null {
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
