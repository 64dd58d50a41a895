/** Finds examples of terms in sections, symbols, relocations and instructions. */
import { functionsOf } from '#analysis/objects/functions.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { relocIndex, type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { bytesAt } from './find-btf.ts';
import type { Find, Place } from './term.ts';

type SectionTest = (model: ObjectModel, section: SectionIndex) => boolean;

/** Returns the first section that passes `test`; null if there is none. */
function firstSection(model: ObjectModel, test: SectionTest): SectionIndex | null {
  for (let i = 1; i < model.sections.count; i++) {
    if (test(model, sectionIndex(i))) return sectionIndex(i);
  }
  return null;
}

/** Returns a finder for the first section of an ELF file that passes `test`, shown in `view`. */
export function sectionWhere(test: SectionTest, view: Place['view']): Find {
  return (model) => {
    // Only ELF: libbpf makes no map of the .data of an eCOFF object.
    const section = model.format === 'elf' ? firstSection(model, test) : null;
    return section === null ? null : { selection: { kind: 'section', section }, view };
  };
}

/** Returns a finder for the first section called `name`, `name.…` or `name/…`. */
export function sectionNamed(name: string, view: Place['view'] = 'bytes'): Find {
  return sectionWhere((model, section) => {
    const text = sectionName(model.sections, section);
    return text === name || text.startsWith(`${name}.`) || text.startsWith(`${name}/`);
  }, view);
}

/** Returns a finder for `length` bytes at `offset` of the header of the first matching section. */
export function sectionHeaderField(
  offset: number,
  length: number,
  test: SectionTest = () => true,
): Find {
  return (model) => {
    const { sections, format } = model;
    if (format !== 'elf' || sections.headerSize !== 64) return null;
    const section = firstSection(model, test);
    const start = section === null ? -1 : (sections.headerOffset[section] ?? -1);
    return start < 0 ? null : bytesAt(model, start + offset, length);
  };
}

/** Returns a finder for `length` bytes at `offset` of the first matching `Elf64_Sym`. */
export function symbolField(
  offset: number,
  length: number,
  test: (model: ObjectModel, row: number) => boolean = () => true,
): Find {
  return (model) => {
    const { symbols, format } = model;
    if (format !== 'elf' || symbols.entrySize !== 24) return null;
    for (let row = 1; row < symbols.count; row++) {
      const start = symbols.entryOffset[row];
      if (start !== undefined && test(model, row)) return bytesAt(model, start + offset, length);
    }
    return null;
  };
}

type RelocTest = (model: ObjectModel, row: number) => boolean;

function firstRelocation(model: ObjectModel, test: RelocTest): number | null {
  for (let row = 0; row < model.relocations.count; row++) if (test(model, row)) return row;
  return null;
}

/** Returns a finder for the first relocation entry that passes `test`, shown in Relocations. */
export function relocationWhere(test: RelocTest): Find {
  return (model) => {
    const row = firstRelocation(model, test);
    return row === null
      ? null
      : { selection: { kind: 'relocation', reloc: relocIndex(row) }, view: 'relocations' };
  };
}

/** Returns a finder for the first `R_BPF_*` entry of the type `type`. */
export function bpfRelocation(type: number): Find {
  return relocationWhere((model, row) => isBpf(model) && model.relocations.type[row] === type);
}

/** Returns a finder for the first entry of an Alpha eCOFF object that has one of the types. */
export function ecoffRelocation(...types: readonly number[]): Find {
  return relocationWhere(
    ({ format, relocations }, row) =>
      format === 'ecoff' && types.includes(relocations.type[row] ?? -1),
  );
}

/** Returns a finder for `length` bytes at `offset` of the first matching REL or RELA entry. */
export function relocationField(offset: number, length: number, test?: RelocTest): Find {
  return (model) => {
    const passes: RelocTest = (of, at) =>
      of.format === 'elf' &&
      (of.relocations.entrySize[at] ?? 0) >= offset + length &&
      (test?.(of, at) ?? true);
    const row = firstRelocation(model, passes);
    const start = row === null ? undefined : model.relocations.entryOffset[row];
    return start === undefined ? null : bytesAt(model, start + offset, length);
  };
}

/** Returns true if the section contains at least one BPF instruction. */
function isBpfCode(model: ObjectModel, section: SectionIndex): boolean {
  return (
    isBpf(model) &&
    isCode(model.sections, section) &&
    (model.sections.byteLength[section] ?? 0) >= INSN_BYTES
  );
}

const INSN_BYTES = 8;

/** Finds the first instruction of a BPF object, to be shown in Code. */
export const firstInsn: Find = (model) => {
  const section = firstSection(model, isBpfCode);
  return section === null
    ? null
    : { selection: { kind: 'insn', section, insnOff: 0 }, view: 'code' };
};

/** Returns a finder for `length` bytes at `offset` of the first instruction of a BPF object. */
export function insnField(offset: number, length: number): Find {
  return (model) => {
    const section = firstSection(model, isBpfCode);
    const start = section === null ? undefined : model.sections.fileOffset[section];
    return start === undefined ? null : bytesAt(model, start + offset, length);
  };
}

/** Returns a finder for the first instruction that a relocation of type `type` patches. */
export function relocatedInsn(type: number): Find {
  return (model) => {
    if (!isBpf(model)) return null;
    const row = firstRelocation(model, (of, at) => {
      const target = of.relocations.targetSection[at] ?? -1;
      return of.relocations.type[at] === type && target > 0 && isBpfCode(of, sectionIndex(target));
    });
    if (row === null) return null;
    const section = sectionIndex(model.relocations.targetSection[row] ?? 0);
    const insnOff = relocationOffset(model, relocIndex(row));
    return insnOff < 0 || insnOff + INSN_BYTES > (model.sections.byteLength[section] ?? 0)
      ? null
      : { selection: { kind: 'insn', section, insnOff }, view: 'code' };
  };
}

/** Finds the first function that libbpf loads as a program, to be shown in Code. */
export const firstProgram: Find = (model) => {
  const program = functionsOf(model).find(({ isProgram }) => isProgram);
  return program === undefined
    ? null
    : {
        selection: { kind: 'insn', section: program.section, insnOff: program.start },
        view: 'code',
      };
};
