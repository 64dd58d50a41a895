import { describe, expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { MergedTypes, resolveForwards } from './merge-types.ts';
import { TypeRecords } from './type-records.ts';

const INT_NAME = 1;
const NODE = 2;
const NEXT = 3;
const VALUE = 4;
const OTHER = 5;

/** A unit with `struct node { struct node *next; int value[count]; }`. Id 1 is the struct. */
function nodeUnit(count: number): TypeRecords {
  const unit = new TypeRecords();
  const node = unit.reserve(1);
  const pointer = unit.add(2, { kind: BtfKind.PTR, ref: node });
  const int = unit.add(3, { kind: BtfKind.INT, name: INT_NAME, value: 4 });
  unit.addItem(int, 0, 0, 1, 32);
  const array = unit.add(4, { kind: BtfKind.ARRAY, value: count, ref: int });
  unit.set(node, { kind: BtfKind.STRUCT, name: NODE, value: 8 + 4 * count });
  unit.addItem(node, NEXT, pointer, 0, 0);
  unit.addItem(node, VALUE, array, 64, 0);
  return unit;
}

/** A unit with `struct other { struct node *next; }` and `struct node` only declared. */
function declaringUnit(): TypeRecords {
  const unit = new TypeRecords();
  const node = unit.add(1, { kind: BtfKind.FWD, name: NODE });
  const pointer = unit.add(2, { kind: BtfKind.PTR, ref: node });
  const other = unit.add(3, { kind: BtfKind.STRUCT, name: OTHER, value: 8 });
  unit.addItem(other, NEXT, pointer, 0, 0);
  return unit;
}

function kindsOf({ kind }: TypeRecords): readonly number[] {
  return kind.slice(1);
}

/** Returns the struct to which the first member of a struct points. */
function pointee({ firstItem, itemRef, ref }: TypeRecords, id: number): number | undefined {
  return ref[itemRef[firstItem[id] ?? 0] ?? 0];
}

describe('MergedTypes', () => {
  it('keeps one record of equal types', () => {
    const merged = new MergedTypes();
    expect([...merged.add(nodeUnit(2))]).toEqual([0, 1, 2, 3, 4]);
    expect([...merged.add(nodeUnit(2))]).toEqual([0, 1, 2, 3, 4]);
    expect(kindsOf(merged.records)).toEqual([
      BtfKind.STRUCT,
      BtfKind.PTR,
      BtfKind.INT,
      BtfKind.ARRAY,
    ]);
  });

  it('keeps structs of one name apart, each pointing to itself', () => {
    const merged = new MergedTypes();
    const [, first = 0] = merged.add(nodeUnit(2));
    const [, second = 0] = merged.add(nodeUnit(3));
    expect(second).not.toBe(first);
    expect(pointee(merged.records, first)).toBe(first);
    expect(pointee(merged.records, second)).toBe(second);
  });

  it('ends at a struct that contains itself, and at a typedef of itself', () => {
    const unit = new TypeRecords();
    const struct = unit.reserve(1);
    unit.set(struct, { kind: BtfKind.STRUCT, name: NODE, value: 8 });
    unit.addItem(struct, NEXT, struct, 0, 0);
    const typedef = unit.reserve(2);
    unit.set(typedef, { kind: BtfKind.TYPEDEF, name: OTHER, ref: typedef });
    expect([...new MergedTypes().add(unit)]).toEqual([0, 1, 2]);
  });

  it('hashes a chain of a million pointers without recursion', () => {
    const unit = new TypeRecords();
    for (let id = 0; id < 1_000_000; id++) unit.add(id, { kind: BtfKind.PTR, ref: id });
    expect(new MergedTypes().add(unit).at(-1)).toBe(1_000_000);
  });
});

describe('resolveForwards', () => {
  it('puts the definition in the place of a declaration', () => {
    const merged = new MergedTypes();
    merged.add(declaringUnit());
    merged.add(nodeUnit(2));
    const { records } = resolveForwards(merged).merged;
    expect(kindsOf(records)).not.toContain(BtfKind.FWD);
    const other = records.name.indexOf(OTHER);
    expect(pointee(records, other)).toBe(records.name.indexOf(NODE));
    expect(kindsOf(records).filter((kind) => kind === BtfKind.PTR)).toHaveLength(1);
  });

  it('keeps a declaration whose name has two definitions', () => {
    const merged = new MergedTypes();
    merged.add(declaringUnit());
    merged.add(nodeUnit(2));
    merged.add(nodeUnit(3));
    const { records } = resolveForwards(merged).merged;
    expect(records.kind[pointee(records, records.name.indexOf(OTHER)) ?? 0]).toBe(BtfKind.FWD);
  });
});
