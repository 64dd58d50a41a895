/**
 * Applies the relocations of a relocatable file to its sections of DWARF. Sections with code and
 * data get addresses after one another, as libdwfl does it, so that addresses in DWARF tell the
 * section. Values are those of the formulas in `formats/elf/relocations`.
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import { bpfRelocationType } from '#formats/bpf/relocations.ts';
import { EM, SHF, SHN } from '#formats/elf/constants.ts';
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
import { AddendSource } from '#model/relocations.ts';
import type { ElfParts } from './elf.ts';

const MAX_ALIGN = 4096n;

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

/** Applies the entries of a file, which it sorts by section once. */
export class RelocatedSections {
  readonly #elf: ElfParts;
  readonly #addresses: BigUint64Array;
  /** Rows of the relocation table by relocated section; null before the first use. */
  #rows: Map<number, number[]> | null = null;

  constructor(elf: ElfParts, addresses: BigUint64Array) {
    this.#elf = elf;
    this.#addresses = addresses;
  }

  /** Returns the bytes of a section after relocation. Entries without a known value change none. */
  apply(section: SectionIndex, reader: ByteReader): ByteReader {
    if (this.#elf.fileType !== 'relocatable') return reader;
    const rows = this.#rowsOf(section);
    if (rows.length === 0) return reader;
    const bytes = new Uint8Array(reader.bytes);
    const view = new DataView(bytes.buffer);
    for (const row of rows) this.#applyRow(row, bytes, view);
    return new ByteReader(bytes, reader.region, reader.endian, reader.fileOffset);
  }

  #rowsOf(section: SectionIndex): readonly number[] {
    if (this.#rows === null) {
      this.#rows = new Map();
      const { count, targetSection } = this.#elf.relocations;
      for (let row = 0; row < count; row++) {
        const target = targetSection[row] ?? -1;
        // Only sections that are not loaded: those of code and data stay as they are.
        const isLoaded = ((this.#elf.sections.flags[target] ?? SHF.alloc) & SHF.alloc) !== 0n;
        if (target < 0 || isLoaded) continue;
        const rows = this.#rows.get(target);
        if (rows === undefined) this.#rows.set(target, [row]);
        else rows.push(row);
      }
    }
    return this.#rows.get(section) ?? [];
  }

  #applyRow(row: number, bytes: Uint8Array, view: DataView): void {
    const { relocations, endian, addressBits } = this.#elf;
    const at = Number(relocations.offset[row] ?? 0n);
    const rule = this.#ruleOf(relocations.type[row] ?? 0);
    if (rule === null || at + fieldBytes(rule.field) > bytes.length) return;
    const { field, formula } = rule;
    const isExplicit = relocations.addendSource[row] === AddendSource.explicit;
    if (formula === 'S+A' && isExplicit && isWord(field)) {
      const value = this.#symbolAddress(row) + (relocations.addend[row] ?? 0n);
      if (field.unitBytes === 4)
        view.setUint32(at, Number(value & 0xffffffffn), endian === 'little');
      else view.setBigUint64(at, BigInt.asUintN(64, value), endian === 'little');
      return;
    }
    const units = readUnits(bytes, at, field, endian);
    const stored = units[0] ?? 0n;
    const addend = isExplicit
      ? (relocations.addend[row] ?? 0n)
      : BigInt.asIntN(8 * field.unitBytes, stored);
    const value = evaluateFormula(formulaOf(formula), (term) => {
      switch (term) {
        case 'S':
          return this.#symbolAddress(row);
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
    const { machine, addressBits } = this.#elf;
    const number = machine?.number ?? 0;
    if (number === EM.bpf || number === EM.none) return bpfRule(type);
    const isPacked = number === EM.sparcv9 || (number === EM.mips && addressBits === 64);
    const rule = relocationTypes(number).get(isPacked ? type & 0xff : type);
    return rule === undefined ? null : ruleOfType(rule, addressBits);
  }

  /** Returns the address of a row's symbol; 0 for none and an undefined one. */
  #symbolAddress(row: number): bigint {
    const { relocations, symbols } = this.#elf;
    const symbol = relocations.symbol[row] ?? -1;
    if (symbol < 0 || symbols.shndx[symbol] === SHN.common) return 0n;
    const section = symbols.section[symbol] ?? 0;
    const base = section > 0 ? (this.#addresses[section] ?? 0n) : 0n;
    const isUndefined = section === 0 && symbols.shndx[symbol] !== SHN.abs;
    return isUndefined ? 0n : base + (symbols.value[symbol] ?? 0n);
  }
}

type Rule = { readonly field: RelocationField; readonly formula: string };

const isWord = (field: RelocationField): boolean =>
  isWholeField(field) && field.coding === '' && (field.unitBytes === 4 || field.unitBytes === 8);

function ruleOfType(type: RelocationType, addressBits: 32 | 64): Rule | null {
  // ULEB128 differences are only in lists of addresses, which no view of types reads.
  if (type.field === null || type.kind !== 'value' || type.field.coding === 'uleb') return null;
  return { field: sizedField(type.field, addressBits), formula: type.formula };
}

/** Rules of BPF, whose table has another form: all types in data write S + A. */
function bpfRule(type: number): Rule | null {
  const { siteBitWidth, siteByteDelta, known } = bpfRelocationType(type, true);
  if (!known || siteByteDelta !== 0 || siteBitWidth === 0) return null;
  const unitBytes = siteBitWidth / 8;
  const piece = { unit: 0, valueLow: 0, valueHigh: siteBitWidth - 1, placeLow: 0, adjusted: false };
  return {
    field: { unitBytes, units: 1, adjust: 0n, pieces: [piece], coding: '' },
    formula: 'S+A',
  };
}
