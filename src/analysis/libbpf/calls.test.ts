import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { nameOf } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int } from '#testing/btf-types.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleObject } from '#testing/samples.ts';
import { loadCalls, type MapCreate } from './calls.ts';
import { funcInfoOf, lineInfoOf } from './program-parts.ts';

async function callsOf(name: string) {
  const { model, source } = await sampleObject(name);
  const calls = await loadCalls(model, source);
  if (calls === null) throw new Error(`${name} has no calls`);
  return { model, calls };
}

const ids = ({ map, hasBtf, keyTypeId, valueTypeId }: MapCreate) => [
  map.kernelName,
  map.flags,
  hasBtf,
  keyTypeId,
  valueTypeId,
];

describe.each(['', '.be'])('of an object (%s)', (order) => {
  it('maps have the type ids of their definition, of their DATASEC, or none', async () => {
    const { calls } = await callsOf(`xdp_counter${order}.bpf.o`);
    expect(calls.maps.map(ids)).toEqual([
      ['next', 0n, true, 0, 0],
      ['protocols', 0n, true, 13, 24],
      ['last_seen', 0n, true, 34, 25],
      ['verdict', 0n, true, 13, 42],
      ['xdp_coun.rodata', 0x480n, true, 0, 74],
      ['xdp_coun.data', 0x400n, true, 0, 72],
      ['xdp_coun.bss', 0x400n, true, 0, 71],
    ]);
    expect(calls.maps[0]?.reason).toContain('states a size');
    expect(calls.maps[1]?.reason).toBe('');
  });

  it('subprograms are appended in the order of their calls, and records count from the program', async () => {
    const { model, calls } = await callsOf(`xdp_counter${order}.bpf.o`);
    const program = calls.programs.find(({ name }) => name === 'count_packets');
    if (program === undefined || model.types === null) throw new Error('no such program');
    const { types } = model;
    const functions = funcInfoOf(model, program).map(({ row, insnOff }) => [
      nameOf(types, typeId(model.ext.func.typeId[row] ?? 0)),
      insnOff,
    ]);
    expect(functions).toEqual(program.parts.map((part) => [part.name, part.insnOff]));
    expect(functions.map(([name]) => name)).toEqual([
      'count_packets',
      'ipv4_header',
      'count_bytes',
    ]);
    const lines = lineInfoOf(model, program);
    expect(lines).toHaveLength(program.lineInfoCount);
    const offsets = lines.map(({ insnOff }) => insnOff);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    // The kernel requires a record for the first instruction of each function.
    for (const part of program.parts) expect(offsets).toContain(part.insnOff);
    expect(Math.max(...offsets)).toBeLessThan(program.insnCount);
  });

  it('the value of a table of functions is a struct of the kernel', async () => {
    const { calls } = await callsOf(`data_relocs${order}.bpf.o`);
    const map = calls.maps.find(({ map: { name } }) => name === 'sample_ops');
    expect(map).toMatchObject({ hasBtf: true, valueTypeId: 0 });
    expect(map?.reason).toContain('btf_vmlinux_value_type_id');
  });
});

it('the size of the BTF is that after the fix-ups', async () => {
  const { model, calls } = await callsOf('externs.bpf.o');
  expect(calls.fixups).toBeGreaterThan(0);
  expect(calls.btfSize).toBeGreaterThan(model.types?.blob.length ?? Infinity);
  expect(calls).toMatchObject({ stopped: null, funcInfoRecSize: 8, lineInfoRecSize: 16 });
});

it('a file that is no BPF object has none', async () => {
  const { model, source } = await openObject('a.btf', btfBlob({ types: [int('int', 4)] }).bytes);
  expect(await loadCalls(model, source)).toBeNull();
});

it.each(['doc_call', 'doc_call.be', 'doc_ld_imm64', 'doc_ld_imm64.be'])(
  'an object that libbpf refuses to open has none: %s',
  async (name) => {
    const { calls } = await callsOf(`${name}.bpf.o`);
    expect(calls.stopped).toMatch(/^libbpf refuses to open the object with \w+: /);
  },
);
