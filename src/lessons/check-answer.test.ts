import { describe, expect, it } from 'vitest';
import { accessPathOf } from '#analysis/core/playground.ts';
import type { ReadBytes } from '#analysis/fields/field.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { checkAccess, checkClick, checkNumber } from './check-answer.ts';

async function opened(): Promise<{ model: ObjectModel; types: TypeTable; read: ReadBytes }> {
  const { model, source } = await openObject('kinds.btf', sampleBytes('kinds.btf'));
  const file = await source.read(0, source.size);
  if (model.types === null) throw new Error('no types');
  return { model, types: model.types, read: (start, end) => file.subarray(start, end) };
}

const bytes = (start: number, end: number): Selection => ({ kind: 'bytes', start, end });

describe('checkClick', () => {
  it('accepts a selection inside the answer, and names it', async () => {
    const { model, read } = await opened();
    expect(checkClick(model, bytes(2, 3), bytes(2, 3), read)).toEqual({
      isRight: true,
      why: expect.stringMatching(/^That is version of .*: 1/),
    });
    expect(checkClick(model, bytes(0, 1), bytes(0, 2), read).isRight).toBe(true);
  });

  it('names the clicked field and the direction of the answer', async () => {
    const { model, read } = await opened();
    expect(checkClick(model, bytes(0, 2), bytes(2, 3), read)).toEqual({
      isRight: false,
      why: expect.stringMatching(/^That is magic of .* The answer is after it\.$/),
    });
    expect(checkClick(model, bytes(4, 8), bytes(2, 3), read).why).toMatch(/is before it\.$/);
    expect(checkClick(model, bytes(0, 24), bytes(2, 3), read).why).toMatch(/select less\.$/);
  });

  it('names the bits of a word that a byte holds', async () => {
    const { model, read } = await opened();
    const said = (start: number, end: number) =>
      checkClick(model, bytes(start, end), bytes(0x324, 0x326), read).why;
    expect(said(0x324, 0x325)).toBe('That is vlen: 2 (members), in info of [33] STRUCT floats.');
    expect(said(0x327, 0x328)).toMatch(
      /^That is kind: 4 \(STRUCT\) and kind_flag: 0, in info of \[33\] STRUCT floats\./,
    );
    expect(said(0x326, 0x327)).toMatch(/^That is a part that is not used, in info of /);
    expect(said(0x324, 0x328)).toMatch(/^That is info of \[33\] STRUCT floats: 0x4000002 /);
  });

  it('names a relocation, not the bytes that it patches', async () => {
    const { model } = await openObject('xdp.o', sampleBytes('xdp_counter.bpf.o'));
    const rows = Array.from(model.relocations.offset, (_, row) => relocIndex(row));
    const find = (text: string) => {
      const found = rows.find((row) => relocationMeaning(model, row).symbolText === text);
      if (found === undefined) throw new Error(`no relocation for ${text}`);
      return { kind: 'relocation', reloc: found } as const;
    };
    const { why } = checkClick(model, find('udp_limit'), find('next'), () => null);
    expect(why).toMatch(/^That is the relocation at 0x20 for udp_limit \(R_BPF_64_64\)\. /);
  });

  it('accepts a selection without a byte range', async () => {
    const { model, types, read } = await opened();
    const first = typeId(types.firstId);
    const clicked = typeSelection(first);
    expect(checkClick(model, clicked, clicked, read).isRight).toBe(true);
    expect(checkClick(model, { kind: 'none' }, clicked, read)).toMatchObject({ isRight: false });
  });
});

describe('checkAccess', () => {
  it('names the member that a wrong string selects', async () => {
    const { types } = await opened();
    const composite = Array.from({ length: types.count }, (_, i) => i + types.firstId).find(
      (id) => {
        const path = accessPathOf(types, { root: id as never, accessStr: '0:1' });
        return path.error === null && path.steps.length === 2;
      },
    );
    if (composite === undefined) throw new Error('no struct of two members');
    const root = composite as never;
    const wanted = accessPathOf(types, { root, accessStr: '0:1' });
    expect(checkAccess(types, root, wanted, ' 0:1 ')).toMatchObject({ isRight: true });
    expect(checkAccess(types, root, wanted, '0:0').why).toMatch(
      /^0:0 goes to .*; the question asks for /,
    );
    expect(checkAccess(types, root, wanted, '0:999').isRight).toBe(false);
    expect(checkAccess(types, root, wanted, 'a.b').why).toMatch(/^That is C/);
    expect(checkAccess(types, root, wanted, '0;1').why).toMatch(/^An access string is/);
  });
});

describe('checkNumber', () => {
  it.each([
    ['24', true, '24, or 0x18. Three times 8.'],
    ['0x18', true, '24, or 0x18. Three times 8.'],
    ['192', false, 'That is 8 times the answer: bits instead of bytes?'],
    ['3', false, 'That is an eighth of the answer: bytes instead of bits?'],
    ['8', false, '8 is the offset in the object.'],
    ['0x8', false, '0x8 is the offset in the object.'],
    ['25', false, '25 is too large.'],
    ['1f', false, '1f is too large.'],
    ['0c', false, '0c is too small.'],
    ['24 bytes', true, '24, or 0x18. Three times 8.'],
    ['192 bits', true, '24, or 0x18. Three times 8.'],
    ['24 bits', false, 'That is an eighth of the answer: bytes instead of bits?'],
    ['25 bits', false, '25 bits are not whole bytes.'],
    ['24 members', false, 'That is not a number; write 24 or 0x18.'],
    ['twenty', false, 'That is not a number; write 24 or 0x18.'],
  ])('%s', (typed, isRight, why) => {
    const nearMisses = [{ value: 8n, means: 'the offset in the object' }];
    expect(checkNumber(typed, 24n, { unit: 'byte', why: 'Three times 8.', nearMisses })).toEqual({
      isRight,
      why,
    });
  });

  it('takes hex without 0x if it has a letter, and no unit if the question has none', () => {
    expect(checkNumber('1f', 31n).isRight).toBe(true);
    expect(checkNumber('18', 24n).isRight).toBe(false);
    expect(checkNumber('-a0', -160n).isRight).toBe(true);
    expect(checkNumber('24 bytes', 24n).why).toBe('Write the number without a unit.');
  });
});
