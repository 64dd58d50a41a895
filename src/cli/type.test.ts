import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, datasec, int, ptr, struct, typedef, union, variable } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { runCommand } from '#testing/run-command.ts';

const types = btfBlob({
  types: [
    int('int', 4), // 1
    int('bits', 4, { bits: 4, bitOffset: 2 }), // 2
    int('low', 4, { bits: 3 }), // 3
    typedef('bits_t', 2), // 4
    struct('inner', 8, [
      { name: 'x', type: 1, bitOffset: 0 },
      { name: 'y', type: 4, bitOffset: 32 },
    ]), // 5
    union('', 8, [{ name: 'z', type: 2, bitOffset: 8 }]), // 6
    array(5, 1, 2), // 7
    struct('s', 64, [
      { name: 'a', type: 2, bitOffset: 100 },
      { name: 'b', type: 3, bitOffset: 128 },
      { name: 'c', type: 1, bitOffset: 163 },
      { name: 'd', type: 5, bitOffset: 200 },
      { name: '', type: 6, bitOffset: 264 },
      { name: 'e', type: 7, bitOffset: 328 },
      { name: 'plain', type: 1, bitOffset: 456 },
    ]), // 8
    struct('flagged', 8, [
      { name: 'f', type: 1, bitOffset: 3, bitfieldSize: 5 },
      { name: 'g', type: 1, bitOffset: 32, bitfieldSize: 0 },
    ]), // 9
    variable('v', 8), // 10
    datasec('.data', 64, [[10, 0, 64]]), // 11
  ],
}).bytes;

const files = new Map<string, Uint8Array>([
  ['a.btf', types],
  [
    'a.o',
    elfObject({
      sections: [
        { name: '.data', flags: 3, data: new Uint8Array(64).fill(0x5a) },
        { name: '.BTF', data: types },
      ],
      symbols: [{ name: 'v', size: 64, type: 1, bind: 1, shndx: '.data' }],
    }).bytes,
  ],
]);

/** Bits of members that an INT, the offset in the struct or kind_flag makes bit-fields. */
const MEMBERS: readonly (readonly [
  path: string,
  offset: number,
  size: number,
  isBitfield: boolean,
])[] = [
  ['s.a', 102, 4, true],
  ['s.b', 128, 3, true],
  ['s.c', 163, 32, true],
  ['s.d.x', 200, 32, false],
  ['s.d.y', 234, 4, true],
  ['s.z', 274, 4, true],
  ['s.e[1].y', 426, 4, true],
  ['s.plain', 456, 32, false],
  ['flagged.f', 3, 5, true],
  ['flagged.g', 32, 32, false],
];

async function json(...words: readonly string[]) {
  const { status, out, err } = await runCommand([...words, '--json'], files);
  expect({ status, err }).toEqual({ status: 0, err: [] });
  return JSON.parse(out);
}

describe('the bits of a member', () => {
  it.each(MEMBERS)('type a.btf %s', async (path, bit_offset, bit_size, bit_field) => {
    expect(await json('type', 'a.btf', path)).toMatchObject({ bit_offset, bit_size, bit_field });
    const texts = (await runCommand(['type', 'a.btf', path], files)).out;
    expect(texts.includes('bit-field')).toBe(bit_field);
    expect(texts.includes('offsetof')).toBe(!bit_field && !path.includes('['));
  });

  it('are those of the struct, of a query, of a byte and of an atlas', async () => {
    const rows = await json(
      'query',
      'a.btf',
      "SELECT type, name, bit_offset, bits FROM members WHERE type IN ('s', 'flagged')",
    );
    const atlas = await runCommand(['atlas', 'build', 'a.btfatlas', 'a.btf'], files);
    files.set('a.btfatlas', atlas.saved.get('a.btfatlas') ?? new Uint8Array(0));
    const kept = await json(
      'query',
      'a.btfatlas',
      "SELECT type, name, bit_offset, bits FROM members WHERE type IN ('s', 'flagged')",
    );
    for (const [path, bit_offset, bits, bit_field] of MEMBERS) {
      const [type = '', name = '', ...more] = path.split('.');
      if (more.length > 0) continue;
      const row = { type, name, bit_offset, bits };
      expect(kept).toContainEqual(row);
      const covers = (await json('type', 'a.btf', `${type}+${Math.floor(bit_offset / 8)}`)).covers;
      expect(covers).toContainEqual(
        expect.objectContaining({ path: name, bit_offset, bit_size: bits }),
      );
      if (path === 's.z') continue;
      expect(rows).toContainEqual(row);
      const members = (await json('type', 'a.btf', type)).members;
      expect(members).toContainEqual(
        expect.objectContaining({ name, bit_offset, bit_size: bits, bit_field }),
      );
    }
  });

  it('are those of its value', async () => {
    const data: unknown = await json('data', 'a.o');
    // Each byte is 0x5a, 0b01011010: bits 2 to 5 of a byte are 0b0110, bits 6 to 9 are 0b1001.
    expect(data).toContainEqual(
      expect.objectContaining({
        name: 'v',
        value: expect.objectContaining({ a: '0x9', b: '0x2', d: { x: 0x5a5a5a5a, y: '0x6' } }),
      }),
    );
  });

  it('are those of a path to it', async () => {
    const [path] = await json('paths', 'a.btf', 's', 'bits_t');
    expect(path.accesses.at(-1)).toMatchObject({
      bit_offset: 234,
      byte_offset: 29,
      bitfield_size: 4,
    });
  });
});

describe('the bits of an element of an array of INTs with a width and an offset', () => {
  const elements = (endian: 'little' | 'big') =>
    btfBlob({
      endian,
      types: [
        int('int', 4), // 1
        int('bits', 4, { bits: 5, bitOffset: 3 }), // 2
        typedef('bits_t', 2), // 3
        array(3, 1, 4), // 4
        array(4, 1, 2), // 5
        struct('inner', 12, [{ name: 'many', type: 4, bitOffset: 16 }]), // 6
        array(6, 1, 2), // 7
        array(3, 1, 0), // 8
        struct('s', 96, [
          { name: 'one', type: 4, bitOffset: 32 },
          { name: 'two', type: 5, bitOffset: 160 },
          { name: 'odd', type: 4, bitOffset: 419 },
          { name: 'in', type: 7, bitOffset: 552 },
          { name: 'last', type: 8, bitOffset: 768 },
        ]), // 9
        struct('flagged', 20, [
          { name: 'f', type: 1, bitOffset: 0, bitfieldSize: 7 },
          { name: 'one', type: 4, bitOffset: 32, bitfieldSize: 0 },
        ]), // 10
        variable('v', 9), // 11
        datasec('.data', 96, [[11, 0, 96]]), // 12
      ],
    }).bytes;

  it.each([
    ['s.one[0]', 35],
    ['s.one[2]', 99],
    ['s.two[1][3]', 387],
    ['s.odd[1]', 454],
    ['s.in[1].many[1]', 699],
    ['s.last[3]', 867],
    ['flagged.one[1]', 67],
  ])('type a.btf %s', async (path, bit_offset) => {
    for (const endian of ['little', 'big'] as const) {
      files.set('elements.btf', elements(endian));
      expect(await json('type', 'elements.btf', path)).toMatchObject({
        bit_offset,
        byte_offset: Math.floor(bit_offset / 8),
        bit_size: 5,
        bit_field: true,
        texts: [],
      });
    }
    expect((await runCommand(['type', 'elements.btf', path], files)).out).toMatch(
      new RegExp(
        `^bits_t: bit-field of 5 bits at offset ${bit_offset >> 3} \\(0x[\\da-f]+\\) bit ${bit_offset & 7}\n`,
      ),
    );
  });

  it('are those of its value', async () => {
    const data = Uint8Array.from({ length: 96 }, (_, i) => i * 7 + 1);
    const symbols = [{ name: 'v', size: 96, type: 1, bind: 1, shndx: '.data' }];
    const sections = [
      { name: '.data', flags: 3, data },
      { name: '.BTF', data: elements('little') },
    ];
    files.set('elements.o', elfObject({ sections, symbols }).bytes);
    const [variable_] = await json('data', 'elements.o');
    const at = (bit: number) => {
      const [low = 0, high = 0] = data.subarray(bit >> 3);
      return `0x${(((low | (high << 8)) >> (bit & 7)) & 31).toString(16)}`;
    };
    expect(variable_.value).toMatchObject({
      one: [35, 67, 99, 131].map(at),
      odd: [422, 454, 486, 518].map(at),
    });
  });
});

describe('a path through pointers', () => {
  const kernel = async (path: string) => await runCommand(['type', 'kernel.btf', path]);

  it('counts the offset in the last struct, and shows each pointer', async () => {
    const { out } = await kernel('task_struct.parent->real_parent->comm');
    expect(out).toMatch(
      /^char \[16\]: 16 bytes at offset \d+ \(0x[\da-f]+\) of struct task_struct\n/,
    );
    expect(out).toContain('\nthrough parent at offset 104 (0x68) of struct task_struct, ');
    expect(out).toContain('\nthrough real_parent at offset 96 (0x60) of struct task_struct, ');
    expect(out).toContain('BPF_CORE_READ_INTO(&value, p, parent, real_parent, comm)');
    expect((await kernel('task_struct->parent.real_parent.comm')).out).toBe(out);
  });

  it('is in the JSON as the parts before the member', async () => {
    const facts = await json('type', 'kernel.btf', 'task_struct.parent->pid');
    const plain = await json('type', 'kernel.btf', 'task_struct.pid');
    expect({ ...facts, path: '', texts: [], through: [] }).toEqual({
      ...plain,
      path: '',
      texts: [],
    });
    expect(facts.through).toMatchObject([{ type: 'struct task_struct', path: 'parent' }]);
    expect(facts.texts).toContainEqual({ what: 'read', text: 'BPF_CORE_READ(p, parent, pid)' });
  });

  it('ends with one line where a member is missing', async () => {
    const { status, err } = await kernel('task_struct.parent->pidd');
    expect({ status, err }).toEqual({
      status: 1,
      err: ['btfscope: struct task_struct has no member "pidd"; did you mean: pid'],
    });
    expect((await kernel('task_struct.pid.x')).err.join()).toContain('has no members');
  });

  it('follows a pointer to the struct itself', async () => {
    const self = btfBlob({
      types: [ptr(2), struct('s', 8, [{ name: 'next', type: 1, bitOffset: 0 }])],
    }).bytes;
    const path = `s${'.next'.repeat(20)}`;
    const { status, out } = await runCommand(['type', 'a', path], new Map([['a', self]]));
    expect(status).toBe(0);
    expect(out.match(/^through next/gm)).toHaveLength(19);
  });
});

describe('a type of which the file has two', () => {
  const two = btfBlob({
    types: [
      int('int', 4),
      struct('s', 4, [{ name: 'a', type: 1, bitOffset: 0 }]),
      struct('s', 8, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: 'b', type: 1, bitOffset: 32 },
      ]),
    ],
  }).bytes;
  const ran = async (...words: string[]) =>
    (await runCommand(['type', 'two.btf', ...words], new Map([['two.btf', two]]))).out;

  it('is printed with the other one, and how they differ', async () => {
    const out = await ran('s');
    expect(out).toContain('[3] struct:s~1 has the same name; compared with [2]:\n');
    expect(out).toContain('  size 4 → 8\n');
    expect(out).toContain('+ 0x4      int b  (added)\n');
    expect(await ran('struct:s~1')).toContain('[2] struct:s has the same name');
    expect(await ran('int')).not.toContain('same name');
  });

  it('is so in the JSON', async () => {
    expect(JSON.parse(await ran('s', '--json')).others).toMatchObject([
      { type_id: 3, key: 'struct:s~1', differences: expect.arrayContaining(['size 4 → 8']) },
    ]);
  });
});

it('suggests types with similar names', async () => {
  const { err } = await runCommand(['type', 'kernel.btf', 'task_strct']);
  expect(err.join()).toMatch(/^btfscope: no type is named "task_strct"; did you mean: task_struct/);
});

it('a struct of split BTF has no invented hole without its base', async () => {
  const json = await runCommand(['type', '--json', 'module.btf', 'watch_rule']);
  const { members, ...facts } = JSON.parse(json.out);
  expect(facts).toMatchObject({ holes: null, hole_bits: null, padding_bits: null });
  const rows = members.map(({ name, bit_size }: Record<string, unknown>) => [name, bit_size]);
  expect(rows).toEqual([
    ['list', null],
    ['mode', 32],
    ['session', null],
    ['', null],
    ['hits', null],
  ]);
  const { out } = await runCommand(['type', 'module.btf', 'watch_rule']);
  expect(out).toContain('--base BTF');
  expect(out).not.toMatch(/long|int:|ERROR|padding/);
  const c = await runCommand(['c', 'module.btf']);
  expect(c.out).not.toMatch(/^\t(?:long|int): /m);
  const based = await runCommand(['type', '--base', 'kernel.btf', 'module.btf', 'watch_rule']);
  expect(based.out).toMatch(/struct list_head +list;/);
});
