import { describe, expect, it } from 'vitest';
import { declTag, func, funcProto, int } from '#testing/btf-types.ts';
import { kernelOf } from '#testing/kernels.ts';
import { kfuncModels, kfuncTags } from './kfunc-calls.ts';
import type { KernelProgram } from './refusals.ts';

const TYPES = [
  int('int', 4), // 1
  funcProto(1, [['a', 1]]), // 2
  funcProto(1, [
    ['a', 1],
    ['', 0],
  ]), // 3
  func('bpf_tagged', 2), // 4
  func('bpf_untagged', 2), // 5
  func('ktime_get', 2), // 6
  func('_printk', 3), // 7
];
const NAMES = new Map([
  ['bpf_tagged', 4],
  ['bpf_untagged', 5],
  ['ktime_get', 6],
  ['_printk', 7],
]);

/** Returns a program that calls functions, one per slot. */
function calling(...names: readonly string[]): KernelProgram {
  return {
    name: 'p',
    type: 'XDP',
    kind: 'xdp',
    types: null,
    attach: null,
    funcInfoCount: 0,
    helpers: new Map(),
    kfuncs: new Map(
      names.map((name, slot) => [
        slot,
        { name, btfId: NAMES.get(name) ?? 0, module: null, isNumber: false },
      ]),
    ),
    maps: new Map(),
    offsets: new Map(),
    bytes: new Uint8Array(0),
    endian: 'little',
    starts: [],
    entries: [],
    callee: () => null,
    loaded: () => null,
    target: () => null,
    unknown: new Set(),
  };
}

describe('a called kfunc', () => {
  it('has a prototype that the kernel can describe', () => {
    const refusals = kfuncModels(calling('bpf_tagged', '_printk', '_printk'), kernelOf(TYPES));
    expect(refusals).toEqual([
      {
        step: 'kfunc',
        text: '_printk has variable arguments.',
        line: 'The function _printk with variable args is unsupported.',
        insn: 1,
        pass: 'always',
        isSure: true,
      },
    ]);
  });

  it('has the tag bpf_kfunc, in a kernel with such tags', () => {
    const program = calling('bpf_tagged', 'bpf_untagged', 'ktime_get');
    expect(kfuncTags(program, kernelOf(TYPES))).toEqual([]);
    const refusals = kfuncTags(program, kernelOf([...TYPES, declTag('bpf_kfunc', 4)]));
    expect(refusals.map(({ line, insn, isSure }) => [line, insn, isSure])).toEqual([
      ['calling kernel function bpf_untagged is not allowed', 1, false],
      ['calling kernel function ktime_get is not allowed', 2, true],
    ]);
  });
});
