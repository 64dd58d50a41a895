import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import { assemble, u32 } from '#testing/assemble.ts';
import { btfIdLabel, readBtfIdGroup } from './ids.ts';

describe('btfIdLabel', () => {
  it.each([
    ['__BTF_ID__struct__task_struct__123', 'struct task_struct'],
    ['__BTF_ID__func__vfs_truncate__0', 'func vfs_truncate'],
    ['__BTF_ID__func____x64_sys_getpgid__45612', 'func __x64_sys_getpgid'],
    ['__BTF_ID__struct__nf_conn___init__773209', 'struct nf_conn___init'],
    ['__BTF_ID__typedef__u64', 'typedef u64'],
  ])('%s is the id of %s', (symbol, meaning) => {
    const label = btfIdLabel(symbol);
    expect(label.what === 'id' && `${label.typeKind} ${label.name}`).toBe(meaning);
  });

  it.each([
    ['__BTF_ID__set__btf_non_sleepable', 'set', 'btf_non_sleepable'],
    ['__BTF_ID__set8__nf_ct_kfunc_set', 'set8', 'nf_ct_kfunc_set'],
    ['btf_nf_conn_ids', 'list', 'btf_nf_conn_ids'],
    ['__BTF_ID__', 'list', '__BTF_ID__'],
    ['__BTF_ID__struct', 'list', '__BTF_ID__struct'],
  ])('%s is a %s', (symbol, what, name) => {
    expect(btfIdLabel(symbol)).toEqual({ what, name });
  });
});

describe('readBtfIdGroup', () => {
  const words = (...values: number[]) =>
    new ByteReader(assemble('little', ...values.map((value) => u32(value))).bytes, '.BTF_ids');

  it('reads a list up to the given end', () => {
    expect(readBtfIdGroup(words(1, 2, 3, 4), 'list', 4, 12, 0)).toEqual({
      cnt: null,
      flags: 0,
      entriesOffset: 4,
      entrySize: 4,
      count: 2,
    });
  });

  it('reads a set and a set with flags', () => {
    const set = readBtfIdGroup(words(2, 7, 8, 9), 'set', 0, 16, 0);
    expect(set).toMatchObject({ cnt: 2, entriesOffset: 4, entrySize: 4, count: 2 });
    const set8 = readBtfIdGroup(words(1, 1, 7, 16), 'set8', 0, 16, 16);
    expect(set8).toMatchObject({ cnt: 1, flags: 1, entriesOffset: 8, entrySize: 8, count: 1 });
  });

  it('counts entries by the size of the symbol while the counter is 0', () => {
    expect(readBtfIdGroup(words(0, 0, 0, 0), 'set', 0, 16, 12)).toMatchObject({ cnt: 0, count: 2 });
    expect(readBtfIdGroup(words(0, 0, 0, 0), 'set', 0, 16, 0)).toMatchObject({ cnt: 0, count: 0 });
  });

  it('never counts more entries than fit', () => {
    expect(readBtfIdGroup(words(0xffffffff, 1, 2), 'set', 0, 12, 0).count).toBe(2);
    expect(readBtfIdGroup(words(0, 1, 2), 'set', 0, 12, 4000).count).toBe(2);
    expect(readBtfIdGroup(words(9, 0), 'set8', 0, 8, 0).count).toBe(0);
  });

  it('throws Malformed if the counters do not fit', () => {
    expect(() => readBtfIdGroup(words(9), 'set8', 0, 4, 0)).toThrow(Malformed);
  });
});
