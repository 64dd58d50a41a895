import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { u32, u64 } from '#testing/assemble.ts';
import { elfObject } from '#testing/elf-object.ts';
import { fieldBytes } from './relocation-field.ts';
import { MACHINES, machineRelocations, relocationTypes } from './tables.ts';

/** Files that the tools read: machine, class, byte order. */
type ToolFile = readonly [machine: number, bits: 32 | 64, endian: 'little' | 'big'];

const FILES: readonly ToolFile[] = [
  [62, 64, 'little'],
  [3, 32, 'little'],
  [183, 64, 'little'],
  [40, 32, 'little'],
  [243, 64, 'little'],
  [21, 64, 'big'],
  [20, 32, 'big'],
  [22, 64, 'big'],
  [2, 32, 'big'],
  [8, 32, 'little'],
  [258, 64, 'little'],
  [0x9026, 64, 'little'],
  [4, 32, 'big'],
  [42, 32, 'little'],
];

/** Numbers of types above all that a machine has. */
const NUMBERS = 2048;

const folder = mkdtempSync(join(tmpdir(), 'relocation-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the names that a tool prints for each type number of a machine. */
function namesOf(tool: string, [machine, bits, endian]: ToolFile) {
  const numbers = Array.from({ length: bits === 32 ? 256 : NUMBERS }, (_, i) => i);
  const rows = numbers.flatMap((n) =>
    bits === 32 ? [u32(0), u32(n), u32(0)] : [u64(0n), u64(BigInt(n)), u64(0n)],
  );
  const { bytes } = elfObject({
    class: bits,
    endian,
    header: { machine },
    sections: [
      { name: '.text', flags: 6, data: new Uint8Array(16) },
      {
        name: '.rela.text',
        type: 4,
        link: '.symtab',
        info: '.text',
        entsize: (3 * bits) / 8,
        data: rows,
      },
    ],
    symbols: [{ name: 'f' }],
  });
  const path = join(folder, `${machine}.o`);
  writeFileSync(path, bytes);
  const text = execFileSync(tool, ['-rW', path], {
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const names = new Map<number, string>();
  for (const line of text.toString().split('\n')) {
    const [, info = '', name = ''] = /^[0-9a-f]{8,16} +([0-9a-f]+) +(R_\w+)/.exec(line) ?? [];
    if (name !== '') names.set(Number.parseInt(info, 16), name);
  }
  return names;
}

function has(tool: string): boolean {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const LLVM = 'llvm-readelf-19';

describe.skipIf(!has(LLVM))('llvm-readelf', () => {
  it.each(FILES)('machine %d: every name, and no other', (...file) => {
    const ours = [...relocationTypes(file[0]).values()].flatMap(({ number, llvmName }) =>
      llvmName === null ? [] : [[number, llvmName] as const],
    );
    expect(new Map(ours)).toEqual(namesOf(LLVM, file));
  });
});

describe.skipIf(!has('readelf'))('GNU readelf', () => {
  it.each(FILES)('machine %d: no type without a row', (...file) => {
    const types = relocationTypes(file[0]);
    // The type of SPARC is the low byte only; BFD repeats its names.
    const missing = [...namesOf('readelf', file)].filter(([number]) => !types.has(number));
    expect(missing).toEqual([]);
  });
});

describe('tables', () => {
  it.each(MACHINES)('$prefix: a value has a formula and a field', ({ machines }) => {
    const types = [...relocationTypes(machines[0] ?? 0).values()];
    const values = types.filter(({ kind }) => kind === 'value');
    expect(values.length).toBeGreaterThan(15);
    for (const { name, formula, field } of values) {
      expect(formula, name).not.toBe('');
      expect(field, name).not.toBeNull();
    }
  });

  it.each(MACHINES)('$prefix: fields are inside their units', ({ machines }) => {
    for (const { name, field } of relocationTypes(machines[0] ?? 0).values()) {
      for (const { unit, valueLow, valueHigh, placeLow } of field?.pieces ?? []) {
        expect(valueHigh, name).toBeGreaterThanOrEqual(valueLow);
        expect(unit, name).toBeLessThan(field?.units ?? 0);
        expect(placeLow + valueHigh - valueLow, name).toBeLessThan(8 * (field?.unitBytes ?? 0));
      }
    }
  });

  it.each([
    [62, 2, 4],
    [183, 282, 4],
    [243, 18, 8],
    [22, 64, 3],
    [21, 132, 8],
    [40, 10, 4],
  ])('machine %d, type %d: %d bytes', (machine, type, bytes) => {
    const field = relocationTypes(machine).get(type)?.field ?? null;
    expect(field === null ? 0 : fieldBytes(field)).toBe(bytes);
  });

  it('has no table for BPF and unknown machines', () => {
    expect(machineRelocations(247)).toBeNull();
    expect(relocationTypes(0xabcd).size).toBe(0);
  });
});
