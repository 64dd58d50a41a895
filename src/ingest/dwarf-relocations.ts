/**
 * Applies the relocations of a relocatable file to its sections of DWARF. Sections with code and
 * data get addresses after one another, as libdwfl does it, so that addresses in DWARF tell the
 * section. Values are those of the formulas in `formats/elf/relocations`.
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
import type { ByteSource } from '#bytes/source.ts';
import { bpfRelocationType } from '#formats/bpf/relocations.ts';
import { EM, SHF, SHN, SHT } from '#formats/elf/constants.ts';
import { readRelocation, relocationFormat, relocationSize } from '#formats/elf/records.ts';
import { evaluateFormula, formulaOf } from '#formats/elf/relocations/formula.ts';
import {
  fieldBytes,
  isWholeField,
  type RelocationField,
  readUnits,
  scatterBits,
  sizedField,
  writeUnits,
} from '#formats/elf/relocations/relocation-field.ts';
import type { RelocationType } from '#formats/elf/relocations/relocation-type.ts';
import { relocationTypes } from '#formats/elf/relocations/tables.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { SectionTable } from '#model/sections.ts';
import type { ElfParts } from './elf.ts';
import { Allowance, MAX_ROWS, readPieces, sectionLabel } from './elf-tables.ts';

const MAX_ALIGN = 4096n;
const MAX_KEPT_TYPE = 0xffff;

/** Returns the address of each section: that of the file, or in a relocatable file one given. */
export function addressesOf({ sections, fileType }: ElfParts): BigUint64Array {
  const addresses = BigUint64Array.from(sections.addr);
  if (fileType !== 'relocatable') return addresses;
  let next = 0n;
  for (let index = 1; index < sections.count; index++) {
    if (((sections.flags[index] ?? 0n) & SHF.alloc) === 0n) continue;
    const align = sections.addralign[index] ?? 1n;
    const step = align < 1n || align > MAX_ALIGN ? 1n : align;
    next = ((next + step - 1n) / step) * step;
    addresses[index] = next;
    next += sections.declaredSize[index] ?? 0n;
  }
  return addresses;
}

type Entry = ReturnType<typeof readRelocation>;

/** Applies the relocations of a file to one section after the other. Reads them from the file. */
export class RelocatedSections {
  readonly #source: ByteSource;
  readonly #elf: ElfParts;
  readonly #addresses: BigUint64Array;
  /** Sections may claim the same bytes as their entries. */
  readonly #allowance: Allowance;
  readonly #rules = new Map<number, Rule>();
  /** Addresses of symbols by the section of their table. */
  readonly #symbols = new Map<number, BigUint64Array>();
  /** Sections of relocations by the section that they change; null before the first use. */
  #tables: ReadonlyMap<number, readonly number[]> | null = null;

  constructor(source: ByteSource, elf: ElfParts, addresses: BigUint64Array) {
    this.#source = source;
    this.#elf = elf;
    this.#addresses = addresses;
    this.#allowance = new Allowance(source.size, MAX_ROWS);
  }

  /** Returns the bytes of a section after relocation. Entries without a known value change none. */
  async apply(section: SectionIndex, reader: ByteReader): Promise<ByteReader> {
    const { sections, fileType } = this.#elf;
    // Only sections that are not loaded: those of code and data stay as they are.
    const isLoaded = ((sections.flags[section] ?? SHF.alloc) & SHF.alloc) !== 0n;
    if (fileType !== 'relocatable' || isLoaded) return reader;
    this.#tables ??= tablesByTarget(sections);
    const tables = this.#tables.get(section);
    if (tables === undefined) return reader;
    const bytes = new Uint8Array(reader.bytes);
    for (const table of tables) await this.#applyTable(table, bytes);
    return new ByteReader(bytes, reader.region, reader.endian, reader.fileOffset);
  }

  async #applyTable(table: number, bytes: Uint8Array): Promise<void> {
    const { sections, endian, addressBits, machine } = this.#elf;
    const header = { endian, elfClass: addressBits, eMachine: machine?.number ?? EM.none };
    const isRela = sections.type[table] === SHT.rela;
    const format = relocationFormat(header, isRela);
    const rowSize = relocationSize(format);
    const all = Math.floor((sections.byteLength[table] ?? 0) / rowSize);
    const rows = {
      region: sectionLabel(sections, table),
      fileOffset: sections.fileOffset[table] ?? 0,
      count: this.#allowance.take(all, rowSize),
      rowSize,
      endian,
    };
    const link = sections.link[table] ?? 0;
    const symbols = getOrCreate(this.#symbols, link, () => this.#symbolAddresses(link));
    const view = new DataView(bytes.buffer);
    const isPlain = addressBits === 64 && isRela && !format.isMips64El;
    for await (const { reader, count } of readPieces(this.#source, rows, {})) {
      const entries = new DataView(reader.bytes.buffer, reader.bytes.byteOffset);
      for (let at = 0; at < count * rowSize; at += rowSize) {
        if (isPlain && this.#applyWord(entries, at, symbols, view)) continue;
        const entry = readRelocation(reader, at, format);
        this.#applyEntry(entry, symbols[entry.rSym] ?? 0n, bytes, view);
      }
    }
  }

  /** Applies an entry of RELA of the usual types: S + A in a word. Returns false for another one. */
  #applyWord(entries: DataView, at: number, symbols: BigUint64Array, view: DataView): boolean {
    const isLittle = this.#elf.endian === 'little';
    const rule = this.#ruleOf(entries.getUint32(at + (isLittle ? 8 : 12), isLittle));
    if (rule === null || !rule.isWord || entries.getUint32(at + (isLittle ? 4 : 0), isLittle) !== 0)
      return false;
    const offset = entries.getUint32(at + (isLittle ? 0 : 4), isLittle);
    if (offset + rule.field.unitBytes > view.byteLength) return true;
    const symbol = symbols[entries.getUint32(at + (isLittle ? 12 : 8), isLittle)] ?? 0n;
    if (rule.field.unitBytes === 8) {
      view.setBigUint64(offset, symbol + entries.getBigUint64(at + 16, isLittle), isLittle);
      return true;
    }
    const addend = entries.getUint32(at + (isLittle ? 16 : 20), isLittle);
    view.setUint32(offset, Number(symbol & 0xffffffffn) + addend, isLittle);
    return true;
  }

  #applyEntry(entry: Entry, symbol: bigint, bytes: Uint8Array, view: DataView): void {
    const { endian, addressBits } = this.#elf;
    const at = Number(entry.rOffset);
    const rule = this.#ruleOf(entry.rType);
    if (rule === null || at + fieldBytes(rule.field) > bytes.length) return;
    const { field, formula } = rule;
    if (rule.isWord && entry.rAddend !== null) {
      const value = symbol + entry.rAddend;
      if (field.unitBytes === 4)
        view.setUint32(at, Number(value & 0xffffffffn), endian === 'little');
      else view.setBigUint64(at, BigInt.asUintN(64, value), endian === 'little');
      return;
    }
    const units = readUnits(bytes, at, field, endian);
    const stored = units[0] ?? 0n;
    const addend = entry.rAddend ?? BigInt.asIntN(8 * field.unitBytes, stored);
    const value = evaluateFormula(formulaOf(formula), (term) => {
      switch (term) {
        case 'S':
          return symbol;
        case 'A':
          return addend;
        case 'V':
          return stored;
        case 'P':
          return BigInt(at);
        default:
          // Offsets in thread-local storage count from its start, which has the address 0 here.
          return 0n;
      }
    });
    if (value === null) return;
    scatterBits(units, field, BigInt.asUintN(addressBits, value));
    writeUnits(bytes, at, field, endian, units);
  }

  /** Returns formula and field of a type; null for a type that writes no plain value. */
  #ruleOf(type: number): Rule | null {
    const known = this.#rules.get(type);
    if (known !== undefined) return known;
    const rule = this.#newRule(type);
    // Types of a damaged file are not kept: each entry may have another one.
    if (rule !== null && type <= MAX_KEPT_TYPE) this.#rules.set(type, rule);
    return rule;
  }

  #newRule(type: number): Rule | null {
    const { machine, addressBits } = this.#elf;
    const number = machine?.number ?? 0;
    if (number === EM.bpf || number === EM.none) return bpfRule(type);
    const isPacked = number === EM.sparcv9 || (number === EM.mips && addressBits === 64);
    const rule = relocationTypes(number).get(isPacked ? type & 0xff : type);
    return rule === undefined ? null : ruleOfType(rule, addressBits);
  }

  /**
   * Returns the addresses of the symbols of a table, which relocations name by their numbers; 0 for
   * an undefined one.
   */
  #symbolAddresses(table: number): BigUint64Array {
    const { symbols } = this.#elf;
    const first = symbols.table.indexOf(table);
    const end = first < 0 ? first : symbols.table.lastIndexOf(table) + 1;
    const addresses = new BigUint64Array(end - first);
    for (let row = first; row < end; row++) {
      const section = symbols.section[row] ?? 0;
      const shndx = symbols.shndx[row];
      const isUndefined = section === 0 && shndx !== SHN.abs;
      if (shndx === SHN.common || isUndefined) continue;
      const base = section > 0 ? (this.#addresses[section] ?? 0n) : 0n;
      addresses[row - first] = base + (symbols.value[row] ?? 0n);
    }
    return addresses;
  }
}

function tablesByTarget({ count, type, info }: SectionTable): Map<number, number[]> {
  const tables = new Map<number, number[]>();
  for (let index = 1; index < count; index++) {
    if (type[index] === SHT.rel || type[index] === SHT.rela) addTo(tables, info[index] ?? 0, index);
  }
  return tables;
}

type Rule = {
  readonly field: RelocationField;
  readonly formula: string;
  /** True if the value is S + A in a whole word of 4 or 8 bytes. */
  readonly isWord: boolean;
};

function ruleOf(field: RelocationField, formula: string): Rule {
  const isWhole = isWholeField(field) && field.coding === '';
  const isWord = isWhole && formula === 'S+A' && (field.unitBytes === 4 || field.unitBytes === 8);
  return { field, formula, isWord };
}

function ruleOfType(type: RelocationType, addressBits: 32 | 64): Rule | null {
  // ULEB128 differences are only in lists of addresses, which no view of types reads.
  if (type.field === null || type.kind !== 'value' || type.field.coding === 'uleb') return null;
  return ruleOf(sizedField(type.field, addressBits), type.formula);
}

/** Rules of BPF, whose table has another form: all types in data write S + A. */
function bpfRule(type: number): Rule | null {
  const { siteBitWidth, siteByteDelta, known } = bpfRelocationType(type, true);
  if (!known || siteByteDelta !== 0 || siteBitWidth === 0) return null;
  const unitBytes = siteBitWidth / 8;
  const piece = { unit: 0, valueLow: 0, valueHigh: siteBitWidth - 1, placeLow: 0, adjusted: false };
  return ruleOf({ unitBytes, units: 1, adjust: 0n, pieces: [piece], coding: '' }, 'S+A');
}
