/** Checks that views can be computed for all rows of all readable files, even damaged ones. */
import { describe, expect, it } from 'vitest';
import { coreRecord, coreRecordsAt } from '#analysis/core/core-records.ts';
import { variablesOf } from '#analysis/values/variables.ts';
import type { ByteSource } from '#bytes/source.ts';
import { coreIndex, relocIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { relocationSections } from '#testing/all-at-once.ts';
import { corpusEdges, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { openObject } from '#testing/open-model.ts';
import { codeListing } from './code/code-listing.ts';
import { lineAt } from './code/source-lines.ts';
import { walkAccess } from './core/parse-spec.ts';
import { localValue } from './core/patch-insn.ts';
import { definedMaps } from './libbpf/defined-maps.ts';
import { objectMaps } from './libbpf/object-maps.ts';
import { licenseOf, ProgramRows } from './libbpf/programs.ts';
import { functionsOf } from './objects/functions.ts';
import { relocationsInRange } from './relocations/by-place.ts';
import { relocationMeaning } from './relocations/meaning.ts';

/** Maximum rows to check per table: later rows are like earlier rows. */
const ENOUGH = 300;

async function askAll(model: ObjectModel, source: ByteSource): Promise<void> {
  writeRelocations(model);
  askCore(model);
  for (const func of functionsOf(model)) expect(func.end).toBeGreaterThan(func.start);
  const programs = new ProgramRows(model);
  for (let row = 0; row < programs.length; row++) programs.at(row);
  definedMaps(model, () => new Uint8Array(24));
  objectMaps(model);
  variablesOf(model);
  licenseOf(model, new Uint8Array(4));
  for (let i = 1; i < Math.min(ENOUGH, model.sections.count); i++) {
    const section = sectionIndex(i);
    if (!isCode(model.sections, section)) continue;
    const start = model.sections.fileOffset[i] ?? 0;
    const bytes = await source.read(start, start + (model.sections.byteLength[i] ?? 0));
    const listing = codeListing(model, section, bytes);
    for (let row = 0; row < Math.min(ENOUGH, listing.count); row++) {
      const found = listing.rowAt(row);
      expect(found).not.toBeNull();
      if (found?.kind !== 'insn') continue;
      expect(listing.rowOfInsn(found.insn.offset)).toBe(row);
      lineAt(model, section, found.insn.offset);
    }
  }
}

function writeRelocations(model: ObjectModel): void {
  const sections = relocationSections(model);
  expect(sections.reduce((sum, s) => sum + s.count, 0)).toBe(model.relocations.count);
  for (let i = -1; i <= Math.min(ENOUGH, model.relocations.count); i++) {
    const { siteSpan, words } = relocationMeaning(model, relocIndex(i));
    expect(words).not.toBe('');
    if (siteSpan !== null) expect(siteSpan.end).toBeLessThanOrEqual(model.size);
  }
}

function askCore(model: ObjectModel): void {
  for (let i = -1; i <= Math.min(ENOUGH, model.ext.core.count); i++) {
    const { root, accessStr, kind, section, insnOff } = coreRecord(model, coreIndex(i));
    if (section >= 0) expect(coreRecordsAt(model, sectionIndex(section), insnOff)).toContain(i);
    if (model.types === null) continue;
    const path = walkAccess(model.types, root, accessStr, kind);
    const local = localValue(model.types, path, kind, model.endian);
    expect(local.value === null).toBe(local.error !== null);
  }
}

describe('damaged files of the corpus', () => {
  it('get an answer to every question', async () => {
    let opened = 0;
    for (const edge of corpusEdges()) {
      if (edge.accept === 'refuse' || edge.kind === 'archive' || edge.kind === 'other') continue;
      const { model, source } = await openObject(edge.name, readCorpusFile(edge));
      await askAll(model, source);
      opened += 1;
    }
    expect(opened).toBeGreaterThan(100);
  }, 120_000);

  it.skipIf(!isLargeCorpus)(
    '200,000 relocations are indexed once and asked by place',
    async () => {
      const edge = corpusEdges().find((e) => e.id === 'elf_rel_many.o');
      if (edge === undefined) throw new Error('the corpus has no elf_rel_many.o');
      const { model } = await openObject(edge.name, readCorpusFile(edge));
      const target = sectionIndex(model.relocations.targetSection[0] ?? 0);
      expect(relocationsInRange(model, target, 0, Infinity)).toHaveLength(200_000);
      const { offset } = model.relocations;
      const at = Number(offset[0]);
      const wanted = [...offset.keys()].filter((i) => Number(offset[i]) === at);
      expect(relocationsInRange(model, target, at, at + 1)).toEqual(wanted);
      expect(wanted.length).toBeGreaterThan(0);
    },
    30_000,
  );
});
