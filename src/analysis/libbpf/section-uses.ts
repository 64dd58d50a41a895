/**
 * How libbpf uses the sections of an object, and what it logs about those that it skips. Source:
 * libbpf 1.8, libbpf.c: bpf_object__elf_collect.
 */
import { memoized } from '#bytes/cache.ts';
import { SHF, SHT } from '#formats/elf/constants.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { isIgnored } from './elf-rules.ts';

export type SectionUse =
  | 'code'
  | 'maps'
  | 'data'
  | 'rodata'
  | 'bss'
  | 'struct_ops'
  | 'arena'
  | 'jump tables'
  | 'relocations'
  | 'other';

export type SectionUses = {
  /** Use by section number. */
  readonly uses: readonly SectionUse[];
  /** Log lines of level "info" about skipped sections, by section number. */
  readonly infos: ReadonlyMap<number, string>;
};

/** Maximum number of skipped sections that are listed: a file may have 100,000. */
const MAX_INFOS = 1000;

/** Sections that libbpf reads by name, whatever their type. */
const BY_NAME: ReadonlySet<string> = new Set(['license', 'version', 'maps', '.BTF', '.BTF.ext']);

/** Names of sections of type SHT_PROGBITS without code, and of their relocations. */
const STRUCT_OPS = ['.struct_ops', '.struct_ops.link', '?.struct_ops', '?.struct_ops.link'];
const RELOCATED: ReadonlySet<string> = new Set(
  ['.maps', ...STRUCT_OPS].map((name) => `.rel${name}`),
);

/** Returns the use of each section. */
export const sectionUses = memoized((model: ObjectModel): SectionUses => {
  const uses: SectionUse[] = ['other'];
  const infos = new Map<number, string>();
  for (let i = 1; i < model.sections.count; i++) {
    const use = isIgnored(model, i) ? 'other' : classify(model, i);
    if (typeof use === 'string') uses.push(use);
    else {
      uses.push('other');
      if (infos.size < MAX_INFOS) infos.set(i, `elf: skipping ${use.skipped}`);
    }
  }
  return { uses, infos };
});

function classify(model: ObjectModel, index: number): SectionUse | { readonly skipped: string } {
  const { sections } = model;
  const nameAt = (section: number) => sectionName(sections, sectionIndex(section));
  const name = nameAt(index);
  const type = sections.type[index];
  const size = sections.declaredSize[index] ?? 0n;
  const isExecutable = (section: number) =>
    ((sections.flags[section] ?? 0n) & SHF.execinstr) !== 0n;
  if (name === '.maps') return 'maps';
  if (BY_NAME.has(name) || type === SHT.symtab) return 'other';
  if (type === SHT.progbits && size > 0n) {
    if (isExecutable(index)) return 'code';
    return dataUse(name) ?? { skipped: `unrecognized data section(${index}) ${name}` };
  }
  if (type === SHT.rel) {
    const target = sections.info[index] ?? 0;
    return isExecutable(target) || RELOCATED.has(name)
      ? 'relocations'
      : { skipped: `relo section(${index}) ${name} for section(${target}) ${nameAt(target)}` };
  }
  if (type === SHT.nobits && isOrBelow(name, '.bss')) return 'bss';
  return { skipped: `section(${index}) ${name} (size ${size})` };
}

function dataUse(name: string): SectionUse | null {
  if (isOrBelow(name, '.data')) return 'data';
  if (isOrBelow(name, '.rodata')) return 'rodata';
  if (STRUCT_OPS.includes(name)) return 'struct_ops';
  if (name === ARENA_SECTION) return 'arena';
  return name === '.jumptables' ? 'jump tables' : null;
}

/** Name of the section of variables in an arena. */
export const ARENA_SECTION = '.addr_space.1';

function isOrBelow(name: string, prefix: string): boolean {
  return name === prefix || name.startsWith(`${prefix}.`);
}
