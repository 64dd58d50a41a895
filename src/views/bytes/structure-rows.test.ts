import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeField, type StructureField, sequence } from '#analysis/fields/field.ts';
import {
  fieldAtPath,
  NOTHING_OPEN,
  type OpenParts,
  outlineOf,
  pathOfByte,
  rowAt,
  rowCount,
  rowOfPath,
  type TreePath,
  type TreePlace,
  treeMove,
  withOpen,
} from './structure-rows.ts';

/** Returns a field of 64 bytes. It has four parts, each with four parts, down to single bytes. */
function quarters(start = 0, size = 64): StructureField {
  const span = { start, end: start + size };
  return makeField('part', `${start}+${size}`, span, {
    parts:
      size === 1
        ? null
        : () =>
            sequence(
              4,
              (i) => start + (i * size) / 4,
              (i) => quarters(start + (i * size) / 4, size / 4),
            ),
  });
}

const root = quarters();
const openAll = (...paths: readonly TreePath[]): OpenParts =>
  paths.reduce((open, path) => withOpen(open, path, true), NOTHING_OPEN);

function labels(open: OpenParts): string[] {
  const outline = outlineOf(root, open);
  return Array.from({ length: rowCount(outline) }, (_, i) => {
    const row = rowAt(outline, i);
    return `${' '.repeat(row?.path.length ?? 9)}${row?.field.label}`;
  });
}

describe('the rows of the tree', () => {
  it('are the file and its parts, then the parts of the expanded row', () => {
    expect(labels(NOTHING_OPEN)).toEqual(['0+64', ' 0+16', ' 16+16', ' 32+16', ' 48+16']);
    expect(labels(openAll([1], [3]))).toEqual([
      '0+64',
      ' 0+16',
      ' 16+16',
      ...['  16+4', '  20+4', '  24+4', '  28+4'],
      ' 32+16',
      ' 48+16',
      ...['  48+4', '  52+4', '  56+4', '  60+4'],
    ]);
  });

  it('are none outside', () => {
    const outline = outlineOf(root, NOTHING_OPEN);
    expect([rowAt(outline, -1), rowAt(outline, 5)]).toEqual([null, null]);
  });

  it('convert to their path and back, whatever is expanded', () => {
    const path = fc.array(fc.nat(3), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(path, { maxLength: 6 }), (paths) => {
        const outline = outlineOf(root, openAll(...paths));
        const seen = new Set<string>();
        for (let i = 0; i < rowCount(outline); i++) {
          const row = rowAt(outline, i);
          if (row === null) throw new Error(`no row ${i}`);
          expect(rowOfPath(outline, row.path)).toBe(i);
          expect(fieldAtPath(root, row.path)?.label).toBe(row.field.label);
          seen.add(row.path.join());
        }
        expect(seen.size).toBe(rowCount(outline));
      }),
    );
  });

  it('find the closed field of a path that is not visible', () => {
    const outline = outlineOf(root, openAll([1]));
    expect(rowAt(outline, rowOfPath(outline, [1, 2, 3]))?.field.label).toBe('24+4');
    expect(rowAt(outline, rowOfPath(outline, [2, 2, 3]))?.field.label).toBe('32+16');
  });
});

describe('paths', () => {
  it('go down to the byte', () => {
    for (let byte = 0; byte < 64; byte++) {
      const path = pathOfByte(root, byte);
      expect(path).toEqual([byte >> 4, (byte >> 2) & 3, byte & 3]);
      expect(fieldAtPath(root, path)?.span).toEqual({ start: byte, end: byte + 1 });
    }
    expect(pathOfByte(root, 64)).toEqual([]);
    expect(fieldAtPath(root, [9, 9])).toBeNull();
  });

  it('open with all above them, and close alone', () => {
    const isOpenAt = (parts: OpenParts, path: TreePath) => {
      const outline = outlineOf(quarters(), parts);
      return rowAt(outline, rowOfPath(outline, path))?.isOpen;
    };
    const open = openAll([2, 1]);
    expect([isOpenAt(open, [2]), isOpenAt(open, [2, 1]), isOpenAt(open, [1])]).toEqual([
      true,
      true,
      false,
    ]);
    const closed = withOpen(open, [2, 1], false);
    expect([isOpenAt(closed, [2]), isOpenAt(closed, [2, 1])]).toEqual([true, false]);
  });
});

const closed: TreePlace = { row: 3, rowCount: 10, pageRows: 4, isOpen: false, hasParts: true };
const open: TreePlace = { ...closed, isOpen: true };
const leaf: TreePlace = { ...closed, hasParts: false };

it.each([
  ['ArrowRight', closed, { kind: 'open' }],
  ['ArrowRight', open, { kind: 'row', row: 4 }],
  ['ArrowRight', leaf, null],
  ['ArrowLeft', open, { kind: 'close' }],
  ['ArrowLeft', closed, { kind: 'parent' }],
  ['ArrowLeft', { ...open, row: 0 }, { kind: 'parent' }],
  ['ArrowDown', leaf, { kind: 'row', row: 4 }],
  ['ArrowUp', leaf, { kind: 'row', row: 2 }],
  ['PageDown', leaf, { kind: 'row', row: 7 }],
  ['Home', leaf, { kind: 'row', row: 0 }],
  ['End', leaf, { kind: 'row', row: 9 }],
  ['x', leaf, null],
] as const)('%s at %j', (key, place, move) => {
  expect(treeMove(key, place)).toEqual(move);
});
