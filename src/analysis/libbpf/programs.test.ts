import { beforeAll, describe, expect, it } from 'vitest';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { sampleModel } from '#testing/samples.ts';
import { programType } from './program-types.ts';
import { type ProgramRow, ProgramRows } from './programs.ts';

let model: ObjectModel;
beforeAll(async () => {
  model = await sampleModel('exec_trace.bpf.o');
});

function programRows(of: ObjectModel): ProgramRow[] {
  const rows = new ProgramRows(of);
  return Array.from({ length: rows.length }, (_, row) => rows.at(row)).filter(
    (row) => row !== undefined,
  );
}

describe('programRows', () => {
  it('has programs first, with what libbpf makes of their sections', () => {
    const rows = programRows(model);
    expect(rows.map(({ func }) => func.isProgram)).toEqual([true, true, true, false, false]);
    expect(rows[1]).toMatchObject({
      sectionName: 'kprobe/do_exit',
      kind: 'kprobe',
      attachTo: 'do_exit',
    });
  });

  it('gives each instruction and each CO-RE record to one function', () => {
    const rows = programRows(model);
    const code = rows.reduce((sum, { insnCount }) => sum + insnCount, 0);
    const bytes = [...model.sections.flags.keys()]
      .filter((i) => ((model.sections.flags[i] ?? 0n) & 4n) !== 0n)
      .reduce((sum, i) => sum + (model.sections.byteLength[i] ?? 0), 0);
    expect(code * 8).toBe(bytes);
    const core = rows.reduce((sum, { coreCount }) => sum + coreCount, 0);
    expect(core).toBe(model.ext.core.count);
  });

  it('lights the function that the selection is in', () => {
    const rows = programRows(model);
    const [, second] = rows;
    if (second === undefined) throw new Error('no second program');
    const { section, start, end } = second.func;
    const all = new ProgramRows(model);
    const at = (insnOff: number) => all.rowOf({ kind: 'insn', section, insnOff });
    expect([at(start), at(end - 8), at(end)]).toEqual([1, 1, null]);
    expect(all.rowOf(NO_SELECTION)).toBeNull();
  });
});

it('counts programs, and has no row behind the last', () => {
  const rows = new ProgramRows(model);
  expect([rows.length, rows.programCount]).toEqual([5, 3]);
  expect([rows.at(-1), rows.at(5)]).toEqual([undefined, undefined]);
});

it('lists no program of raw BTF', async () => {
  expect(programRows(await sampleModel('kinds.btf'))).toEqual([]);
});

describe('programType', () => {
  it.each([
    ['xdp', 'xdp', ''],
    ['?xdp', 'xdp', ''],
    ['kprobe/do_unlinkat', 'kprobe', 'do_unlinkat'],
    ['kprobe', 'kprobe', ''],
    ['kprobe.multi/tcp_*', 'kprobe.multi', 'tcp_*'],
    ['tp/syscalls/sys_enter_openat', 'tp', 'syscalls/sys_enter_openat'],
    ['tp_btf.s/sys_enter', 'tp_btf.s', 'sys_enter'],
    ['raw_tp.s/sys_enter', 'raw_tp.s', 'sys_enter'],
    ['cgroup/connect4', 'cgroup/connect4', ''],
    ['xdp.frags/devmap', 'xdp.frags/devmap', ''],
    // libbpf 1.x rejects section names with an unknown prefix or suffix.
    ['xdp/mine', '', ''],
    ['kprobes/x', '', ''],
    ['.text', '', ''],
    ['', '', ''],
  ])('%j', (name, kind, attachTo) => {
    expect(programType(name)).toEqual({ kind, attachTo });
  });
});
