import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOB_RULES, REFERENCE_RULES } from '#analysis/kernel/rules.ts';
import type { Endian } from '#bytes/span.ts';
import { u32 } from '#testing/assemble.ts';
import { type BtfSpec, btfBlob, type HeaderFields } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  enumeration,
  func,
  funcProto,
  int,
  modifier,
  ptr,
  record,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  variable,
} from '#testing/btf-types.ts';
import { wholeBlobs } from '#testing/kernel-rule-blobs.ts';
import { isLong, runs } from '#testing/runs.ts';
import { checkBtf } from './check-btf.ts';

const word = int('int', 4);
const member = (type: number, bitOffset = 0, name = 'm') => ({ name, type, bitOffset });
const chain = (count: number, from: number): TypeRecord[] =>
  Array.from({ length: count }, (_, i) => modifier('const', from + i + 1));

describe('a blob as a whole', () => {
  it.each(wholeBlobs)('$word: %s is refused', (rule, _what, bytes) => {
    expect(checkBtf(bytes, null).kernel).toMatchObject(rule);
  });

  it('may have its strings in front of its types neither for libbpf', () => {
    const blob = wholeBlobs.find(([rule]) => rule === BLOB_RULES.stringsLast)?.[2];
    expect(blob && checkBtf(blob, null).libbpf).toMatchObject({ errno: 'EINVAL' });
  });
});

describe('a layout section', () => {
  const layout = [{ infoSize: 0, elemSize: 0 }];
  const judged = (spec: BtfSpec) => checkBtf(btfBlob(spec).bytes, null).libbpf;

  it('lets libbpf step over kind 0 as over kinds that it does not know', () => {
    expect(judged({ types: [word, record(0)], layout })).toEqual({ verdict: 'ok' });
    expect(judged({ types: [word, record(0)] })).toMatchObject({
      message: 'Unsupported BTF_KIND: 0',
    });
  });

  it.each<[string, Partial<HeaderFields>, string]>([
    [
      'the strings end behind the blob, before all others',
      { strLen: 99, layoutOff: 13, layoutLen: 3, typeOff: 2 },
      'Invalid BTF total size: 60',
    ],
    [
      'the types reach into the layout',
      { typeLen: 20, layoutOff: 16 },
      'Invalid BTF data sections layout: type data at 0 + 20,  layout data at 16 + 4',
    ],
    [
      'the layout reaches into the strings',
      { layoutOff: 16, layoutLen: 7 },
      'Invalid BTF data sections layout: layout data at 16 + 7, strings data at 20',
    ],
    [
      'the types reach into the strings, before the place of the layout',
      { typeLen: 21, layoutOff: 17 },
      'Invalid BTF data sections layout: type data at 0 + 21, strings data at 20 + 5',
    ],
    [
      'the types are not aligned',
      { typeOff: 1, typeLen: 12, layoutOff: 17, layoutLen: 3 },
      'BTF type section is not aligned to 4 bytes',
    ],
    [
      'the layout is not aligned, before its place',
      { typeLen: 20, layoutOff: 17, layoutLen: 3 },
      'BTF layout section is not aligned to 4 bytes',
    ],
    [
      'the strings are empty, before half an entry',
      { strLen: 0, layoutLen: 3 },
      'Invalid BTF string section',
    ],
    ['the layout has half an entry', { layoutLen: 3 }, 'Invalid BTF kind layout section'],
  ])('is refused by libbpf where %s', (_what, header, message) => {
    // Types end at 16, the layout at 20, the strings at 25. After these 57 bytes, 3 more follow.
    const strings = new Uint8Array(8);
    const spec = { types: [int(0, 4)], layout, strings, header: { strLen: 5, ...header } };
    expect(judged(spec)).toEqual({ verdict: 'refused', errno: 'EINVAL', message });
  });

  it('gives the size of kind 0 for libbpf', () => {
    const types = [record(0, { tail: () => [u32(7)] }), word];
    expect(judged({ types, layout: [{ infoSize: 4, elemSize: 0 }] })).toEqual({ verdict: 'ok' });
    expect(judged({ types, layout: [{ infoSize: 5, elemSize: 0 }] })).toMatchObject({
      message: 'Unsupported info_sz 5 for kind 0',
    });
  });

  it('begins at a multiple of 4 for libbpf', () => {
    const typesAndLayout = { types: [word], layout };
    expect(judged(typesAndLayout)).toEqual({ verdict: 'ok' });
    // The strings are all NUL and begin at 21.
    const header = { layoutOff: 17, layoutLen: 4, strOff: 21, strLen: 3 };
    const moved = { ...typesAndLayout, strings: new Uint8Array(4), header };
    expect(judged(moved)).toMatchObject({ verdict: 'refused', errno: 'EINVAL' });
  });
});

it('libbpf refuses a short header only of BTF that it has to swap', () => {
  const judged = (endian: Endian) => {
    const { bytes } = btfBlob({ types: [], endian, header: { hdrLen: 20 } });
    return checkBtf(bytes, null).libbpf;
  };
  expect(judged('big')).toEqual({
    verdict: 'refused',
    errno: 'EOPNOTSUPP',
    message: "Can't load BTF with non-native endianness due to unsupported header length 20",
  });
  expect(judged('little')).not.toMatchObject({ errno: 'EOPNOTSUPP' });
});

describe('what the kernel accepts', () => {
  it.each<[string, readonly TypeRecord[]]>([
    ['dots and 512 characters in names', [typedef(`.${'x'.repeat(511)}`, 0)]],
    ['a list through a pointer', [struct('s', 8, [member(2)]), ptr(1)]],
    ['a pointer behind the FUNC it points to', [funcProto(0), func('f', 1), ptr(2)]],
    ['const on a FUNC', [funcProto(0), func('f', 1), modifier('const', 2)]],
    ['32 modifiers, and 10,000 that look back', [word, ...chain(31, 2), word]],
    ['10,000 pointers that look back', Array.from({ length: 10_000 }, (_, i) => ptr(i))],
    ['kind_flag on tags', [{ ...typeTag('t', 0), kindFlag: true }]],
    [
      'a variable too small in a DATASEC in front of it',
      [datasec('.b', 4, [[2, 0, 1]]), variable('v', 3), word],
    ],
    ['equal offsets', [word, struct('s', 4, [member(1), member(1)])]],
    ['bits that are ignored in the data of an INT', [int('i', 4, { bits: 0xff20 })]],
    [
      'a vararg',
      [
        word,
        funcProto(1, [
          ['fmt', 1],
          ['', 0],
        ]),
      ],
    ],
  ])('%s', (_name, types) => {
    const { kernel, problems } = checkBtf(btfBlob({ types }).bytes, null);
    expect([kernel, problems]).toEqual([{ verdict: 'ok' }, []]);
  });
});

describe('problems', () => {
  it('are all listed, in the order of the kernel, each once', () => {
    const types = [
      record(2, { vlen: 1, kindFlag: true }),
      struct('s', 4, [member(9), member(0)]),
      ptr(9),
    ];
    const { problems } = checkBtf(btfBlob({ types }).bytes, null);
    expect(problems.map(({ word: w, typeId, by }) => [w, typeId, by])).toEqual([
      ['vlen != 0', 1, 'kernel'],
      ['Invalid btf_info kind_flag', 1, 'kernel'],
      ['Invalid type_id', 2, 'kernel'],
      ['Invalid member', 2, 'both'],
      ['Invalid type_id', 3, 'both'],
    ]);
  });

  it('do not blame what rests on a broken type', () => {
    const types = [
      typedef('t', 2),
      array(9, 3, 1),
      word,
      variable('v', 1),
      struct('s', 4, [member(1)]),
    ];
    const { problems } = checkBtf(btfBlob({ types }).bytes, null);
    expect(problems.map(({ typeId }) => typeId)).toEqual([2]);
  });

  it('name the circle', () => {
    const types = [typedef('t', 2), modifier('const', 3), typedef('u', 2)];
    const [problem] = checkBtf(btfBlob({ types }).bytes, null).problems;
    expect(problem?.sentence).toBe('[1] TYPEDEF t is in a cycle: [2] → [3] → [2].');
  });

  it('are counted beyond the first thousand', () => {
    const types = Array.from({ length: 1500 }, () => ptr(0xffffff));
    const { problems, moreProblems } = checkBtf(btfBlob({ types }).bytes, null);
    expect([problems.length, moreProblems]).toEqual([1000, 500]);
  });

  it('name a nameless argument for its FUNC, at the FUNC_PROTO', () => {
    const blob = btfBlob({ types: [word, funcProto(0, [['', 1]]), func('f', 2)] });
    const { kernel, problems } = checkBtf(blob.bytes, null);
    expect(kernel).toMatchObject({ ...REFERENCE_RULES.argName, typeId: 3 });
    expect(problems[0]?.blobOffset).toBe((blob.typeOffsets[1] ?? 0) + 12);
  });
});

describe('any bytes', () => {
  const types = [
    word,
    ptr(3),
    struct('s', 8, [member(1), member(2, 32)]),
    array(3, 1, 2),
    typedef('t', 4),
    enumeration('e', [['A', 1]]),
    funcProto(1, [['a', 2]]),
    func('f', 7),
    variable('v', 5),
    datasec('.data', 16, [[9, 0, 16]]),
    declTag('tag', 3, 1),
    typeTag('tag', 3),
    modifier('const', 12),
  ];
  const sound = btfBlob({ types }).bytes;

  it('get a verdict with a problem, or none, whatever is changed in a blob', () => {
    const change = fc.record({ at: fc.nat(sound.length - 1), value: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.nat(sound.length), (changes, cut) => {
        const bytes = sound.slice(0, cut % 5 === 0 ? cut : sound.length);
        for (const { at, value } of changes) if (at < bytes.length) bytes[at] = value;
        const { kernel, libbpf, problems } = checkBtf(bytes, null);
        expect(problems.length === 0).toBe(kernel.verdict === 'ok' && libbpf.verdict === 'ok');
        for (const { blobOffset, length } of problems) {
          expect(blobOffset + length).toBeLessThanOrEqual(bytes.length);
        }
      }),
      { numRuns: runs(1500) },
    );
  });

  it('get the same verdict as their mirror image on its own machine', () => {
    const id = fc.nat(14);
    const kinds = fc.tuple(
      fc.constantFrom(2, 8, 9, 10, 14, 17, 18),
      id,
      fc.constantFrom('', 'n', '9'),
    );
    fc.assert(
      fc.property(fc.array(kinds, { maxLength: 8 }), (rows) => {
        const extra = rows.map(([kind, sizeOrType, name]) =>
          kind === 14
            ? variable(name, sizeOrType)
            : kind === 17
              ? declTag(name, sizeOrType)
              : record(kind, { name, sizeOrType }),
        );
        const on = (endian: 'little' | 'big') =>
          checkBtf(btfBlob({ types: [...extra, ...types], endian }).bytes, null);
        expect(on('big').native).toEqual(on('little').native);
      }),
    );
  });
});

describe('BTF of a 32-bit machine', () => {
  const types = (size: number) => [
    int('long unsigned int', 4),
    ptr(1),
    struct('s', size, [member(2), member(2, 32, 'n')]),
  ];

  it('is accepted there, and has one problem on others', () => {
    const { kernel, native, machine, problems } = checkBtf(
      btfBlob({ types: types(8) }).bytes,
      null,
    );
    expect(kernel).toMatchObject(REFERENCE_RULES.memberEnd);
    expect([native.verdict, machine]).toEqual(['ok', '32-bit']);
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('Pointers of this BTF have 4 bytes: it is of a 32-bit machine.'),
    ]);
  });

  it('has all its problems if it is wrong there too', () => {
    const { native, machine, problems } = checkBtf(btfBlob({ types: types(4) }).bytes, null);
    expect([native.verdict, machine]).toEqual(['refused', '']);
    expect(problems.map(({ sentence }) => sentence).join()).not.toContain('32-bit');
  });
});

describe('a million types', () => {
  /** Returns `count` records of 12 bytes; each is a pointer to `target(id)`. */
  function pointers(count: number, target: (id: number) => number): Uint8Array {
    const { bytes, typesOffset } = btfBlob({ strings: new Uint8Array(1 + 12 * count) });
    const view = new DataView(bytes.buffer);
    view.setUint32(12, 12 * count, true);
    view.setUint32(16, 12 * count, true);
    view.setUint32(20, 1, true);
    for (let id = 1; id <= count; id++) {
      view.setUint32(typesOffset + 12 * id - 8, 0x02000000, true);
      view.setUint32(typesOffset + 12 * id - 4, target(id), true);
    }
    return bytes;
  }

  it.runIf(isLong)('are judged', () => {
    expect(
      checkBtf(
        pointers(1_048_573, (id) => id - 1),
        null,
      ).kernel,
    ).toEqual({ verdict: 'ok' });
  });

  it('are at most 1,048,573', () => {
    const { kernel } = checkBtf(
      pointers(1_048_574, () => 0),
      null,
    );
    expect(kernel).toMatchObject({ ...BLOB_RULES.tooManyTypes, typeId: 1_048_574 });
  });

  it('may all be one chain forward', () => {
    const { kernel, moreProblems } = checkBtf(
      pointers(runs(1_000_000), (id) => id + 1),
      null,
    );
    expect(kernel).toMatchObject({ ...REFERENCE_RULES.depth, typeId: 1 });
    expect(moreProblems).toBeGreaterThan(runs(10_000));
  });
});
