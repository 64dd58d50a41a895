/** The program header table. Source: System V gABI, chapter 5, "Program Header". */

import type { FileStructure } from '#analysis/fields/context.ts';
import { type FieldList, makeField } from '#analysis/fields/field.ts';
import { PROGRAM_SOURCE } from '#analysis/fields/sources.ts';
import { type FieldSpec, structFields } from '#analysis/fields/struct-fields.ts';
import { elf, inRow, placeOf, table } from '#analysis/fields/table.ts';
import type { Span } from '#bytes/span.ts';
import type { ObjectModel } from '#model/object-model.ts';

const SEGMENTS = ['NULL', 'LOAD', 'DYNAMIC', 'INTERP', 'NOTE', 'SHLIB', 'PHDR', 'TLS'];

/** The program header table of `count` entries of `size` bytes. */
export function programHeaders(structure: FileStructure, span: Span, size: number): FieldList {
  const { model } = structure;
  const count = size === 0 ? 0 : Math.floor((span.end - span.start) / size);
  const needed = model.addressBits === 64 ? 56 : 32;
  return table(span, size, size < needed ? 0 : count, (i, at) =>
    makeField('entry', `segment [${i}]`, at, {
      cType: elf(model, 'Phdr'),
      source: PROGRAM_SOURCE,
      parts: () => structFields(placeOf(structure, at, PROGRAM_SOURCE), segmentFields(model)),
    }),
  );
}

function segmentFields(model: ObjectModel): readonly FieldSpec[] {
  const is64 = model.addressBits === 64;
  const size = model.addressBits / 8;
  const word = (name: string, more: Partial<FieldSpec> = {}) => ({
    name,
    cType: elf(model, 'Word'),
    size: 4,
    ...more,
  });
  const wide = (name: string, type: string) => ({ name, cType: elf(model, type), size });
  const hex = { notation: 'hex' } as const;
  const type = word('p_type', { meaning: (v: bigint) => SEGMENTS[Number(v)] ?? '' });
  const flags = word('p_flags', { meaning: flagsOfSegment });
  const places = [
    { ...wide('p_offset', 'Off'), ...hex },
    { ...wide('p_vaddr', 'Addr'), ...hex },
    { ...wide('p_paddr', 'Addr'), ...hex },
    wide('p_filesz', is64 ? 'Xword' : 'Word'),
    wide('p_memsz', is64 ? 'Xword' : 'Word'),
  ];
  const align = wide('p_align', is64 ? 'Xword' : 'Word');
  return inRow(is64 ? [type, flags, ...places, align] : [type, ...places, flags, align]);
}

function flagsOfSegment(value: bigint): string {
  return ['X', 'W', 'R'].filter((_, i) => ((value >> BigInt(i)) & 1n) === 1n).join(' ');
}
