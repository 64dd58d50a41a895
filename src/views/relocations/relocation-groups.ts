/** The relocation sections of a file in families: what a program needs first, what only tools read last. */
import { type RelocationSection, relocationSections } from '#analysis/relocation-sections.ts';
import type { SectionRole } from '#analysis/section-role.ts';
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
  /** Entries in all of them. */
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

/** The families that the file has, in the order above; sections as in the file. */
export function relocationFamilies(model: ObjectModel): FamilyGroup[] {
  const all = relocationSections(model);
  const groups: FamilyGroup[] = [];
  for (const { family, word, roles } of FAMILIES) {
    const sections = all.filter(({ belongsTo }) => roles.includes(belongsTo));
    const [first] = sections;
    if (first === undefined) continue;
    const count = sections.reduce((sum, section) => sum + section.count, 0);
    groups.push({ family, word, tone: relocTone(first.belongsTo), sections, count });
  }
  return groups;
}

/** Which entries are listed: all, a family, or one REL or RELA section. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'family'; readonly family: Family }
  | { readonly kind: 'section'; readonly section: SectionIndex };

export const ALL: Scope = { kind: 'all' };

/** What one wants to see first: the program's own, where there are any. */
export function firstScope(families: readonly FamilyGroup[]): Scope {
  const [first] = families;
  return first?.family === 'program' || first?.family === 'data'
    ? { kind: 'family', family: first.family }
    : ALL;
}

/** The relocation sections in `scope`, by family. */
export function sectionsInScope(
  families: readonly FamilyGroup[],
  scope: Scope,
): RelocationSection[] {
  return families.flatMap(({ family, sections }) =>
    sections.filter(
      ({ index }) =>
        scope.kind === 'all' ||
        (scope.kind === 'family' ? scope.family === family : scope.section === index),
    ),
  );
}

/** The family of the relocation section, as a scope; all where there is no such section. */
export function scopeOfSection(families: readonly FamilyGroup[], relSection: number): Scope {
  const found = families.find(({ sections }) => sections.some(({ index }) => index === relSection));
  return found === undefined ? ALL : { kind: 'family', family: found.family };
}

/** Does `scope` list the entries of that relocation section? */
export function isInScope(
  families: readonly FamilyGroup[],
  scope: Scope,
  relSection: number,
): boolean {
  return sectionsInScope(families, scope).some(({ index }) => index === relSection);
}

/** Same scope? */
export function sameScope(a: Scope, b: Scope): boolean {
  return scopeKey(a) === scopeKey(b);
}

/** A scope as a text, for keys and menus: `all`, `family:btf`, `section:7`. */
export function scopeKey(scope: Scope): string {
  switch (scope.kind) {
    case 'all':
      return 'all';
    case 'family':
      return `family:${scope.family}`;
    case 'section':
      return `section:${scope.section}`;
  }
}

/** Rows of the list of scopes: all, each family, and under it its sections. */
export type ScopeRow = {
  readonly scope: Scope;
  readonly count: number;
  readonly group: FamilyGroup | null;
  readonly section: RelocationSection | null;
};

/**
 * The rows in order. What only tools read stays folded until it is chosen: its
 * sections are left out unless `scope` lies in their family or `isUnfolded`.
 */
export function scopeRows(
  families: readonly FamilyGroup[],
  scope: Scope,
  isUnfolded = false,
): ScopeRow[] {
  const total = families.reduce((sum, { count }) => sum + count, 0);
  const rows: ScopeRow[] = [{ scope: ALL, count: total, group: null, section: null }];
  for (const group of families) {
    const { family, count, sections } = group;
    rows.push({ scope: { kind: 'family', family }, count, group, section: null });
    if (!isUnfolded && !isOpen(group, scope)) continue;
    for (const section of sections) {
      rows.push({
        scope: { kind: 'section', section: section.index },
        count: section.count,
        group,
        section,
      });
    }
  }
  return rows;
}

function isOpen({ family, sections }: FamilyGroup, scope: Scope): boolean {
  if (family === 'program' || family === 'data') return true;
  return (
    (scope.kind === 'family' && scope.family === family) ||
    (scope.kind === 'section' && sections.some(({ index }) => index === scope.section))
  );
}

/** All entries of the sections, one section after the other. */
export function relocationsOf(sections: readonly RelocationSection[]): Uint32Array {
  const rows = new Uint32Array(sections.reduce((sum, { count }) => sum + count, 0));
  let at = 0;
  for (const { first, count } of sections) {
    for (let i = 0; i < count; i++) rows[at++] = first + i;
  }
  return rows;
}

/** Position of `reloc` in `rows`, which need not be in order; null where it is not in them. */
export function rowOfRelocation(rows: Uint32Array, reloc: RelocIndex | null): number | null {
  const at = reloc === null ? -1 : rows.indexOf(reloc);
  return at < 0 ? null : at;
}

/** The entry in a row of the table. */
export function relocationAtRow(rows: Uint32Array, row: number): RelocIndex | null {
  const reloc = rows[row];
  return reloc === undefined ? null : relocIndex(reloc);
}
