import { beforeAll, describe, expect, it } from 'vitest';
import type { MatrixGroup } from '#analysis/core/matrix/groups.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { type LoadTable, loadTable } from '#analysis/load/load-table.ts';
import { sampleModel, sampleObject } from '#testing/samples.ts';
import { isFoldLine, type LineChoice, type LoadLine, lineOfRow, loadLines } from './load-lines.ts';

const group = (key: string, ...rows: number[]): MatrixGroup => ({
  key,
  label: key,
  section: '',
  rows,
});

const GROUPS = [group('a', 0, 2), group('b', 1), group('c', 3, 4)];
const ALL: LineChoice = {
  by: 'type',
  withRecords: true,
  folded: new Map(),
  show: 'all',
  words: [],
  byState: false,
};

const folding = (by: string, ...keys: readonly string[]) =>
  new Map(keys.map((key) => [`${by} ${key}`, true]));

/** Returns a line as one word. For a record it returns the row number. */
function word(line: LoadLine): string | number {
  switch (line.kind) {
    case 'group':
      return line.group.key;
    case 'record':
      return line.row;
    case 'program':
      return line.row.program.name;
    case 'reason':
      return `${line.program === null ? 'object' : 'program'}: ${line.row.reason.step}`;
    case 'extern':
      return line.row.extern.name;
    case 'open':
      return line.row.undecided.what;
    case 'object':
      return 'object';
  }
}

describe('lines by type and field', () => {
  const lines = (passing: readonly number[], choice: Partial<LineChoice> = {}) =>
    loadLines(null, GROUPS, Uint8Array.from(passing), { ...ALL, ...choice });

  it('have each group with its records under it', () => {
    expect(lines([1, 1, 1, 1, 1]).map(word)).toEqual(['a', 0, 2, 'b', 1, 'c', 3, 4]);
  });

  it('leave out filtered rows, and empty groups', () => {
    const shown = lines([0, 0, 1, 1, 1]);
    expect(shown.map(word)).toEqual(['a', 2, 'c', 3, 4]);
    expect(shown[0]).toMatchObject({ group: { rows: [2] } });
  });

  it('have of a folded group its own line', () => {
    const folded = folding('type', 'records a', 'records c');
    expect(lines([1, 1, 1, 1, 1], { folded }).map(word)).toEqual(['a', 'b', 1, 'c']);
  });

  it('find a record by its line, or by that of its folded group', () => {
    const shown = lines([1, 1, 0, 1, 1], { folded: folding('type', 'records c') });
    expect([0, 1, 2, 4].map((row) => lineOfRow(shown, row))).toEqual([1, 3, null, 4]);
  });
});

describe('lines by program', () => {
  let trace: LoadTable;
  let externs: LoadTable;
  /** Groups of records: one of the program `on_exec`, one of a function that is not a program. */
  let groups: readonly MatrixGroup[];

  async function tableOf(name: string): Promise<LoadTable> {
    const { model, source } = await sampleObject(name);
    const object = await loadObject(model, source);
    const known = { modules: [], config: null, kallsyms: null, release: null, unameVersion: null };
    const { types } = await sampleModel('kernel.btf');
    return loadTable(object, [
      judgeLoad(object, { name: 'kernel', vmlinux: types, ...known }),
      judgeLoad(object, { name: 'none', vmlinux: null, ...known }),
    ]);
  }

  beforeAll(async () => {
    trace = await tableOf('exec_trace.bpf.o');
    externs = await tableOf('externs.bpf.o');
    groups = [group('0 tp_btf/sched_process_exec', 0, 1), group('64 .text', 2)];
  });
  const lines = (table: LoadTable, choice: Partial<LineChoice> = {}, passing = [1, 1, 1]) =>
    loadLines(table, groups, Uint8Array.from(passing), { ...ALL, by: 'program', ...choice }).map(
      word,
    );
  const first = (table: LoadTable) => table.programs[0]?.program.name ?? '';

  it('unfold what does not load, fold what does, and keep records folded', () => {
    const shown = lines(trace);
    expect(shown.slice(0, 2)).toEqual(['object', 'object: prepare']);
    const at = shown.indexOf('on_exec');
    expect(shown[at + 1]).toBe('program: attach');
    expect(shown).toContain('0 tp_btf/sched_process_exec');
    expect(shown).toContain('64 .text');
    expect(shown.filter((one) => typeof one === 'number')).toEqual([]);
  });

  it('fold nothing where there is nothing inside', () => {
    const fold = (table: LoadTable) =>
      loadLines(table, [], Uint8Array.from([]), { ...ALL, by: 'program' }).map(isFoldLine);
    const rows = trace.programs.map((row) => ({ ...row, reasons: [] }));
    const bare = { ...trace, programs: rows.slice(0, 1), externs: [], open: [] };
    expect(fold({ ...bare, object: { ...trace.object, reasons: [] } })).toEqual([false, false]);
    expect(fold(bare)).toEqual([true, false, false]);
  });

  it('show the records that a filter leaves', () => {
    const shown = lines(trace, { byState: true }, [0, 1, 1]);
    expect(shown.filter((one) => typeof one === 'number')).toEqual([1, 2]);
    expect(shown).not.toContain('object');
  });

  it('find programs, reasons and externs by their words', () => {
    expect(lines(trace, { words: ['on_exec'] }, [0, 0, 0])).toContain('on_exec');
    expect(lines(trace, { words: ['btf', 'type', 'id'] }, [0, 0, 0])).toEqual([
      'on_exec',
      'program: attach',
    ]);
    const shown = lines(externs, { words: ['config_hz'] });
    expect(shown.slice(0, 2)).toEqual(['object', expect.stringMatching(/CONFIG_HZ|object/)]);
    expect(shown).toContain('CONFIG_HZ');
    expect(shown).not.toContain('CONFIG_CGROUPS');
    expect(lines(trace, { words: ['no such thing'] }, [0, 0, 0])).toEqual([]);
  });

  it('show only what does not load, or differs', () => {
    expect(lines(trace, { show: 'changed' }, [0, 0, 0])).toContain(first(trace));
    const alike = {
      ...trace,
      programs: trace.programs.map((row) => ({
        ...row,
        outcomes: ['loads' as const, 'loads' as const],
        reasons: [],
      })),
    };
    expect(lines(alike, { show: 'changed' }, [0, 0, 0])).not.toContain(first(trace));
    expect(lines(alike, { show: 'unlike' }, [0, 0, 0])).not.toContain(first(trace));
  });
});
