/** Compares the function table of an example with the structs of invented kernels. */
import { beforeAll, describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  funcProto,
  int,
  type Member,
  ptr,
  struct,
  type TypeRecord,
} from '#testing/btf-types.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { judgeLoad } from './load.ts';
import { type LoadObject, loadObject } from './open.ts';

const [INT, CHAR, PROTO, POINTER, NAME, OPS] = [1, 2, 3, 4, 5, 6];
const at = (name: string, byteOffset: number, type: number): Member => ({
  name,
  type,
  bitOffset: 8 * byteOffset,
});
/** Members of the struct in the object: init, ssthresh, flags, name. */
const SAME = [
  at('init', 0, POINTER),
  at('ssthresh', 8, POINTER),
  at('flags', 16, INT),
  at('name', 20, NAME),
];
const without = (name: string) => SAME.filter((member) => member.name !== name);
const changed = (name: string, type: number) =>
  SAME.map((member) => (member.name === name ? { ...member, type } : member));

let object: LoadObject;
beforeAll(async () => {
  const { model, source } = await openObject(
    'data_relocs.bpf.o',
    new Uint8Array(sampleBytes('data_relocs.bpf.o')),
  );
  object = await loadObject(model, source);
});

async function on(members: readonly Member[], ...more: readonly TypeRecord[]) {
  const types = [
    int('int', 4),
    int('char', 1),
    funcProto(0),
    ptr(PROTO),
    array(CHAR, INT, 16),
    struct('sample_ops', 40, members),
    ...(more.length > 0 ? more : [struct('bpf_struct_ops_sample_ops', 64, [at('data', 24, OPS)])]),
  ];
  const { types: vmlinux } = await openModel('vmlinux', btfBlob({ types }).bytes);
  return judgeLoad(object, {
    name: 'vmlinux',
    vmlinux,
    modules: [],
    config: 'none',
    kallsyms: '',
    release: '6.1.0',
    unameVersion: '',
  });
}

describe('a table of functions', () => {
  it('gives its programs the struct and the member of the kernel', async () => {
    const { prepare, programs } = await on(SAME);
    expect(prepare).toBe(0);
    const attached = programs.map(({ program, attachBtfId, failure }) => [
      program.name,
      attachBtfId,
      failure,
    ]);
    expect(attached).toEqual([
      ['ops_init', OPS, null],
      ['ops_ssthresh', OPS, null],
      ['run', 0, null],
    ]);
  });

  it('fails by a callback that the kernel lacks', async () => {
    const { prepare, lastWarnings, infos, reasons } = await on(without('ssthresh'));
    const line = 'struct_ops init_kern sample_ops: Cannot find member ssthresh in kernel BTF';
    expect([prepare, lastWarnings, infos]).toEqual([-95, [line], object.openInfos]);
    expect(reasons[0]).toMatchObject({
      outcome: 'fails',
      step: 'struct_ops',
      text: "The kernel's struct sample_ops has no member ssthresh, which map sample_ops sets to program ops_ssthresh; if the loader sets the member to NULL between open and prepare, libbpf skips it and does not load ops_ssthresh.",
      about: { of: 'callback', map: 'sample_ops', member: 'ssthresh' },
    });
  });

  it.each<[string, readonly Member[], string]>([
    [
      'a value that the kernel has no member for',
      without('name'),
      'struct_ops init_kern sample_ops: Cannot find member name in kernel BTF',
    ],
    [
      'an array that is none',
      changed('name', INT),
      'struct_ops init_kern sample_ops: Unmatched member type name 3 != 1(kernel)',
    ],
    [
      'another size',
      changed('flags', CHAR),
      'struct_ops init_kern sample_ops: Error in size of member flags: 4 != 1(kernel)',
    ],
  ])('fails by %s', async (_name, members, line) => {
    const { prepare, lastWarnings } = await on(members);
    expect([prepare, lastWarnings]).toEqual([-95, [line]]);
  });

  it('fails where the kernel has no such struct, or no value of it', async () => {
    const missing = await on(SAME, struct('other', 8, []));
    expect([missing.prepare, missing.lastWarnings]).toEqual([
      -3,
      ['struct_ops init_kern: struct bpf_struct_ops_sample_ops is not found in kernel BTF'],
    ]);
    const empty = await on(SAME, struct('bpf_struct_ops_sample_ops', 8, []));
    expect([empty.prepare, empty.lastWarnings]).toEqual([
      -22,
      [
        'struct_ops init_kern: struct sample_ops data is not found in struct bpf_struct_ops_sample_ops',
      ],
    ]);
  });
});
