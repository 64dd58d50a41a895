import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeValue, type Value } from '#analysis/values/decode.ts';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, struct, union } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import {
  bytesOfValue,
  firstOpen,
  isFolder,
  pathOfRow,
  pathToBytes,
  valueOfRow,
  valueRows,
} from './value-tree.ts';

const TABLE = tableOf(
  btfBlob({
    types: [
      int('u32', 4), // type 1
      array(1, 1, 70_000), // type 2
      struct('pair', 8, [
        { name: 'a', type: 1, bitOffset: 0, bitfieldSize: 0 },
        { name: 'b', type: 1, bitOffset: 32, bitfieldSize: 0 },
      ]), // type 3
      array(3, 1, 300), // type 4
      struct('bits', 4, [
        { name: 'x', type: 1, bitOffset: 0, bitfieldSize: 3 },
        { name: 'y', type: 1, bitOffset: 3, bitfieldSize: 13 },
        { name: 'z', type: 1, bitOffset: 16, bitfieldSize: 16 },
      ]), // type 5
      struct('all', 2420, [
        { name: 'head', type: 3, bitOffset: 0, bitfieldSize: 0 },
        { name: 'pairs', type: 4, bitOffset: 64, bitfieldSize: 0 },
        { name: 'bits', type: 5, bitOffset: 19_264, bitfieldSize: 0 },
        { name: '', type: 7, bitOffset: 19_296, bitfieldSize: 0 },
      ]), // type 6
      union(0, 8, [
        { name: 'both', type: 3, bitOffset: 0, bitfieldSize: 0 },
        { name: 'one', type: 1, bitOffset: 0, bitfieldSize: 0 },
      ]), // type 7
    ],
  }).bytes,
);

const value = (id: number, length: number) =>
  decodeValue(TABLE, typeId(id), new Uint8Array(length));
const keys = (root: Value, ...open: string[]) =>
  valueRows(root, new Set(open)).map(({ key }) => key);

it('is one row for a value without parts', () => {
  const root = value(1, 4);
  expect(keys(root)).toEqual(['']);
  const [row] = valueRows(root, new Set());
  if (row === undefined) throw new Error('no row');
  expect(valueOfRow(root, row)).toBe(root);
  expect(isFolder(root, row)).toBe(false);
});

it('expands the given keys, and no parts of collapsed ones', () => {
  const root = value(6, 2420);
  expect(keys(root)).toEqual(['0', '1', '2', '3']);
  expect(keys(root, '0', '3/0')).toEqual(['0', '0/0', '0/1', '1', '2', '3']);
  expect(keys(root, '3', '3/0')).toEqual(['0', '1', '2', '3', '3/0', '3/0/0', '3/0/1', '3/1']);
});

describe('long arrays', () => {
  it('are given as ranges', () => {
    const root = value(4, 2400);
    expect(keys(root)).toEqual(['0-256', '256-300']);
    expect(keys(root, '256-300')).toHaveLength(2 + 44);
    expect(keys(root, '256-300', '256-300/299').slice(-3)).toEqual([
      '256-300/299',
      '256-300/299/0',
      '256-300/299/1',
    ]);
  });

  it('are ranges of ranges', () => {
    const root = value(2, 280_000);
    expect(keys(root)).toEqual(['0-65536', '65536-70000']);
    expect(keys(root, '65536-70000').slice(0, 3)).toEqual([
      '0-65536',
      '65536-70000',
      '65536-70000/65536-65792',
    ]);
    expect(pathToBytes(root, 4 * 69_999, 4 * 70_000)).toEqual([
      '65536-70000',
      '65536-70000/69888-70000',
      '65536-70000/69888-70000/69999',
    ]);
  });
});

it('finds the part that has the bytes', () => {
  const root = value(6, 2420);
  expect(pathToBytes(root, 4, 8)).toEqual(['0', '0/1']);
  expect(pathToBytes(root, 5, 6)).toEqual(['0', '0/1']);
  expect(pathToBytes(root, 8 + 8 * 299 + 4, 8 + 8 * 299 + 8)).toEqual([
    '1',
    '1/256-300',
    '1/256-300/299',
    '1/256-300/299/1',
  ]);
  expect(pathToBytes(root, 2410, 2412)).toEqual(['2', '2/2']);
  expect(pathToBytes(root, 0, 2420)).toEqual([]);
  expect(pathToBytes(root, 0, 12)).toEqual([]);
  expect(pathToBytes(root, 9999, 10_000)).toEqual([]);
});

it('ends each path in a row, which has the bytes', () => {
  const root = value(6, 2420);
  fc.assert(
    fc.property(fc.nat(2419), fc.integer({ min: 1, max: 16 }), (start, length) => {
      const path = pathToBytes(root, start, start + length);
      const rows = valueRows(root, new Set(path));
      for (const key of path) {
        const row = rows.find((each) => each.key === key);
        expect(row).toBeDefined();
        const part = row === undefined ? null : valueOfRow(root, row);
        if (part === null) continue;
        const bytes = bytesOfValue(part);
        expect(bytes.start).toBeLessThanOrEqual(start);
        expect(bytes.end).toBeGreaterThanOrEqual(start + length);
      }
    }),
  );
});

it('opens small values at first, and no long array', () => {
  expect([...firstOpen(value(6, 2420))]).toEqual(['0', '2', '3', '3/0']);
  expect(firstOpen(value(2, 280_000)).size).toBe(0);
});

it('names the path to a row in C', () => {
  const root = value(6, 2420);
  expect(pathOfRow(root, '1/256-300/299/1')).toBe('.pairs[299].b');
  expect(pathOfRow(root, '3/1')).toBe('.(anon).one');
  expect(pathOfRow(root, '')).toBe('');
});

it('ends where a struct contains itself', () => {
  const table = tableOf(
    btfBlob({
      types: [struct('s', 8, [{ name: 's', type: 1, bitOffset: 0, bitfieldSize: 0 }])],
    }).bytes,
  );
  const root = decodeValue(table, typeId(1), new Uint8Array(8));
  expect(firstOpen(root).size).toBeLessThan(64);
  expect(pathToBytes(root, 0, 4).length).toBe(64);
  expect(valueRows(root, new Set(pathToBytes(root, 0, 4)))).toHaveLength(65);
});
