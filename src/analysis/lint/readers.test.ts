import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  declTag,
  enum64,
  enumeration,
  float,
  func,
  funcProto,
  int,
  locParam,
  type TypeRecord,
  typeTag,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { btfContents } from './btf-contents.ts';
import { readersOf, readersText } from './readers.ts';

type Options = {
  readonly distilled?: boolean;
  readonly endian?: 'big';
  readonly headerLength?: 32;
};

function text(types: readonly TypeRecord[], { distilled = false, ...spec }: Options = {}): string {
  const work = btfContents(tableOf(btfBlob({ types, ...spec }).bytes), distilled);
  let step = work.next();
  while (!step.done) step = work.next();
  return readersText(readersOf(step.value));
}

const INT = int('int', 4);

describe('readersOf', () => {
  it('takes the latest version of what the BTF contains', () => {
    expect(text([INT])).toBe(
      'Linux 4.18, libbpf 0.0.3, bpftool 5.2, pahole 1.13, cilium/ebpf 0.1, aya 0.10 or later',
    );
    expect(text([INT, float('double', 8)])).toBe(
      'Linux 5.13, libbpf 0.4, bpftool 5.13, pahole 1.21, cilium/ebpf 0.7, aya 0.11 or later',
    );
    expect(text([INT, float('double', 8), enum64('e', [['A', 1n]])])).toBe(
      'Linux 6.0, libbpf 1.0, bpftool 7.0, pahole 1.24, cilium/ebpf 0.10, aya 0.12 or later',
    );
    const tagged = [INT, funcProto(0, []), func('f', 2), declTag('bpf_kfunc', 3)];
    expect(text(tagged)).toBe(
      'Linux 5.16, libbpf 0.6, bpftool 5.16, pahole 1.23, cilium/ebpf 0.9.2, aya 0.11 or later',
    );
  });

  it('counts kind_flag for the kernel', () => {
    const signed = enumeration('e', [['A', -1]], { signed: true });
    expect(text([INT, signed])).toMatch(/^Linux 6\.0, libbpf 0\.0\.3,/);
    expect(text([INT, { ...typeTag('arena', 1), kindFlag: true }])).toMatch(
      /^Linux 6\.15, libbpf 0\.6,/,
    );
  });

  it('tells which readers have no release for it', () => {
    expect(text([INT], { distilled: true })).toBe(
      'Linux 6.11, libbpf 1.5, bpftool 7.5, pahole 1.28 or later; no release of cilium/ebpf, aya',
    );
    expect(text([INT, locParam(8, [1])])).toBe(
      'no release of Linux, libbpf, bpftool, pahole, cilium/ebpf, aya',
    );
  });

  it('knows the long header in the other byte order', () => {
    expect(text([INT], { headerLength: 32 })).toMatch(/libbpf 0\.0\.3/);
    expect(text([INT], { endian: 'big' })).toMatch(/libbpf 0\.2/);
    expect(text([INT], { endian: 'big', headerLength: 32 })).toMatch(/libbpf 1\.8/);
  });
});
