/** Checks what the cards say about Zig's btf.zig by the rules of Zig and of the format. */
import { expect, it } from 'vitest';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { memberAt } from '#model/type-items.ts';
import { int, struct } from '#testing/btf-types.ts';
import { typesOfBlob } from '#testing/core-cases.ts';
import { cardOf } from './glossary.ts';

const wordsOf = (id: Parameters<typeof cardOf>[0]) => cardOf(id)?.sentences.join(' ') ?? '';

it('Member.offset is wrong without kind_flag from the bit on that the card names', () => {
  const [, digits = ''] = /From bit ([\d,]+) on/.exec(wordsOf('zig-member')) ?? [];
  const first = Number(digits.replaceAll(',', ''));
  const offsets = [first - 1, first].map((bitOffset) => {
    const types = typesOfBlob([int('int', 4), struct('s', 0, [{ name: 'a', type: 1, bitOffset }])]);
    const ours = memberAt(types, typeId(2), 0);
    // `packed struct(u32)` has its first field in the lowest bits.
    const zig = { bitOffset: bitOffset & 0xff_ffff, bitfieldSize: bitOffset >>> 24 };
    return [zig, { bitOffset: ours?.bitOffset, bitfieldSize: ours?.bitfieldSize }];
  });
  expect(offsets[0]?.[0]).toEqual(offsets[0]?.[1]);
  expect(offsets[1]?.[0]).toEqual({ bitOffset: 0, bitfieldSize: 1 });
  expect(offsets[1]?.[1]).toEqual({ bitOffset: first, bitfieldSize: 0 });
});

it('the keywords of Zig among the kinds are quoted', () => {
  const words = wordsOf('zig-kinds');
  const keywords = new Set(['struct', 'union', 'enum', 'const', 'volatile', 'var', 'fn', 'error']);
  for (const kind of Object.values(BtfKind)) {
    if (kind > BtfKind.ENUM64) continue;
    const name = kindName(kind).toLowerCase();
    expect([name, words.includes(`@"${name}"`)]).toEqual([name, keywords.has(name)]);
  }
});

it('the linkages have the numbers of the format, in this order', () => {
  const words = wordsOf('zig-linkage');
  expect(words).toContain(
    'VarLinkage of btf.zig is static, global_allocated and global_extern, numbered from 0',
  );
  expect(words).toContain('FuncLinkage is static, global and external, numbered from 0');
});
