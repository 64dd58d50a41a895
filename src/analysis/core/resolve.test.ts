import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enumeration,
  fwd,
  int,
  type Member,
  ptr,
  struct,
  type TypeRecord,
} from '#testing/btf-types.ts';
import { type CoreCase, coreObject, targetOfBlob, typesOfBlob } from '#testing/core-cases.ts';
import { tableOf } from '#testing/type-table.ts';
import { walkAccess } from './parse-spec.ts';
import { localValue } from './patch-insn.ts';
import { gaveUp, resolveObject } from './resolve.ts';

const member = (name: string, type: number, bitOffset = 0): Member => ({ name, type, bitOffset });
const BYTE_OFF = 0;
const FIELD_EXISTS = 2;
const TARGET_TYPE_ID = 7;

/** Load (LDX) of 8 bytes at offset 0. */
const load8 = Uint8Array.of(0x79, 0x11, 0, 0, 0, 0, 0, 0);

function resolveOne(
  local: readonly TypeRecord[],
  target: readonly TypeRecord[],
  given: Partial<CoreCase> = {},
) {
  const record = { kind: BYTE_OFF, root: local.length, accessStr: '0:0', ...given };
  const [result] = resolveObject(coreObject(typesOfBlob(local), [record]), targetOfBlob(target));
  if (result === undefined) throw new Error('there is one record');
  return result;
}

describe('resolveObject', () => {
  const I = int('int', 4);
  const local = [I, struct('s', 4, [member('a', 1)])];

  it('writes where the field is in the target', () => {
    const target = [I, struct('other', 4, []), struct('s___v2', 16, [member('a', 1, 64)])];
    expect(resolveOne(local, target)).toMatchObject({
      status: 'ok',
      candidates: [{ table: 0, id: 3 }],
      matched: [{ table: 0, id: 3 }],
      module: null,
      localSpec: '<byte_off> [2] struct s.a (0:0 @ offset 0)',
      targetSpec: {
        text: '<byte_off> [3] struct s___v2.a (0:0 @ offset 8)',
        root: 3,
        raw: [0, 0],
        bitOffset: 64,
      },
      decision: { origVal: 0n, newVal: 8n, validate: true, poison: false, origSz: 4, newSz: 4 },
      insnBefore: '18010000000000000000000000000000',
      insnAfter: '18010000080000000000000000000000',
      resolveErr: 0,
      patchErr: 0,
      firstError: false,
      reason: 'The byte_off of struct s___v2 [3] is 8, and 0 in this file.',
    });
  });

  it('bounds the work of many records with many candidates, and says that it stopped', () => {
    const COUNT = 300;
    const same = [I, ...Array.from({ length: COUNT }, () => struct('s', 4, [member('a', 1)]))];
    const records = Array.from({ length: COUNT }, (_, i) => ({
      kind: BYTE_OFF,
      root: i + 2,
      accessStr: '0:0',
    }));
    const results = resolveObject(coreObject(typesOfBlob(same), records), targetOfBlob(same));
    const trials = results.flatMap(({ steps }) => steps).filter(({ step }) => step === 'trial');
    expect(results[0]).toMatchObject({ status: 'ok', matched: { length: COUNT } });
    expect(trials.length).toBeGreaterThan(COUNT);
    expect(trials.length).toBeLessThan((COUNT * COUNT) / 4);
    expect(results.at(-1)).toMatchObject({ status: 'failed' });
    expect(results.at(-1)?.reason).toContain('would take too long');
    expect(results.map(gaveUp)).toEqual(results.map(({ status }) => status === 'failed'));
  });

  it.each([
    [BYTE_OFF, '0:0', 'poisoned', true],
    [1, '0:0', 'poisoned', true],
    [FIELD_EXISTS, '0:0', 'ok', false],
    [3, '0:0', 'poisoned', true],
    [4, '0:0', 'poisoned', true],
    [5, '0:0', 'poisoned', true],
    [TARGET_TYPE_ID, '0', 'ok', false],
    [8, '0', 'ok', false],
    [9, '0', 'ok', false],
    [12, '0', 'ok', false],
  ])('kind %i of a missing type is %s %s', (kind, accessStr, status, poison) => {
    const path = walkAccess(typesOfBlob(local), typeId(2), accessStr, kind);
    const value = localValue(typesOfBlob(local), path, kind, 'little').value ?? 0n;
    const found = resolveOne(local, [I], { kind, accessStr, value });
    expect(found).toMatchObject({ status, decision: { poison, newVal: 0n } });
    expect(found.insnAfter).toBe(
      poison ? '850000001023ad0b850000001023ad0b' : '18010000000000000000000000000000',
    );
  });

  it.each([
    ['a type without a name', [I, struct('', 4, [member('a', 1)])], {}, 'search-failed'],
    ['an access that leads nowhere', local, { accessStr: '0:1' }, 'parse-failed'],
    ['a local type without a size', [fwd('s')], { kind: 9, accessStr: '0' }, 'value-fault'],
    ['an instruction that holds another number', local, { value: 1n }, 'wrong-value'],
  ])('fails for %s', (_what, types, given, step) => {
    const found = resolveOne(types, [I, struct('s', 4, [member('a', 1)]), fwd('s')], given);
    expect(found).toMatchObject({ status: 'failed', firstError: true });
    expect(found.insnAfter).toBe(found.insnBefore);
    expect(found.steps.map((s) => s.step)).toContain(step);
  });

  it('refuses to choose between two places or two numbers', () => {
    const two = (bitOffset: number, size: number) => [
      I,
      struct('s', 16, [member('a', 1)]),
      struct('s___2', size, [member('a', 1, bitOffset)]),
    ];
    expect(resolveOne(local, two(64, 16))).toMatchObject({ status: 'ambiguous', resolveErr: -22 });
    expect(resolveOne(local, two(0, 16))).toMatchObject({ status: 'ok', matched: { length: 2 } });
    const sized = { kind: 9, accessStr: '0', value: 4n };
    expect(resolveOne(local, two(0, 8), sized)).toMatchObject({ status: 'ambiguous' });
    expect(resolveOne(local, two(0, 16), sized)).toMatchObject({ status: 'ok' });
  });

  it('narrows the list of a type by what has matched, unless it is to be fresh', () => {
    const target = targetOfBlob([I, struct('s', 4, []), struct('s', 4, [member('a', 1)])]);
    const object = coreObject(typesOfBlob(local), [
      { kind: TARGET_TYPE_ID, root: 2, accessStr: '0' },
      { kind: BYTE_OFF, root: 2, accessStr: '0:0' },
      { kind: TARGET_TYPE_ID, root: 2, accessStr: '0' },
    ]);
    const ids = (fresh: boolean) =>
      resolveObject(object, target, { fresh }).map(({ status, candsIn }) => [
        status,
        ...candsIn.map(({ id }) => id),
      ]);
    expect(ids(false)).toEqual([
      ['ambiguous', 2, 3],
      ['ok', 2, 3],
      ['ok', 3],
    ]);
    expect(ids(true)).toEqual([
      ['ambiguous', 2, 3],
      ['ok', 2, 3],
      ['ambiguous', 2, 3],
    ]);
  });

  it('keeps the list unchanged without a match', () => {
    const target = targetOfBlob([struct('s', 4, []), struct('s', 4, [])]);
    const object = coreObject(typesOfBlob(local), [
      { kind: FIELD_EXISTS, root: 2, accessStr: '0:0', value: 1n },
      { kind: FIELD_EXISTS, root: 2, accessStr: '0:0', value: 1n },
    ]);
    expect(resolveObject(object, target).map(({ candsIn }) => candsIn.length)).toEqual([2, 2]);
  });

  it('searches modules only if vmlinux has no candidate, and then all of them', () => {
    const base = btfBlob({ types: [struct('both', 4, [])] });
    const vmlinux = tableOf(base.bytes);
    const split = (...types: readonly TypeRecord[]) =>
      tableOf(
        btfBlob({ types, baseStringLength: vmlinux.strEnd - vmlinux.strStart }).bytes,
        vmlinux,
      );
    const target = {
      name: 'a kernel',
      tables: [
        { name: 'vmlinux', types: vmlinux },
        { name: 'one', types: split(struct('both', 4, []), struct('mine', 8, [])) },
        { name: 'two', types: split(struct('mine', 8, [])) },
      ],
    };
    const types = typesOfBlob([struct('both', 4, []), struct('mine', 8, [])]);
    const object = coreObject(types, [
      { kind: 9, root: 1, accessStr: '0', value: 4n },
      { kind: 9, root: 2, accessStr: '0', value: 8n },
    ]);
    const [both, mine] = resolveObject(object, target);
    expect(both).toMatchObject({ status: 'ok', module: null, matched: [{ table: 0, id: 1 }] });
    expect(mine).toMatchObject({
      status: 'ok',
      module: 'one',
      matched: [
        { table: 1, id: 3 },
        { table: 2, id: 2 },
      ],
    });
  });

  it.each([
    ['a pointer shrinks with the machine', [ptr(0)], [int('long', 4), ptr(0)], 'ok', '61'],
    ['an unsigned integer shrinks', [int('u64', 8)], [int('u32', 4)], 'ok', '61'],
    [
      'a char of eight bytes passes for unsigned',
      [int('x', 8, { encoding: 3 })],
      [int('u8', 1)],
      'ok',
      '71',
    ],
    ['a signed one must not', [int('long', 8, { encoding: 1 })], [int('int', 4)], 'poisoned', '85'],
    ['nor an enum', [enumeration('e', [], { size: 8 })], [enumeration('e', [])], 'poisoned', '85'],
  ])('%s', (_what, here, there, status, opcode) => {
    const of = (types: readonly TypeRecord[]) => [
      ...types,
      struct('s', 8, [member('a', types.length)]),
    ];
    const found = resolveOne(of(here), of(there), { insn: load8 });
    expect(found).toMatchObject({ status, poisonReason: status === 'ok' ? null : 'memsz' });
    expect(found.insnAfter.slice(0, 2)).toBe(opcode);
    // Without a load or store no access size depends on the field, so its size may change.
    expect(resolveOne(of(here), of(there)).status).toBe('ok');
  });

  it('accesses one element of an array, and compares it by the array', () => {
    const of = (elem: TypeRecord, nelems: number) => [
      elem,
      array(1, 1, nelems),
      struct('s', 64, [member('a', 2)]),
    ];
    const c8 = int('char', 8);
    expect(resolveOne(of(c8, 4), of(c8, 2), { insn: load8 })).toMatchObject({
      status: 'ok',
      decision: { origSz: 8, newSz: 8, origTypeId: 2, newTypeId: 2 },
    });
    expect(resolveOne(of(c8, 4), of(int('char', 4), 2), { insn: load8 }).poisonReason).toBe(
      'memsz',
    );
  });

  it('stops when cancelled, and reports progress', () => {
    const many = Array.from({ length: 600 }, () => ({ kind: 8, root: 2, accessStr: '0' }));
    const object = coreObject(typesOfBlob(local), many);
    const done: number[] = [];
    resolveObject(object, targetOfBlob([]), { onProgress: (progress) => done.push(progress.done) });
    expect(done).toEqual([256, 512]);
    const aborted = AbortSignal.abort();
    expect(() => resolveObject(object, targetOfBlob([]), { signal: aborted })).toThrow('abort');
  });
});
