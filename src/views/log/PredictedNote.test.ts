import { expect, it } from 'vitest';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { logLines } from '#analysis/log/parse-log.ts';
import { sampleModel, sampleObject } from '#testing/samples.ts';
import { predictedIn } from './PredictedNote.tsx';

const LOG = `libbpf: loading object from exec_trace.bpf.o
12:00:01 libbpf: prog 'on_exec': failed to find kernel BTF type ID of 'sched_process_exec': -ESRCH
libbpf: prog 'on_exec': failed to find kernel BTF type ID of 'sched_process_exit': -ESRCH
libbpf: prog 'on_exec': failed to prepare load attributes: -ESRCH
`;

it('finds the lines that libbpf logs on a kernel', async () => {
  const { model, source } = await sampleObject('exec_trace.bpf.o');
  const object = await loadObject(model, source);
  const on = async (name: string, modules: [] | null) =>
    judgeLoad(object, {
      name,
      vmlinux: (await sampleModel(name)).types,
      modules,
      config: null,
      kallsyms: null,
      release: null,
      unameVersion: null,
    });
  const lines = [...logLines(LOG)];
  const verdict = await on('kernel.btf', []);
  expect(predictedIn(lines, verdict)).toEqual([1, 3]);
  const poisoned = (await on('kinds.btf', null)).core.find(({ status }) => status === 'poisoned');
  const { relocIndexInSection, func } = poisoned?.record ?? {};
  const insn = func?.insnIndex;
  const line = `libbpf: prog '${func?.name}': relo #${relocIndexInSection}: substituting insn #${insn} w/ invalid insn`;
  expect(predictedIn([...logLines(line)], await on('kinds.btf', null))).toEqual([0]);
  expect(predictedIn([...logLines('libbpf: nothing of it\n')], verdict)).toEqual([]);
});
