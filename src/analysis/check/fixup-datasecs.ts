/**
 * Sizes of DATASECs and places of variables, which compilers leave at 0 and
 * libbpf takes from the ELF file.
 *
 * Source: libbpf.c, bpf_object_fixup_btf, btf_fixup_datasec, find_elf_sec_sz.
 */
import { BTF_TYPE_SIZE, BtfKind } from '#formats/btf/kinds.ts';
import { type SymbolIndex, sectionIndex, type TypeId, typeId } from '#model/ids.ts';
import { type SectionTable, sectionName } from '#model/sections.ts';
import type { SymbolTable } from '#model/symbols.ts';
import { type VarSecinfo, varSecinfosOf } from '#model/type-items.ts';
import { kindOf, lastId, nameOf, sizeOrTypeOf, varLinkage } from '#model/type-table.ts';
import type { LoadedCopy } from './fixup-copy.ts';
import { KCONFIG, KSYMS } from './fixup-externs.ts';

const STATIC = 0;
const EXTERN = 2;
const INTERNAL_VISIBILITY = 1;
const HIDDEN_VISIBILITY = 2;

export type ElfPlaces = {
  readonly sections: SectionTable;
  readonly symbols: SymbolTable;
  /** Global and weak variables by name. */
  readonly variables: ReadonlyMap<string, SymbolIndex>;
};

/** Rewrites all DATASECs. Gives what libbpf would complain of, or null. */
export function rewriteDatasecs(copy: LoadedCopy, elf: ElfPlaces): string | null {
  const sizes = sectionSizes(elf.sections);
  for (let n = 1; n <= lastId(copy.table); n++) {
    const id = typeId(n);
    if (kindOf(copy.table, id) !== BtfKind.DATASEC) continue;
    const name = nameOf(copy.table, id);
    const wrong = name === KCONFIG || name === KSYMS ? null : rewriteOne(copy, elf, sizes, id);
    if (wrong !== null) return wrong;
    sortVariables(copy, id);
  }
  return null;
}

/** Bytes of each section, of equal names the first. */
function sectionSizes(sections: SectionTable): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (let i = 1; i < sections.count; i++) {
    const name = sectionName(sections, sectionIndex(i));
    if (!sizes.has(name)) sizes.set(name, Number((sections.declaredSize[i] ?? 0n) & 0xffffffffn));
  }
  return sizes;
}

function rewriteOne(
  copy: LoadedCopy,
  elf: ElfPlaces,
  sizes: ReadonlyMap<string, number>,
  id: TypeId,
): string | null {
  const t = copy.table;
  const name = nameOf(t, id);
  const isEmpty = sizeOrTypeOf(t, id) === 0;
  if (isEmpty) {
    const size = sizes.get(name) ?? 0;
    if (size === 0)
      return `The size of section ${copy.nameFor(id)} cannot be found in the ELF file.`;
    const sentence = () => `libbpf takes the size of ${copy.nameFor(id)} from the ELF section.`;
    copy.setWord(id, copy.offsetIn(id, 8), size, sentence);
  }
  for (const item of varSecinfosOf(t, id)) {
    if (kindOf(t, item.type) !== BtfKind.VAR)
      return `${copy.nameFor(id)} lists type ${item.type}, no variable.`;
    const linkage = varLinkage(t, item.type);
    if (linkage === STATIC || linkage === EXTERN) continue;
    const variable = nameOf(t, item.type);
    const symbol = elf.variables.get(variable);
    if (symbol === undefined)
      return `There is no symbol for the variable ${copy.nameFor(item.type)} of ${copy.nameFor(id)}.`;
    if (isEmpty) placeVariable(copy, elf, id, item, symbol);
    hideVariable(copy, elf, item.type, symbol);
  }
  return null;
}

function placeVariable(
  copy: LoadedCopy,
  { symbols }: ElfPlaces,
  id: TypeId,
  { index, type }: VarSecinfo,
  symbol: SymbolIndex,
): void {
  const offset = Number((symbols.value[symbol] ?? 0n) & 0xffffffffn);
  const sentence = () => `libbpf takes the place of ${copy.nameFor(type)} from its symbol.`;
  copy.setWord(id, copy.itemOffset(id, 12, index, 1), offset, sentence);
}

function hideVariable(
  copy: LoadedCopy,
  { symbols }: ElfPlaces,
  type: TypeId,
  symbol: SymbolIndex,
): void {
  const visibility = (symbols.other[symbol] ?? 0) & 3;
  if (visibility !== HIDDEN_VISIBILITY && visibility !== INTERNAL_VISIBILITY) return;
  const sentence = () => `The symbol of ${copy.nameFor(type)} is hidden: libbpf makes it static.`;
  copy.setWord(type, copy.offsetIn(type, BTF_TYPE_SIZE), STATIC, sentence);
}

function sortVariables(copy: LoadedCopy, id: TypeId): void {
  const items = varSecinfosOf(copy.table, id);
  // As libbpf compares: by a difference that is taken for a signed 32-bit number.
  const sorted = [...items].sort((a, b) => (a.offset - b.offset) | 0);
  if (sorted.every(({ index }, place) => index === place)) return;
  copy.reorderItems(id, sorted);
}
