/**
 * Compares the C of random types with bpftool's, if it is installed, and in both byte orders.
 * References that would make bpftool loop are mostly avoided: by value, a type refers only to
 * earlier types.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { sizeOf } from '#analysis/types/sizes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { gathered } from '#print/byte-text.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enum64,
  enumeration,
  float,
  func,
  funcProto,
  fwd,
  int,
  type Member,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { type COptions, writeC } from './dump.ts';
import { recordsOf, sizeAt } from './records.ts';

const BPFTOOL = 'bpftool';
const hasBpftool = spawnSync(BPFTOOL, ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bytesOf = (t: TypeTable, options: COptions = {}) =>
  gathered((out) => {
    for (const _ of writeC(t, out, options));
  });

/** Returns the type with id `id`, in a blob of `count` types. */
type Recipe = (id: number, count: number) => TypeRecord;

const name = fc.constantFrom('', 'a', 'b', 'c', 'foo', 'foo___2', '__gnuc_va_list', '__Poly8_t');
const ref = fc.nat(1000);
const earlier = (choice: number, id: number) => choice % id;

const members = fc.array(
  fc.record({
    name,
    ref,
    gap: fc.constantFrom(0, 0, 0, 1, 3, 8, 16, 32, 64, 96),
    bits: fc.constantFrom(8, 16, 32, 64, 128),
    bitfieldSize: fc.constantFrom(0, 0, 1, 7, 20),
  }),
  { maxLength: 5 },
);

type Parts = { readonly list: readonly Member[]; readonly end: number };

/** Places members one after another, or all at offset 0. */
function placed(
  specs: readonly { name: string; ref: number; gap: number; bits: number; bitfieldSize: number }[],
  id: number,
  isUnion: boolean,
  withBitfields: boolean,
): Parts {
  let end = 0;
  const list = specs.map(({ name: text, ref: choice, gap, bits, bitfieldSize }) => {
    const start = isUnion ? 0 : end + gap;
    const width = withBitfields ? bitfieldSize : 0;
    const bitOffset = withBitfields ? start : Math.ceil(start / 8) * 8;
    end = bitOffset + (width || bits);
    const type = Math.max(1, earlier(choice, id));
    return { name: text, type, bitOffset, ...(withBitfields ? { bitfieldSize: width } : {}) };
  });
  return { list, end };
}

const composite = fc
  .tuple(name, members, fc.boolean(), fc.boolean(), fc.constantFrom(1, 4, 8, 16))
  .map(([text, specs, isUnion, withBitfields, unit]): Recipe => {
    return (id) => {
      if (id === 1) return int('int', 4);
      const { list, end } = placed(specs, id, isUnion, withBitfields);
      const size = Math.ceil(end / 8 / unit) * unit;
      return isUnion ? union(text, size, list) : struct(text, size, list);
    };
  });

const params = fc.array(fc.tuple(name, ref), { maxLength: 3 });
const values = fc.array(fc.tuple(name, fc.integer({ min: -3, max: 9 })), { maxLength: 3 });

const recipe: fc.Arbitrary<Recipe> = fc.oneof(
  fc.constantFrom<Recipe>(
    () => int('int', 4),
    () => int('long', 8),
    () => int('char', 1),
    () => int('__Poly8_t', 1),
    () => float('double', 8),
  ),
  {
    weight: 3,
    arbitrary: ref.map(
      (r): Recipe =>
        (_, count) =>
          ptr(r % (count + 1)),
    ),
  },
  { weight: 4, arbitrary: composite },
  fc.tuple(ref, fc.constantFrom(0, 1, 7)).map(
    ([r, n]): Recipe =>
      (id) =>
        id === 1 ? int('int', 4) : array(Math.max(1, earlier(r, id)), 1, n),
  ),
  fc.tuple(name, values, fc.boolean()).map(
    ([text, list, signed]): Recipe =>
      () =>
        enumeration(text, list, { signed }),
  ),
  fc.tuple(name, values).map(
    ([text, list]): Recipe =>
      () =>
        enum64(
          text,
          list.map(([n, v]) => [n, BigInt(v) << 33n]),
          { signed: true },
        ),
  ),
  fc.tuple(name, fc.constantFrom('struct', 'union')).map(
    ([text, of]): Recipe =>
      () =>
        fwd(text, of),
  ),
  {
    weight: 2,
    arbitrary: fc.tuple(name, ref).map(
      ([n, r]): Recipe =>
        (id) =>
          typedef(n, earlier(r, id)),
    ),
  },
  fc.tuple(fc.constantFrom('const', 'volatile', 'restrict'), ref).map(
    ([kind, r]): Recipe =>
      (id) =>
        modifier(kind, earlier(r, id)),
  ),
  ref.map(
    (r): Recipe =>
      (id) =>
        typeTag('user', earlier(r, id)),
  ),
  fc.tuple(ref, params).map(
    ([r, list]): Recipe =>
      (id) =>
        funcProto(
          earlier(r, id),
          list.map(([n, p]) => [n, earlier(p, id)]),
        ),
  ),
  fc.tuple(name, ref).map(
    ([n, r]): Recipe =>
      (id) =>
        func(n, earlier(r, id)),
  ),
  fc.tuple(name, ref).map(
    ([n, r]): Recipe =>
      (id) =>
        variable(n, earlier(r, id)),
  ),
);

const anyTypes: fc.Arbitrary<TypeRecord[]> = fc
  .array(recipe, { minLength: 1, maxLength: 25 })
  .map((recipes) => recipes.map((make, index) => make(index + 1, recipes.length)))
  .map((types) => types.map((type, index) => withoutLoops(types, type, index + 1)));

/** Replaces pointers to later types, which may lead back here. Pointers to structs are kept. */
function withoutLoops(types: readonly TypeRecord[], type: TypeRecord, id: number): TypeRecord {
  if (type.kind !== BtfKind.PTR || type.sizeOrType < id) return type;
  const target = types[type.sizeOrType - 1]?.kind;
  return target === BtfKind.STRUCT || target === BtfKind.UNION ? type : ptr(type.sizeOrType % id);
}

it.skipIf(!hasBpftool)(
  'is what bpftool writes, and what it wrote before it gave up',
  () => {
    const file = join(folder, 'types.btf');
    let compared = 0;
    fc.assert(
      fc.property(anyTypes, (types) => {
        const { bytes } = btfBlob({ types });
        writeFileSync(file, bytes);
        const args = ['btf', 'dump', 'file', file, 'format', 'c'];
        const { status, stdout } = spawnSync(BPFTOOL, args, { timeout: 2000 });
        // Skip types on which bpftool recurses endlessly, or divides by an alignment of zero.
        if (status === null) return;
        const ours = Buffer.from(bytesOf(tableOf(bytes), { bpftool: '7.1' }));
        const text = status === 0 ? ours : ours.subarray(0, stdout.length);
        expect(text.toString('latin1')).toBe(stdout.toString('latin1'));
        compared++;
      }),
      { numRuns: runs(150) },
    );
    expect(compared).toBeGreaterThan(runs(80));
  },
  60_000,
);

it('is the same for both byte orders and for a blob at an odd address', () => {
  fc.assert(
    fc.property(anyTypes, (types) => {
      const little = btfBlob({ types }).bytes;
      const expected = bytesOf(tableOf(little));
      expect(bytesOf(tableOf(btfBlob({ types, endian: 'big' }).bytes))).toEqual(expected);
      const shifted = new Uint8Array(little.length + 3).subarray(3);
      shifted.set(little);
      expect(bytesOf(tableOf(shifted))).toEqual(expected);
    }),
    { numRuns: runs(50) },
  );
});

it('has sizes as `analysis/types/sizes.ts`, in 32 bits', () => {
  fc.assert(
    fc.property(anyTypes, (types) => {
      const t = tableOf(btfBlob({ types }).bytes);
      for (let id = 0; id <= types.length + 1; id++) {
        const size = sizeOf(t, typeId(id)) ?? 0n;
        expect(sizeAt(recordsOf(t), id)).toBe(size > 0xffffffffn ? 0 : Number(size));
      }
    }),
  );
});
