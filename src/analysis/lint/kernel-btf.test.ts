import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  declTag,
  enumeration,
  func,
  funcProto,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
} from '#testing/btf-types.ts';
import { type ElfSymbol, elfObject } from '#testing/elf-object.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { lintModel, originOf } from './lint.ts';

const STATIC = 0;
const EM_X86_64 = 62;

/** Types 1 to 5: int, bpf_prog_aux, a pointer to it, const bpf_prog_aux, a pointer to that. */
const AUX = [int('int', 4), struct('bpf_prog_aux', 4, []), ptr(2), modifier('const', 2), ptr(4)];

async function findings(types: readonly TypeRecord[]): Promise<readonly Issue[]> {
  const { model, source } = await openObject('kernel.btf', btfBlob({ types }).bytes);
  return lintModel(model, source);
}

/** Returns severity, code and message of the findings about kfuncs. */
async function kfuncs(types: readonly TypeRecord[]): Promise<string[]> {
  const all = await findings([...AUX, ...types]);
  return all
    .filter(({ code }) => code.startsWith('btf.kfunc'))
    .map(({ severity, message }) => `${severity}: ${message}`);
}

const WITH_AUX = funcProto(1, [
  ['cpu', 1],
  ['aux', 5],
]);
const ATTACH_6_19 = enumeration('bpf_attach_type', [['BPF_TRACE_FENTRY', 24]]);
const ATTACH_7_0 = enumeration('bpf_attach_type', [
  ['BPF_TRACE_FENTRY', 24],
  ['BPF_TRACE_FSESSION', 58],
]);

describe('kfuncs with their implicit argument', () => {
  const FOUND = ['warning: kfunc scx_bpf_kick_cpu [7] still has its implicit argument aux'];

  it('are reported with both prototypes and the line of libbpf', async () => {
    const all = await findings([...AUX, WITH_AUX, func('scx_bpf_kick_cpu', 6, STATIC)]);
    const issue = all.find(({ code }) => code === 'btf.kfunc-implicit-argument');
    expect(issue).toMatchObject({
      severity: 'warning',
      region: 'kernel.btf',
      expected:
        'int scx_bpf_kick_cpu(int cpu); and a FUNC scx_bpf_kick_cpu_impl with all arguments',
      found: 'int scx_bpf_kick_cpu(int cpu, const struct bpf_prog_aux *aux)',
    });
    expect(issue?.advice).toContain(
      `"extern (func ksym) 'scx_bpf_kick_cpu': func_proto [L] incompatible with vmlinux [6]"`,
    );
    expect(issue?.advice).toContain('"kernel function btf_id 7 does not have a valid func_proto"');
  });

  it('are told apart by tag, twin, name and argument', async () => {
    const kick = func('scx_bpf_kick_cpu', 6, STATIC);
    expect(await kfuncs([WITH_AUX, kick])).toEqual(FOUND);
    expect(await kfuncs([WITH_AUX, kick, declTag('bpf_kfunc', 7)])).toEqual([]);
    // The tag of an argument, and another tag, do not make a kfunc.
    expect(await kfuncs([WITH_AUX, kick, declTag('bpf_kfunc', 7, 0)])).toEqual(FOUND);
    expect(await kfuncs([WITH_AUX, kick, declTag('mine', 7)])).toEqual(FOUND);
    expect(await kfuncs([WITH_AUX, kick, func('scx_bpf_kick_cpu_impl', 6, STATIC)])).toEqual([]);
    expect(await kfuncs([WITH_AUX, func('prog_array_map_poke_track', 6, STATIC)])).toEqual([]);
    expect(await kfuncs([WITH_AUX, func('bpf_dev_bound_kfunc_check', 6, STATIC)])).toEqual([]);
    const notLast = funcProto(1, [
      ['aux', 5],
      ['cpu', 1],
    ]);
    expect(await kfuncs([notLast, kick])).toEqual([]);
  });

  it('have a lone argument only if it is const', async () => {
    const lone = (type: number) => funcProto(1, [['aux', type]]);
    expect(await kfuncs([lone(5), func('scx_bpf_locked_rq', 6, STATIC)])).toHaveLength(1);
    expect(await kfuncs([lone(3), func('bpf_free_used_maps', 6, STATIC)])).toEqual([]);
    expect(await kfuncs([lone(5), func('bpf_prog_get_assoc_struct_ops', 6, STATIC)])).toEqual([]);
    expect(await kfuncs([lone(5), func('selinux_bpf_prog_free', 6, STATIC)])).toEqual([]);
  });

  it('exist since Linux 7.0, which its enumerators tell', async () => {
    const kick = func('scx_bpf_kick_cpu', 6, STATIC);
    expect(await kfuncs([WITH_AUX, kick, ATTACH_6_19])).toEqual([]);
    expect(await kfuncs([WITH_AUX, kick, ATTACH_7_0])).toEqual(FOUND);
  });

  it('are without a quoted line where libbpf looks for another name', async () => {
    const all = await findings([...AUX, WITH_AUX, func('scx_bpf_peek___v2', 6, STATIC)]);
    const issue = all.find(({ code }) => code === 'btf.kfunc-implicit-argument');
    expect(issue?.advice).not.toContain('incompatible with');
  });
});

describe('kfuncs in .BTF_ids', () => {
  const TYPES = [
    ...AUX,
    WITH_AUX,
    func('scx_bpf_kick_cpu', 6, STATIC),
    funcProto(1, []),
    func('mine_a', 8, STATIC),
    func('mine_b', 8, STATIC),
  ];
  /** A set8 of the FUNCs 7, 9 and 10, with BTF_SET8_KFUNCS. */
  const WORDS = [3, 1, 7, 0, 9, 0, 10, 0].map((value) => u32(value));
  const LABEL: ElfSymbol = {
    name: '__BTF_ID__set8__mine_ids',
    value: 0,
    size: 32,
    bind: 0,
    shndx: '.BTF_ids',
  };

  async function issuesOf(types: readonly TypeRecord[]) {
    const { bytes } = elfObject({
      header: { machine: EM_X86_64 },
      sections: [
        { name: '.BTF', data: btfBlob({ types }).bytes },
        { name: '.BTF_ids', flags: 2, data: WORDS },
      ],
      symbols: [LABEL],
    });
    const { model, source } = await openObject('vmlinux', bytes);
    const all = await lintModel(model, source);
    return all
      .filter(({ code }) => code.startsWith('btf.kfunc'))
      .map(({ severity, message }) => `${severity}: ${message}`);
  }

  it('are reported at once if none has a tag', async () => {
    expect(await issuesOf(TYPES)).toEqual([
      'warning: kfunc scx_bpf_kick_cpu [7] still has its implicit argument aux',
      'note: None of the 3 kfuncs of .BTF_ids has the DECL_TAG bpf_kfunc',
    ]);
  });

  it('are reported one by one if others have a tag', async () => {
    expect(await issuesOf([...TYPES, declTag('bpf_kfunc', 9)])).toEqual([
      'warning: kfunc scx_bpf_kick_cpu [7] still has its implicit argument aux',
      'note: kfunc mine_b [10] of .BTF_ids has no DECL_TAG bpf_kfunc',
    ]);
  });

  it('are certain: a name that is not listed is none', async () => {
    const other = func('scx_bpf_other', 6, STATIC);
    expect(await issuesOf([...TYPES, other])).toHaveLength(2);
  });
});

describe('encoder and readers', () => {
  it('are notes of a kernel, and of no BPF object', async () => {
    const types = [...AUX, WITH_AUX, func('f', 6, STATIC)];
    const notes = (await findings(types)).map(({ severity, code }) => [severity, code]);
    expect(notes).toEqual([
      ['note', 'btf.encoder'],
      ['note', 'btf.readers'],
    ]);
    const { bytes } = elfObject({
      sections: [{ name: '.BTF', data: btfBlob({ types }).bytes }],
    });
    const object = await openObject('a.bpf.o', bytes);
    expect(await lintModel(object.model, object.source)).toEqual([]);
    expect(await originOf(object.model)).toBeNull();
  });

  it('are the same where they are asked for', async () => {
    const model = await openModel('kernel.btf', btfBlob({ types: AUX }).bytes);
    const origin = await originOf(model);
    expect(origin?.encoder.statement).toBe('Nothing tells which tool wrote this BTF');
    expect(await originOf(model)).toBe(origin);
  });
});
