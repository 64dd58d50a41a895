import { describe, expect, it } from 'vitest';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { loadState } from '#store/kernels/core-view.ts';
import { sampleModel, sampleObject } from '#testing/samples.ts';
import { doneFraction, foldColumns, type TargetColumn } from './use-load.ts';

describe('doneFraction', () => {
  it('counts waiting columns as zero and ended ones as complete', () => {
    const failed = {
      step: 'failed',
      issue: { severity: 'error', code: 'x', message: '', span: null, region: '' },
    } as const;
    const ready = { step: 'ready', value: [] } as const;
    expect(doneFraction([null, ready, failed, null])).toBe(0.5);
    expect(doneFraction([{ step: 'running', done: 50, total: 200 }])).toBe(0.25);
    expect(doneFraction([{ step: 'running', done: 0, total: 0 }, ready])).toBe(0.5);
    expect(doneFraction([])).toBe(1);
  });
});

describe('foldColumns', () => {
  it('lets neighbours with equal verdicts share a column, unless they are unfolded', async () => {
    const { model, source } = await sampleObject('exec_trace.bpf.o');
    const object = await loadObject(model, source);
    const { types: vmlinux } = await sampleModel('kernel.btf');
    const column = (id: number, modules: readonly [] | null | undefined): TargetColumn => {
      const facts = { config: null, kallsyms: null, release: null, unameVersion: null };
      const name = `kernel-${id}`;
      const verdict =
        modules === undefined ? null : judgeLoad(object, { ...facts, name, vmlinux, modules });
      const value = verdict === null ? null : { verdict, from: null, notes: [] };
      const load = value === null ? null : ({ step: 'ready', value } as const);
      return { id, name, shortName: name, outcome: null, load };
    };
    const columns = [
      ...[column(1, null), column(2, null), column(3, []), column(4, null)],
      ...[column(5, undefined), column(6, undefined)],
    ];
    const settings = loadState.of(null);
    const folded = (change: Partial<typeof settings> = {}) =>
      foldColumns(columns, { ...settings, ...change }).map(({ first, columns: own }) => {
        return [first, own.map(({ id }) => id)];
      });
    expect(folded()).toEqual([
      [0, [1, 2]],
      ...[
        [2, [3]],
        [3, [4]],
        [4, [5]],
        [5, [6]],
      ],
    ]);
    const each = columns.map(({ id }, at) => [at, [id]]);
    expect(folded({ unfolded: new Set([1]) })).toEqual(each);
    expect(folded({ foldsKernels: false })).toEqual(each);
    expect(folded({ withRecords: true })).toEqual(each);
  });
});
