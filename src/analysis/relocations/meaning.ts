/**
 * Describes a relocation entry in text and numbers: written value, site, stored fields. Formats
 * other than ELF have files of their own. Results are computed only for BPF; those of other machines
 * need addresses, which `evaluate.ts` has. Source: "BPF LLVM Relocations", section "Different
 * Relocation Types"; the tables of `formats/elf/relocations/`.
 */
import { formatModule } from '#analysis/formats/registry.ts';
import { symbolLabel } from '#analysis/formats/section-text.ts';
import {
  type EntryField,
  NO_DETAIL,
  type RelocationDetail,
  type RelocationLayout,
  type RelocationMeaning,
  type RelocationSite,
  type SiteMark,
} from '#analysis/objects/relocation-facts.ts';
import { type RelocationTarget, relocationTarget } from '#analysis/objects/relocation-target.ts';
import { type SectionRole, sectionRole } from '#analysis/objects/section-role.ts';
import type { Span } from '#bytes/span.ts';
import { hexText, signedHex } from '#bytes/text.ts';
import { bpfRelocationType } from '#formats/bpf/relocations.ts';
import { SHF } from '#formats/elf/constants.ts';
import { formulaText } from '#formats/elf/relocations/formula.ts';
import { type RelocIndex, type SymbolIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { AddendSource } from '#model/relocations.ts';
import { isData, sectionName } from '#model/sections.ts';
import { relocationOffset } from './by-place.ts';
import { relocationBits, typesOfEntry, writingType } from './names.ts';
import { changedUnits } from './type-facts.ts';

/** Returns the meaning of an entry; without site and symbol if the entry does not exist. */
export function relocationMeaning(model: ObjectModel, index: RelocIndex): RelocationMeaning {
  return formatModule(model)?.relocations.meaning(model, index) ?? elfMeaning(model, index);
}

const ADDEND_PLACES = ['explicit', 'implicit'] as const;

/** Returns where the addend is: `explicit` in the entry (RELA), `implicit` at the site, or null. */
export function addendPlace(
  { relocations }: ObjectModel,
  index: RelocIndex,
): (typeof ADDEND_PLACES)[number] | null {
  return ADDEND_PLACES[relocations.addendSource[index] ?? AddendSource.unknown] ?? null;
}

function elfMeaning(model: ObjectModel, index: RelocIndex): RelocationMeaning {
  const { relocations, symbols } = model;
  const row = relocations.symbol[index] ?? -1;
  const symbol = row < 0 ? null : symbolIndex(row);
  const symbolValue = symbol === null ? null : (symbols.value[symbol] ?? 0n);
  const isKnownAddend = relocations.addendSource[index] !== AddendSource.unknown;
  const addend = isKnownAddend ? (relocations.addend[index] ?? null) : null;
  const type = typeOf(model, index);
  const sum = symbolValue === null || addend === null ? null : symbolValue + addend;
  const result = sum === null || !isBpf(model) ? null : evaluate(type.formula, sum);
  const site = siteOf(model, index, type);
  const span = site && siteSpan(model, site);
  const facts = {
    typeName: type.name,
    known: type.known,
    formula: type.formula,
    symbolText: symbolText(model, symbol, relocations.symbolNumber[index] ?? 0),
    symbolValue,
    addend,
    result,
    site,
    siteSpan: span,
    marks: span === null ? [] : marksOf(model, index, span),
    target: symbol === null ? null : relocationTarget(model, symbol, addend ?? 0n),
    belongsTo: sectionRole(model, relocations.targetSection[index] ?? -1),
    numbers: numbersOf(type.formula, symbolValue, addend, result),
  };
  return { ...facts, words: relocationText(model, index, facts) };
}

type TypeFacts = {
  readonly name: string;
  readonly known: boolean;
  readonly formula: string;
  readonly delta: number;
  readonly bitSize: number;
};

/** Returns true if the entry patches a section without SHF_EXECINSTR. */
function patchesData({ relocations, sections }: ObjectModel, index: RelocIndex): boolean {
  return isData(sections, relocations.targetSection[index] ?? -1);
}

function typeOf(model: ObjectModel, index: RelocIndex): TypeFacts {
  const rType = model.relocations.type[index] ?? 0;
  if (isBpf(model)) {
    const type = bpfRelocationType(rType, patchesData(model, index));
    const { name, known, formula, siteByteDelta, siteBitWidth } = type;
    return {
      name: known ? name : `type ${rType}`,
      known,
      formula: formula ?? '',
      delta: siteByteDelta,
      bitSize: siteBitWidth,
    };
  }
  const types = typesOfEntry(model, index);
  const type = writingType(types);
  if (type === null) {
    return { name: `type ${rType}`, known: false, formula: '', delta: 0, bitSize: 0 };
  }
  return {
    name: types.map(({ name }) => name).join('/'),
    known: true,
    formula: formulaText(type.formula),
    delta: 0,
    bitSize: relocationBits(type, model.addressBits),
  };
}

function siteOf(model: ObjectModel, index: RelocIndex, type: TypeFacts): RelocationSite | null {
  const target = model.relocations.targetSection[index] ?? -1;
  const byteOffset = relocationOffset(model, index) + type.delta;
  // No section is so large, and the number would not be exact.
  if (target < 0 || !Number.isSafeInteger(byteOffset)) return null;
  return {
    section: sectionIndex(target),
    byteOffset,
    bitSize: type.bitSize,
  };
}

function siteSpan(
  model: ObjectModel,
  { section, byteOffset, bitSize }: RelocationSite,
): Span | null {
  const { sections } = model;
  const length = bitSize / 8;
  const fits = byteOffset >= 0 && byteOffset + length <= (sections.byteLength[section] ?? 0);
  const packed = ((sections.flags[section] ?? 0n) & SHF.compressed) !== 0n;
  if (length === 0 || !fits || packed) return null;
  const start = (sections.fileOffset[section] ?? 0) + byteOffset;
  return { start, end: start + length };
}

/** Returns the bits that an entry changes; the whole place if they are not known one by one. */
function marksOf(model: ObjectModel, index: RelocIndex, span: Span): readonly SiteMark[] {
  const units = changedUnits(model, index);
  // Marks count bits in the byte order of the file.
  if (units.length === 0 || units.some(({ endian }) => endian !== model.endian)) {
    return [{ span, bitStart: 0, bitLength: 8 * (span.end - span.start), role: '' }];
  }
  return units.flatMap(({ byteOffset, byteLength, bits }) => {
    const start = span.start + byteOffset;
    return bits.map(({ placeLow, length }) => ({
      span: { start, end: start + byteLength },
      bitStart: placeLow,
      bitLength: length,
      role: '',
    }));
  });
}

function symbolText(model: ObjectModel, symbol: SymbolIndex | null, number: number): string {
  if (symbol === null) return number === 0 ? '' : `symbol ${number}, which does not exist`;
  return symbolLabel(model, symbol);
}

function evaluate(formula: string, sum: bigint): bigint | null {
  switch (formula) {
    case 'S + A':
      return sum;
    case '(S + A) / 8 - 1':
      return sum / 8n - 1n;
    default:
      return null;
  }
}

function numbersOf(
  formula: string,
  symbolValue: bigint | null,
  addend: bigint | null,
  result: bigint | null,
): string {
  if (symbolValue === null || addend === null || result === null) return '';
  const sum = `${signedHex(symbolValue)} + ${addend < 0n ? `(${signedHex(addend)})` : signedHex(addend)}`;
  // This result is a distance in instructions, so print a decimal number.
  return formula === 'S + A' ? `${sum} = ${signedHex(result)}` : `(${sum}) / 8 - 1 = ${result}`;
}

type Facts = Omit<RelocationMeaning, 'words'>;

const R_BPF_NONE = 0;
const R_BPF_64_64 = 1;
const R_BPF_64_32 = 10;

/** Describes an entry in one or two sentences. Names are not escaped. */
function relocationText(model: ObjectModel, index: RelocIndex, facts: Facts): string {
  if (!isBpf(model)) return otherMachine(model, index, facts);
  const rType = model.relocations.type[index] ?? 0;
  const inData = patchesData(model, index);
  if (!facts.known) return bpfRelocationType(rType, inData).description;
  if (rType === R_BPF_NONE) return 'Does nothing.';
  const about = inData ? dataPurpose(facts.target, facts.belongsTo) : purpose(rType, facts);
  return `${written(model, facts)} ${about}`;
}

/** Returns a sentence such as `Writes 0x8 (32 bits) at byte 0x3c of .text.` */
function written(model: ObjectModel, { result, site }: Facts): string {
  const value = result === null ? 'an unknown value' : number(result);
  if (site === null) return `Would write ${value}, but names no place in a section.`;
  return `Writes ${value} (${site.bitSize} bits) at ${place(model, site)}.`;
}

function place(model: ObjectModel, site: NonNullable<Facts['site']>): string {
  return `byte ${number(BigInt(site.byteOffset))} of ${sectionName(model.sections, site.section)}`;
}

function purpose(rType: number, facts: Facts): string {
  const { target, belongsTo } = facts;
  switch (rType) {
    case R_BPF_64_64:
      return `The loader later puts ${addressOf(target)} into this ld_imm64.`;
    case R_BPF_64_32:
      return callPurpose(target);
    default:
      return dataPurpose(target, belongsTo);
  }
}

function dataPurpose(target: RelocationTarget | null, belongsTo: SectionRole): string {
  const name = nameOf(target);
  switch (belongsTo) {
    case 'btf':
      return `That is the offset of ${name} in its DATASEC. Loaders do not apply it: libbpf takes the offset of a global variable from the symbol table, and of a static one from the section.`;
    case 'btf-ext':
      return `It is the instruction offset of a record of .BTF.ext in ${name}. It is not a CO-RE relocation, and loaders do not apply it.`;
    case 'debug':
      return `It completes the debugging information about ${name}, which only debuggers read.`;
    default:
      return `That makes a word of data refer to ${name}.`;
  }
}

function callPurpose(target: RelocationTarget | null): string {
  if (target?.what === 'extern') {
    return `The call goes to ${target.name}, which is not in this file: a kernel function, or a function of another object.`;
  }
  return `The call goes to ${nameOf(target)}: imm counts instructions from the start of its section, less one.`;
}

function addressOf(target: RelocationTarget | null): string {
  switch (target?.what) {
    case 'map':
      return `the map ${target.name}`;
    case 'extern':
      return `the kernel symbol ${target.name} of the running kernel`;
    default:
      return `the address of ${nameOf(target)}`;
  }
}

function nameOf(target: RelocationTarget | null): string {
  return target === null ? 'a symbol without a name' : target.name;
}

/** Describes an entry of a machine other than BPF, with the formula of its type. */
function otherMachine(model: ObjectModel, index: RelocIndex, facts: Facts): string {
  const { typeName, site, target, formula } = facts;
  const what = target === null ? '' : ` to refer to ${target.name}`;
  const where = site === null ? 'no section of the file' : place(model, site);
  const type = writingType(typesOfEntry(model, index));
  switch (type?.kind) {
    case 'value':
      return `The linker writes ${formula} at ${where}${what}.`;
    case 'dynamic':
      return `Only the dynamic linker applies ${typeName}, at ${where}${what}.`;
    case 'mark':
      return `Marks ${where} for the linker. ${typeName} has no value.`;
    case 'stack':
      return `Changes the linker's stack of values: ${formula}.`;
    default:
      return `The linker changes ${where}${what}. The formula of ${typeName} is not known.`;
  }
}

/** Returns a number as text: hex, or decimal if small. */
function number(value: bigint): string {
  if (value > -10n && value < 10n) return `${value}`;
  return signedHex(value);
}

/** Returns the details of an entry. Details that the format does not have are empty. */
export function relocationDetail(
  model: ObjectModel,
  reloc: RelocIndex,
  layout: RelocationLayout | null,
): RelocationDetail {
  const ofFormat = layout && formatModule(model)?.relocations.detail(model, reloc, layout);
  return ofFormat ?? { ...NO_DETAIL, fields: elfFields(model, reloc) };
}

function elfFields(model: ObjectModel, reloc: RelocIndex): readonly EntryField[] {
  const { offset, info } = model.relocations;
  return [
    { name: 'r_offset', value: hexText(offset[reloc] ?? 0n), meaning: '' },
    { name: 'r_info', value: hexText(info[reloc] ?? 0n), meaning: oldDataWords(model, reloc) },
  ];
}

/** Explains why a word of data has a relocation type of instructions; empty for other entries. */
function oldDataWords(model: ObjectModel, reloc: RelocIndex): string {
  if (!isBpf(model) || !patchesData(model, reloc)) return '';
  const rType = model.relocations.type[reloc] ?? 0;
  const { name, known, description } = bpfRelocationType(rType, true);
  return known && description !== bpfRelocationType(rType, false).description
    ? `${name}: ${description}`
    : '';
}
