import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ecoffSampleNames, sampleModel } from '#testing/samples.ts';
import {
  exampleLayout,
  layoutFields,
  layoutOf,
  layoutText,
  parseAddress,
  parseLayout,
  storedLayout,
} from './layout.ts';

const address = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe('the text of a layout', () => {
  it('round-trips with any names', () => {
    const key = fc.string({ minLength: 1, maxLength: 8, unit: 'binary' });
    fc.assert(
      fc.property(fc.array(fc.tuple(key, address), { maxLength: 5 }), (pairs) => {
        const values = new Map(pairs);
        expect([...parseLayout(layoutText(values))]).toEqual([...values]);
      }),
    );
  });

  it('omits invalid parts', () => {
    expect([...parseLayout('.text=0x10,,=3,.data=x,%=1,gp=0x1ffffffffffffffff,.lita=7')]).toEqual([
      ['.text', 0x10n],
      ['.lita', 7n],
    ]);
    fc.assert(fc.property(fc.string(), (text) => parseLayout(text).size >= 0));
  });

  it('takes addresses as people type them', () => {
    const typed = ['0x1F', ' 31 ', '31', '', '-1', '0x', '1e3', '18446744073709551616'];
    expect(typed.map(parseAddress)).toEqual([31n, 31n, 31n, null, null, null, null, null]);
  });
});

describe('fields of the layout form', () => {
  it('is sections, gp, and symbols that the file leaves open', async () => {
    const model = await sampleModel('alpha_expression.ecoff');
    expect(layoutFields(model)).toMatchObject([
      { key: '.text', stored: 0n },
      { key: '.xdata', stored: 0x50n },
      { key: '.pdata', stored: 0x70n },
      { key: '.lita', stored: 0xa0n },
      { key: 'gp', stored: 0x8090n },
      { key: '@printf', stored: null },
      { key: '@_fpdata', stored: null },
    ]);
  });

  it('is null in ELF', async () => {
    const model = await sampleModel('doc_call.bpf.o');
    expect(layoutFields(model)).toEqual([]);
    expect(exampleLayout(model).size).toBe(0);
    expect(layoutOf(model, new Map([['.text', 1n]]))).toBeNull();
  });

  it('is the stored layout until something is stated', async () => {
    const model = await sampleModel('alpha_gpdisp.ecoff');
    expect(layoutOf(model, new Map())).toBe(storedLayout(model));
    const stated = layoutOf(
      model,
      new Map([
        ['.text', 0x1000n],
        ['@x', 5n],
      ]),
    );
    expect(stated).toMatchObject({ gp: 0x8040n, link: 'final' });
    expect([...(stated?.sections ?? [])]).toEqual([['.text', 0x1000n]]);
    expect([...(stated?.symbols ?? [])]).toEqual([['x', 5n]]);
  });

  it.each(ecoffSampleNames())('is stated in full by the example: %s', async (name) => {
    const model = await sampleModel(name);
    const values = exampleLayout(model);
    for (const { key } of layoutFields(model)) expect(values.has(key)).toBe(true);
  });
});
