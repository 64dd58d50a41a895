import { expect, test } from 'vitest';
import { readInsnText } from './insn-text.ts';

test('reads moves and arithmetic with their registers', () => {
  expect(readInsnText('r7 = r1')).toMatchObject({ form: 'move', dst: 7, src: 1, is32Bit: false });
  expect(readInsnText('w6 = 0')).toMatchObject({ form: 'move', dst: 6, imm: 0n, is32Bit: true });
  expect(readInsnText('r1 = 0xffff888483bc5800')).toMatchObject({ imm: 0xffff888483bc5800n });
  expect(readInsnText('r1 = (s8)r2')).toMatchObject({ form: 'alu', op: 'sign-extend', src: 2 });
  expect(readInsnText('r2 = -r2')).toMatchObject({ form: 'alu', op: 'neg', reads: [2] });
  expect(readInsnText('r3 = be16 r3')).toMatchObject({ form: 'alu', op: 'be', reads: [3] });
  expect(readInsnText('w2 s>>= w3')).toMatchObject({ op: 's>>=', reads: [2, 3], writes: [2] });
  expect(readInsnText('r2 s%= -7')).toMatchObject({ op: 's%=', imm: -7n, reads: [2] });
  expect(readInsnText('r2 = addr_space_cast(r1, 0, 1)')).toMatchObject({ dst: 2, src: 1 });
  expect(readInsnText('r1 = &(void __percpu *)(r4)')).toMatchObject({ dst: 1, src: 4 });
});

test('reads accesses of memory', () => {
  expect(readInsnText('r1 = *(u32 *)(r7 +8)')).toMatchObject({
    form: 'load',
    mem: { base: 7, off: 8, size: 4 },
    reads: [7],
    writes: [1],
  });
  expect(readInsnText('r1 = *(s16 *)(r7 -2)')?.mem).toEqual({ base: 7, off: -2, size: 2 });
  expect(readInsnText('*(u64 *)(r10 -8) = r3')).toMatchObject({ form: 'store', reads: [10, 3] });
  expect(readInsnText('*(u8 *)(r1 +0) = -5')).toMatchObject({ imm: -5n, src: null, reads: [1] });
  expect(readInsnText('lock *(u64 *)(r1 +0) += r2')).toMatchObject({ op: '+=', writes: [] });
  expect(readInsnText('r1 = atomic64_fetch_add((u64 *)(r2 +0), r1)')).toMatchObject({
    form: 'atomic',
    op: 'fetch_add',
    reads: [2, 1],
    writes: [1],
  });
  expect(readInsnText('r0 = atomic_cmpxchg((u32 *)(r2 +4), r0, r3)')).toMatchObject({
    reads: [2, 3, 0],
    writes: [0],
    mem: { base: 2, off: 4, size: 4 },
  });
  expect(readInsnText('r1 = load_acquire((u8 *)(r2 +1))')).toMatchObject({ writes: [1] });
  expect(readInsnText('store_release((u8 *)(r2 +1), r3)')).toMatchObject({ reads: [2, 3] });
  expect(readInsnText('r0 = *(u8 *)skb[r7 + 12]')).toMatchObject({ reads: [6, 7], imm: 12n });
});

test('reads jumps and calls', () => {
  expect(readInsnText('if w1 s> 0x27 goto pc+4')).toMatchObject({
    form: 'branch',
    op: 's>',
    imm: 0x27n,
    jump: 4,
    reads: [1],
    writes: [],
  });
  expect(readInsnText('if r6 & 0x3 goto pc-2')).toMatchObject({ op: '&', jump: -2 });
  expect(readInsnText('if r6 <= r7 goto pc+0')).toMatchObject({ op: '<=', reads: [6, 7] });
  expect(readInsnText('gotol pc+70000')).toMatchObject({ form: 'goto', jump: 70000 });
  expect(readInsnText('may_goto pc+3')).toMatchObject({ form: 'branch', jump: 3 });
  expect(readInsnText('gotox r3')).toMatchObject({ form: 'goto', reads: [3] });
  expect(readInsnText('call pc-4')?.call).toEqual({ kind: 'subprogram', name: '', id: -4 });
  expect(readInsnText('call bpf_loop#181')?.call?.kind).toBe('helper');
  expect(readInsnText('call bpf_task_acquire#65913')?.call?.kind).toBe('kfunc');
  expect(readInsnText('call unknown#195896080')?.call?.kind).toBe('unknown');
  expect(readInsnText('call bpf_loop#181       ;')).toMatchObject({
    writes: [0],
    clobbers: [1, 2, 3, 4, 5],
  });
  expect(readInsnText('exit')).toMatchObject({ form: 'exit', reads: [0] });
});

test('returns null for a text that is no instruction', () => {
  expect(readInsnText('r1 = *(u24 *)(r2 +0)')).toBeNull();
  expect(readInsnText('R1 !read_ok')).toBeNull();
  expect(readInsnText('')).toBeNull();
  expect(readInsnText(`call ${'x'.repeat(2000)}#1`)).toBeNull();
  expect(readInsnText('BUG_c3')).toMatchObject({ form: 'other' });
});
