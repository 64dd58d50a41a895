/** What a BPF object brings along, by libbpf's rules: its programs and its licence. Maps and variables are in `values/`. */
import { decodeName } from '#bytes/text.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isNamed, sectionName } from '#model/sections.ts';
import { type FunctionRange, functionsOf } from './functions.ts';
import { programType } from './program-types.ts';

export type ProgramSection = {
  readonly section: SectionIndex;
  /** Raw text: escape it when drawn. */
  readonly sectionName: string;
  /** Its programs, by place. */
  readonly functions: readonly FunctionRange[];
  /** What libbpf makes of the section's name: `kprobe`, `xdp`; empty where it knows no such name. */
  readonly kind: string;
  /** What follows in the name: the function, tracepoint or cgroup hook. Raw text. */
  readonly attachTo: string;
};

/** Sections with programs, in the order of the file. */
export function programsOf(model: ObjectModel): ProgramSection[] {
  const bySection = new Map<SectionIndex, FunctionRange[]>();
  for (const func of functionsOf(model)) {
    if (!func.isProgram) continue;
    const functions = bySection.get(func.section);
    if (functions === undefined) bySection.set(func.section, [func]);
    else functions.push(func);
  }
  return Array.from(bySection, ([section, functions]) => {
    const name = sectionName(model.sections, section);
    return { section, sectionName: name, functions, ...programType(name) };
  });
}

/** The section named `license`; null where there is none. */
export function licenseSection(model: ObjectModel): SectionIndex | null {
  for (let i = 1; i < model.sections.count; i++) {
    if (isNamed(model.sections, sectionIndex(i), 'license')) return sectionIndex(i);
  }
  return null;
}

/** The licence that the kernel is told, out of the bytes of `licenseSection`. Null where there is none. Raw text. */
export function licenseOf(model: ObjectModel, sectionBytes: Uint8Array): string | null {
  return licenseSection(model) === null || sectionBytes.length === 0
    ? null
    : decodeName(sectionBytes, 0);
}
