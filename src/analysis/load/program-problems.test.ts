import { expect, it } from 'vitest';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { sampleModel, sampleObject } from '#testing/samples.ts';
import { programLoads, programProblems } from './program-problems.ts';

it('lists the programs that some kernel refuses, then those that are undecided', async () => {
  const { model, source } = await sampleObject('bitfields.bpf.o');
  const object = await loadObject(model, source);
  const { types: vmlinux } = await sampleModel('kernel.btf');
  const facts = { config: null, kallsyms: null, release: null, unameVersion: null };
  const on = (name: string, modules: readonly [] | null) => ({
    name,
    verdict: judgeLoad(object, { ...facts, name, vmlinux, modules }),
  });
  const problems = programProblems([on('a', null), on('b', []), { name: 'c', verdict: null }]);
  expect(problems.map(({ program, refused, depends }) => [program, refused, depends])).toEqual([
    ['read_direct', ['a', 'b'], []],
    ['read_copied', ['a', 'b'], []],
    ['ask_layout', ['a', 'b'], []],
  ]);
  const loads = programLoads([on('a', null), on('b', []), { name: 'c', verdict: null }]);
  expect(loads.get('read_direct')).toEqual({ outcome: 'fails', loads: 0 });
  const trace = await sampleObject('exec_trace.bpf.o');
  const traced = judgeLoad(await loadObject(trace.model, trace.source), {
    ...facts,
    name: 'a',
    vmlinux,
    modules: null,
  });
  expect(programProblems([{ name: 'a', verdict: traced }])).toEqual([
    { program: 'on_exec', outcome: 'may-fail', refused: [], depends: ['a'] },
  ]);
});
