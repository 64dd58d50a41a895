/** Lists the relocation tables of a file: REL and RELA sections of ELF, the entries of each section of eCOFF. */
import { formatModule } from '#analysis/formats/registry.ts';
import { type SectionRole, sectionRole } from '#analysis/objects/section-role.ts';
import { Derived, isRest, type Run, type Steps } from '#bytes/long-work.ts';
import { SHT } from '#formats/elf/constants.ts';
import { type RelocIndex, relocIndex, type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { COMPACT_TYPE } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';

/** Adjacent entries of a table: `count` entries from `first` on. */
export type RelocationRun = { readonly first: number; readonly count: number };

/** Yields the tables with entries, in file order. */
export function* relocationRuns({ relocations }: ObjectModel): Generator<RelocationRun> {
  const { count, relSection } = relocations;
  for (let first = 0; first < count; ) {
    const rel = relSection[first];
    let end = first + 1;
    while (end < count && relSection[end] === rel) end++;
    yield { first, count: end - first };
    first = end;
  }
}

/** Returns the role of a table's entries, from its first entry. */
export function runRole(model: ObjectModel, { first }: RelocationRun): SectionRole {
  const { type, targetSection } = model.relocations;
  const isCompact = (type[first] ?? 0) >= COMPACT_TYPE;
  return isCompact ? 'other' : sectionRole(model, targetSection[first] ?? -1);
}

/** Number of entries by role; `runOf` returns the computation. */
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

/** A relocation table and its role. Names are read on access: a file may have 400,000 tables. */
export class RelocationSection {
  /** The REL or RELA section; for entries outside sections the patched section. */
  readonly index: SectionIndex;
  readonly count: number;
  /** First entry of the table; the other entries follow. */
  readonly first: RelocIndex;
  readonly belongsTo: SectionRole;
  readonly #model: ObjectModel;

  constructor(model: ObjectModel, run: RelocationRun) {
    this.#model = model;
    this.index = sectionIndex(model.relocations.relSection[run.first] ?? 0);
    this.count = run.count;
    this.first = relocIndex(run.first);
    this.belongsTo = runRole(model, run);
  }

  /** Raw text. */
  get name(): string {
    return sectionName(this.#model.sections, this.index);
  }

  /** Name of the patched section; empty if there is none. Raw text. */
  get targetName(): string {
    const { relocations, sections } = this.#model;
    const target = relocations.targetSection[this.first] ?? -1;
    return target < 0 ? '' : sectionName(sections, sectionIndex(target));
  }

  /** Location of the addends: `explicit` in RELA, `implicit` in REL; null in other formats. */
  get addends(): 'explicit' | 'implicit' | null {
    const { sections, format } = this.#model;
    if (format !== 'elf') return null;
    return sections.type[this.index] === SHT.rela ? 'explicit' : 'implicit';
  }

  /** One or two sentences about the entries of the table. */
  get about(): string {
    return (
      formatModule(this.#model)?.relocations.about(this.belongsTo) ??
      about(this.belongsTo, isBpf(this.#model))
    );
  }
}

/** Computes the tables with at least one entry, in file order, in resumable steps. */
export function* relocationSectionSteps(model: ObjectModel): Steps<RelocationSection[]> {
  const tables: RelocationSection[] = [];
  for (const run of relocationRuns(model)) {
    if (isRest(tables.length)) yield;
    tables.push(new RelocationSection(model, run));
  }
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

/** Returns the number of entries by index of the patched section. Computed once per model. */
export function relocationCounts(model: ObjectModel): Uint32Array {
  return countsBySection.of(model);
}

/** Returns the resumable computation of `relocationCounts`, which visits all tables. */
export function relocationCountsRun(model: ObjectModel): Run<Uint32Array> {
  return countsBySection.runOf(model);
}
