import { describe, expect, it } from 'vitest';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { variableValue } from '#analysis/values/variables.ts';
import { corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { usesOfPlace } from './DataArticle.tsx';
import { dataRows, entryCount, typeWord } from './DataListPane.tsx';
import { dataGroups, placeOf } from './data-entries.ts';
import { sectionText } from './SectionDetail.tsx';
import { fileSpan, selectedData } from './selected-data.ts';
import { bytesText, otherForm, previewText, valueText } from './value-text.ts';
import { bytesOfValue, firstOpen, pathToBytes, valueOfRow, valueRows } from './value-tree.ts';

describe('the data of all objects of the corpus', () => {
  it('is drawn, and each part is found again by its bytes', async () => {
    const seen = { objects: 0, entries: 0, rows: 0, exact: 0, uses: 0 };
    for (const object of corpusObjects()) {
      const bytes = readCorpusFile(object);
      const model = await openModel(object.name, bytes);
      const sectionBytes: SectionBytes = (section) => {
        const start = model.sections.fileOffset[section] ?? 0;
        return bytes.subarray(start, start + (model.sections.byteLength[section] ?? 0));
      };
      const groups = dataGroups(model, sectionBytes);
      const list = dataRows(model, groups, '');
      seen.objects++;
      seen.entries += entryCount(list);
      for (const group of groups) {
        expect(sectionText(model, group)).toMatch(/\.$/);
        for (const entry of group.entries) {
          expect(typeof typeWord(model, entry)).toBe('string');
          const place = placeOf(entry);
          if (place === null || place.sectionIndex === null || place.byteOffset === null) continue;
          const { sectionIndex, byteOffset, byteSize } = place;
          seen.uses += usesOfPlace(model, sectionIndex, byteOffset, byteSize).length;
          const span = fileSpan(model, sectionIndex, byteOffset, byteSize);
          if (span !== null && byteSize > 0) {
            const found = selectedData(model, groups, { kind: 'bytes', ...span });
            expect(found?.group.section, `${object.id} ${entry.name}`).toBe(sectionIndex);
          }
          if (entry.kind !== 'variable') continue;
          const root = variableValue(model, sectionBytes, entry.variable);
          if (root === null) continue;
          expect(valueText(root, 'c', 'v = ')).toMatch(/;$/);
          for (const row of valueRows(root, firstOpen(root)).slice(0, 48)) {
            const part = valueOfRow(root, row);
            if (part === null) continue;
            seen.rows++;
            expect(previewText(part).length).toBeLessThanOrEqual(90);
            expect(typeof otherForm(part) + typeof bytesText(part)).toBe('stringstring');
            const own = bytesOfValue(part);
            if (own.end > bytesOfValue(root).end || own.start === own.end) continue;
            const key = pathToBytes(root, own.start, own.end).at(-1);
            // The path is empty for the only part of a struct, since both have the same bytes.
            if (key === undefined) continue;
            const open = new Set(pathToBytes(root, own.start, own.end));
            const again = valueRows(root, open).find((each) => each.key === key);
            const held = again === undefined ? null : valueOfRow(root, again);
            if (held === null) throw new Error(`${object.id} ${entry.name}: no row ${key}`);
            const there = bytesOfValue(held);
            expect(there.start).toBeLessThanOrEqual(own.start);
            expect(there.end).toBeGreaterThanOrEqual(own.end);
            if (there.start === own.start && there.end === own.end) seen.exact++;
          }
        }
      }
    }
    expect(seen.objects).toBeGreaterThan(100);
    expect(seen.entries).toBeGreaterThan(500);
    expect(seen.rows).toBeGreaterThan(1000);
    // For a part of a union, the path ends at the first member that contains the part's bytes.
    expect(seen.exact).toBeGreaterThan(0.8 * seen.rows);
    expect(seen.uses).toBeGreaterThan(200);
  }, 120_000);
});
