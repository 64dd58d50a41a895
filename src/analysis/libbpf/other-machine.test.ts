/** Loads programs that clang compiled for x86-64 on kernels of x86-64 and of arm64. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { remedies } from '#analysis/load/remedies.ts';
import { func, funcProto, int, struct } from '#testing/btf-types.ts';
import { hasClang } from '#testing/clang-types.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { kernelOf } from '#testing/kernels.ts';
import { openObject } from '#testing/open-model.ts';
import { judgeLoad } from './load.ts';
import { type LoadObject, loadObject } from './open.ts';

const SOURCE = `
#define SEC(name) __attribute__((section(name), used))
struct pt_regs { unsigned long di; } __attribute__((preserve_access_index));
SEC("kprobe/__x64_sys_read") int probe(struct pt_regs *ctx) { return ctx->di; }
SEC("fentry/__x64_sys_read") int entry(void *ctx) { return 0; }
`;

const kernel = (register: string, sign: string, name: string) =>
  kernelOf(
    [
      int('long', 8),
      struct('pt_regs', 16, [
        { name: register, type: 1, bitOffset: 0 },
        { name: sign, type: 1, bitOffset: 64 },
      ]),
      funcProto(1),
      func(name, 3),
    ],
    { release: '6.18.2' },
  );
const X86 = kernel('di', 'orig_ax', '__x64_sys_read');
const ARM64 = kernel('regs', 'pstate', '__arm64_sys_read');

describe.skipIf(!hasClang)('an object compiled for x86-64', () => {
  let object: LoadObject;
  beforeAll(async () => {
    const { model, source } = await openObject('a.o', compileBpf(SOURCE));
    object = await loadObject(model, source);
  });

  const reasonsOn = (given: LoadKernel) => {
    const verdict = judgeLoad(object, given);
    return [...verdict.reasons, ...verdict.programs.flatMap(({ reasons }) => reasons)];
  };

  it('loads on x86-64', () => {
    expect(reasonsOn(X86)).toEqual([]);
  });

  it('is told so on arm64, and a guard is no fix', () => {
    const [core, attach, missing] = reasonsOn(ARM64);
    expect(core).toMatchObject({
      outcome: 'rejected',
      step: 'core',
      text: 'Compiled for x86-64 (-D__TARGET_ARCH_x86): reads pt_regs.di; this kernel is arm64.',
    });
    if (core === undefined) throw new Error('no reason');
    expect(remedies(object, [X86, ARM64], core)).toEqual([]);
    const name =
      '__x64_sys_read is a name of x86-64; this kernel is arm64. Its name there is __arm64_sys_read.';
    expect(attach).toMatchObject({
      outcome: 'may-fail',
      step: 'attach',
      text: `Loads, but cannot be attached: ${name}`,
    });
    const line = "prog 'entry': failed to find kernel BTF type ID of '__x64_sys_read': -ESRCH";
    expect(missing).toMatchObject({
      outcome: 'fails',
      step: 'attach',
      text: `${line}. ${name}`,
      line,
    });
  });
});
