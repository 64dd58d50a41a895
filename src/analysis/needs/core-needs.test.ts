import { describe, expect, it } from 'vitest';
import { NO_EXT } from '#model/ext.ts';
import { sampleModel } from '#testing/samples.ts';
import { coreNeeds } from './core-needs.ts';

describe('what an object needs', () => {
  it('is its relocations by root type and path, with kinds, places and counts', async () => {
    const model = await sampleModel('exec_trace.bpf.o');
    const { types, count } = coreNeeds(model);
    expect(count).toBe(types.reduce((sum, type) => sum + type.count, 0));
    const lines = types.flatMap(({ name, paths }) =>
      paths.map(({ text, kinds, programs }) => {
        const words = kinds.map((one) => `${one.kind}×${one.count}`).join(' ');
        return `${name} ${text || '-'}: ${words} in ${programs.join(' ')}`;
      }),
    );
    expect(lines).toMatchInlineSnapshot(`
      [
        "task_struct tgid: 0×2 in on_exec",
        "task_struct cred: 0×2 in on_exec",
        "task_struct real_parent: 0×1 in on_exec",
        "task_struct in_execve: 0×1 1×1 3×1 4×2 5×2 in on_exec",
        "task_struct mm: 0×1 in on_exec",
        "task_struct comm[0]: 0×1 in on_exec",
        "task_struct signal: 0×1 in session_of",
        "task_struct __state: 0×1 in state_of",
        "task_struct comm: 0×1 1×1 in on_exit ask_kernel",
        "task_struct -: 7×1 9×1 in ask_kernel",
        "cred uid.val: 0×2 in on_exec",
        "mm_struct total_vm: 0×1 in on_exec",
        "linux_binprm filename: 0×1 in on_exec",
        "signal_struct pids[3]: 0×1 in session_of",
        "pid numbers[0].nr: 0×1 in session_of",
        "task_struct___old state: 0×1 2×1 in state_of",
        "task_struct___old -: 8×1 in ask_kernel",
        "pt_regs di: 0×1 in on_exit",
        "pid_type PIDTYPE_TGID: 10×1 in ask_kernel",
        "pid_type PIDTYPE_SID: 11×1 in ask_kernel",
        "cred___wrong -: 12×1 in ask_kernel",
      ]
    `);
  });

  it('covers each record of a kernel kind once', async () => {
    for (const name of ['doc_core.bpf.o', 'bitfields.be.bpf.o', 'layout.bpf.o']) {
      const model = await sampleModel(name);
      const { types, count } = coreNeeds(model);
      const records = types.flatMap(({ paths }) => paths.flatMap((path) => path.records));
      expect(new Set(records).size, name).toBe(count);
      const kernel = Array.from(model.ext.core.kind).filter((kind) => kind !== 6);
      expect(records, name).toHaveLength(kernel.length);
    }
  });

  it('is the same in either byte order', async () => {
    const [little, big] = await Promise.all(
      ['exec_trace.bpf.o', 'exec_trace.be.bpf.o'].map((name) => sampleModel(name)),
    );
    if (little === undefined || big === undefined) throw new Error('two samples were asked for');
    const shape = (model: typeof little) =>
      coreNeeds(model).types.map(({ name, paths }) => [name, paths.map((path) => path.text)]);
    expect(shape(big)).toEqual(shape(little));
  });

  it('reports an access string that cannot be followed', async () => {
    const model = await sampleModel('doc_core.bpf.o');
    const { core } = model.ext;
    const typeId = core.typeId.map(() => 99_999);
    const broken = { ...model, ext: { ...model.ext, core: { ...core, typeId } } };
    const [type] = coreNeeds(broken).types;
    expect(type).toMatchObject({ root: 99_999, kind: 0 });
    expect(type?.paths[0]?.path.error?.reason).toBe('root');
  });

  it('is empty for an object without types or relocations', async () => {
    const model = await sampleModel('doc_core.bpf.o');
    expect(coreNeeds({ ...model, types: null })).toEqual({ types: [], count: 0 });
    expect(coreNeeds({ ...model, ext: NO_EXT })).toEqual({ types: [], count: 0 });
  });
});
