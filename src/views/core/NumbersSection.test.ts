import { describe, expect, it } from 'vitest';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { coreIndex, type TypeId, typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { accessTypes } from '#testing/access-types.ts';
import { sampleModel } from '#testing/samples.ts';
import { type CoreNumber, coreNumbers, numberRows, registerPicture } from './NumbersSection.tsx';
import { coreRowReader, filterRecords } from './record-rows.ts';

const NO_FILTER = { text: '', kinds: new Set<number>(), states: new Set<never>(), results: null };

const S: TypeId = typeId(4);
const walk = (t: TypeTable, accessStr: string, kind = 0) => walkAccess(t, S, accessStr, kind);

describe('coreNumbers', () => {
  const numbers = (t: TypeTable, path: AccessPath, kind: number) =>
    coreNumbers(t, path, kind, 'little').map(
      ({ name, value, how }) => `${name} ${value}${how && ` = ${how}`}`,
    );

  it('works out all that libbpf can be asked of a field', async () => {
    const t = await accessTypes();
    expect(numbers(t, walk(t, '0:0', 1), 1)).toEqual([
      'bit offset 0',
      'byte_off 0 = bit 0 / 8',
      'byte_sz 4 = sizeof(int)',
      'signed 0',
      'lshift_u64 32 = 64 - 4 × 8',
      'rshift_u64 32 = 64 - 4 × 8',
    ]);
    expect(numbers(t, walk(t, '0:2:1', 2), 2)[1]).toBe('field_exists 1 = found in the local types');
  });

  it('leaves out what array elements do not have, and all of a path that cannot be followed', async () => {
    const t = await accessTypes();
    expect(numbers(t, walk(t, '0:2:1'), 0)).toEqual([
      'bit offset 128',
      'byte_off 16 = bit 128 / 8',
      'byte_sz 4 = sizeof(int)',
    ]);
    expect(numbers(t, walk(t, '0:9'), 0)).toEqual([]);
  });

  // The bit-field `balance` has 11 bits from bit 21 on, in both byte orders.
  it.each([
    ['bitfields.bpf.o', ['off 2, sz 2: 5', '<< 48: 53', '>> 53: 0']],
    ['bitfields.be.bpf.o', ['off 2, sz 2: 0', '<< 53: 53', '>> 53: 0']],
  ])('follows a bit-field of %s through the register', async (sample, expected) => {
    const model = await sampleModel(sample);
    const read = coreRowReader(model);
    const [index] = filterRecords(model, read, {
      ...NO_FILTER,
      text: 'p->balance',
      kinds: new Set([4]),
    });
    const { path } = read(coreIndex(index ?? -1));
    if (path === null || model.types === null) throw new Error('the sample has the record');
    const picture = registerPicture(model.types, path, model.endian);
    expect(picture?.width).toBe(11);
    expect(picture?.rows.map((row) => `${row.words}: ${row.lowBit}`)).toEqual(expected);
  });

  it('has no picture of other fields than bit-fields', async () => {
    const t = await accessTypes();
    expect(registerPicture(t, walk(t, '0:0'), 'little')).toBeNull();
  });
});

describe('numberRows', () => {
  const number = (kind: number, name: string, value: bigint): CoreNumber => {
    return { kind, name, value, how: 'so' };
  };
  const line = (local: CoreNumber[], target: CoreNumber[], kind: number, answer: bigint | null) =>
    numberRows(local, target, kind, answer).map(
      (row) =>
        `${row.name} ${row.local?.value ?? '-'} ${row.target?.value ?? '-'}${row.isRequested ? ' asked' : ''}${row.differs ? ' differs' : ''}`,
    );

  it('shows both sides side by side', () => {
    const local = [number(0, 'byte_off', 4n), number(1, 'byte_sz', 4n)];
    const target = [number(0, 'byte_off', 8n), number(1, 'byte_sz', 4n)];
    expect(line(local, target, 0, 8n)).toEqual(['byte_off 4 8 asked differs', 'byte_sz 4 4']);
  });

  it('has the default value without a match, and no number for an invalid instruction', () => {
    expect(line([number(2, 'field_exists', 1n)], [], 2, 0n)).toEqual([
      'field_exists 1 0 asked differs',
    ]);
    expect(line([number(0, 'byte_off', 4n)], [], 0, null)).toEqual(['byte_off 4 - asked']);
  });

  it('keeps what only one side has', () => {
    expect(line([], [number(4, 'lshift_u64', 60n)], 0, null)).toEqual(['lshift_u64 - 60']);
  });
});
