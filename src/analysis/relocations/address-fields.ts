/**
 * Addresses of an ELF object that a person may set in place of a linker: of sections, undefined
 * symbols, and the bases that the formulas of its entries name.
 */

import {
  LAYOUT_KEY,
  type LayoutField,
  type LayoutValues,
} from '#analysis/objects/relocation-facts.ts';
import { memoized } from '#bytes/cache.ts';
import { EM, SHF } from '#formats/elf/constants.ts';
import { formulaOf } from '#formats/elf/relocations/formula.ts';
import { relocIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { GIVEN_BASES, type GivenAddresses } from './given-addresses.ts';
import { SYMBOL_BASES } from './linked-file.ts';
import { typesOfEntry } from './names.ts';

const MAX_SECTIONS = 64;
const MAX_SYMBOLS = 256;

/** Returns true for relocatable ELF files of machines other than BPF. */
export function isComputable(model: ObjectModel): boolean {
  return model.format === 'elf' && model.fileType === 'relocatable' && !isBpf(model);
}

/** Returns the fields of the address form; empty for machines without a table and linked files. */
export const elfAddressFields = memoized((model: ObjectModel): readonly LayoutField[] => {
  if (!isComputable(model) || model.relocations.count === 0) return [];
  return [...sectionFields(model), ...baseFields(model), ...symbolFields(model)];
});

function sectionFields({ sections }: ObjectModel): readonly LayoutField[] {
  const names = Array.from({ length: sections.count }, (_, i) =>
    sectionName(sections, sectionIndex(i)),
  );
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const fields: LayoutField[] = [];
  for (let i = 1; i < sections.count && fields.length < MAX_SECTIONS; i++) {
    const isLoaded = ((sections.flags[i] ?? 0n) & SHF.alloc) !== 0n;
    const name = names[i] ?? '';
    if (!isLoaded || name === '' || sections.declaredSize[i] === 0n) continue;
    const key = (counts.get(name) ?? 0) > 1 ? `${name}#${i}` : name;
    fields.push({ key, label: key, what: 'section', stored: null });
  }
  return fields;
}

/** Returns a field for each base in the formulas of the object's entries. */
function baseFields(model: ObjectModel): readonly LayoutField[] {
  const { count, type } = model.relocations;
  const seen = new Set<number>();
  const terms = new Set<string>();
  for (let row = 0; row < count; row++) {
    const number = type[row] ?? 0;
    if (seen.has(number)) continue;
    seen.add(number);
    for (const { formula } of typesOfEntry(model, relocIndex(row))) {
      for (const term of formulaOf(formula).terms) terms.add(term);
    }
  }
  return Object.entries(GIVEN_BASES).flatMap(([name, term]) =>
    terms.has(term)
      ? [{ key: LAYOUT_KEY.baseMark + name, label: name, what: 'base' as const, stored: null }]
      : [],
  );
}

function symbolFields(model: ObjectModel): readonly LayoutField[] {
  const { relocations, symbols } = model;
  const fields = new Map<string, LayoutField>();
  for (let row = 0; row < relocations.count && fields.size < MAX_SYMBOLS; row++) {
    const symbol = relocations.symbol[row] ?? -1;
    if (symbol <= 0 || (symbols.section[symbol] ?? 0) > 0 || !isOpen(model, symbol)) continue;
    const name = symbolName(symbols, symbolIndex(symbol));
    const key = LAYOUT_KEY.symbolMark + name;
    if (name === '' || name === '_gp_disp' || SYMBOL_BASES[name] !== undefined) continue;
    const isTls = symbolType(symbols, symbolIndex(symbol)) === SymbolType.TLS;
    const what = isTls ? 'thread-local' : 'procedure';
    if (!fields.has(key)) fields.set(key, { key, label: name, what, stored: null });
  }
  return [...fields.values()];
}

const SHN_LORESERVE = 0xff00;
const SHN_COMMON = 0xfff2;

/** Returns true for undefined and common symbols. */
function isOpen({ symbols }: ObjectModel, symbol: number): boolean {
  const index = symbols.shndx[symbol] ?? 0;
  return index < SHN_LORESERVE || index === SHN_COMMON;
}

/** Returns the addresses in the values of the form. */
export function givenInLayout(values: LayoutValues): GivenAddresses {
  const sections = new Map<string, bigint>();
  const symbols = new Map<string, bigint>();
  const bases = new Map<string, bigint>();
  const { symbolMark, baseMark } = LAYOUT_KEY;
  for (const [key, value] of values) {
    const base = key.startsWith(baseMark) ? GIVEN_BASES[key.slice(baseMark.length)] : undefined;
    if (base !== undefined) bases.set(base, value);
    else if (key.startsWith(symbolMark)) symbols.set(key.slice(symbolMark.length), value);
    else sections.set(key, value);
  }
  return { sections, symbols, bases };
}

/** Example addresses: those of a small program that is linked at a fixed address. */
const TEXT_START = 0x401000n;
const PAGE = 0x1000n;
const SYMBOL_SIZE = 0x10n;
const MAX_SIZE = 0x1000_0000n;

/** Distance from the start of the GOT to a base, by name. */
const FROM_GOT: Readonly<Record<string, bigint>> = { TOC: 0x8000n, GP: 0x7ff0n };

/** Returns example values for the form: sections one after another, then GOT, TLS and symbols. */
export function exampleAddresses(model: ObjectModel): LayoutValues {
  const { sections } = model;
  const fields = elfAddressFields(model);
  const values = new Map<string, bigint>();
  let next = TEXT_START;
  const starts = new Map<string, number>();
  for (let i = sections.count - 1; i > 0; i--) {
    const name = sectionName(sections, sectionIndex(i));
    starts.set(name, i).set(`${name}#${i}`, i);
  }
  let wasWritten = false;
  for (const { key, what } of fields) {
    if (what !== 'section') continue;
    const section = starts.get(key) ?? 0;
    const isWritten = ((sections.flags[section] ?? 0n) & SHF.write) !== 0n;
    const align = isWritten && !wasWritten ? PAGE : (sections.addralign[section] ?? 1n);
    next = up(next, align);
    values.set(key, next);
    next += BigInt.asUintN(64, least(sections.declaredSize[section] ?? 0n, MAX_SIZE));
    wasWritten = isWritten;
  }
  const got = up(next, PAGE);
  next = got + PAGE;
  const isRiscv = model.machine?.number === EM.riscv;
  for (const { key, what, label } of fields) {
    if (what === 'section') continue;
    if (what === 'base') {
      const isTls = label === 'TP' || label === 'DTP';
      const from = isRiscv ? 0x800n : (FROM_GOT[label] ?? 0n);
      values.set(key, isTls ? got + PAGE : got + from);
      continue;
    }
    next += SYMBOL_SIZE;
    values.set(key, next);
  }
  return values;
}

function up(value: bigint, align: bigint): bigint {
  const by = align > 0n && align <= PAGE ? align : 1n;
  return ((value + by - 1n) / by) * by;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
