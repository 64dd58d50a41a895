/** Tests remedies for the programs of `testdata/reach` on its two kernels, compiled by clang. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { type LoadObject, loadObject } from '#analysis/libbpf/open.ts';
import { typesOf } from '#testing/access-types.ts';
import { func, funcProto, int, ptr, struct, type TypeRecord } from '#testing/btf-types.ts';
import { hasClang } from '#testing/clang-types.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { kernelOf } from '#testing/kernels.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { nearFunctions } from './near-functions.ts';
import { type Remedy, remedies } from './remedies.ts';

function bytesOf(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../../testdata/reach/${name}`, import.meta.url)));
}

async function openNamed(name: string, bytes: Uint8Array): Promise<LoadObject> {
  const { model, source } = await openObject(name, bytes);
  return await loadObject(model, source);
}

let kernels: readonly LoadKernel[];
beforeAll(async () => {
  const open = async (name: string, release: string) => ({
    name,
    vmlinux: (await openModel(name, bytesOf(`${name}.btf`))).types,
    modules: [],
    config: { text: '' },
    kallsyms: null,
    release,
    unameVersion: null,
  });
  kernels = [await open('old', '5.4.0'), await open('new', '6.5.0')];
});

/** Returns the first remedy for a program that one of the two kernels rejects. */
async function remedyOf(source: string, program: string): Promise<Remedy | undefined> {
  const object = await openNamed(source, bytesOf(`${source}-O2-v3.o.zst`));
  const reasons = kernels.flatMap((kernel) =>
    judgeLoad(object, kernel)
      .programs.filter((one) => one.program.name === program)
      .flatMap((one) => one.reasons),
  );
  const [reason] = reasons;
  if (reason === undefined) throw new Error(`${program} has no reason`);
  return remedies(object, kernels, reason)[0];
}

const MACROS = `
#define SEC(name) __attribute__((section(name), used))
#define __ksym __attribute__((section(".ksyms")))
#define __weak __attribute__((weak))
#define bpf_core_field_exists(type, field) __builtin_preserve_field_info(((type *)0)->field, 2)
#define bpf_core_type_exists(type) __builtin_preserve_type_info(*(type *)0, 0)
#define bpf_core_enum_value_exists(type, value) __builtin_preserve_enum_value(*(type *)value, 0)
#define bpf_ksym_exists(name) ({ void *at = (void *)name; asm("" : "+r"(at)); at; })
#define __core __attribute__((preserve_access_index))
struct task_struct { int pid; int fresh; } __core;
struct fresh_type { int value; } __core;
enum state { STATE_ON = 1, STATE_FRESH = 2 };
int sink, value;

#define BPF_CORE_READ(from, path) ((from)->path)
`;

/** Compiles a program with the code of a remedy; `use` replaces the comment in its guard. */
function compiled({ code }: Remedy, use: string): Uint8Array {
  const lines = code.split('\n');
  const end = lines.findIndex((line) => line.startsWith('}'));
  const isOutside = (line: string, at: number) =>
    line.startsWith('extern ') || (lines[0]?.startsWith('struct ') && at <= end);
  const outside = lines.filter(isOutside);
  const inside = lines.filter((line, at) => !isOutside(line, at));
  const body = inside.join('\n').replace(/\/\*.*\*\//, use);
  const program = `SEC("raw_tp/sys_enter") int guarded(const struct task_struct *p)\n{\n${body}\nreturn 0;\n}\n`;
  return compileBpf(`${MACROS}${outside.join('\n')}\n${program}`);
}

const CASES: readonly (readonly [string, string, string, string])[] = [
  [
    'fields',
    'no_guard__rejected__ok',
    'bpf_core_field_exists(struct task_struct, fresh)',
    'sink = p->fresh;',
  ],
  [
    'others',
    'type_unguarded__rejected__ok',
    'bpf_core_field_exists(struct fresh_type, value)',
    'sink = ((struct fresh_type *)p)->value;',
  ],
  [
    'others',
    'value_unguarded__rejected__ok',
    'bpf_core_enum_value_exists(enum state, STATE_FRESH)',
    'sink = __builtin_preserve_enum_value(*(enum state *)STATE_FRESH, 1);',
  ],
  [
    'others',
    'kfunc_unguarded__rejected__ok',
    'extern int fresh_kfunc(int) __ksym __weak;',
    'sink = fresh_kfunc(1);',
  ],
];

describe.each(CASES)('%s: the remedy for %s', (source, program, text, use) => {
  it('has the check, and works on both kernels', async () => {
    const found = await remedyOf(source, program);
    expect(found?.code).toContain(text);
    expect([found?.works, found?.kernels]).toEqual([2, 2]);
  });

  it.skipIf(!hasClang)('compiles, and loads on both kernels', async () => {
    const found = await remedyOf(source, program);
    if (found === undefined) throw new Error('no remedy');
    const object = await openNamed('a.o', compiled(found, use));
    expect(kernels.map((kernel) => judgeLoad(object, kernel).outcome)).toEqual(['loads', 'loads']);
    const poisoned = kernels.map((kernel) =>
      judgeLoad(object, kernel).programs.some(({ special }) =>
        special.some(([, word]) => word === 'poison'),
      ),
    );
    expect(poisoned).toEqual([true, false]);
  });
});

/** Returns a kernel whose types are `task`, which define `task_struct`. */
async function kernelWith(name: string, ...task: readonly TypeRecord[]): Promise<LoadKernel> {
  const vmlinux = await typesOf(int('int', 4), ...task);
  return { ...(kernels[0] ?? never()), name, vmlinux };
}
const never = () => {
  throw new Error('there are two kernels');
};
const member = (name: string, type: number) => ({ name, type, bitOffset: 0 });
const pid = { name: 'pid', type: 1, bitOffset: 32 };

describe('a flavour', () => {
  const CODE = [
    'struct task_struct___other {',
    '    int __fresh;',
    '} __attribute__((preserve_access_index));',
  ];
  const flavoursOn = async (given: readonly LoadKernel[]) => {
    const object = await openNamed('fields', bytesOf('fields-O2-v3.o.zst'));
    const reason = given
      .flatMap((kernel) => judgeLoad(object, kernel).programs)
      .filter(({ program }) => program.name === 'no_guard__rejected__ok')
      .flatMap(({ reasons }) => reasons)
      .at(0);
    if (reason === undefined) throw new Error('there is no reason');
    return remedies(object, given, reason).filter(({ title }) => title.includes('flavour'));
  };
  const renamed = () =>
    kernelWith('renamed', struct('task_struct', 8, [member('__fresh', 1), pid]));
  const inStruct = () =>
    kernelWith(
      'in a struct',
      struct('shell', 4, [member('fresh', 1)]),
      struct('task_struct', 8, [member('inside', 2), pid]),
    );

  it('reads a member under its other name, on the kernels where it resolves', async () => {
    const both = [await renamed(), ...kernels.slice(1)];
    const [found] = await flavoursOn(both);
    expect(found?.code.split('\n').slice(0, 3)).toEqual(CODE);
    expect([found?.works, found?.kernels]).toEqual([2, 2]);
    // One more kernel has `__fresh` with a type incompatible with int; another has no such member.
    const struct32 = await kernelWith(
      'of another kind',
      struct('shell', 4, [member('x', 1)]),
      struct('task_struct', 8, [member('__fresh', 2), pid]),
    );
    const [some] = await flavoursOn([...both, struct32, ...kernels.slice(0, 1)]);
    expect([some?.works, some?.kernels]).toEqual([2, 4]);
    expect(await flavoursOn(kernels)).toEqual([]);
  });

  it('reads a member that is in a nested struct', async () => {
    const [found] = await flavoursOn([await inStruct(), ...kernels.slice(1)]);
    expect(found?.title).toBe('read inside.fresh on other kernels, by a flavour');
    expect([found?.works, found?.kernels]).toEqual([2, 2]);
  });

  it.skipIf(!hasClang)('compiles, and loads on all listed kernels', async () => {
    for (const other of [await renamed(), await inStruct()]) {
      const given = [other, ...kernels.slice(1)];
      const [found] = await flavoursOn(given);
      if (found === undefined) throw new Error('no flavour');
      const object = await openNamed('a.o', compiled(found, ''));
      expect(object.core?.records.length).toBe(3);
      expect(given.map((kernel) => judgeLoad(object, kernel).outcome)).toEqual(['loads', 'loads']);
      expect(judgeLoad(object, kernels[0] ?? never()).outcome).toBe('rejected');
    }
  });
});

describe('near functions', () => {
  const names = (name: string) => nearFunctions(name, kernels).near.map((one) => one.name);

  it('have the longest word of the function', () => {
    expect(names('stale_kfunc')).toEqual([]);
    expect(names('fresh_kfunc_old')).toEqual(['fresh_kfunc']);
    expect(names('nothing')).toEqual([]);
  });

  /** A kernel with functions of one argument each: `int`, or `int *`. */
  const kernel = (...functions: readonly (readonly [name: string, type: 1 | 2 | 0])[]) =>
    kernelOf([
      int('int', 4),
      ptr(1),
      ...functions.flatMap(([name, type], at) => [
        funcProto(1, [[type === 0 ? '' : 'a', type]]),
        func(name, 3 + 2 * at),
      ]),
    ]);
  const old = kernel(['blk_account_start', 1]);

  it('take its place if only underscores differ and the prototype is the same', () => {
    const { wanted, near } = nearFunctions('blk_account_start', [
      old,
      kernel(['__blk_account_start', 1], ['blk_account_start_merge', 1]),
    ]);
    expect(wanted).toBe('int blk_account_start(int)');
    expect(near).toEqual([
      { name: '__blk_account_start', prototype: 'int __blk_account_start(int)', isSame: true },
      {
        name: 'blk_account_start_merge',
        prototype: 'int blk_account_start_merge(int)',
        isSame: false,
      },
    ]);
    const [other] = nearFunctions('blk_account_start', [
      old,
      kernel(['__blk_account_start', 2]),
    ]).near;
    expect(other).toMatchObject({ prototype: 'int __blk_account_start(int *)', isSame: false });
  });

  it('are no system calls, whose argument is pt_regs', () => {
    const { near } = nearFunctions('do_execve', [
      kernel(['__x64_sys_execve', 2], ['__x64_sys_read', 2]),
    ]);
    expect(near).toEqual([]);
  });

  it('can be traced themselves', () => {
    expect(
      nearFunctions('blk_account_start', [old, kernel(['__blk_account_start', 0])]).near,
    ).toEqual([]);
  });

  it.skipIf(!hasClang)('are a fix, or a near name with both prototypes', async () => {
    const source = `${MACROS}
      SEC("fentry/blk_account_start") int p(void *ctx) { return 0; }`;
    const object = await openNamed('a.o', compileBpf(source));
    const remediesOn = (name: string, known: Partial<LoadKernel> = {}) => {
      const given = [old, { ...kernel([name, 1]), ...known }];
      const [, verdict] = given.map((one) => judgeLoad(object, one));
      const reason = verdict?.programs[0]?.reasons[0];
      if (reason === undefined) throw new Error('no reason');
      return remedies(object, given, reason);
    };
    const [fix, optional] = remediesOn('__blk_account_start');
    expect(fix).toMatchObject({ kind: 'fix', works: 2, kernels: 2 });
    expect(fix?.title).toBe('attach p to blk_account_start or to __blk_account_start');
    expect(optional?.title).toBe('load p only where its target exists');
    expect(optional).not.toHaveProperty('inModules');
    // The modules of the second kernel are not open: one may have the target.
    const ofModules = remediesOn('__blk_account_start', { modules: null });
    expect(ofModules[1]).toMatchObject({ works: 2, kernels: 2, inModules: 1 });
    const [first, near] = remediesOn('blk_account_start_merge');
    expect(first?.title).toBe('load p only where its target exists');
    expect(near).toEqual({
      kind: 'near',
      title: 'blk_account_start_merge',
      code: `/* the program's target */
int blk_account_start(int);
/* near name */
int blk_account_start_merge(int);`,
      diff: null,
      works: 1,
      kernels: 2,
    });
  });
});
