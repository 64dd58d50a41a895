import { describe, expect, it } from 'vitest';
import { symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type ElfSymbol, elfObject, rela } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { evaluatedRelocations } from './evaluate.ts';
import { linkedAddresses } from './linked-file.ts';

/** Counts each read of a number in the columns of a model. */
class ReadCount {
  reads = 0;

  of(model: ObjectModel): ObjectModel {
    const { symbols, sections, relocations } = model;
    return {
      ...model,
      symbols: this.#columns(symbols),
      sections: this.#columns(sections),
      relocations: this.#columns(relocations),
    };
  }

  #columns<T extends object>(table: T): T {
    const columns = Object.entries(table).map(([name, column]) => [name, this.column(column)]);
    return Object.fromEntries(columns);
  }

  column<T>(column: T): T {
    if (!ArrayBuffer.isView(column)) return column;
    return new Proxy(column, {
      get: (target, key) => {
        const value = Reflect.get(target, key);
        if (typeof value === 'function') return value.bind(target);
        this.reads++;
        return value;
      },
    });
  }
}

const STT_FILE = 4;
const X86_64 = 62;
const file: ElfSymbol = { name: 'a.c', type: STT_FILE, bind: 0 };
const label: ElfSymbol = { name: 'l', bind: 0, shndx: '.text' };

/** Builds an object with many sections, entries, and equal symbols after equal file names. */
async function hostileModel(count: number, forLink: boolean): Promise<[ObjectModel, Uint8Array]> {
  const symbols = Array.from({ length: count }, () => (forLink ? [file, label] : [label])).flat();
  const { bytes } = elfObject({
    header: { machine: X86_64, type: forLink ? 2 : 1 },
    sections: [
      { name: '.text', flags: 6, data: new Uint8Array(64) },
      {
        name: '.rela.text',
        type: 4,
        link: '.symtab',
        info: '.text',
        data: Array.from({ length: count }, (_, i) => rela(64, i % 32, 2 + (i % 2), 9, 0)).flat(),
      },
      ...Array.from({ length: count }, () => ({ name: '.text.f', flags: 6, size: 8 })),
      { name: '.got', flags: 3, data: new Uint8Array(8 * count) },
    ],
    symbols: [file, ...symbols],
  });
  return [await openModel('a.o', bytes), bytes];
}

async function readsFor(count: number): Promise<number> {
  const counter = new ReadCount();
  const [object] = await hostileModel(count, false);
  const [linked, bytes] = await hostileModel(count, true);
  const own = counter.of(object);
  const model = counter.of(linked);
  const mapped = Array.from({ length: count }, () => ({
    name: '.text.f',
    output: '.text',
    address: 0n,
    size: 0x1000n,
    file: 'a.o',
  }));
  const addresses = linkedAddresses(own, { model, bytes, mapped, mergeable: new Map() });
  const places = new Map([[1, new Uint8Array(64)]]);
  let results = 0;
  for (const _ of evaluatedRelocations(own, places, addresses)) results++;
  expect(results).toBe(count);
  return counter.reads;
}

describe('addresses in a linked file', () => {
  it('reads a number of values that grows with the files, not with their square', async () => {
    const [small, large] = [await readsFor(100), await readsFor(800)];
    expect(small).toBeGreaterThan(1000);
    expect(large / small).toBeLessThan(14);
  });

  it('matches local symbols after the file name that has most of them, in order', async () => {
    const names = (all: readonly string[]): ElfSymbol[] =>
      all.map((name, i) => ({ name, bind: 0, shndx: '.text', value: i }));
    const text = { name: '.text', flags: 6, data: new Uint8Array(16) };
    const object = await openModel(
      'a.o',
      elfObject({
        header: { machine: X86_64 },
        sections: [text],
        symbols: [file, ...names(['x', 'y', 'x', 'z'])],
      }).bytes,
    );
    const { bytes } = elfObject({
      header: { machine: X86_64, type: 2 },
      sections: [text],
      symbols: [file, ...names(['z', 'x']), file, ...names(['w', 'x', 'x', 'y', 'z'])],
    });
    const linked = await openModel('a.o', bytes);
    const addresses = linkedAddresses(object, {
      model: linked,
      bytes,
      mapped: [],
      mergeable: new Map(),
    });
    // x, y and z of the second group: y follows the second x, so that no other x is left.
    const found = [2, 3, 4, 5].map((row) => addresses.symbol(symbolIndex(row)));
    expect(found.map((address) => address === null)).toEqual([false, false, true, false]);
  });
});
