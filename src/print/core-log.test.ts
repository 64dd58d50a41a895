import { describe, expect, it } from 'vitest';
import { coreState } from '#analysis/core/reason.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import {
  array,
  enumeration,
  float,
  int,
  ptr,
  struct,
  type TypeRecord,
  union,
} from '#testing/btf-types.ts';
import { type CoreCase, coreObject, targetOfBlob, typesOfBlob } from '#testing/core-cases.ts';
import { coreError, coreLog, objectLog } from './core-log.ts';

const I = int('int', 4, { encoding: 1 });
const local = [I, struct('s', 8, [{ name: 'a', type: 1, bitOffset: 0 }])];
const load = (opcode: number) => Uint8Array.of(opcode, 0x11, 0, 0, 0, 0, 0, 0);

function logOf(
  types: readonly TypeRecord[],
  target: readonly TypeRecord[],
  ...cases: readonly Partial<CoreCase>[]
) {
  const records = cases.map((overrides) => ({
    kind: 0,
    root: types.length,
    accessStr: '0:0',
    ...overrides,
  }));
  const results = resolveObject(coreObject(typesOfBlob(types), records), targetOfBlob(target));
  const loader = Array.from(objectLog(results), ({ lines }) => lines).flat();
  return {
    loader: loader.map((line) => line.replace('libbpf: ', '')),
    results,
    lines: results.flatMap(coreLog).map((line) => line.replace('libbpf: ', '')),
    errors: results.map(coreError),
  };
}

describe('coreLog', () => {
  it('names candidates once per local type, then every record', () => {
    const target = [I, struct('s___v2', 16, [{ name: 'a', type: 1, bitOffset: 36 }])];
    expect(logOf(local, target, {}, { kind: 2, value: 1n })).toMatchObject({
      lines: [
        'CO-RE relocating [2] struct s: found target candidate [2] struct s___v2 in [vmlinux]',
        "prog 'prog': relo #0: <byte_off> [2] struct s.a (0:0 @ offset 0)",
        "prog 'prog': relo #0: matching candidate #0 <byte_off> [2] struct s___v2.a (0:0 @ offset 4.4)",
        "prog 'prog': relo #0: patched insn #0 (LDIMM64) imm64 0 -> 4",
        "prog 'prog': relo #1: <field_exists> [2] struct s.a (0:0 @ offset 0)",
        "prog 'prog': relo #1: matching candidate #0 <field_exists> [2] struct s___v2.a (0:0 @ offset 4.4)",
        "prog 'prog': relo #1: patched insn #2 (LDIMM64) imm64 1 -> 1",
      ],
      errors: [null, null],
    });
  });

  it('logs the replacement if no candidate matches, second half first', () => {
    expect(logOf(local, [I], {}).lines.slice(1)).toEqual([
      "prog 'prog': relo #0: no matching targets found",
      "prog 'prog': relo #0: substituting insn #1 w/ invalid insn",
      "prog 'prog': relo #0: substituting insn #0 w/ invalid insn",
    ]);
  });

  const moved = (bitOffset: number) => [I, struct('s', 8, [{ name: 'a', type: 1, bitOffset }])];
  const long = [int('u64', 8), struct('s', 8, [{ name: 'a', type: 1, bitOffset: 0 }])];
  it.each([
    [
      'another number in the instruction',
      local,
      moved(32),
      { value: 7n },
      'relo #0: unexpected insn #0 (LDIMM64) value: got 7, exp 0 -> 4',
    ],
    [
      'an offset that is too big',
      local,
      moved(0x80000),
      { insn: load(0x61) },
      'relo #0: insn #0 (LDX/ST/STX) value too big: 65536',
    ],
    [
      'a jump',
      local,
      moved(0),
      { insn: load(0x15) },
      'relo #0: trying to relocate unrecognized insn #0, code:0x15, src:0x1, dst:0x1, off:0x0, imm:0x0',
    ],
    [
      'a field of another size',
      [I, struct('s', 8, [{ name: 'a', type: 1, bitOffset: 0 }])],
      long,
      { insn: load(0x61) },
      'relo #0: insn #0 (LDX/ST/STX) accesses field incorrectly. Make sure you are accessing pointers, unsigned integers, or fields of matching type and size.',
    ],
    [
      'an instruction of another size',
      long,
      [int('u32', 4), struct('s', 8, [{ name: 'a', type: 1, bitOffset: 0 }])],
      { insn: load(0x61) },
      'relo #0: insn #0 (LDX/ST/STX) unexpected mem size: got 4, exp 8',
    ],
    [
      'an access string that leads nowhere',
      local,
      moved(0),
      { accessStr: '0:1' },
      'relo #0: parsing [2] struct s + 0:1 failed: -22',
    ],
    [
      'too many indices',
      local,
      moved(0),
      { accessStr: Array(65).fill(0).join(':') },
      `relo #0: parsing [2] struct s + ${Array(65).fill(0).join(':')} failed: -7`,
    ],
    [
      'an element with a sign',
      [I, array(1, 1, 2), struct('s', 8, [{ name: 'a', type: 2, bitOffset: 0 }])],
      [I, array(1, 1, 2), struct('s', 8, [{ name: 'a', type: 2, bitOffset: 0 }])],
      { kind: 3, accessStr: '0:0:1' },
      "relo 3 at insn #0 can't be applied to array access",
    ],
    [
      'a bit-field over nine bytes',
      [int('u64', 8), struct('s', 16, [{ name: 'a', type: 1, bitOffset: 60, bitfieldSize: 10 }])],
      moved(0),
      {},
      "relo 0 at insn #0 can't be satisfied for bitfield",
    ],
    [
      'two places',
      local,
      [...moved(0), struct('s___2', 8, [{ name: 'a', type: 1, bitOffset: 32 }])],
      {},
      'relo #0: field offset ambiguity: 32 != 0',
    ],
    [
      'two numbers',
      local,
      [...moved(0), struct('s___2', 16, [])],
      { kind: 9, accessStr: '0', value: 8n },
      'relo #0: relocation decision ambiguity: success 16 != success 8',
    ],
    [
      'anonymous members that never end',
      local,
      [I, struct('s', 8, [{ name: '', type: 2, bitOffset: 0 }])],
      {},
      `relo #0: error matching candidate #0 <byte_off> [2] struct s (${Array(64).fill(0).join(':')} @ offset 0): -7`,
    ],
  ])('warns of %s', (_what, types, target, overrides, line) => {
    const { lines, errors } = logOf(types, target, overrides);
    const whole = `prog 'prog': ${line}`;
    expect(lines).toContain(whole);
    expect(errors).toEqual([`libbpf: ${whole}`]);
  });

  it('warns of kinds without a rule, even on success', () => {
    const types = [float('f', 4), struct('s', 4, [{ name: 'a', type: 1, bitOffset: 0 }])];
    const { lines, errors } = logOf(types, types, { kind: 12, accessStr: '0', value: 1n });
    expect(lines[2]).toBe('unexpected kind float relocated, local [1], target [1]');
    expect(lines[3]).toBe(
      "prog 'prog': relo #0: non-matching candidate #0 <type_matches> [2] struct s",
    );
    expect(errors).toEqual(['libbpf: unexpected kind float relocated, local [1], target [1]']);
  });

  it('warns of a step into a scalar, with the rest of the string in libbpf', () => {
    const { lines } = logOf([I, ptr(1)], [], { accessStr: '0:1' });
    // A type without a name is not searched for, and the access string is not parsed.
    expect(lines).toEqual([]);
    expect(
      logOf([ptr(0), union('u', 8, [{ name: 'p', type: 1, bitOffset: 0 }])], [], {
        accessStr: '0:0:3',
      }).lines,
    ).toEqual([
      "prog 'prog': relo for [2]  (at idx 2) captures type [1] of unexpected kind ptr",
      "prog 'prog': relo #0: parsing [2] union u + 0:0:3 failed: -22",
    ]);
  });

  it('shows an empty access string and a missing one', () => {
    expect(logOf(local, local, { accessStr: '' }).errors).toEqual([
      "libbpf: prog 'prog': relo #0: parsing [2] struct s +  failed: -22",
    ]);
    expect(logOf(local, local, { accessStr: '', hasAccessStr: false }).errors).toEqual([
      "libbpf: prog 'prog': relo #0: parsing [2] struct s + <?> failed: -22",
    ]);
  });

  it('has no line for some errors, which have only a number', () => {
    const enums = [enumeration('e', [['A', 1]])];
    const noName = [I, struct('', 4, [{ name: 'a', type: 1, bitOffset: 0 }])];
    expect(logOf(noName, enums, {}).errors).toEqual(['target candidate search failed: -22']);
    expect(logOf(local, moved(0), { insn: load(0xbf) }).errors).toEqual(['patch failed: -22']);
  });
});

describe('objectLog', () => {
  const at = "prog 'prog': relo #";

  it('ends with the line of the loader about the first record that fails', () => {
    const { loader, lines, results } = logOf(local, local, { accessStr: '0:1' }, {});
    expect(loader.slice(-3)).toEqual([
      `${at}0: parsing [2] struct s + 0:1 failed: -22`,
      `${at}0: failed to relocate: -EINVAL`,
      'failed to perform CO-RE relocations: -EINVAL',
    ]);
    expect(lines.at(-1)).toContain(`${at}1: patched`);
    expect(results.map(({ reached }) => reached)).toEqual([true, false]);
  });

  it.each([
    [
      'too many indices, of which only its line has another number',
      { accessStr: Array(65).fill(0).join(':') },
      '0: failed to relocate: -EINVAL',
    ],
    ['an unknown kind', { kind: 13 }, '0: failed to relocate: -EINVAL'],
    [
      'an instruction that is not patched',
      { insn: load(0xbf) },
      '0: failed to patch insn #0: -EINVAL',
    ],
  ])('names the error of %s', (_what, overrides, line) => {
    expect(logOf(local, local, overrides).loader.at(-2)).toBe(`${at}${line}`);
  });

  it('names the error of anonymous members that are nested endlessly', () => {
    const target = [I, struct('s', 8, [{ name: '', type: 2, bitOffset: 0 }])];
    expect(logOf(local, target, {}).loader.slice(-2)).toEqual([
      `${at}0: failed to relocate: -E2BIG`,
      'failed to perform CO-RE relocations: -E2BIG',
    ]);
  });

  it.each([
    ['a pointer', 1, ['target candidate search failed for [1] ptr : -22']],
    ['an anonymous struct', 2, ['target candidate search failed for [2] struct : -22']],
    ['void', 0, ['target candidate search failed for [0] void : -22']],
    ['a type that does not exist', 77, []],
  ])('says of %s as the root what failed', (_what, root, expected) => {
    const types = [ptr(0), struct('', 8, [{ name: 'p', type: 1, bitOffset: 0 }])];
    expect(logOf(types, types, { root, kind: 8, accessStr: '0' }).loader).toEqual([
      ...expected.map((line) => `${at}0: ${line}`),
      `${at}0: failed to relocate: -EINVAL`,
      'failed to perform CO-RE relocations: -EINVAL',
    ]);
  });

  it('skips the record of an eliminated function, which cannot fail', () => {
    const overrides = { accessStr: '0:1', eliminated: true };
    const { loader, results } = logOf(local, local, overrides, {});
    expect(loader[0]).toBe(
      "sec 'tp_btf/a': skipping CO-RE relocation #0 for insn #0 belonging to eliminated weak subprogram",
    );
    expect(loader.at(-1)).toContain(`${at}1: patched`);
    expect(results.map(({ status, reached }) => [status, reached])).toEqual([
      ['skipped', true],
      ['ok', true],
    ]);
    expect(results.map(coreState)).toEqual(['same', 'same']);
  });
});
