import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import {
  enumeration,
  func,
  funcProto,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
} from '#testing/btf-types.ts';
import { kernelOf } from '#testing/kernels.ts';
import { kfuncDifference } from './kfunc-difference.ts';

const TYPES: readonly TypeRecord[] = [
  int('int', 4), // 1
  struct('bpf_prog_aux', 4, [{ name: 'id', type: 1, bitOffset: 0 }]), // 2
  modifier('const', 2), // 3
  ptr(3), // 4
  enumeration('color', [['RED', 0]]), // 5
];
type Proto = readonly [returns: number, ...params: readonly number[]];

const withProto = ([returns, ...params]: Proto, more: readonly TypeRecord[] = []) =>
  kernelOf([
    ...TYPES,
    funcProto(
      returns,
      params.map((type, at) => [type === 0 ? '' : `p${at}`, type]),
    ),
    func('scx_bpf_kick', 6),
    ...more,
  ]);

function difference(object: Proto, kernel: Proto, more: readonly TypeRecord[] = []) {
  const { vmlinux: types } = withProto(object);
  return kfuncDifference(types, { name: 'scx_bpf_kick', type: typeId(6) }, withProto(kernel, more));
}

it.each<[Proto, Proto, string]>([
  [[1, 1], [1, 1, 4], 'parameter 2: none against const struct bpf_prog_aux *'],
  [[1, 1, 1], [1, 1], 'parameter 2: int against none'],
  [[1, 1, 1], [1, 1, 5], 'parameter 2: int against enum color'],
  [[1, 1, 1], [1, 1, 0], 'parameter 2: int against ...'],
  [[1, 1], [0, 1], 'the result: int against void'],
])('names the first difference: %j, %j', (object, kernel, text) => {
  expect(difference(object, kernel)).toContain(` First difference: ${text}.`);
});

it('shows both declarations', () => {
  expect(difference([1, 1], [1, 1, 4])).toContain(
    'The object declares int scx_bpf_kick(int); the kernel has int scx_bpf_kick(int, const struct bpf_prog_aux *).',
  );
});

it('says nothing of compatible prototypes and of functions that the kernel lacks', () => {
  expect(difference([1, 1], [1, 1])).toBeNull();
  const { vmlinux: types } = withProto([1]);
  const other = { name: 'other', type: typeId(6) };
  expect(kfuncDifference(types, other, withProto([1]))).toBeNull();
});

it('names the implicit argument that a kernel of 7.0 or later still has', () => {
  const newer = enumeration('bpf_attach_type', [['BPF_TRACE_FSESSION', 60]]);
  const cause = "The kernel's last parameter is implicit:";
  expect(difference([1, 1], [1, 1, 4], [newer])).toContain(cause);
  const impl = func('scx_bpf_kick_impl', 6);
  expect(difference([1, 1], [1, 1, 4], [newer, impl])).not.toContain(cause);
});
