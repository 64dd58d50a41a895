/** Lists relocation tables: REL and RELA sections in ELF, the entries of each section in eCOFF. */
import { formatModule } from '#analysis/formats/registry.ts';
import { type SectionRole, sectionRole } from '#analysis/objects/section-role.ts';
import { Derived, isRest, type Run, type Steps } from '#bytes/long-work.ts';
import { SHT } from '#formats/elf/constants.ts';
import { type RelocIndex, relocIndex, type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { COMPACT_TYPE } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';

/**
 * Adjacent entries of one relocation table that patch one section: `count` entries from entry
 * `first` on. A table of compact relocations patches several sections.
 */
export type RelocationRun = { readonly first: number; readonly count: number };

/** Yields the runs of all relocation tables that have entries, in file order. */
export function* relocationRuns({ relocations }: ObjectModel): Generator<RelocationRun> {
  const { count, relSection, targetSection } = relocations;
  for (let first = 0; first < count; ) {
    const [rel, target] = [relSection[first], targetSection[first]];
    let end = first + 1;
    while (end < count && relSection[end] === rel && targetSection[end] === target) end++;
    yield { first, count: end - first };
    first = end;
  }
}

/** Returns true for a compact record of eCOFF. ELF has types with numbers as high. */
export function isCompactRecord({ format, relocations }: ObjectModel, row: number): boolean {
  return format !== 'elf' && (relocations.type[row] ?? 0) >= COMPACT_TYPE;
}

/** Returns the role of the section that a run patches. */
export function runRole(model: ObjectModel, { first }: RelocationRun): SectionRole {
  if (isCompactRecord(model, first)) return 'other';
  return sectionRole(model, model.relocations.targetSection[first] ?? -1);
}

/** Counts the entries by role of the patched section; `runOf` returns the resumable computation. */
export const entriesByRole = new Derived(function* (
  model: ObjectModel,
): Steps<ReadonlyMap<SectionRole, number>> {
  const counts = new Map<SectionRole, number>();
  let tables = 0;
  for (const run of relocationRuns(model)) {
    if (isRest(tables++)) yield;
    const role = runRole(model, run);
    counts.set(role, (counts.get(role) ?? 0) + run.count);
  }
  return counts;
});

/** A section that entries of a table patch. The name is not escaped. */
export type RelocatedSection = { readonly name: string; readonly count: number };

/** A relocation table. Its properties are computed on access: a file may have 400,000 tables. */
export class RelocationSection {
  /** The REL or RELA section; the patched section if the entries are in no section. */
  readonly index: SectionIndex;
  readonly count: number;
  /** First entry of the table. The table's other entries are adjacent to it. */
  readonly first: RelocIndex;
  readonly belongsTo: SectionRole;
  readonly #model: ObjectModel;
  readonly #runs: readonly RelocationRun[];

  /** Joins `runs`, the adjacent runs of one table. */
  constructor(model: ObjectModel, runs: readonly [RelocationRun, ...RelocationRun[]]) {
    const [run] = runs;
    this.#model = model;
    this.#runs = runs;
    this.index = sectionIndex(model.relocations.relSection[run.first] ?? 0);
    this.count = runs.reduce((sum, { count }) => sum + count, 0);
    this.first = relocIndex(run.first);
    this.belongsTo = runRole(model, run);
  }

  /** Name of the table, not escaped. */
  get name(): string {
    return sectionName(this.#model.sections, this.index);
  }

  /** Patched sections with the number of entries that patch each, in the order of the entries. */
  get targets(): readonly RelocatedSection[] {
    const { relocations, sections } = this.#model;
    const counts = new Map<number, number>();
    for (const { first, count } of this.#runs) {
      const target = relocations.targetSection[first] ?? -1;
      if (target >= 0) counts.set(target, (counts.get(target) ?? 0) + count);
    }
    return Array.from(counts, ([target, count]) => ({
      name: sectionName(sections, sectionIndex(target)),
      count,
    }));
  }

  /** Location of addends: `explicit` in RELA, `implicit` in REL; null for files other than ELF. */
  get addends(): 'explicit' | 'implicit' | null {
    const { sections, format } = this.#model;
    if (format !== 'elf') return null;
    return sections.type[this.index] === SHT.rela ? 'explicit' : 'implicit';
  }

  /** One or two sentences about the table's entries. */
  get about(): string {
    return (
      formatModule(this.#model)?.relocations.about(this.belongsTo) ??
      about(this.belongsTo, isBpf(this.#model))
    );
  }
}

/** Computes the list of tables with entries in resumable steps. The tables are in file order. */
export function* relocationSectionSteps(model: ObjectModel): Steps<RelocationSection[]> {
  const { relSection } = model.relocations;
  const tables: RelocationSection[] = [];
  let runs: [RelocationRun, ...RelocationRun[]] | null = null;
  for (const run of relocationRuns(model)) {
    if (runs !== null && relSection[runs[0].first] === relSection[run.first]) {
      runs.push(run);
      continue;
    }
    if (isRest(tables.length)) yield;
    if (runs !== null) tables.push(new RelocationSection(model, runs));
    runs = [run];
  }
  if (runs !== null) tables.push(new RelocationSection(model, runs));
  return tables;
}

function about(role: SectionRole, bpf: boolean): string {
  switch (role) {
    case 'program':
      return bpf
        ? 'Instructions of programs: addresses of maps and variables, and calls of functions. libbpf applies them when it loads the object.'
        : 'Machine code: addresses of functions and variables. The linker applies them.';
    case 'data':
      return 'Initialized data: words that hold addresses.';
    case 'btf':
      return 'Offsets of variables in the DATASECs of .BTF. libbpf does not apply them: it takes the offsets of global variables from the symbol table, and those of static ones are already in the file.';
    case 'btf-ext':
      return 'Instruction offsets of the records of .BTF.ext, not CO-RE. The offsets are already in the file; loaders do not apply these entries.';
    case 'debug':
      return 'Debugging information (DWARF), read by debuggers only. Loaders ignore it.';
    case 'other':
      return 'Sections that are not part of a loaded program.';
  }
}

const countsBySection = new Derived(function* (model: ObjectModel): Steps<Uint32Array> {
  const counts = new Uint32Array(model.sections.count);
  let tables = 0;
  for (const { first, count } of relocationRuns(model)) {
    if (isRest(tables++)) yield;
    const target = model.relocations.targetSection[first] ?? -1;
    if (target >= 0) counts[target] = (counts[target] ?? 0) + count;
  }
  return counts;
});

/** Returns for each section the number of entries that patch it. Computed once per model. */
export function relocationCounts(model: ObjectModel): Uint32Array {
  return countsBySection.of(model);
}

/** Returns the computation of `relocationCounts` in resumable steps. It visits all tables. */
export function relocationCountsRun(model: ObjectModel): Run<Uint32Array> {
  return countsBySection.runOf(model);
}
