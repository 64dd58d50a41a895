import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enum64,
  enumeration,
  fwd,
  int,
  modifier,
  ptr,
  record,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { type AccessPath, walkAccess } from './parse-spec.ts';
import { logLine } from './spec.ts';

const table = (...types: readonly TypeRecord[]): TypeTable => tableOf(btfBlob({ types }).bytes);

/** The struct of the kernel document's example, and types that the example lacks. */
const sample = table(
  int('int', 4, { encoding: 1 }),
  struct('sample', 48, [
    { name: 'a', type: 1, bitOffset: 0 },
    { name: 'b', type: 1, bitOffset: 32 },
    { name: '', type: 3, bitOffset: 64 },
  ]),
  struct('', 40, [{ name: 'c', type: 4, bitOffset: 0 }]),
  array(1, 1, 10),
  typedef('sample_t', 6),
  modifier('const', 2),
  enumeration('bar', [
    ['U', 0],
    ['V', 1],
  ]),
  enum64('wide', [['TOP', -1n]], { signed: true }),
  fwd('opaque'),
  ptr(2),
);

const walk = (root: number, accessStr: string, kind = 0, t = sample): AccessPath =>
  walkAccess(t, typeId(root), accessStr, kind);

describe('walkAccess', () => {
  it.each([
    ['0:0', 'p->a', 'struct sample.a (0:0 @ offset 0)', 0n],
    ['0:1', 'p->b', 'struct sample.b (0:1 @ offset 4)', 4n],
    ['1:2:0:5', 'p[1].c[5]', 'struct sample[1].c[5] (1:2:0:5 @ offset 76)', 76n],
    ['0', '*p', 'struct sample (0 @ offset 0)', 0n],
    ['2', 'p[2]', 'struct sample[2] (2 @ offset 96)', 96n],
    ['0:2', 'p->(anonymous struct)', 'struct sample (0:2 @ offset 8)', 8n],
  ])('%s of the document is %s', (accessStr, expression, spec, byteOffset) => {
    expect(walk(2, accessStr)).toMatchObject({ expression, spec, byteOffset, error: null });
  });

  it('explains every index of 1:2:0:5', () => {
    expect(walk(2, '1:2:0:5').steps).toMatchObject([
      { index: 1, means: 'element-of-pointer', container: 2, type: 2, bitOffset: 384n },
      { index: 2, means: 'anonymous-member', container: 2, type: 3, name: '', bitOffset: 448n },
      { index: 0, means: 'member', container: 3, type: 4, name: 'c', bitOffset: 448n },
      { index: 5, means: 'array-element', container: 4, type: 1, name: '', bitOffset: 608n },
    ]);
    expect(walk(2, '1:2:0:5').steps.map((step) => step.words)).toEqual([
      'The struct sample at index 1 of the pointer, 1 × 48 bytes after the first.',
      'Member 2 of struct sample, counted from 0: an anonymous struct at byte 8. It has an index in the access string, but no name in C.',
      'Member 0 of struct {…}, counted from 0: c, int [10], at byte 0.',
      'Element 5 of the array c: int, 5 × 4 bytes from its start.',
    ]);
  });

  it('skips typedefs and modifiers and keeps the root unchanged', () => {
    const path = walk(5, '0:1');
    expect(path).toMatchObject({ root: 5, spec: 'typedef sample_t.b (0:1 @ offset 4)' });
    expect(path.steps[1]).toMatchObject({ container: 5, name: 'b' });
  });

  it('names enumerators with their values', () => {
    expect(walk(7, '1', 11)).toMatchObject({ expression: 'enum bar::V', spec: 'enum bar::V = 1' });
    expect(walk(8, '0', 10)).toMatchObject({ spec: 'enum64 wide::TOP = -1' });
  });

  it('accepts only 0 for a type', () => {
    expect(walk(2, '0', 8)).toMatchObject({ expression: 'struct sample', spec: 'struct sample' });
    expect(walk(2, '1', 8).error).toMatchObject({ atStep: 0, reason: 'string' });
  });

  it.each([
    ['a kind that does not exist', 2, '0', 13, 0, 'kind'],
    ['a type that does not exist', 99, '0:0', 0, 0, 'root'],
    ['void', 0, '0:0', 0, 0, 'root'],
    ['a root without a size', 9, '0:0', 0, 0, 'root'],
    ['a root with nothing inside', 10, '0:0', 0, 1, 'root'],
    ['an enumerator of a struct', 2, '0', 11, 0, 'root'],
    ['an enumerator too many', 7, '2', 10, 0, 'step'],
    ['two indices for an enumerator', 7, '1:0', 10, 0, 'string'],
    ['a member too many', 2, '0:3', 0, 1, 'step'],
    ['an element too many', 2, '0:2:0:10', 0, 3, 'step'],
    ['an index into an int', 2, '0:0:0', 0, 2, 'step'],
    ['a string that ends badly', 2, '0:1:', 0, 2, 'string'],
  ])('stops at %s and keeps what came before', (_what, root, accessStr, kind, atStep, reason) => {
    const path = walk(root, accessStr, kind);
    expect(path.error).toMatchObject({ atStep, reason });
    expect(path.steps).toHaveLength(atStep);
  });

  it('reads past an array of no elements only where it ends its struct', () => {
    const t = table(
      int('int', 4),
      array(1, 1, 0),
      struct('flexible', 4, [
        { name: 'n', type: 1, bitOffset: 0 },
        { name: 'items', type: 2, bitOffset: 32 },
      ]),
      struct('early', 4, [
        { name: 'items', type: 2, bitOffset: 0 },
        { name: 'n', type: 1, bitOffset: 0 },
      ]),
    );
    expect(walk(3, '0:1:7', 0, t)).toMatchObject({ error: null, byteOffset: 32n });
    expect(walk(4, '0:0:0', 0, t).error).toMatchObject({ atStep: 2, reason: 'step' });
  });

  it('goes through arrays that the pointer points at', () => {
    expect(walk(4, '0:3').expression).toBe('(*p)[3]');
    expect(walk(4, '1:3').expression).toBe('p[1][3]');
  });

  it('cuts the line of the log, and only that, at 255 bytes', () => {
    const name = 'x'.repeat(300);
    const t = table(int('int', 4), struct(name, 4, [{ name: 'a', type: 1, bitOffset: 0 }]));
    const path = walk(2, '0:0', 0, t);
    expect(logLine(path.kind, path.root, path.spec)).toBe(
      `<byte_off> [2] struct ${name}`.slice(0, 255),
    );
    expect(path.spec).toBe(`struct ${name}.a (0:0 @ offset 0)`);
  });

  it('ends on any types and any string', () => {
    const id = fc.nat(12);
    const anyRecord: fc.Arbitrary<TypeRecord> = fc.oneof(
      fc.tuple(id, id).map(([a, b]) =>
        struct('s', 16, [
          { name: '', type: a, bitOffset: 0 },
          { name: 'm', type: b, bitOffset: 64 },
        ]),
      ),
      id.map((a) => union('', 8, [{ name: 'u', type: a, bitOffset: 0, bitfieldSize: 3 }])),
      fc.tuple(id, fc.nat(5)).map(([a, n]) => array(a, a, n)),
      id.map((a) => typedef('t', a)),
      id.map((a) => modifier('const', a)),
      fc.constant(int('int', 4)),
      fc.constant(enumeration('e', [['A', 1]])),
      fc
        .integer({ min: 0, max: 127 })
        .filter((k) => k > 19)
        .map((kind) => record(kind)),
    );
    const indices = fc.array(fc.nat(4), { minLength: 1, maxLength: 70 });
    fc.assert(
      fc.property(
        fc.array(anyRecord, { minLength: 1, maxLength: 10 }),
        id,
        indices,
        fc.nat(14),
        (types, root, list, kind) => {
          const path = walk(root, list.join(':'), kind, table(...types));
          expect(path.steps.length).toBe(path.error === null ? list.length : path.error.atStep);
          expect(path.bitOffset).toBe(path.steps.at(-1)?.bitOffset ?? 0n);
        },
      ),
    );
  });
});
