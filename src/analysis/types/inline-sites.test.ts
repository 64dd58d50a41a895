import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { func, funcProto, int, record } from '#testing/btf-types.ts';
import { sampleModel } from '#testing/samples.ts';
import { tableOf } from '#testing/type-table.ts';
import { codeSectionOf, inlineSites, parameterPlaces, siteText } from './inline-sites.ts';
import { registersOf } from './locations.ts';

const words =
  (...values: number[]) =>
  () =>
    values.map((value) => u32(value));
const REG = 8;
const FUNC = 3;
const LOC_PROTO = 5;

/** `int f(int a, ...)`, `a` in register 5, inlined at 0x40 of .text and at 8 of .init.text. */
const TYPES = [
  int('int', 4, { encoding: 1 }),
  funcProto(1, [
    ['a', 1],
    ['', 0],
  ]),
  func('f', 2),
  record(20, { vlen: 1, sizeOrType: 4, tail: words(REG, 5) }),
  record(21, { vlen: 2, tail: words(4, 0) }),
  record(22, { name: 'inline.text', vlen: 1, tail: words(FUNC, LOC_PROTO, 0x40) }),
  record(22, { name: '.init.text', vlen: 2, tail: words(FUNC, LOC_PROTO, 8, 1, 4, 12) }),
];

const places = (t: TypeTable) =>
  Array.from(inlineSites(t), ({ section, offset, func: id }) => [section, offset, id]);

describe('sites of inlined functions', () => {
  const table = tableOf(btfBlob({ types: TYPES }).bytes);

  it('are those of all LOCSECs, under the section of code', () => {
    expect(places(table)).toEqual([
      ['.text', 0x40, FUNC],
      ['.init.text', 8, FUNC],
      ['.init.text', 12, 1],
    ]);
    expect(['inline.text', '.text', 'inline', ''].map(codeSectionOf)).toEqual([
      '.text',
      '.text',
      'inline',
      '',
    ]);
  });

  it('come from the base, too, and first', () => {
    const split = btfBlob({
      types: [record(22, { name: 'inline.exit.text', vlen: 1, tail: words(FUNC, LOC_PROTO, 4) })],
      baseStringLength: table.strEnd - table.strStart,
    });
    const t = tableOf(split.bytes, table);
    expect(places(t).map(([section]) => section)).toEqual([
      '.text',
      '.init.text',
      '.init.text',
      '.exit.text',
    ]);
  });

  it('have the locations of parameters, with register names of a machine', () => {
    const texts = Array.from(inlineSites(table), (site) => siteText(table, site, registersOf(62)));
    expect(texts).toEqual(['f(a [rdi], ...)', 'f(a [rdi], ...)', '<invalid>']);
    expect(parameterPlaces(table, { func: typeId(FUNC), locProto: typeId(4) })).toBeNull();
  });
});

it('names registers by machine, with the number where there is no name', () => {
  expect([0, 7, 8, 16, 70, 0xffffffff].map(registersOf(62))).toEqual([
    'rax',
    'rsp',
    'r8',
    'rip',
    'reg70',
    'fbreg',
  ]);
  expect([0, 31].map(registersOf(183))).toEqual(['x0', 'sp']);
  expect(registersOf(247)(3)).toBe('reg3');
});

it('the sample of 2026 has a function that was inlined twice', async () => {
  const { types } = await sampleModel('kinds_2026.btf');
  if (types === null) throw new Error('no types');
  expect(Array.from(inlineSites(types), (site) => siteText(types, site))).toEqual([
    'add(to [reg5], from [*(fbreg - 0x20)])',
    'add(to [const -0x1], from [<unavailable>])',
  ]);
});
