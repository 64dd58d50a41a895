import { expect, it } from 'vitest';
import { tableOf } from '#analysis/types/type-table-for-tests.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { fwd, int, ptr, record, struct } from '#testing/btf-types.ts';
import { writeRaw } from './btf-raw.ts';
import { ByteText, gathered } from './byte-text.ts';
import { rawRecord } from './raw-record.ts';

function rawText(t: TypeTable): string {
  const bytes = gathered((out) => {
    for (const _ of writeRaw(t, out));
  });
  return new TextDecoder().decode(bytes);
}

it('writes the record of each type and a newline', () => {
  const types = [int('int', 4), struct('s', 4, [{ name: 'a', type: 1, bitOffset: 0 }]), ptr(2)];
  const t = tableOf(btfBlob({ types }).bytes);
  const records = types.map((_, i) => `${rawRecord(t, typeId(i + 1))}\n`);
  expect(rawText(t)).toBe(records.join(''));
  expect(records[1]).toBe("[2] STRUCT 's' size=4 vlen=1\n\t'a' type_id=1 bits_offset=0\n");
});

it('writes a split file’s own types, with names of the base', () => {
  const base = tableOf(btfBlob({ types: [int('int', 4), struct('s', 0, [])] }).bytes);
  const strings = base.strEnd - base.strStart;
  const { bytes } = btfBlob({ types: [ptr(2), fwd(1), fwd('own')], baseStringLength: strings });
  const expected = `[3] PTR '(anon)' type_id=2\n[4] FWD 'int' fwd_kind=struct\n[5] FWD 'own' fwd_kind=struct\n`;
  expect(rawText(tableOf(bytes, base))).toBe(expected);
  const alone = { ...tableOf(bytes, base), base: null };
  expect(rawText(alone)).toBe(expected.replace("'int'", "'(invalid)'"));
});

it('lists kinds that it does not know', () => {
  const layout = Array.from({ length: 41 }, (_, kind) => ({
    infoSize: kind === 40 ? 4 : 0,
    elemSize: 0,
  }));
  const types = [record(0, { name: 'zero' }), record(40, { name: 'later', tail: () => [u32(7)] })];
  const t = tableOf(btfBlob({ types, layout }).bytes);
  expect(rawText(t)).toBe("[1] UNKNOWN 'zero'\n[2] UNKNOWN 'later'\n");
});

it('stops inside a record when it has written enough', () => {
  const strings = new Uint8Array(1 << 18).fill(0x62);
  strings[0] = 0;
  const members = Array.from({ length: 40 }, () => ({ name: 1, type: 0, bitOffset: 0 }));
  const t = tableOf(btfBlob({ types: [int(0, 4), struct(0, 0, members)], strings }).bytes);
  const lengths: number[] = [];
  const done: number[] = [];
  const out = new ByteText(() => undefined);
  for (const now of writeRaw(t, out)) {
    done.push(now);
    lengths.push(out.length);
  }
  expect(done.filter((now) => now === 1).length).toBeGreaterThan(5);
  expect(done.at(-1)).toBe(2);
  for (const [i, length] of lengths.entries()) {
    expect(length - (lengths[i - 1] ?? 0)).toBeLessThan(1 << 20);
  }
});
