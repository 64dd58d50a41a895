/** Compares the result of each record in the corpus with the result of libbpf's own code. */
import { describe, expect, it } from 'vitest';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isOfOwnMachine } from '#testing/core-oracle.ts';
import { atLeast, corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { coreRows } from '#testing/goldens.ts';
import type { JsonRow } from '#testing/json-row.ts';
import { openModel } from '#testing/open-model.ts';
import { coreRecord } from './core-records.ts';
import { walkAccess } from './parse-spec.ts';
import { localValue } from './patch-insn.ts';
import { logLine } from './spec.ts';

function rowsByObject(): ReadonlyMap<string, readonly JsonRow[]> {
  const byObject = new Map<string, JsonRow[]>();
  for (const row of coreRows('"target":"self"')) {
    const rows = byObject.get(row.text('object'));
    if (rows === undefined) byObject.set(row.text('object'), [row]);
    else rows.push(row);
  }
  return byObject;
}

function ours(model: ObjectModel, index: number) {
  const record = coreRecord(model, coreIndex(index));
  if (model.types === null) throw new Error('an object with CO-RE records has types');
  const path = walkAccess(model.types, record.root, record.accessStr, record.kind);
  return { record, path, local: localValue(model.types, path, record.kind, model.endian) };
}

describe('CO-RE records of the corpus', () => {
  it('have the spec text, the place and the value that libbpf finds', async () => {
    const rows = rowsByObject();
    let compared = 0;
    let values = 0;
    for (const object of corpusObjects()) {
      const expected = rows.get(object.id);
      if (expected === undefined) continue;
      const model = await openModel(object.name, readCorpusFile(object));
      for (const row of expected) {
        const { record, path, local } = ours(model, row.number('global_index'));
        const at = `${object.id} #${row.number('global_index')}`;
        if (row.text('spec_text') === '') {
          expect(row.text('error'), at).toContain('parsing [');
          expect(path.error, at).not.toBeNull();
        } else {
          expect(logLine(path.kind, path.root, path.spec), at).toBe(row.text('spec_text'));
        }
        expect(
          {
            section: record.sectionName,
            relo: record.relocIndexInSection,
            insnOff: record.insnOff,
            func: record.func,
          },
          at,
        ).toEqual({
          section: row.text('section'),
          relo: row.number('relo_index'),
          insnOff: row.number('insn_off'),
          func: { name: row.text('prog'), insnIndex: row.number('prog_insn') },
        });
        compared += 1;
        if (!row.has('orig_val') || !isOfOwnMachine(row, model)) continue;
        expect(
          { value: String(local.value), validate: local.validate },
          `${at} ${row.text('spec_text')}`,
        ).toEqual({ value: row.text('orig_val'), validate: row.flag('validate') });
        values += 1;
      }
    }
    expect(compared).toBe([...rows.values()].reduce((sum, r) => sum + r.length, 0));
    expect(compared).toBeGreaterThan(atLeast({ large: 10_000, testdata: 2000 }));
    expect(values).toBeGreaterThan(atLeast({ large: 10_000, testdata: 2000 }));
  }, 300_000);
});
