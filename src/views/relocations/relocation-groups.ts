/** Groups relocation sections into families. The family of the program is first. */
import type { SectionRole } from '#analysis/objects/section-role.ts';
import { type RelocationSection, relocationSectionSteps } from '#analysis/relocations/sections.ts';
import { isRest, type Steps } from '#bytes/long-work.ts';
import { type RelocIndex, relocIndex, type SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { RelocTone } from '#ui/tone.ts';
import { relocTone } from '#views/parts/relocation-look.ts';

export type Family = 'program' | 'data' | 'btf' | 'debug' | 'other';

export type FamilyGroup = {
  readonly family: Family;
  readonly word: string;
  readonly tone: RelocTone;
  readonly sections: readonly RelocationSection[];
  /** Number of relocation entries in all sections of the family. */
  readonly count: number;
};

const FAMILIES: readonly {
  readonly family: Family;
  readonly word: string;
  readonly roles: readonly SectionRole[];
}[] = [
  { family: 'program', word: 'Program', roles: ['program'] },
  { family: 'data', word: 'Data', roles: ['data'] },
  { family: 'btf', word: 'BTF', roles: ['btf', 'btf-ext'] },
  { family: 'debug', word: 'Debug', roles: ['debug'] },
  { family: 'other', word: 'Other', roles: ['other'] },
];

/** Computes the families of the file. The sections of a family are in file order. */
export function* relocationFamilySteps(model: ObjectModel): Steps<FamilyGroup[]> {
  const all = yield* relocationSectionSteps(model);
  const groups: FamilyGroup[] = [];
  for (const { family, word, roles } of FAMILIES) {
    const sections: RelocationSection[] = [];
    let count = 0;
    for (const [i, section] of all.entries()) {
      if (isRest(i)) yield;
      if (!roles.includes(section.belongsTo)) continue;
      sections.push(section);
      count += section.count;
    }
    const [first] = sections;
    if (first === undefined) continue;
    groups.push({ family, word, tone: relocTone(first.belongsTo), sections, count });
  }
  return groups;
}

/** The entries to list: all, those of a family, or those of one relocation section. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'family'; readonly family: Family }
  | { readonly kind: 'section'; readonly section: SectionIndex };

export const ALL: Scope = { kind: 'all' };

/** Returns the family of the program or of the data if there is one; else all entries. */
export function firstScope(families: readonly FamilyGroup[]): Scope {
  const [first] = families;
  return first?.family === 'program' || first?.family === 'data'
    ? { kind: 'family', family: first.family }
    : ALL;
}

/** Returns the relocation sections in `scope`, family by family. */
export function sectionsInScope(
  families: readonly FamilyGroup[],
  scope: Scope,
): readonly RelocationSection[] {
  if (scope.kind === 'all') return families.flatMap(({ sections }) => sections);
  if (scope.kind === 'family') {
    return families.find(({ family }) => scope.family === family)?.sections ?? [];
  }
  return families.flatMap(({ sections }) =>
    sections.filter(({ index }) => scope.section === index),
  );
}

/** Returns the scope of the family that has a relocation section; the scope `all` without one. */
export function scopeOfSection(families: readonly FamilyGroup[], relSection: number): Scope {
  const family = families.find(({ sections }) =>
    sections.some(({ index }) => index === relSection),
  );
  return family === undefined ? ALL : { kind: 'family', family: family.family };
}

/** Returns true if the relocation section belongs to `scope`. */
export function isInScope(
  families: readonly FamilyGroup[],
  scope: Scope,
  relSection: number,
): boolean {
  if (scope.kind === 'section') return scope.section === relSection;
  return families.some(
    ({ family, sections }) =>
      (scope.kind === 'all' || scope.family === family) &&
      sections.some(({ index }) => index === relSection),
  );
}

/** A row in the list of scopes: all entries, a family, or a section of a family. */
export type ScopeRow = {
  readonly scope: Scope;
  readonly count: number;
  readonly group: FamilyGroup | null;
  readonly section: RelocationSection | null;
};

/** Rows of the scopes. Families except program and data are folded unless chosen or unfolded. */
export class ScopeRows {
  readonly length: number;
  readonly #families: readonly FamilyGroup[];
  /** Row number of each family. The rows of its sections follow if the family is unfolded. */
  readonly #starts: readonly number[];

  constructor(families: readonly FamilyGroup[], scope: Scope, isUnfolded = false) {
    const starts: number[] = [];
    let length = 1;
    for (const group of families) {
      starts.push(length);
      length += 1 + (isUnfolded || isOpen(group, scope) ? group.sections.length : 0);
    }
    this.length = length;
    this.#families = families;
    this.#starts = starts;
  }

  at(row: number): ScopeRow | undefined {
    if (row < 0 || row >= this.length) return;
    const number = this.#starts.findLastIndex((start) => start <= row);
    const group = this.#families[number];
    if (group === undefined) {
      const count = this.#families.reduce((sum, family) => sum + family.count, 0);
      return { scope: ALL, count, group: null, section: null };
    }
    const { family, sections } = group;
    const section = sections[row - (this.#starts[number] ?? 0) - 1];
    if (section === undefined) {
      return { scope: { kind: 'family', family }, count: group.count, group, section: null };
    }
    const { index, count } = section;
    return { scope: { kind: 'section', section: index }, count, group, section };
  }

  /** Returns the row number of a scope; null if its family is folded. */
  rowOf(scope: Scope): number | null {
    if (scope.kind === 'all') return 0;
    for (const [number, { family, sections }] of this.#families.entries()) {
      const start = this.#starts[number] ?? 0;
      const end = this.#starts[number + 1] ?? this.length;
      if (scope.kind === 'family' && scope.family === family) return start;
      if (scope.kind === 'family' || end - start === 1) continue;
      const at = sections.findIndex(({ index }) => index === scope.section);
      if (at >= 0) return start + 1 + at;
    }
    return null;
  }
}

function isOpen({ family, sections }: FamilyGroup, scope: Scope): boolean {
  if (family === 'program' || family === 'data') return true;
  return (
    (scope.kind === 'family' && scope.family === family) ||
    (scope.kind === 'section' && sections.some(({ index }) => index === scope.section))
  );
}

/** Returns all entries of the sections, one section after the other. */
export function relocationsOf(sections: readonly RelocationSection[]): Uint32Array {
  const rows = new Uint32Array(sections.reduce((sum, { count }) => sum + count, 0));
  let at = 0;
  for (const { first, count } of sections) {
    for (let i = 0; i < count; i++) rows[at++] = first + i;
  }
  return rows;
}

/** Returns the index of `reloc` in `rows`, in which entries can be in any order; null if absent. */
export function rowOfRelocation(rows: Uint32Array, reloc: RelocIndex | null): number | null {
  const at = reloc === null ? -1 : rows.indexOf(reloc);
  return at < 0 ? null : at;
}

export function relocationAtRow(rows: Uint32Array, row: number): RelocIndex | null {
  const reloc = rows[row];
  return reloc === undefined ? null : relocIndex(reloc);
}
