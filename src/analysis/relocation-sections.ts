/** The relocation tables of a file, each with what its entries are for: REL and RELA sections of ELF, the entries of each section of eCOFF. */
import { type RelocIndex, relocIndex, type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { COMPACT_TYPE } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';
import { type SectionRole, sectionRole } from './section-role.ts';

export type RelocationSection = {
  /** The REL or RELA section; where no section holds the entries, the one that they patch. */
  readonly index: SectionIndex;
  readonly name: string;
  /** Name of the section that is patched; empty where there is none. Raw text. */
  readonly targetName: string;
  readonly count: number;
  /** Its first entry; the others follow. */
  readonly first: RelocIndex;
  readonly belongsTo: SectionRole;
  /** One or two plain sentences on what its entries do. */
  readonly about: string;
};

/** Sections with at least one entry, in the order of the file. */
export function relocationSections(model: ObjectModel): RelocationSection[] {
  const { relocations, sections } = model;
  const found: RelocationSection[] = [];
  for (let first = 0; first < relocations.count; ) {
    const rel = relocations.relSection[first] ?? 0;
    let end = first + 1;
    while (end < relocations.count && relocations.relSection[end] === rel) end++;
    const target = relocations.targetSection[first] ?? -1;
    const isCompact = (relocations.type[first] ?? 0) >= COMPACT_TYPE;
    const belongsTo = isCompact ? 'other' : sectionRole(model, target);
    found.push({
      index: sectionIndex(rel),
      name: sectionName(sections, sectionIndex(rel)),
      targetName: target < 0 ? '' : sectionName(sections, sectionIndex(target)),
      count: end - first,
      first: relocIndex(first),
      belongsTo,
      about: model.ecoff === null ? about(belongsTo, isBpf(model)) : ecoffAbout(belongsTo),
    });
    first = end;
  }
  return found;
}

function about(role: SectionRole, bpf: boolean): string {
  switch (role) {
    case 'program':
      return bpf
        ? 'Instructions of programs: addresses of maps and variables, and calls of functions. libbpf applies them when it loads the object.'
        : 'Machine code: addresses of functions and variables. The linker applies them.';
    case 'data':
      return 'Initialized data: words that hold the address of something else.';
    case 'btf':
      return 'Offsets of variables in the DATASECs of .BTF. libbpf does not apply them: it takes the offsets of global variables from the symbol table, and those of static ones are in place already.';
    case 'btf-ext':
      return 'Not CO-RE: where the records of .BTF.ext find their instructions. The offsets are in place already, and no loader applies these entries.';
    case 'debug':
      return 'Debugging information (DWARF). Only debuggers read it, and loaders leave it out.';
    case 'other':
      return 'Sections that are not part of a loaded program.';
  }
}

function ecoffAbout(role: SectionRole): string {
  switch (role) {
    case 'program':
      return 'Instructions: loads of literals, gp, branches. The linker applies them, and may make the code shorter by what they say.';
    case 'data':
      return 'Data that holds addresses, distances from gp, or the results of expressions. The linker applies them.';
    default:
      return 'Compact relocations of a linked file: what a prediction from its code would get wrong. Nothing is applied any more.';
  }
}

const counts = new WeakMap<ObjectModel, Uint32Array>();

/** How many relocation entries patch each section, by section index. Counted once for a model. */
export function relocationCounts(model: ObjectModel): Uint32Array {
  let found = counts.get(model);
  if (found === undefined) {
    found = new Uint32Array(model.sections.count);
    for (const { first, count } of relocationSections(model)) {
      const target = model.relocations.targetSection[first] ?? -1;
      if (target >= 0) found[target] = (found[target] ?? 0) + count;
    }
    counts.set(model, found);
  }
  return found;
}
