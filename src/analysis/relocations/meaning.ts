/**
 * One relocation entry in words and numbers: what is written where. Other formats
 * than ELF have files of their own: this is the one place that tells them apart.
 *
 * Source: "BPF LLVM Relocations", section "Different Relocation Types". For
 * other machines the type has its name, its width and the symbol; what the linker
 * computes is not worked out.
 */

import { formatModule } from '#analysis/formats/registry.ts';
import type { RelocationMeaning, RelocationSite } from '#analysis/objects/relocation-facts.ts';
import { relocationTarget } from '#analysis/objects/relocation-target.ts';
import { sectionRole } from '#analysis/objects/section-role.ts';
import type { Span } from '#bytes/span.ts';
import { signedHex } from '#bytes/text.ts';
import { bpfRelocationType } from '#formats/bpf/relocations.ts';
import { type RelocIndex, type SymbolIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { AddendSource } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { relocationOffset } from './by-place.ts';
import { relocationName } from './names.ts';
import { relocationText } from './text.ts';
import { relocationBits } from './widths.ts';

/** The entry with this number. Total: one that does not exist has no site and no symbol. */
export function relocationMeaning(model: ObjectModel, index: RelocIndex): RelocationMeaning {
  return formatModule(model)?.relocations.meaning(model, index) ?? elfMeaning(model, index);
}

function elfMeaning(model: ObjectModel, index: RelocIndex): RelocationMeaning {
  const { relocations, symbols } = model;
  const row = relocations.symbol[index] ?? -1;
  const symbol = row < 0 ? null : symbolIndex(row);
  const symbolValue = symbol === null ? null : (symbols.value[symbol] ?? 0n);
  const isKnownAddend = relocations.addendSource[index] !== AddendSource.unknown;
  const addend = isKnownAddend ? (relocations.addend[index] ?? null) : null;
  const type = typeOf(model, relocations.type[index] ?? 0);
  const sum = symbolValue === null || addend === null ? null : symbolValue + addend;
  const result = sum === null ? null : evaluate(type.formula, sum);
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
    marks: span === null ? [] : [{ span, bitStart: 0, bitLength: type.bitSize, role: '' }],
    target: symbol === null ? null : relocationTarget(model, symbol, addend ?? 0n),
    belongsTo: sectionRole(model, relocations.targetSection[index] ?? -1),
    numbers: numbersOf(type.formula, symbolValue, addend, result),
  };
  return { ...facts, words: relocationText(model, relocations.type[index] ?? 0, facts) };
}

type TypeFacts = {
  readonly name: string;
  readonly known: boolean;
  readonly formula: string;
  readonly delta: number;
  readonly bitSize: number;
};

function typeOf(model: ObjectModel, rType: number): TypeFacts {
  if (isBpf(model)) {
    const { name, known, formula, siteByteDelta, siteBitWidth } = bpfRelocationType(rType);
    return {
      name: known ? name : `type ${rType}`,
      known,
      formula: formula ?? '',
      delta: siteByteDelta,
      bitSize: siteBitWidth,
    };
  }
  const name = relocationName(model.machine?.number ?? 0, rType, model.addressBits);
  return {
    name: name ?? `type ${rType}`,
    known: name !== null,
    formula: '',
    delta: 0,
    bitSize:
      name === null ? 0 : relocationBits(model.machine?.number ?? 0, name, model.addressBits),
  };
}

function siteOf(model: ObjectModel, index: RelocIndex, type: TypeFacts): RelocationSite | null {
  const target = model.relocations.targetSection[index] ?? -1;
  if (target < 0) return null;
  return {
    section: sectionIndex(target),
    byteOffset: relocationOffset(model, index) + type.delta,
    bitSize: type.bitSize,
  };
}

const COMPRESSED = 0x800n;

function siteSpan(
  model: ObjectModel,
  { section, byteOffset, bitSize }: RelocationSite,
): Span | null {
  const { sections } = model;
  const length = bitSize / 8;
  const fits = byteOffset >= 0 && byteOffset + length <= (sections.byteLength[section] ?? 0);
  const packed = ((sections.flags[section] ?? 0n) & COMPRESSED) !== 0n;
  if (length === 0 || !fits || packed) return null;
  const start = (sections.fileOffset[section] ?? 0) + byteOffset;
  return { start, end: start + length };
}

function symbolText(model: ObjectModel, symbol: SymbolIndex | null, number: number): string {
  if (symbol === null) return number === 0 ? '' : `symbol ${number}, which does not exist`;
  const name = symbolName(model.symbols, symbol);
  const section = model.symbols.section[symbol] ?? 0;
  return name === '' && symbolType(model.symbols, symbol) === SymbolType.SECTION && section > 0
    ? sectionName(model.sections, sectionIndex(section))
    : name;
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
  // A distance is counted in instructions: nobody reads those in hex.
  return formula === 'S + A' ? `${sum} = ${signedHex(result)}` : `(${sum}) / 8 - 1 = ${result}`;
}
