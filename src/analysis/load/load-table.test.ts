import { describe, expect, it } from 'vitest';
import { lineAt } from '#analysis/code/source-lines.ts';
import { kernelTextKind, type LoadKernel } from '#analysis/kernel/kernel.ts';
import { judgeLoad, type LoadVerdict } from '#analysis/libbpf/load.ts';
import { type LoadObject, loadObject } from '#analysis/libbpf/open.ts';
import type { Reason } from '#analysis/libbpf/outcome.ts';
import { sampleModel, sampleObject } from '#testing/samples.ts';
import { answerOf, groupAnswers, verdictKey } from './equal-answers.ts';
import {
  externPlace,
  loadTable,
  needsOf,
  ownLine,
  predictedLines,
  reasonPlace,
  refuser,
} from './load-table.ts';

async function judged(name: string, ...kernels: readonly Partial<LoadKernel>[]) {
  const { model, source } = await sampleObject(name);
  const object = await loadObject(model, source);
  const { types } = await sampleModel('kernel.btf');
  const verdicts = kernels.map((given) =>
    judgeLoad(object, {
      name: 'kernel',
      vmlinux: types,
      modules: null,
      config: null,
      kallsyms: null,
      release: null,
      unameVersion: null,
      ...given,
    }),
  );
  return { model, object, verdicts, table: loadTable(object, verdicts) };
}

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`there is no item ${index}`);
  return found;
};

describe('loadTable', () => {
  it('has each reason once, with its outcome on each kernel', async () => {
    const { table } = await judged('exec_trace.bpf.o', { modules: [] }, {}, { vmlinux: null });
    const program = at(table.programs, 0);
    expect(program.outcomes).toEqual(['fails', 'may-fail', 'fails']);
    const attach = program.reasons.filter(({ reason }) => reason.step === 'attach');
    expect(attach.map(({ outcomes }) => outcomes)).toEqual([['fails', 'may-fail', null]]);
    expect(table.object.outcomes).toEqual(['fails', 'may-fail', 'fails']);
    expect(table.object.reasons).toMatchObject([
      { reason: { step: 'prepare' }, outcomes: [null, null, 'fails'] },
    ]);
  });

  it('lists reasons for the whole object once, not per program', async () => {
    const { table, verdicts } = await judged('externs.bpf.o', {}, { config: 'none' });
    expect(at(verdicts, 0).reasons.length).toBeGreaterThan(0);
    const [first, ...further] = table.object.reasons.map(({ outcomes }) => outcomes);
    expect(first).toEqual(['may-fail', 'may-fail']);
    expect(further).toContainEqual([null, 'fails']);
    for (const { reasons } of table.programs) {
      expect(reasons.filter(({ reason }) => reason.step === 'externs')).toEqual([]);
    }
  });

  it('has the value of each extern, and leaves gaps where there is no verdict', async () => {
    const { object, verdicts } = await judged('externs.bpf.o', {
      config: { text: 'CONFIG_HZ=250' },
    });
    const table = loadTable(object, [null, ...verdicts]);
    const hz = table.externs.find(({ extern }) => extern.name === 'CONFIG_HZ');
    expect(hz?.results.map((result) => result?.value)).toEqual([undefined, '250']);
    expect(at(table.programs, 0).outcomes[0]).toBeNull();
    expect(loadTable(object, []).programs.map(({ program }) => program.name)).toEqual(
      object.programs.map(({ name }) => name),
    );
  });
});

it('names the missing files', async () => {
  const needs = async (name: string, kernel: Partial<LoadKernel>) =>
    [...needsOf(at((await judged(name, kernel)).verdicts, 0))].map(([need]) => need);
  expect(await needs('externs.bpf.o', { modules: [] })).toEqual(['config', 'kallsyms', 'release']);
  expect(await needs('exec_trace.bpf.o', {})).toEqual(['modules']);
  expect(await needs('exec_trace.bpf.o', { modules: [] })).toEqual([]);
});

it('leads from a reason to its instruction and its record', async () => {
  const { model, object, verdicts } = await judged('exec_trace.bpf.o', {
    vmlinux: (await sampleModel('kinds.btf')).types,
    modules: [],
  });
  const found = placesOf(object, at(verdicts, 0));
  const trap = found.find(({ step }) => step === 'core');
  expect(trap).toBeDefined();
  expect(trap?.record).not.toBeNull();
  expect(model.ext.core.insnOff[trap?.record ?? -1]).toBe(trap?.place?.insnOff);
  expect(model.ext.core.section[trap?.record ?? -1]).toBe(trap?.place?.section);
  const attach = found.find(({ step }) => step === 'attach');
  expect(attach).toMatchObject({ place: { insnOff: 0 }, record: null });
});

function placesOf(object: LoadObject, verdict: LoadVerdict) {
  return verdict.programs.flatMap(({ reasons }, index) =>
    reasons.map((reason) => {
      const program = at(object.programs, index);
      return {
        step: reason.step,
        place: reasonPlace(program, reason),
        record: reason.about?.of === 'record' ? reason.about.record : null,
      };
    }),
  );
}

it('leads from an extern to the first instruction that refers to it', async () => {
  const { model } = await sampleObject('task_state.bpf.o');
  const place = externPlace(model, 'bpf_map_sum_elem_count');
  expect(place === null ? null : lineAt(model, place.section, place.insnOff)?.text).toContain(
    'bpf_map_sum_elem_count((struct bpf_map *)&switches)',
  );
  expect(externPlace(model, 'no_such_extern')).toBeNull();
});

it('tells who refuses, and who logs the line', () => {
  const place = { insn: null, source: null } as const;
  const by = (reason: Reason) => [refuser(reason), ownLine(reason)];
  const poisoned = { ...place, outcome: 'rejected', step: 'core', text: 'a', line: 'b' } as const;
  expect(by(poisoned)).toEqual(['kernel', { by: 'libbpf', line: 'b' }]);
  expect(by({ ...poisoned, step: 'instruction' })).toEqual(['kernel', { by: 'kernel', line: 'b' }]);
  expect(by({ ...poisoned, outcome: 'fails', line: 'a' })).toEqual(['libbpf', null]);
  const undecided = { ...poisoned, outcome: 'may-fail', dependsOn: 'branch' } as const;
  expect(by({ ...undecided, insn: 4 })).toEqual(['kernel', { by: 'libbpf', line: 'b' }]);
  expect(refuser({ ...undecided, step: 'attach' })).toBe('kernel');
  const target = { of: 'target', program: 'p' } as const;
  expect(refuser({ ...undecided, step: 'attach', about: target })).toBe('libbpf');
});

it('groups kernels with equal answers, in the order of their first kernels', async () => {
  const { verdicts } = await judged('exec_trace.bpf.o', {}, { modules: [] }, {});
  const rows = verdicts.map((verdict, kernel) => [kernel, answerOf(verdict, 0)] as const);
  expect(groupAnswers(rows).map(({ kernels }) => kernels)).toEqual([[0, 2], [1]]);
  const [first, second, third] = verdicts.map(verdictKey);
  expect([first === second, first === third]).toEqual([false, true]);
});

it('predicts the lines of all programs that fail', async () => {
  const { verdicts } = await judged('exec_trace.bpf.o', { modules: [] });
  const lines = predictedLines(at(verdicts, 0));
  expect(lines).toContain(
    "prog 'on_exec': failed to find kernel BTF type ID of 'sched_process_exec': -ESRCH",
  );
  expect(lines).toContain("failed to load object 'exec_trace.bpf.o'");
});

it.each([
  ['#\n# Automatically generated\n#\nCONFIG_HZ=250\n', 'config'],
  ['# CONFIG_MODULES is not set\n', 'config'],
  ['0000000000000000 A fixed_percpu_data\n', 'kallsyms'],
  ['ffffffff81000000 T schedule\t[nf_conntrack]\n', 'kallsyms'],
  ['the CONFIG_HZ of this kernel\n', null],
  ['', null],
] as const)('knows %j as %s', (text, kind) => {
  expect(kernelTextKind(text)).toBe(kind);
});
