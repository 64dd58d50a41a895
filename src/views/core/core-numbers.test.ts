import { describe, expect, it } from 'vitest';
import { type AccessPath, walkAccess } from '#analysis/core/access-path.ts';
import { coreIndex, type TypeId, typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { accessTypes } from '#testing/access-types.ts';
import { sampleModel } from '#testing/samples.ts';
import { coreNumbers, registerPicture } from './core-numbers.ts';
import { coreRowReader, filterRecords } from './core-rows.ts';

const S: TypeId = typeId(4);
const walk = (t: TypeTable, accessStr: string, kind = 0) => walkAccess(t, S, accessStr, kind);

describe('coreNumbers', () => {
  const numbers = (t: TypeTable, path: AccessPath, kind: number) =>
    coreNumbers(t, path, kind, 'little').map(
      ({ name, value, how, isAsked }) =>
        `${name} ${value}${how && ` = ${how}`}${isAsked ? ' *' : ''}`,
    );

  it('works out all that libbpf can be asked of a field', async () => {
    const t = await accessTypes();
    expect(numbers(t, walk(t, '0:0', 1), 1)).toEqual([
      'byte_off 0 = bit 0 / 8',
      'byte_sz 4 = sizeof(int) *',
      'signed 0',
      'lshift_u64 32 = 64 - 4 × 8',
      'rshift_u64 32 = 64 - 4 × 8',
    ]);
    expect(numbers(t, walk(t, '0:2:1', 2), 2)[0]).toBe(
      'field_exists 1 = the local types have it *',
    );
  });

  it('leaves out what an array element has not, and all of a path that leads nowhere', async () => {
    const t = await accessTypes();
    expect(numbers(t, walk(t, '0:2:1'), 0)).toEqual([
      'byte_off 16 = bit 128 / 8 *',
      'byte_sz 4 = sizeof(int)',
    ]);
    expect(numbers(t, walk(t, '0:9'), 0)).toEqual([]);
  });

  // One source, two byte orders: `balance` is the 11 bits from bit 21 on.
  it.each([
    [
      'bitfields.bpf.o',
      ['load 2 bytes from byte 2: 5', 'shift left by 48: 53', 'shift right by 53: 0'],
    ],
    [
      'bitfields.be.bpf.o',
      ['load 2 bytes from byte 2: 0', 'shift left by 53: 53', 'shift right by 53: 0'],
    ],
  ])('follows a bit-field of %s through the register', async (sample, expected) => {
    const model = await sampleModel(sample);
    const read = coreRowReader(model);
    const [index] = filterRecords(model, read, 'p->balance', new Set([4]));
    const { path } = read(coreIndex(index ?? -1));
    if (path === null || model.types === null) throw new Error('the sample has the record');
    const picture = registerPicture(model.types, path, model.endian);
    expect(picture?.width).toBe(11);
    expect(picture?.rows.map((row) => `${row.words}: ${row.lowBit}`)).toEqual(expected);
  });

  it('has no picture of what is no bit-field', async () => {
    const t = await accessTypes();
    expect(registerPicture(t, walk(t, '0:0'), 'little')).toBeNull();
  });
});
