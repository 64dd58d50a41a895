import { describe, expect, it } from 'vitest';
import type { CoreState } from '#analysis/core/reason.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { coreIndex, sectionIndex } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { resolvedSample } from '#testing/resolved-sample.ts';
import { sampleModel } from '#testing/samples.ts';
import {
  coreRowReader,
  filterRecords,
  kindCounts,
  recordPins,
  rootPins,
  stateCounts,
  valueText,
} from './record-rows.ts';

const NO_FILTER = { text: '', kinds: new Set<number>(), states: new Set<never>(), results: null };

describe('rows of the table', () => {
  it('filter by every word of the query, in any of the columns', async () => {
    const model = await sampleModel('doc_core.bpf.o');
    const read = coreRowReader(model);
    const found = (filter: string, kinds: readonly number[] = []) => [
      ...filterRecords(model, read, { ...NO_FILTER, text: filter, kinds: new Set(kinds) }),
    ];
    expect(found('')).toHaveLength(15);
    expect(found('alpha')).toEqual([0, 1]);
    expect(found('BAR enumval_value')).toEqual([14]);
    expect(found('p->c', [5])).toEqual([7]);
    expect(found('', [8, 9])).toEqual([8, 9]);
    expect(found('alpha bravo')).toEqual([]);
  });

  it('filter by their outcome on a target', async () => {
    const { model, results } = await resolvedSample('doc_core.bpf.o', 'kernel.btf');
    expect(Object.fromEntries(stateCounts(results))).toEqual({ absent: 6, poisoned: 8, same: 1 });
    const read = coreRowReader(model);
    const found = (states: readonly CoreState[]) => [
      ...filterRecords(model, read, { ...NO_FILTER, states: new Set(states), results }),
    ];
    // libbpf does not look at the target for local_type_id, so the value stays the same.
    expect(found(['same'])).toEqual([11]);
    expect(found(['absent', 'same'])).toHaveLength(7);
    expect(found([])).toHaveLength(15);
  });

  it('count kinds by their number', async () => {
    const model = await sampleModel('doc_core.bpf.o');
    expect([...kindCounts(model)].slice(0, 2)).toEqual([
      [0, 3],
      [1, 1],
    ]);
  });

  it('read values as libbpf prints them', () => {
    expect(valueText(0xfffffffffffffffen)).toBe('18446744073709551614 (-2 with a sign)');
    expect(valueText(60n)).toBe('60');
  });
});

describe('pins on a record', () => {
  it('are those of itself, its instruction and its bytes, and the member that it accesses; its type has its own', async () => {
    const model = await sampleModel('exec_trace.bpf.o');
    const read = coreRowReader(model);
    const row = read(coreIndex(0));
    const { section, insnOff, root } = row.record;
    const insn: Selection = { kind: 'insn', section: sectionIndex(section), insnOff };
    const span = selectionSpan(model, insn);
    if (span === null) throw new Error('no bytes');
    const selections: Selection[] = [
      { kind: 'core', core: coreIndex(0), step: null },
      insn,
      { kind: 'bytes', start: span.start + 1, end: span.end },
      typeSelection(root),
      typeSelection(root, [3]),
      // Selections of other records.
      { kind: 'core', core: coreIndex(1), step: null },
      { ...insn, insnOff: insnOff + 8 },
      typeSelection(root, [2]),
      { kind: 'section', section: sectionIndex(section) },
    ];
    const pins = selections.map((selection, number) => {
      return { number, text: '', selection, span: null, isLit: false };
    });
    expect(recordPins(model, row, pins).map(({ number }) => number)).toEqual([0, 1, 2, 4]);
    expect(rootPins(row.record, pins).map(({ number }) => number)).toEqual([3]);
  });
});
