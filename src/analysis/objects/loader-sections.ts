/**
 * Finds the sections that libbpf identifies by name, in one pass over all sections: a file may have
 * 100,000 of them. Source: libbpf's bpf_object__elf_collect.
 */
import { Derived, isRest, type Steps } from '#bytes/long-work.ts';
import { SHT } from '#formats/elf/constants.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isNamed, nameStartsWith, type SectionTable } from '#model/sections.ts';

/** Sections that libbpf identifies by name. Each list is in file order. */
export type LoaderSections = {
  readonly license: readonly SectionIndex[];
  readonly version: readonly SectionIndex[];
  /** Sections with map definitions in BTF. */
  readonly '.maps': readonly SectionIndex[];
  /** Sections with legacy map definitions. */
  readonly maps: readonly SectionIndex[];
  /** Sections that become maps: `.bss`, `.data`, `.rodata`, and names like `.data.foo`. */
  readonly variables: readonly SectionIndex[];
};

/** Finds the loader sections, once per table. `runOf` returns the resumable computation. */
export const loaderSections = new Derived(function* (
  sections: SectionTable,
): Steps<LoaderSections> {
  const result: Record<keyof LoaderSections, SectionIndex[]> = {
    license: [],
    version: [],
    '.maps': [],
    maps: [],
    variables: [],
  };
  for (let i = 1; i < sections.count; i++) {
    if (isRest(i)) yield;
    const section = sectionIndex(i);
    const name = WHOLE_NAMES.find((each) => isNamed(sections, section, each));
    if (name !== undefined) result[name].push(section);
    else if (holdsVariables(sections, section)) result.variables.push(section);
  }
  return result;
});

const WHOLE_NAMES = ['license', 'version', '.maps', 'maps'] as const;

function holdsVariables(sections: SectionTable, section: SectionIndex): boolean {
  const type = sections.type[section];
  if (type === SHT.nobits) return isDataOf(sections, section, '.bss');
  return (
    type === SHT.progbits &&
    (isDataOf(sections, section, '.data') || isDataOf(sections, section, '.rodata'))
  );
}

/** Returns true if the section is named `name`, or `name` with a suffix such as `.data.foo`. */
function isDataOf(sections: SectionTable, section: SectionIndex, name: string): boolean {
  if (!nameStartsWith(sections, section, name)) return false;
  return isNamed(sections, section, name) || nameStartsWith(sections, section, `${name}.`);
}
