/**
 * The external symbols of an eCOFF file as the model's columns, in the file's
 * order: row = the index that relocation entries name them by.
 *
 * `info` and `section` are put in ELF's terms; `shndx` holds the storage class.
 */
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { EXTERNAL_SIZE, externalAt, sectionOfClass } from '#formats/ecoff/external-symbols.ts';
import type { SectionTable } from '#model/sections.ts';
import { NO_SYMBOLS, newSymbols, type SymbolTable, SymbolType } from '#model/symbols.ts';
import { rowsByName } from './sections.ts';

const ST = { static: 2, label: 5, proc: 6, file: 11, staticProc: 14 } as const;
const SC_UNDEFINED: ReadonlySet<number> = new Set([6, 9, 21]);

const LOCAL = 0;
const GLOBAL = 1;
const WEAK = 2;

/** The columns; none where the file has no symbolic header. */
export function ecoffSymbols({ externals }: EcoffFile, sections: SectionTable): SymbolTable {
  if (externals === null) return NO_SYMBOLS;
  const { count } = externals;
  const table = newSymbols(count, EXTERNAL_SIZE, namesOf(externals.strings));
  table.value.set(externals.value);
  const rows = rowsByName(sections);
  for (let i = 0; i < count; i++) {
    const symbol = externalAt(externals, i);
    if (symbol === null) continue;
    const { iss, st, sc } = symbol;
    const isNamed = iss >= 0 && iss < externals.strings.length;
    const section = SC_UNDEFINED.has(sc) ? 0 : (rows.get(sectionOfClass(sc) ?? '') ?? -1);
    table.indexInTable[i] = i;
    table.entryOffset[i] = externals.fileOffset + i * EXTERNAL_SIZE;
    table.nameOff[i] = isNamed ? iss + 1 : 0;
    table.shndx[i] = sc;
    table.section[i] = section;
    table.info[i] = (bindingOf(symbol) << 4) | typeOf(st, section);
  }
  return table;
}

/** The strings behind one NUL, so that offset 0 is no name here as it is in ELF. */
function namesOf(strings: Uint8Array): Uint8Array {
  const names = new Uint8Array(strings.length + 1);
  names.set(strings, 1);
  return names;
}

function bindingOf({ st, isWeak }: { readonly st: number; readonly isWeak: boolean }): number {
  if (isWeak) return WEAK;
  return st === ST.static || st === ST.staticProc ? LOCAL : GLOBAL;
}

function typeOf(st: number, section: number): number {
  if (st === ST.proc || st === ST.staticProc) return SymbolType.FUNC;
  if (st === ST.file) return SymbolType.FILE;
  return st === ST.label || section <= 0 ? SymbolType.NOTYPE : SymbolType.OBJECT;
}
