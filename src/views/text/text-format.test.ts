import { expect, it } from 'vitest';
import { textFileName, toolCommand } from './text-format.ts';

const alone = { file: 'vmlinux', base: null };
const onBase = { file: 'dm-crypt.ko', base: 'vmlinux' };

it.each([
  ['c', alone, 'bpftool btf dump file vmlinux format c'],
  ['raw', alone, 'bpftool btf dump file vmlinux format raw'],
  ['json', alone, 'bpftool -j btf dump file vmlinux'],
  ['pahole', alone, 'pahole -F btf vmlinux'],
  ['c', onBase, 'bpftool -B vmlinux btf dump file dm-crypt.ko format c'],
  ['json', onBase, 'bpftool -j -B vmlinux btf dump file dm-crypt.ko'],
  ['pahole', onBase, 'pahole -F btf --btf_base vmlinux dm-crypt.ko'],
] as const)('%s', (format, files, command) => {
  expect(toolCommand(format, files)).toBe(command);
});

it.each([
  ['my prog.o', "'my prog.o'"],
  ["it's.o", "'it'\\''s.o'"],
  ['-rf', './-rf'],
  ['$(x).o', "'$(x).o'"],
  ['a.o(b.o)', "'a.o(b.o)'"],
])('keeps the shell from reading %s as anything but a name', (file, word) => {
  expect(toolCommand('pahole', { file, base: null })).toBe(`pahole -F btf ${word}`);
});

it.each([
  ['c', 'vmlinux', 'vmlinux.h'],
  ['c', 'vmlinux-6.18.btf', 'vmlinux-6.18.h'],
  ['json', 'prog.bpf.o', 'prog.bpf.btf.json'],
  ['raw', 'dm-crypt.ko', 'dm-crypt.btf.txt'],
  ['pahole', '.o', 'types.pahole.txt'],
] as const)('saves %s of %s as %s', (format, file, name) => {
  expect(textFileName(format, file)).toBe(name);
});
