/** Tests properties that the resolver must have for any object and any target. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endian } from '#bytes/span.ts';
import { typeId } from '#model/ids.ts';
import { nameOf } from '#model/type-table.ts';
import {
  array,
  enum64,
  enumeration,
  fwd,
  int,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import {
  type CoreCase,
  coreObject,
  ldImm64,
  targetOfBlob,
  typesOfBlob,
} from '#testing/core-cases.ts';
import { runs } from '#testing/runs.ts';
import { targetOf } from './candidates.ts';
import { walkAccess } from './parse-spec.ts';
import { localValue } from './patch-insn.ts';
import { resolveObject } from './resolve.ts';
import { traceLines } from './trace-text.ts';

const LOCAL_TYPE_ID = 6;

const id = fc.nat(9);
const anyName = fc.constantFrom('', 'a', 'b', 'c', 'a___x');
const anyMembers = fc.array(
  fc.record({
    name: anyName,
    type: id,
    bitOffset: fc.nat(200),
    bitfieldSize: fc.constantFrom(0, 0, 1, 7, 33),
  }),
  { maxLength: 4 },
);
const anyRecord: fc.Arbitrary<TypeRecord> = fc.oneof(
  fc.tuple(anyName, fc.nat(40), anyMembers).map(([name, size, list]) => struct(name, size, list)),
  fc.tuple(anyName, fc.nat(40), anyMembers).map(([name, size, list]) => union(name, size, list)),
  fc.tuple(id, fc.nat(3)).map(([type, nelems]) => array(type, type, nelems)),
  fc.tuple(anyName, id).map(([name, type]) => typedef(name, type)),
  fc
    .tuple(anyName, fc.constantFrom(1, 4, 8), fc.nat(4))
    .map(([name, size, encoding]) => int(name, size, { encoding })),
  fc.tuple(anyName, fc.integer()).map(([name, value]) =>
    enumeration(
      name,
      [
        ['A', value],
        ['B', 1],
      ],
      { signed: value < 0 },
    ),
  ),
  anyName.map((name) => enum64(name, [['A', -5n]], { signed: true })),
  anyName.map((name) => fwd(name)),
  id.map(ptr),
);
const anyTypes = fc.array(anyRecord, { minLength: 1, maxLength: 9 });
const anyCases = fc.array(
  fc.record({
    kind: fc.nat(13),
    root: id,
    accessStr: fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }).map((list) => list.join(':')),
  }),
  { minLength: 1, maxLength: 6 },
);
const anyEndian = fc.constantFrom<Endian>('little', 'big');

/** Returns the records with instructions that contain the values a compiler would write. */
function written(
  types: ReturnType<typeof typesOfBlob>,
  cases: readonly CoreCase[],
  endian: Endian,
) {
  return cases.map((given) => {
    const path = walkAccess(types, typeId(given.root), given.accessStr, given.kind);
    const { value } = localValue(types, path, given.kind, endian);
    return { ...given, insn: ldImm64(value ?? 0n, endian) };
  });
}

/** Types as a compiler writes them: unique names, and members sorted by offset. */
const soundTypes = fc
  .array(
    fc.array(fc.record({ type: fc.nat(), width: fc.nat(40), named: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((structs) => {
    const types: TypeRecord[] = [
      int('int', 4, { encoding: 1 }),
      int('unsigned long', 8),
      ptr(1),
      array(1, 1, 3),
      enumeration(
        'e',
        [
          ['A', 3],
          ['B', -1],
        ],
        { signed: true },
      ),
      enum64('wide', [['W', 1n << 40n]]),
    ];
    const leaves = types.length;
    const embedded = new Set<number>();
    for (const [number, members] of structs.entries()) {
      const list = members.map(({ type, width, named }, i) => {
        const at = (type % types.length) + 1;
        const anonymous = !named && at > leaves && !embedded.has(at);
        if (anonymous) embedded.add(at);
        return {
          name: anonymous ? '' : `m${number}_${i}`,
          type: at,
          bitOffset: i * 2048,
          bitfieldSize: at <= 2 ? width % 32 : 0,
        };
      });
      types.push(struct(`s${number}`, members.length * 256, list));
    }
    return types;
  });

describe('any object', () => {
  it('is not changed by its own types', () => {
    let resolved = 0;
    const index = fc.array(fc.nat(2), { maxLength: 3 });
    const cases = fc.array(
      fc.record({
        kind: fc.nat(12),
        root: fc.constantFrom(1, 5, 6, 7, 7, 8, 9),
        accessStr: index.map((list) => [0, ...list].join(':')),
      }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(soundTypes, cases, anyEndian, (records, given, endian) => {
        const types = typesOfBlob(records, endian);
        const object = coreObject(types, written(types, given, endian), endian);
        for (const found of resolveObject(object, targetOf('self', types))) {
          const { root, accessStr, kind } = found.record;
          const path = walkAccess(types, root, accessStr, kind);
          // libbpf does not search for anonymous members: the target's spec ends before the member.
          if (path.steps.at(-1)?.means === 'anonymous-member') continue;
          const isNamed = nameOf(types, root) !== '' || kind === LOCAL_TYPE_ID;
          const { value } = localValue(types, path, kind, endian);
          if (value === null || !isNamed) {
            expect(found.status).toBe('failed');
            continue;
          }
          resolved += 1;
          expect({ ...found, insn: found.insnAfter }).toMatchObject({
            status: 'ok',
            insn: found.insnBefore,
            decision: { origVal: value, newVal: value },
            matched: kind === LOCAL_TYPE_ID ? [] : [{ table: 0, id: root }],
          });
          if (kind !== LOCAL_TYPE_ID) expect(found.targetSpec?.text).toBe(found.localSpec);
        }
      }),
      { numRuns: runs(500) },
    );
    expect(resolved).toBeGreaterThan(runs(500));
  });

  it('against any types gives for each record a result that its trace ends in', () => {
    fc.assert(
      fc.property(anyTypes, anyTypes, anyCases, anyEndian, (records, others, cases, endian) => {
        const types = typesOfBlob(records);
        const object = coreObject(types, written(types, cases, endian), endian);
        const target = targetOfBlob(others, endian);
        const silent = resolveObject(object, target);
        const traced = resolveObject(object, target, { trace: () => true });
        expect(traced).toHaveLength(cases.length);
        for (const [row, found] of traced.entries()) {
          expect(found.steps.at(-1)).toEqual({ step: 'result', status: found.status });
          expect(found.steps.filter(({ step }) => step === 'result')).toHaveLength(1);
          // Without a trace the resolver records fewer steps; all other fields are equal.
          const { steps, ...rest } = silent[row] ?? found;
          expect({ ...found, steps }).toEqual({ ...rest, steps });
          let at = 0;
          for (const step of found.steps) {
            if (at < steps.length && JSON.stringify(step, big) === JSON.stringify(steps[at], big))
              at++;
          }
          expect(at).toBe(steps.length);
          expect(found.insnAfter).toHaveLength(found.insnBefore.length);
          for (const { text } of traceLines(found, types, target)) {
            expect(text).toMatch(/\.$/);
            expect(text).not.toContain('undefined');
          }
          expect(found.reason).toMatch(/\.$/);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

const big = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
