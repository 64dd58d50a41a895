/** Tests that the writer stops within its limits for damaged types, and writes pahole's text. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { attempt, type Issue } from '#bytes/issue.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { membersOf } from '#model/type-items.ts';
import { arrayData, isModifier, kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { gathered } from '#print/byte-text.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enumeration,
  float,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
} from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { type PaholeOptions, paholeOf, writePahole } from './pahole.ts';

const hasPahole =
  spawnSync('pahole', ['--version'], { encoding: 'utf8' }).stdout?.trim() === 'v1.24';
const folder = mkdtempSync(join(tmpdir(), 'btfscope-pahole-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Options for the installed version of pahole. */
const INSTALLED: PaholeOptions = { pahole: '1.24' };

function written(t: TypeTable, options: PaholeOptions = {}): Uint8Array {
  return gathered((out) => {
    for (const _done of writePahole(t, out, options));
  });
}

function table(types: readonly TypeRecord[]): TypeTable {
  return tableOf(btfBlob({ types }).bytes);
}

const LONG = int('long int', 8);
const DEPTH = 10_000;

const member = (type: number, name = 'm', bitOffset = 0) => ({ name, type, bitOffset });

describe('types of any shape', () => {
  /** Returns a chain of types: `link` makes each from the next id. It leads to `long int`. */
  const chain = (link: (next: number) => TypeRecord) => [
    LONG,
    ...Array.from({ length: DEPTH }, (_, i) => link(i + 1 < DEPTH ? i + 3 : 1)),
    struct('s', 8, [member(2)]),
  ];

  it.each<[string, (next: number) => TypeRecord]>([
    ['pointers', ptr],
    ['typedefs', (next) => typedef('t', next)],
    ['modifiers', (next) => modifier('const', next)],
    ['type tags', (next) => typeTag('t', next)],
    ['pointers to type tags', (next) => (next % 2 ? ptr(next) : typeTag('t', next))],
    ['arrays', (next) => array(next, 1, 1)],
    ['functions', (next) => funcProto(next, [['a', next]])],
    ['structs', (next) => struct('', 8, [member(next)])],
    ['structs behind pointers', (next) => (next % 2 ? ptr(next) : struct('', 8, [member(next)]))],
  ])(
    'may be deep: %s',
    (_name, link) => {
      const t = table(chain(link));
      expect(written(t).length).toBeGreaterThan(100);
      expect(paholeOf(t, typeId(DEPTH + 2))).toMatch(/^struct s \{\n/);
    },
    20_000,
  );

  it.each<[string, readonly TypeRecord[]]>([
    ['pointers', [ptr(3), ptr(2)]],
    ['typedefs', [typedef('a', 3), typedef('b', 2)]],
    ['modifiers', [modifier('const', 3), modifier('volatile', 2)]],
    ['constants', [modifier('const', 3), modifier('const', 2)]],
    ['type tags', [typeTag('a', 3), typeTag('b', 2)]],
    ['pointers to type tags', [typeTag('a', 3), ptr(2)]],
    ['arrays', [array(3, 1, 2), array(2, 1, 2)]],
    ['functions', [funcProto(2, [['a', 3]]), ptr(2)]],
    ['functions behind const', [funcProto(1, [['a', 4]]), ptr(2), modifier('const', 3)]],
    ['structs', [struct('', 8, [member(3)]), union('', 8, [member(2)])]],
    ['structs with names', [struct('a', 8, [member(3)]), union('b', 8, [member(2)])]],
    ['structs in arrays', [struct('', 8, [member(3)]), array(2, 1, 1)]],
  ])(
    'may go in a circle: %s',
    (_name, circle) => {
      const types = [LONG, ...circle];
      const t = table([...types, struct('s', 8, [member(2), member(types.length, 'n', 64)])]);
      expect(written(t).length).toBeGreaterThan(100);
      expect(written(t, INSTALLED).length).toBeGreaterThan(100);
      for (let id = 0; id <= t.count + 1; id++) paholeOf(t, typeId(id));
    },
    20_000,
  );

  // Found by the fuzzer: 168,000 nested levels, each with all its members.
  it('can contain itself among many members', () => {
    const members = Array.from({ length: 26 }, (_, i) => member(1, `m${i}`, 64 * (i + 1)));
    const text = paholeOf(table([LONG, struct('', 4096, [member(2), ...members])]), typeId(2));
    const levels = text.split('struct {').length - 1;
    expect(levels).toBeGreaterThan(100);
    expect(levels).toBeLessThan(5000);
  });

  // Found by the fuzzer: half a million rows of nested levels took 67 MB.
  it('can contain itself among thousands of members', () => {
    const members = Array.from({ length: 4000 }, (_, i) => member(1, `m${i}`, 64 * (i + 1)));
    const text = paholeOf(table([LONG, struct('', 32_008, [member(2), ...members])]), typeId(2));
    const levels = text.split('struct {').length - 1;
    expect(levels).toBeGreaterThan(10);
    expect(levels).toBeLessThan(70);
  });

  // Found by the fuzzer: each id above 2^31 made V8 deoptimize its compiled code.
  it('can refer to missing types above 2^31', () => {
    const holder = (type: number) =>
      paholeOf(table([LONG, struct('s', 16, [member(1), member(type, 'n', 64)])]), typeId(2));
    expect(holder(2 ** 32 - 3)).toBe(holder(99).replace('99', '-3'));
    expect(holder(2 ** 31)).toBe(holder(99).replace('99', '-2147483648'));
  });

  it('can double with each level', () => {
    const levels = 40;
    const doubled = (link: (next: number) => TypeRecord) =>
      table([LONG, ...Array.from({ length: levels }, (_, i) => link(i + 3)), LONG]);
    const structs = doubled((next) => struct('', 8, [member(next), member(next, 'n', 64)]));
    expect(paholeOf(structs, typeId(2)).length).toBeLessThan(1e8);
    const functions = table([
      LONG,
      ...Array.from({ length: levels }, (_, i) => [
        funcProto(1, [
          ['a', 2 * i + 5],
          ['b', 2 * i + 5],
        ]),
        ptr(2 * i + 2),
      ]).flat(),
      LONG,
      struct('s', 8, [member(3)]),
    ]);
    expect(written(functions).length).toBeLessThan(1e7);
  }, 30_000);

  it.each([
    ['plain', 8],
    ['special', 0],
  ])('stops in the middle of a type of %s members when it is to', (_name, distance) => {
    const list = Array.from({ length: 20_000 }, (_, i) => member(1, 'm', i * distance * 8));
    const t = table([LONG, struct('s', 8, list)]);
    const part = gathered((out) => {
      expect(writePahole(t, out).next()).toEqual({ done: false, value: 1 });
    });
    expect(part.length).toBeGreaterThan(100_000);
    expect(part.length).toBeLessThan(written(t).length / 2);
  });
});

/** Returns the id of a type for a random number. */
type Pick = (n: number) => number;
type Make = (pick: Pick) => TypeRecord;

const number = fc.integer({ min: 0, max: 14 });
const name = fc.constantFrom('', 'a', 'b', 'long_name_of_a_member_that_fills_the_column');
const bitMember = fc.record({
  name,
  type: number,
  bitOffset: fc.integer({ min: 0, max: 300 }),
  bitfieldSize: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 64 })),
});
const byteMember = fc.record({
  name,
  type: number,
  bitOffset: fc.integer({ min: 0, max: 40 }).map((offset) => 8 * offset),
});
const members = fc.oneof(
  fc.array(bitMember, { maxLength: 6 }),
  fc.array(byteMember, { maxLength: 6 }),
);
const params = fc.array(fc.tuple(name, number), { maxLength: 3 });
const values = fc.array(fc.tuple(fc.constantFrom('A', 'BBB'), fc.integer({ min: -9, max: 9 })), {
  maxLength: 3,
});
const scalar = fc.constantFrom(
  int('int', 4, { encoding: 1 }),
  int('char', 1),
  int('_Bool', 1, { encoding: 4 }),
  int('odd', 8, { bits: 40 }),
  float('f', 8),
);
const qualifier = fc.constantFrom('const' as const, 'volatile' as const, 'restrict' as const);
const composite = fc.tuple(
  fc.constantFrom(struct, union),
  name,
  fc.integer({ min: 0, max: 80 }),
  members,
);
const anyType: fc.Arbitrary<Make> = fc.oneof(
  scalar.map((type) => () => type),
  number.map((n) => (pick: Pick) => ptr(pick(n))),
  fc.tuple(qualifier, number).map(
    ([kind, n]) =>
      (pick: Pick) =>
        modifier(kind, pick(n)),
  ),
  fc.tuple(name, number).map(
    ([text, n]) =>
      (pick: Pick) =>
        typedef(text, pick(n)),
  ),
  fc.tuple(number, fc.nat(3)).map(
    ([n, count]) =>
      (pick: Pick) =>
        array(pick(n), 1, count),
  ),
  fc.tuple(number, params).map(
    ([n, list]) =>
      (pick: Pick) =>
        funcProto(
          pick(n),
          list.map(([p, type]) => [p, pick(type)]),
        ),
  ),
  ...[1, 2, 3].map(() =>
    composite.map(
      ([make, text, size, list]) =>
        (pick: Pick) =>
          make(
            text,
            size,
            list.map((m) => ({ ...m, type: pick(m.type) })),
          ),
    ),
  ),
  fc.tuple(name, values).map(
    ([text, list]) =>
      () =>
        enumeration(text, list),
  ),
  fc.tuple(name, number).map(
    ([text, n]) =>
      (pick: Pick) =>
        typeTag(text, pick(n)),
  ),
  fc.tuple(name, fc.constantFrom('struct' as const, 'union' as const)).map(
    ([text, of]) =>
      () =>
        fwd(text, of),
  ),
);
const makes = fc.array(anyType, { minLength: 4, maxLength: 14 });
/** Types that refer to any types, so that loops are possible. */
const anyTypes = makes.map((list) => [LONG, ...list.map((make) => make((n) => n))]);
/** Types that refer only to earlier types, void, or missing types. */
const orderedTypes = makes.map((list) => [
  LONG,
  ...list.map((make, i) => make((n) => (n === 14 ? 999 : n % (i + 2)))),
]);

describe('types at random', () => {
  it('are written equally in both byte orders', () => {
    fc.assert(
      fc.property(anyTypes, (types) => {
        const little = table(types);
        const big = tableOf(btfBlob({ types, endian: 'big' }).bytes);
        // Compare bytes: texts may have megabytes.
        expect(Buffer.compare(written(little), written(big))).toBe(0);
        for (let i = 0; i <= little.count; i++) paholeOf(little, typeId(i));
      }),
      { numRuns: runs(60) },
    );
  }, 60_000);

  it('are written with any wrong byte', () => {
    const good = btfBlob({
      types: [LONG, struct('s', 16, [member(3), member(1, 'n', 64)]), ptr(2)],
    });
    fc.assert(
      fc.property(fc.nat(good.bytes.length - 1), fc.nat(255), (at, value) => {
        const blob = good.bytes.slice();
        blob[at] = value;
        const issues: Issue[] = [];
        const t = attempt(issues, () => tableOf(blob));
        if (t !== null) written(t);
      }),
      { numRuns: runs(2000) },
    );
  });

  // Loops are left out: pahole runs forever, crashes, or its text depends on where it starts.
  it.skipIf(!hasPahole)(
    'are what pahole prints, where it does not crash',
    () => {
      let compared = 0;
      fc.assert(
        fc.property(orderedTypes, (types) => {
          const { bytes } = btfBlob({ types });
          const t = tableOf(bytes);
          if (hasSizeFromNowhere(t)) return;
          const file = join(folder, 'random.btf');
          writeFileSync(file, bytes);
          const { status, stdout } = spawnSync('pahole', ['-F', 'btf', file], { timeout: 2000 });
          if (status !== 0) return;
          compared++;
          const ours = new TextDecoder().decode(written(t, INSTALLED));
          expect(ours).toBe(new TextDecoder().decode(stdout));
        }),
        { numRuns: runs(300) },
      );
      expect(compared).toBeGreaterThan(runs(100));
    },
    60_000,
  );
});

/**
 * Returns true if a member is an array of void, or a function that returns such an array: pahole
 * reads the size of the array from uninitialized memory.
 */
function hasSizeFromNowhere(t: TypeTable): boolean {
  for (let i = 1; i <= t.count; i++) {
    if (membersOf(t, typeId(i)).some(({ type }) => isSizedByVoid(t, type))) return true;
  }
  return false;
}

function isSizedByVoid(t: TypeTable, from: TypeId): boolean {
  let isDerived = false;
  for (let at = from; ; ) {
    const kind = kindOf(t, at);
    if (kind === BtfKind.ARRAY) at = arrayData(t, at).elemType;
    else if (kind === BtfKind.FUNC_PROTO || isModifier(kind)) at = typeId(sizeOrTypeOf(t, at));
    else return isDerived && at === 0;
    isDerived ||= kind === BtfKind.ARRAY || kind === BtfKind.FUNC_PROTO;
  }
}
