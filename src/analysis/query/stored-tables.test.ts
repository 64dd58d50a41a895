/** Checks the stored rows of a small atlas: one kernel with a definition of each kind. */
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { enum64, func, funcProto, int, struct, typedef } from '#testing/btf-types.ts';
import { atlasBytes, openAtlas } from '#testing/small-atlas.ts';
import { eachStoredRow, type StoredRow, storedColumns } from './stored-tables.ts';

const btf = btfBlob({
  types: [
    int('int', 4, { encoding: 1 }),
    struct('s', 8, [
      { name: 'flags', type: 1, bitOffset: 0, bitfieldSize: 3 },
      { name: 'n', type: 1, bitOffset: 32 },
    ]),
    funcProto(1, [
      ['n', 1],
      ['', 0],
    ]),
    func('f', 3, 1),
    typedef('s_t', 2),
    enum64('mode', [['TOP', 0xffff_ffff_ffff_ffffn]]),
  ],
}).bytes;

/** Returns a row as an object with the column names of its table. */
function named({ table, values }: StoredRow): Record<string, unknown> {
  const columns = storedColumns(table);
  expect(values).toHaveLength(columns.length);
  return { table, ...Object.fromEntries(columns.map(({ name }, i) => [name, values[i]])) };
}

async function storedRows(): Promise<Record<string, unknown>[]> {
  const atlas = await openAtlas(await atlasBytes({ '6.18-rc3-amd64': btf }));
  const rows: Record<string, unknown>[] = [];
  await eachStoredRow(atlas, (kernel, row) => {
    expect(kernel).toBe(0);
    rows.push(named(row));
  });
  return rows;
}

describe('tables', () => {
  it('have a row for each definition and for each part of it', async () => {
    const rows = (await storedRows()).filter(({ table }) => table !== 'kernels');
    const own = { module: null, definition: 0 };
    const none = { members: null, layout: null, signed: null, type_name: null };
    const gaps = { holes: null, hole_bits: null, padding_bits: null };
    const type = { table: 'types', ...own, ...none, ...gaps };
    const member = { table: 'members', ...own, kind: 'struct', type: 's' };
    const param = { table: 'params', ...own, function: 'f' };
    expect(rows).toEqual([
      {
        ...type,
        kind: 'struct',
        name: 's',
        size: 8n,
        members: 2,
        layout: expect.stringMatching(/^[0-9a-f]{16}$/),
        holes: 1n,
        hole_bits: 29n,
        padding_bits: 0n,
      },
      {
        ...member,
        ...{ position: 0, name: 'flags', bit_offset: 0n, bits: 3n },
        ...{ bitfield: true, type_name: 'int' },
      },
      {
        ...member,
        ...{ position: 1, name: 'n', bit_offset: 32n, bits: 32n },
        ...{ bitfield: null, type_name: 'int' },
      },
      { ...type, kind: 'enum', name: 'mode', size: 8n, members: 1, signed: false },
      { table: 'enumerators', ...own, enum: 'mode', position: 0, name: 'TOP', value: -1n },
      {
        table: 'functions',
        ...own,
        name: 'f',
        return_type: 'int',
        params: 2,
        prototype: 'int f(int n, ...)',
      },
      { ...param, position: 0, name: 'n', type_name: 'int' },
      { ...param, position: 1, name: '', type_name: '...' },
      { ...type, kind: 'typedef', name: 's_t', size: 8n, type_name: 'struct s' },
    ]);
  });

  it('have the numbers of a version in the row of its kernel', async () => {
    expect((await storedRows()).filter(({ table }) => table === 'kernels')).toEqual([
      {
        table: 'kernels',
        version: '6.18-rc3',
        arch: 'amd64',
        flavour: '',
        major: 6,
        minor: 18,
        patch: 0,
        rc: 3,
        abi: 0,
        endian: 'little',
        pointer_size: 8,
        types: 6,
        btf_size: BigInt(btf.length),
      },
    ]);
  });
});
