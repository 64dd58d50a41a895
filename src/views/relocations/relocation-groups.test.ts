import { beforeAll, describe, expect, it } from 'vitest';
import { finish } from '#bytes/long-work.ts';
import { relocIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sampleModel } from '#testing/samples.ts';
import {
  filterRelocations,
  relocationOfSelection,
  relSectionOfSelection,
} from './RelocationsView.tsx';
import {
  ALL,
  type FamilyGroup,
  firstScope,
  isInScope,
  relocationFamilySteps,
  relocationsOf,
  rowOfRelocation,
  type Scope,
  type ScopeRow,
  ScopeRows,
  scopeOfSection,
  sectionsInScope,
} from './relocation-groups.ts';

let model: ObjectModel;
let families: FamilyGroup[];
beforeAll(async () => {
  model = await sampleModel('data_relocs.bpf.o');
  families = finish(relocationFamilySteps(model));
});

/** Returns a scope as one word: `all`, `family:btf`, `section:7`. */
function scopeKey(scope: Scope): string {
  if (scope.kind === 'all') return 'all';
  return scope.kind === 'family' ? `family:${scope.family}` : `section:${scope.section}`;
}

function allRows(rows: ScopeRows): ScopeRow[] {
  return Array.from({ length: rows.length }, (_, i) => rows.at(i)).filter(
    (row) => row !== undefined,
  );
}

describe('families', () => {
  it("put the program's own first and count every entry once", () => {
    expect(families.map(({ family, count }) => [family, count])).toEqual([
      ['program', 9],
      ['data', 16],
      ['btf', 56],
      ['debug', 108],
    ]);
    expect(families.reduce((sum, { count }) => sum + count, 0)).toBe(model.relocations.count);
  });

  it('begin with the program; without one with all', () => {
    expect(firstScope(families)).toEqual({ kind: 'family', family: 'program' });
    expect(firstScope(families.slice(2))).toEqual(ALL);
  });
});

describe('scopes', () => {
  it('list what they say', () => {
    const names = (scope: Parameters<typeof sectionsInScope>[1]) =>
      sectionsInScope(families, scope).map(({ name }) => name);
    expect(names({ kind: 'family', family: 'program' })).toEqual([
      '.relstruct_ops/init',
      '.relsyscall',
    ]);
    expect(names({ kind: 'section', section: sectionIndex(7) })).toEqual(['.relsyscall']);
    expect(names(ALL)).toHaveLength(families.flatMap(({ sections }) => sections).length);
    const all = relocationsOf(sectionsInScope(families, ALL));
    expect([...all].sort((a, b) => a - b)).toEqual([...model.relocations.type.keys()]);
  });

  it('are found by a relocation section', () => {
    expect(scopeOfSection(families, 7)).toEqual({ kind: 'family', family: 'program' });
    expect(scopeOfSection(families, 1)).toEqual(ALL);
    expect(isInScope(families, { kind: 'family', family: 'data' }, 7)).toBe(false);
    expect(isInScope(families, ALL, 7)).toBe(true);
  });

  it('fold what only tools read until it is chosen', () => {
    const keys = (...args: [Scope, boolean?]) =>
      allRows(new ScopeRows(families, ...args)).map(({ scope }) => scopeKey(scope));
    const folded = keys(ALL);
    expect(folded[0]).toBe('all');
    expect(folded).toContain('section:7');
    expect(folded.slice(-2)).toEqual(['family:btf', 'family:debug']);
    expect(keys({ kind: 'family', family: 'debug' }).length).toBeGreaterThan(folded.length);
    const debug = families.at(-1)?.sections[0]?.index ?? sectionIndex(0);
    expect(keys({ kind: 'section', section: debug })).toContain(`section:${debug}`);
    expect(keys(ALL, true).length).toBeGreaterThan(
      keys({ kind: 'family', family: 'debug' }).length,
    );
  });
});

describe('a row of the scopes', () => {
  it('is found again by its scope, and has its count', () => {
    const rows = new ScopeRows(families, ALL, true);
    const all = allRows(rows);
    expect(all.map(({ scope }) => rows.rowOf(scope))).toEqual([...all.keys()]);
    expect(all[0]?.count).toBe(model.relocations.count);
    const inSections = all.reduce((sum, row) => sum + (row.section === null ? 0 : row.count), 0);
    expect(inSections).toBe(model.relocations.count);
    expect([rows.at(-1), rows.at(rows.length)]).toEqual([undefined, undefined]);
  });

  it('is none where its family is folded, or the file has none', () => {
    const rows = new ScopeRows(families, ALL);
    const debug = families.at(-1)?.sections[0]?.index ?? sectionIndex(0);
    expect(rows.rowOf({ kind: 'section', section: debug })).toBeNull();
    expect(rows.rowOf({ kind: 'section', section: sectionIndex(9999) })).toBeNull();
    expect(rows.rowOf({ kind: 'family', family: 'other' })).toBeNull();
  });
});

describe('the filter', () => {
  const filtered = (query: string) => {
    const rows = relocationsOf(sectionsInScope(families, ALL));
    return filterRelocations(model, rows, query).length;
  };

  it('looks at type, symbol, target and section', () => {
    expect(filtered('')).toBe(model.relocations.count);
    expect(filtered('abs64 .rel.data')).toBe(filtered('R_BPF_64_ABS64 .rel.data'));
    expect(filtered('.relsyscall')).toBe(8);
    expect(filtered('ops_ssthresh struct_ops.link')).toBe(1);
    // Only the target of a section symbol names the static function `second`.
    expect(filtered('second .rel.data ')).toBeGreaterThan(0);
    expect(filtered('no such thing')).toBe(0);
  });

  it('wants every word', () => {
    expect(filtered('third .data.steps')).toBe(1);
    expect(filtered('third .relsyscall abs64')).toBe(0);
  });
});

describe('a selection from elsewhere', () => {
  it('means the entry itself, that of its instruction, or that on its byte', () => {
    const reloc = 1;
    const { offset, targetSection } = model.relocations;
    const section = sectionIndex(targetSection[reloc] ?? 0);
    const insnOff = Number(offset[reloc]);
    const byte = (model.sections.fileOffset[section] ?? 0) + insnOff;
    const found = (selection: Parameters<typeof relocationOfSelection>[1]) =>
      relocationOfSelection(model, selection);
    expect(found({ kind: 'relocation', reloc: relocIndex(reloc) })).toBe(reloc);
    expect(found({ kind: 'relocation', reloc: relocIndex(9999) })).toBeNull();
    expect(found({ kind: 'insn', section, insnOff })).toBe(reloc);
    expect(found({ kind: 'insn', section, insnOff: insnOff - 8 })).toBeNull();
    expect(found({ kind: 'bytes', start: byte + 7, end: byte + 8 })).toBe(reloc);
    expect(found({ kind: 'bytes', start: byte + 3, end: byte + 4 })).toBeNull();
    expect(found({ kind: 'bytes', start: byte, end: byte + 8 })).toBe(reloc);
  });

  it('means the entries of a section, or on it', () => {
    const of = (section: number) =>
      relSectionOfSelection(model, { kind: 'section', section: sectionIndex(section) });
    expect([of(7), of(6), of(1)]).toEqual([7, 7, null]);
  });
});

it('finds an entry in any order of rows', () => {
  const rows = Uint32Array.of(7, 3, 5);
  expect(rowOfRelocation(rows, relocIndex(5))).toBe(2);
  expect(rowOfRelocation(rows, relocIndex(4))).toBeNull();
  expect(rowOfRelocation(rows, null)).toBeNull();
});
