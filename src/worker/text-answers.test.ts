import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Progress } from '#bytes/long-work.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, struct, type TypeRecord } from '#testing/btf-types.ts';
import { sampleBytes } from '#testing/samples.ts';
import { tableOf } from '#testing/type-table.ts';
import type { FromWorker } from './protocol.ts';
import { FileServer } from './serve.ts';
import {
  BY_NEWLINE,
  BY_OBJECT,
  lineStartsOf,
  prepareC,
  type TextFormat,
  type WholeText,
  wholeText,
} from './text-answers.ts';

const FORMATS: readonly TextFormat[] = ['c', 'raw', 'json', 'pahole'];

const TYPES: readonly TypeRecord[] = [
  int('int', 4),
  struct('pair', 8, [
    { name: 'a', type: 1, bitOffset: 0 },
    { name: 'b', type: 1, bitOffset: 32 },
  ]),
  ptr(2),
];

const never = new AbortController().signal;

function writeAll(types: TypeTable, format: TextFormat, limits = {}) {
  return wholeText(types, format, never, () => undefined, limits);
}

function linesOf({ bytes, lineStarts }: { bytes: Uint8Array; lineStarts: Uint32Array }): string[] {
  return [...lineStarts].map((start, i) =>
    new TextDecoder().decode(bytes.subarray(start, lineStarts[i + 1])),
  );
}

it.each(FORMATS)('writes %s, and its lines together are the text', async (format) => {
  const text = await writeAll(tableOf(btfBlob({ types: TYPES }).bytes), format);
  expect(text.isCut).toBe(false);
  expect(linesOf(text).join('')).toBe(new TextDecoder().decode(text.bytes));
  expect(linesOf(text).join('')).toContain('pair');
});

it('shows JSON by type and item', async () => {
  const text = await writeAll(tableOf(btfBlob({ types: TYPES }).bytes), 'json');
  const lines = linesOf(text);
  expect(lines).toHaveLength(6);
  expect(lines[2]).toMatch(/^\{"id":2,.*"members":\[$/);
  expect(lines[4]).toMatch(/^\{"name":"b",.*\}\]\},$/);
});

it.each(FORMATS)(
  'tells whole first lines of a long %s, and of a short one nothing',
  async (format) => {
    const first = async (count: number) => {
      const records = Array.from({ length: count }, (_, i) => struct(`s${i}`, 0, []));
      const told: Progress[] = [];
      const types = tableOf(btfBlob({ types: records }).bytes);
      const whole = await wholeText(types, format, never, (progress) => told.push(progress));
      return { whole, beginnings: told.flatMap(({ beginning }) => beginning ?? []) as WholeText[] };
    };
    const { whole, beginnings } = await first(4000);
    expect(beginnings).toHaveLength(1);
    const [beginning] = beginnings;
    const lines = linesOf(beginning ?? whole);
    expect(lines.length).toBeGreaterThan(100);
    expect(lines).toEqual(linesOf(whole).slice(0, lines.length));
    expect((await first(1)).beginnings).toEqual([]);
  },
);

it('marks a text that is cut, by bytes and by lines', async () => {
  const types = tableOf(btfBlob({ types: TYPES }).bytes);
  const whole = await writeAll(types, 'raw');
  const short = await writeAll(types, 'raw', { bytes: 50, lines: 100 });
  expect(short).toMatchObject({ isCut: true, bytes: whole.bytes.subarray(0, 50) });
  const few = await writeAll(types, 'raw', { bytes: 1 << 20, lines: 2 });
  expect(few.isCut).toBe(true);
  expect(linesOf(few)).toEqual(linesOf(whole).slice(0, 2));
  const exact = await writeAll(types, 'raw', { bytes: whole.bytes.length, lines: 5 });
  expect(exact.isCut).toBe(false);
});

it('keeps no more than the limit of one long type', async () => {
  const members = Array.from({ length: 20_000 }, (_, i) => ({
    name: `m${i}`,
    type: 1,
    bitOffset: 0,
  }));
  const types = tableOf(btfBlob({ types: [int('int', 4), struct('s', 4, members)] }).bytes);
  const { bytes, isCut } = await writeAll(types, 'raw', { bytes: 1000 });
  expect([bytes.length, isCut]).toEqual([1000, true]);
  expect(bytes.buffer.byteLength).toBeLessThanOrEqual(1 << 17);
});

it('answers through the server, and the text is the page’s own', async () => {
  const posted: FromWorker[] = [];
  const server = new FileServer((message) => posted.push(message));
  const file = new Blob([sampleBytes('kinds.btf')]);
  await server.handle({ id: 1, method: 'open', params: { name: 'kinds.btf', file } });
  await server.handle({ id: 2, method: 'text', params: { format: 'raw' } });
  const answer = posted.find((message) => message.kind === 'ok' && message.id === 2);
  expect(answer).toMatchObject({ value: { isCut: false } });
});

it('ends early when it is cancelled', async () => {
  const controller = new AbortController();
  const types = tableOf(btfBlob({ types: TYPES }).bytes);
  const told: Progress[] = [];
  const tell = (progress: Progress) => {
    told.push(progress);
    controller.abort();
  };
  const work = wholeText(types, 'raw', controller.signal, tell, { sliceMs: 0 });
  await expect(work).rejects.toThrow();
  expect(told).toEqual([{ step: 'writing', done: 3, total: 3 }]);
});

it('reports first lines that were prepared before it writes, equal to those of the text', async () => {
  const members = [{ name: 'a', type: 1, bitOffset: 0 }];
  const structs = Array.from({ length: 2000 }, (_, i) => struct(`s_${i}`, 4, members));
  const types = tableOf(btfBlob({ types: [int('int', 4), ...structs] }).bytes);
  const { signal } = new AbortController();
  await prepareC(types, signal);
  const told: Progress[] = [];
  const { bytes } = await wholeText(types, 'c', signal, (progress) => told.push(progress));
  const beginnings = told.flatMap(({ beginning }) => (beginning as WholeText | undefined) ?? []);
  expect(beginnings).toHaveLength(1);
  const first = beginnings[0]?.bytes ?? new Uint8Array(0);
  expect(first.length).toBeGreaterThan(1000);
  expect(bytes.subarray(0, first.length)).toEqual(first);
  expect(told[0]).toHaveProperty('beginning');
});

const encode = (text: string) => new TextEncoder().encode(text);

const cut = (text: string, starts: Uint32Array) =>
  [...starts].map((start, i) => text.slice(start, starts[i + 1]));

it('begins a line behind each line end', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', '\n')), (letters) => {
      const text = letters.join('');
      const lines = cut(text, lineStartsOf(encode(text), BY_NEWLINE, 1000));
      expect(lines).toEqual(text.match(/[^\n]*\n|[^\n]+/g) ?? []);
    }),
  );
});

it('begins a line at each type and item of bpftool’s JSON', () => {
  const text =
    '{"types":[{"id":1,"name":"a,{","size":4},{"id":2,"members":[{"name":"[{\\"x"},{"name":"}"}]}]}\n';
  expect(cut(text, lineStartsOf(encode(text), BY_OBJECT, 1000))).toEqual([
    '{"types":[',
    '{"id":1,"name":"a,{","size":4},',
    '{"id":2,"members":[',
    '{"name":"[{\\"x"},',
    '{"name":"}"}]}]}\n',
  ]);
});

it('gives no more lines than it may', () => {
  expect([...lineStartsOf(encode('\n\n\n\n'), BY_NEWLINE, 3)]).toEqual([0, 1, 2]);
  expect([...lineStartsOf(encode(''), BY_NEWLINE, 3)]).toEqual([]);
});
