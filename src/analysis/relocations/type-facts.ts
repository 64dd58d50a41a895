/** Describes the relocation types of machines other than BPF: terms, limits, relaxation, source. */

import type { Endian } from '#bytes/span.ts';
import { signedHex } from '#bytes/text.ts';
import { formulaOf } from '#formats/elf/relocations/formula.ts';
import {
  isWholeField,
  type RelocationField,
  sizedField,
} from '#formats/elf/relocations/relocation-field.ts';
import type { LinkerCheck, RelocationType } from '#formats/elf/relocations/relocation-type.ts';
import { machineRelocations, relaxationOf } from '#formats/elf/relocations/tables.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { rangeOf } from './checks.ts';
import { isKernelModule, moduleLoaderAnswer } from './module-loader.ts';
import { typesOfEntry, writingType } from './names.ts';

/** Meanings of the terms in formulas. */
export const TERMS: Readonly<Record<string, string>> = {
  S: 'address of the symbol',
  A: 'addend',
  P: 'address of the place',
  L: 'address of the PLT entry, or S where the linker needs none',
  T: '1 for a Thumb function, else 0',
  Z: 'size of the symbol',
  V: 'number in the place before',
  O: 'second addend, in r_info',
  B: 'load address of the file',
  GOT: 'base of the GOT',
  GE: 'address of the GOT entry of the symbol',
  GTPR: 'address of the GOT entry with the offset from the thread pointer',
  GTLSGD: 'address of the pair of GOT entries with module and offset',
  GTLSLD: 'address of the pair of GOT entries with the module',
  GDTPR: 'address of the GOT entry with the offset in the TLS block',
  GDESC: 'address of the TLS descriptor',
  GOTPAGE: 'address of the GOT entry with the page of the symbol',
  PLTE: 'address of the PLT slot',
  PCHI: 'value of the HI20 entry at the label',
  TPB: 'thread pointer, as an address in the TLS block of the file',
  DTPB: 'start of offsets in the TLS block',
  GP: 'global pointer',
  GP0: 'global pointer of the object',
  TOC: 'base of the TOC',
  SB: 'start of the segment of the symbol',
  SEC: 'start of the section of the symbol',
  SDA: '_SDA_BASE_',
  SDA2: '_SDA2_BASE_',
  TGA: 'address of __tls_get_addr or of its PLT entry',
};

export type TypeFact = { readonly term: string; readonly value: string };

/** Bits `valueLow` and up of the value, which go to bit `placeLow` and up of a unit. */
export type ChangedBits = {
  readonly valueLow: number;
  readonly placeLow: number;
  readonly length: number;
};

/** An instruction, half instruction or data word that an entry changes. */
export type ChangedUnit = {
  /** Offset from `r_offset`, in bytes. */
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly endian: Endian;
  readonly bits: readonly ChangedBits[];
};

/** Returns the units that an entry changes; empty for BPF and for types without a known field. */
export function changedUnits(model: ObjectModel, reloc: RelocIndex): readonly ChangedUnit[] {
  const stored = writingType(typesOfEntry(model, reloc))?.field ?? null;
  if (stored === null) return [];
  const field = sizedField(stored, model.addressBits);
  const { unitBytes, units, pieces } = field;
  const insnEndian = machineRelocations(model.machine?.number ?? 0)?.insnEndian ?? model.endian;
  return Array.from({ length: units }, (_, unit) => ({
    byteOffset: unit * unitBytes,
    byteLength: unitBytes,
    endian: isWholeField(field) ? model.endian : insnEndian,
    bits: pieces
      .filter((piece) => piece.unit === unit)
      .map(({ valueLow, valueHigh, placeLow }) => ({
        valueLow,
        placeLow,
        length: valueHigh - valueLow + 1,
      })),
  }));
}

/** Returns the facts about an entry's type in display order; empty for machines without a table. */
export function typeFacts(model: ObjectModel, reloc: RelocIndex): readonly TypeFact[] {
  const machine = model.machine?.number ?? 0;
  const table = machineRelocations(machine);
  const type = writingType(typesOfEntry(model, reloc));
  if (table === null || type === null) return [];
  const relaxation = relaxationOf(machine, type);
  const target = model.relocations.targetSection[reloc] ?? -1;
  const loader = isKernelModule(model) ? moduleLoaderAnswer(model, type, target, null) : null;
  return [
    ...termFacts(type),
    ...limitFacts(type),
    ...(relaxation === '' ? [] : [{ term: 'Relaxation', value: relaxation }]),
    ...(loader === null
      ? []
      : [{ term: 'Module loader', value: `${loader.words} (${loader.source})` }]),
    { term: 'Source', value: table.source },
  ];
}

function termFacts({ kind, formula }: RelocationType): readonly TypeFact[] {
  if (kind !== 'value') return [];
  return formulaOf(formula).terms.flatMap((term) => {
    const value = TERMS[term];
    return value === undefined || term === 'S' || term === 'A' ? [] : [{ term, value }];
  });
}

function limitFacts({ kind, field, check, byLinker }: RelocationType): readonly TypeFact[] {
  if (kind !== 'value' || field === null) return [];
  const words = (rule: LinkerCheck) => limitText(rule === 'stub' ? check : rule, field);
  const stated = words(check);
  const facts = [{ term: 'Limits', value: stated }];
  for (const [linker, name] of [
    ['ld', 'GNU ld'],
    ['lld', 'lld'],
  ] as const) {
    const rule = byLinker[linker];
    if (rule === 'stub') facts.push({ term: `Limits of ${name}`, value: `${stated}; then a stub` });
    else if (words(rule) !== stated) facts.push({ term: `Limits of ${name}`, value: words(rule) });
  }
  return facts;
}

function limitText(check: LinkerCheck, field: RelocationField): string {
  if (check === 'unsupported') return 'type not supported';
  if (check === 'stub') return '';
  if (check.rule === 'rest') return 'the rest must fit the instruction';
  if (check.rule === 'jump') return 'in the 256 MiB of the next instruction';
  const { min, max, multipleOf } = rangeOf(check, field, null);
  const range = min === null || max === null ? 'none' : `${signedHex(min)} to ${signedHex(max)}`;
  return multipleOf === 1 ? range : `${range}, multiple of ${multipleOf}`;
}
