import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { float } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { typeId } from './ids.ts';
import { NameIds, NO_NAME } from './name-ids.ts';
import { nameOffOf } from './type-table.ts';

const tableWith = (names: readonly string[]) =>
  tableOf(btfBlob({ types: names.map((name) => float(name, 4)) }).bytes);

const name = fc.stringMatching(/^[a-z_]{1,6}$/);

describe('NameIds', () => {
  it('gives equal names equal numbers, and different names different numbers, in all tables', () => {
    fc.assert(
      fc.property(fc.array(name), fc.array(name), (mine, yours) => {
        const ids = new NameIds();
        const numbers = [mine, yours].flatMap((names) => {
          const t = tableWith(names);
          return names.map((text, i) => [text, ids.idOf(t, nameOffOf(t, typeId(i + 1)))] as const);
        });
        for (const [x, m] of numbers) for (const [y, n] of numbers) expect(m === n).toBe(x === y);
      }),
    );
  });

  it('reads the empty name, also for an offset outside', () => {
    const t = tableWith(['a']);
    const ids = new NameIds();
    expect(ids.idOf(t, 0)).toBe(NO_NAME);
    expect(ids.idOf(t, 999_999)).toBe(NO_NAME);
    expect(ids.idOf(t, nameOffOf(t, typeId(1)))).not.toBe(NO_NAME);
  });

  it('reads the tail of a name as a separate name', () => {
    const t = tableWith(['xab', 'ab']);
    const ids = new NameIds();
    const whole = nameOffOf(t, typeId(1));
    expect(ids.idOf(t, whole + 1)).toBe(ids.idOf(t, nameOffOf(t, typeId(2))));
  });
});
