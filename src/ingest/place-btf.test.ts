import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { membersOf } from '#model/type-items.ts';
import { nameOf, refOf, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, struct, typedef } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { runs } from '#testing/runs.ts';
import { sampleBytes } from '#testing/samples.ts';
import { ingest } from './ingest.ts';

async function open(name: string, bytes: Uint8Array, base?: TypeTable): Promise<ObjectModel> {
  const options = base === undefined ? {} : { base, baseName: 'the kernel' };
  const opened = await ingest(bufferSource(name, bytes), options);
  if (opened.kind !== 'object') throw new Error(`${name} is an archive`);
  return opened.model;
}

const sample = (name: string, base?: TypeTable) => open(name, sampleBytes(name), base);

async function typesOf(model: Promise<ObjectModel>): Promise<TypeTable> {
  const { types } = await model;
  if (types === null) throw new Error('there are no types');
  return types;
}

const codes = (model: ObjectModel) => model.issues.map(({ code }) => code);
const ownNames = (t: TypeTable) =>
  Array.from({ length: t.count }, (_, i) => nameOf(t, typeId(t.firstId + i)));

describe('a chosen base', () => {
  it('is used if it fits', async () => {
    const base = await typesOf(sample('kernel.btf'));
    const model = await sample('module.btf', base);
    expect(model.types).toMatchObject({ split: true, base, firstId: base.count + 1 });
    expect(model.splitBase).toMatchObject({ refusal: null, distilled: null });
    expect(model.splitBase?.needs?.typeCount.value).toBe(base.count);
    expect(codes(model)).toEqual(['btf.base-in-use']);
  });

  it('is refused with a message if ids and strings mean other things in it', async () => {
    const kernel = await typesOf(sample('kernel.btf'));
    const wrong = await typesOf(sample('kinds.btf'));
    const model = await sample('module.btf', wrong);
    const alone = await sample('module.btf');
    expect(codes(model)).toEqual(['btf.base-does-not-fit', 'btf.base-missing']);
    expect(model.types).toEqual(alone.types);
    const strLen = (t: TypeTable) => (t.strEnd - t.strStart).toLocaleString('en-US');
    expect(model.splitBase?.refusal?.message).toBe(
      `the kernel does not fit: the file needs ${kernel.count} base types and ${strLen(kernel)} bytes of base strings; the kernel has ${wrong.count} and ${strLen(wrong)}`,
    );
  });

  it('is refused for its byte order, and without its own base', async () => {
    const kernel = await typesOf(sample('kernel.btf'));
    const big = await sample('module.btf', { ...kernel, endian: 'big' });
    expect(big.splitBase?.refusal).toMatchObject({
      message: 'the kernel does not fit: it has another byte order',
      expected: 'little-endian',
      found: 'big-endian',
    });
    const split = await typesOf(sample('module.btf'));
    const chained = await sample('module.btf', split);
    expect(chained.splitBase?.refusal?.message).toContain('its own base is not loaded');
  });

  it('is not used, with a note, if the types need no base', async () => {
    const base = await typesOf(sample('kernel.btf'));
    const model = await sample('kinds.btf', base);
    expect(model.splitBase).toBeNull();
    expect(model.types?.base).toBeNull();
    expect(codes(model)).toContain('btf.base-not-needed');
  });

  it('that is too small is refused even with little evidence', async () => {
    const { bytes } = btfBlob({
      types: [struct('s', 8, [{ name: 'm', type: 40, bitOffset: 0 }])],
      baseStringLength: 100,
    });
    const small = await typesOf(open('b', btfBlob({ types: [int('int', 4)] }).bytes));
    const { splitBase } = await open('m', bytes, small);
    expect(splitBase?.refusal?.message).toContain(
      'the file needs at least 40 base types and 100 bytes of base strings; the kernel has 1 and 5',
    );
  });
});

describe('a distilled base', () => {
  it('is used until a real one is chosen', async () => {
    const model = await sample('module.distilled.ko');
    expect(model.types?.base).toBe(model.splitBase?.distilled);
    expect(model.splitBase).toMatchObject({ needs: null, matches: [], refusal: null });
  });

  it('is replaced by the real base: the types of the plain module come first', async () => {
    const base = await typesOf(sample('kernel.btf'));
    const plain = await typesOf(sample('module.btf', base));
    const model = await sample('module.distilled.ko', base);
    const { types } = model;
    if (types === null) throw new Error('there are no types');
    expect(types).toMatchObject({ base, firstId: plain.firstId, fileOffset: null });
    expect(ownNames(types).slice(0, plain.count)).toEqual(ownNames(plain));
    expect(model.splitBase?.matches.every(({ outcome }) => outcome === 'mapped')).toBe(true);
    expect(codes(model)).toContain('btf.base-in-use');
    const stats = typeId(types.firstId);
    expect(membersOf(types, stats).map(({ name }) => name)).toEqual(
      membersOf(plain, stats).map(({ name }) => name),
    );
  });

  it('stays, with a reason per type, if the real base lacks a type', async () => {
    const wrong = await typesOf(sample('kinds.btf'));
    const model = await sample('module.distilled.ko', wrong);
    const alone = await sample('module.distilled.ko');
    expect(model.types).toEqual(alone.types);
    expect(model.splitBase?.refusal?.message).toMatch(
      /^the kernel does not fit: \d+ of the \d+ types of \.BTF\.base (is|are) not in it\. \[\d+\] /,
    );
    const lost = model.splitBase?.matches.filter(({ outcome }) => outcome !== 'mapped') ?? [];
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.every(({ reason }) => reason !== '')).toBe(true);
  });

  it('moves the records of .BTF.ext with it', async () => {
    const distilled = btfBlob({ types: [struct('task', 8, [])] });
    const own = btfBlob({
      types: [ptr(1), typedef('.text', 2)],
      baseStringLength: distilled.bytes.length - distilled.stringsOffset,
    });
    const nameOff = own.stringOff('.text');
    const ext = extBlob([8, nameOff, 1, 0, 3]);
    const { bytes } = elfObject({
      sections: [
        { name: '.text', flags: 6, data: new Uint8Array(8) },
        { name: '.BTF.base', data: distilled.bytes },
        { name: '.BTF', data: own.bytes },
        { name: '.BTF.ext', data: ext },
      ],
    });
    const kernel = await typesOf(
      open('k', btfBlob({ types: [int('int', 4), int('pad', 8), struct('task', 8, [])] }).bytes),
    );
    const { types, ext: moved } = await open('m.ko', bytes, kernel);
    if (types === null) throw new Error('there are no types');
    expect([...moved.func.typeId]).toEqual([5]);
    expect(refOf(types, typeId(4))).toBe(3);
    expect(nameOf(types, typeId(5))).toBe('.text');
    expect([...moved.func.section]).toEqual([1]);
    expect([...moved.func.secNameOff]).toEqual([types.strBase + nameOff - strLenOf(distilled)]);
  });

  it('stays if a name that is not a type name is in use', async () => {
    const distilled = btfBlob({ types: [struct('task', 8, [])], strings: ['stray'] });
    const own = btfBlob({
      types: [typedef(distilled.stringOff('stray'), 1)],
      baseStringLength: strLenOf(distilled),
      strings: ['x'],
    });
    const { bytes } = elfObject({
      sections: [
        { name: '.BTF.base', data: distilled.bytes },
        { name: '.BTF', data: own.bytes },
      ],
    });
    const kernel = await typesOf(
      open('k', btfBlob({ types: [int('int', 4), struct('task', 8, [])] }).bytes),
    );
    const model = await open('m.ko', bytes, kernel);
    expect(model.splitBase?.refusal?.message).toContain("names in use that are no type's");
  });
});

describe('damage', () => {
  it.each(['module.btf', 'module.distilled.ko'])(
    'to %s never causes an exception',
    async (name) => {
      const base = await typesOf(sample('kernel.btf'));
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
          async (flips) => {
            const bytes = sampleBytes(name);
            for (const [at, value] of flips) bytes[at % bytes.length] = value;
            try {
              const { types } = await open(name, bytes, base);
              for (let id = 0; types !== null && id < 200; id++) membersOf(types, typeId(id));
            } catch (error) {
              expect(error).toBeInstanceOf(Malformed);
            }
          },
        ),
        { numRuns: runs(200) },
      );
    },
  );
});

const strLenOf = (blob: { bytes: Uint8Array; stringsOffset: number }) =>
  blob.bytes.length - blob.stringsOffset;

/** Returns a `.BTF.ext` with one part, func_info, which consists of `words`. */
function extBlob(words: readonly number[]): Uint8Array {
  const header = [0x0001eb9f, 24, 0, 4 * words.length, 4 * words.length, 0];
  return new Uint8Array(Uint32Array.from([...header, ...words]).buffer);
}
