import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { type BtfSpec, btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  enum64,
  enumeration,
  func,
  funcProto,
  int,
  record,
  struct,
  variable,
} from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { recordWords } from './RawRecordSection.tsx';

async function told(spec: BtfSpec, id: number, limit = 99) {
  const model = await openModel('words.btf', btfBlob(spec).bytes);
  if (model.types === null) throw new Error('no types');
  const { words, leftOut } = recordWords(model.types, typeId(id), limit);
  const lines = words.map(({ part, field, value, meaning }) =>
    `${part} ${field}: ${value} ${meaning}`.trim(),
  );
  return { words, lines, leftOut };
}

const base = int('int', 4, { encoding: 1 });

describe('recordWords', () => {
  it('names the words of a struct with a bit-field', async () => {
    const spec = {
      types: [base, struct('s', 1024, [{ name: 'a', type: 1, bitOffset: 35, bitfieldSize: 3 }])],
    };
    expect((await told(spec, 2)).lines).toEqual([
      'name_off: 5 "s"',
      'info: 0x84000001 STRUCT, vlen 1, kind_flag 1',
      'size: 1024 bytes',
      'member [0] a name_off: 7 "a"',
      'member [0] a type: 1 int',
      'member [0] a offset: 0x3000023 byte 4, bit 3, 3 wide',
    ]);
  });

  it.each([
    [
      'INT',
      int('int', 4, { encoding: 1, bits: 7, bitOffset: 2 }),
      ['data: 0x1020007 7 bits from bit 2, SIGNED'],
    ],
    ['ARRAY', array(1, 1, 1000), ['type: 1 int', 'index_type: 1 int', 'nelems: 1000 elements']],
    ['VAR', variable('v', 1, 2), ['linkage: 2 extern, BTF_VAR_GLOBAL_EXTERN']],
    ['DECL_TAG', declTag('t', 1), ['component_idx: -1 the type itself']],
    [
      'ENUM',
      enumeration('e', [['A', -1]], { signed: true }),
      ['enumerator [0] A name_off: 7 "A"', 'enumerator [0] A val: -1'],
    ],
    [
      'ENUM64',
      enum64('e', [['A', 1n]]),
      [
        'enumerator [0] A name_off: 7 "A"',
        'enumerator [0] A val_lo32: 1 low half',
        'enumerator [0] A val_hi32: 0 high half',
      ],
    ],
    [
      'FUNC_PROTO',
      funcProto(0, [['p', 1]]),
      ['parameter [0] p name_off: 5 "p"', 'parameter [0] p type: 1 int'],
    ],
    [
      'DATASEC',
      datasec('.bss', 0, [[1, 24, 8]]),
      [
        'variable [0] int type: 1 int',
        'variable [0] int offset: 24 bytes from the start of the section',
        'variable [0] int size: 8 bytes',
      ],
    ],
  ])('names what follows the header of %s', async (_kind, type, expected) => {
    expect((await told({ types: [base, type] }, 2)).lines.slice(3)).toEqual(expected);
  });

  it('reads the linkage of a FUNC out of vlen', async () => {
    const { lines } = await told({ types: [funcProto(0), func('f', 1, 0)] }, 2);
    expect(lines[1]).toBe('info: 0xc000000 FUNC, vlen 0 (static), kind_flag 0');
  });

  it('gives the stored bytes, in either order', async () => {
    for (const endian of ['little', 'big'] as const) {
      const { words } = await told({ endian, types: [base] }, 1);
      const bytes = [...(words[2]?.bytes ?? [])];
      expect(endian === 'little' ? bytes : bytes.reverse()).toEqual([4, 0, 0, 0]);
      expect(words[2]?.value).toBe('4');
      expect(words.map(({ byteOffset }) => byteOffset)).toEqual([0, 4, 8, 12]);
    }
  });

  it('stops at the limit and counts the rest', async () => {
    const values = Array.from({ length: 100 }, (_, i) => [`V${i}`, i] as const);
    const { words, leftOut } = await told({ types: [enumeration('e', values)] }, 1, 10);
    expect([words.length, leftOut]).toEqual([10, 193]);
  });

  it('gives the bytes after the header of an unknown kind as the rest, and no words without a type', async () => {
    const layout = Array.from({ length: 24 }, () => ({ infoSize: 0, elemSize: 0 }));
    layout[1] = { infoSize: 4, elemSize: 0 };
    layout[23] = { infoSize: 4, elemSize: 0 };
    const odd = record(23, { name: 'new', tail: base.tail });
    const spec = { types: [odd], layout };
    expect((await told(spec, 1)).words.map(({ field }) => field)).toEqual([
      'name_off',
      'info',
      'size or type',
      'more of the record',
    ]);
    expect((await told(spec, 7)).words).toEqual([]);
  });
});
