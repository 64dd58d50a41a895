/**
 * The sections that libbpf knows by their names, found in one pass over all: there may be
 * 100,000 of them.
 *
 * Source: libbpf's bpf_object__elf_collect.
 */
import { Derived, isRest, type Steps } from '#bytes/steps.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isNamed, nameStartsWith, type SectionTable } from '#model/sections.ts';

/** In the order of the file. */
export type LoaderSections = {
  readonly license: readonly SectionIndex[];
  readonly version: readonly SectionIndex[];
  /** Definitions of maps in BTF. */
  readonly '.maps': readonly SectionIndex[];
  /** Definitions of maps as old objects have them. */
  readonly maps: readonly SectionIndex[];
  /** Those that become maps: `.bss`, `.data` and `.rodata`, and each with a dot and more. */
  readonly variables: readonly SectionIndex[];
};

const PROGBITS = 1;
const NOBITS = 8;

/** Found once for a table; `runOf` has the work. */
export const loaderSections = new Derived(function* (
  sections: SectionTable,
): Steps<LoaderSections> {
  const found: Record<keyof LoaderSections, SectionIndex[]> = {
    license: [],
    version: [],
    '.maps': [],
    maps: [],
    variables: [],
  };
  for (let i = 1; i < sections.count; i++) {
    if (isRest(i)) yield;
    const section = sectionIndex(i);
    const name = SAID.find((each) => isNamed(sections, section, each));
    if (name !== undefined) found[name].push(section);
    else if (holdsVariables(sections, section)) found.variables.push(section);
  }
  return found;
});

const SAID = ['license', 'version', '.maps', 'maps'] as const;

function holdsVariables(sections: SectionTable, section: SectionIndex): boolean {
  const type = sections.type[section];
  if (type === NOBITS) return isDataOf(sections, section, '.bss');
  return (
    type === PROGBITS &&
    (isDataOf(sections, section, '.data') || isDataOf(sections, section, '.rodata'))
  );
}

/** `name`, or `name` with a dot and more. */
function isDataOf(sections: SectionTable, section: SectionIndex, name: string): boolean {
  if (!nameStartsWith(sections, section, name)) return false;
  return isNamed(sections, section, name) || nameStartsWith(sections, section, `${name}.`);
}
