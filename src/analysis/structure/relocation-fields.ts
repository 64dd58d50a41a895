/**
 * The fields of a relocation entry, `r_info` split into symbol and type.
 *
 * Source: System V gABI, chapter 4, "Relocation"; for little-endian MIPS64 the
 * "64-bit ELF Object File Specification", section 2.9, which stores `r_info` as
 * a symbol number and four single bytes.
 */

import type { FieldSpec } from '#analysis/fields/struct-fields.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { EM } from '#formats/elf/constants.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** The fields of entry `reloc`, for REL or RELA. */
export function relocationFields(
  model: ObjectModel,
  reloc: RelocIndex,
  isRela: boolean,
): readonly FieldSpec[] {
  const size = model.addressBits / 8;
  const { typeName, symbolText } = relocationMeaning(model, reloc);
  const prefix = `Elf${model.addressBits}_`;
  const offset: FieldSpec = {
    name: 'r_offset',
    cType: `${prefix}Addr`,
    offset: 0,
    size,
    notation: 'hex',
    meaning: () => 'bytes from the start of the section',
  };
  const addend: FieldSpec = {
    name: 'r_addend',
    cType: `${prefix}${size === 8 ? 'Sxword' : 'Sword'}`,
    offset: 2 * size,
    size,
    notation: 'signed',
    meaning: () => 'A',
  };
  const info = isMips64El(model)
    ? mipsInfo(typeName, symbolText)
    : [
        plainInfo(
          model.addressBits,
          `${prefix}${size === 8 ? 'Xword' : 'Word'}`,
          typeName,
          symbolText,
        ),
      ];
  return [offset, ...info, ...(isRela ? [addend] : [])];
}

function isMips64El(model: ObjectModel): boolean {
  return model.machine?.number === EM.mips && model.addressBits === 64 && model.endian === 'little';
}

function plainInfo(
  addressBits: 32 | 64,
  cType: string,
  typeName: string,
  symbolText: string,
): FieldSpec {
  const typeBits = addressBits === 64 ? 32 : 8;
  return {
    name: 'r_info',
    cType,
    offset: addressBits / 8,
    size: addressBits / 8,
    notation: 'hex',
    meaning: () => `${typeName}${symbolText === '' ? '' : `, ${symbolText}`}`,
    bits: () => [
      { name: 'type', length: typeBits, meaning: typeName },
      { name: 'sym', length: addressBits - typeBits, meaning: symbolText || 'no symbol' },
    ],
  };
}

function mipsInfo(typeName: string, symbolText: string): FieldSpec[] {
  const byte = (name: string, offset: number, meaning = ''): FieldSpec => ({
    name,
    cType: 'unsigned char',
    offset,
    size: 1,
    meaning: () => meaning,
  });
  return [
    { name: 'r_sym', cType: 'Elf64_Word', offset: 8, size: 4, meaning: () => symbolText },
    byte('r_ssym', 12),
    byte('r_type3', 13),
    byte('r_type2', 14),
    byte('r_type', 15, typeName),
  ];
}
