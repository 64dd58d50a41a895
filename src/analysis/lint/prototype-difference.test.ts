import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { funcProto, int, ptr } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { prototypeDifference } from './prototype-difference.ts';

const WIDE = Array.from({ length: 1000 }, () => ['', 1] as [string, number]);

it('compares as many types as it may, and takes the rest as equal', () => {
  const types = [
    int('int', 4),
    ptr(1),
    funcProto(1, [...WIDE, ['last', 1]]),
    funcProto(1, [...WIDE, ['last', 2]]),
  ];
  const t = tableOf(btfBlob({ types }).bytes);
  const total = { left: 1500 };
  const differ = () => prototypeDifference(t, typeId(3), typeId(4), total);
  expect(differ()).toBe('parameter 1001 int → int *');
  expect(total.left).toBeLessThanOrEqual(500);
  expect(differ()).toBeNull();
  expect(total.left).toBe(0);
});
