/** Tests `relocs` on objects of eleven machines and on what lld made of each (testdata/relocs). */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { arFile } from '#testing/archives.ts';
import { elfObject, rela } from '#testing/elf-object.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';

const HOME = fileURLToPath(new URL('../../testdata/relocs/', import.meta.url));
const files = new Map(
  readdirSync(HOME).map((name) => [name, new Uint8Array(readFileSync(HOME + name))] as const),
);
const objects = [...files.keys()].filter((name) => name.endsWith('.o'));

async function rowsOf(...words: readonly string[]): Promise<readonly JsonRow[]> {
  const { status, out, err } = await runCommand(['relocs', ...words, '--json'], files);
  expect({ status, err }).toEqual({ status: 0, err: [] });
  return JsonRow.parse(`{"rows":${out}}`).rows('rows');
}

const textOf = (row: JsonRow, ...fields: readonly string[]) =>
  fields.map((field) => row.fields.get(field) ?? null);

describe('with the linked file', () => {
  it.each(objects)('%s: every formula gives the bytes that lld wrote', async (object) => {
    const linked = object.replace(/o$/, 'out');
    const rows = await rowsOf(object, '--linked', linked);
    expect(rows.length).toBeGreaterThan(8);
    const others = rows.filter((row) => row.fields.get('relaxed') !== null);
    // lld reads the address of the entry in .toc from the TOC, without the entry.
    expect(others.map((row) => row.text('type_name'))).toEqual(
      object === 'ppc64le.o' ? ['R_PPC64_TOC16_LO_DS'] : [],
    );
    for (const row of rows.filter((one) => one.has('field') && !others.includes(one))) {
      expect(row.fields.get('bytes_after'), row.text('type_name')).toBe(row.text('linked_bytes'));
      expect(row.fields.get('overflow'), row.text('type_name')).toBe(false);
    }
  });

  it('tells a call of another address from a relaxed instruction', async () => {
    const linked = new Uint8Array(files.get('aarch64.out') ?? []);
    const call = (await rowsOf('aarch64.o', '--linked', 'aarch64.out')).find(
      (row) => row.text('symbol') === 'far_function',
    );
    const bytes = Buffer.from(call?.text('linked_bytes') ?? '', 'hex');
    const place = Buffer.from(linked).indexOf(bytes);
    const relaxedWith = async (at: number, changed: number) => {
      const other = new Uint8Array(linked);
      other[place + at] = changed;
      const words = ['relocs', 'aarch64.o', '--linked', 'other.out', '--json'];
      const { out } = await runCommand(words, new Map([...files, ['other.out', other]]));
      const rows = JsonRow.parse(`{"rows":${out}}`).rows('rows');
      return rows.find((row) => row.text('symbol') === 'far_function')?.fields.get('relaxed');
    };
    expect(await relaxedWith(0, (bytes[0] ?? 0) ^ 4)).toMatch(/another address, as of a PLT/);
    const bl = 0x94;
    const b = 0x14;
    expect(bytes[3]).toBe(bl);
    expect(await relaxedWith(3, b)).not.toMatch(/another address/);
  });

  it('finds the same addresses without the map', async () => {
    const noMap = new Map([...files].filter(([name]) => !name.endsWith('.map')));
    for (const object of ['x86_64.o', 'aarch64.o', 's390x.o']) {
      const words = ['relocs', object, '--linked', object.replace(/o$/, 'out'), '--json'];
      const { out } = await runCommand(words, noMap);
      expect(out, object).toBe((await runCommand(words, files)).out);
    }
  });
});

describe('with given addresses', () => {
  const at = ['--at', '.text=0x1000', '--symbol', 'far_function=0x2345678'];

  it('evaluates the formula', async () => {
    const [call] = (await rowsOf('aarch64.o', ...at)).filter(
      (row) => row.text('symbol') === 'far_function',
    );
    if (call === undefined) throw new Error('no call');
    const p = 0x1000n + BigInt(call.number('offset'));
    expect(textOf(call, 'formula', 's', 'a', 'p', 'value', 'overflow')).toEqual([
      'L + A - P',
      `${0x2345678}`,
      '0',
      `${p}`,
      `${0x2345678n - p}`,
      false,
    ]);
    const insn = 0x94000000n | ((0x2345678n - p) >> 2n);
    expect(call.text('bytes_after')).toBe(
      [0n, 8n, 16n, 24n].map((n) => ((insn >> n) & 0xffn).toString(16).padStart(2, '0')).join(''),
    );
  });

  it.each([
    ['far_function=0x80001000', false],
    ['far_function=0x180001000', true],
  ])('x86-64, %s: overflow is %s', async (symbol, overflow) => {
    const rows = await rowsOf('x86_64.o', '--at', '.text=0x80000000', '--symbol', symbol);
    const [call] = rows.filter((row) => row.text('symbol') === 'far_function');
    expect(call?.fields.get('overflow')).toBe(overflow);
  });

  it('leaves unknown values null, and states why', async () => {
    for (const object of objects) {
      for (const row of (await rowsOf(object)).filter((one) => one.has('field'))) {
        expect(textOf(row, 's', 'p', 'value')).toEqual([null, null, null]);
        expect(row.text('formula')).not.toBe('');
        expect(row.text('why')).toMatch(/^unknown: /);
        expect(row.text('bytes_before')).toMatch(/^(?:[0-9a-f]{2})+$/);
      }
    }
  });
});

it.each([
  [['--at', '.text'], /--at \.text: expected NAME=ADDR/],
  [['--symbol', '=1'], /--symbol =1: expected NAME=ADDR/],
  [['--base', 'FOO=1'], /--base FOO: expected GOT, TOC, GP, TP, DTP/],
  [['--at', '.text=0xffffffffffffffffff'], /expected NAME=ADDR/],
])('refuses %j', async (words, message) => {
  const { status, err } = await runCommand(['relocs', 'x86_64.o', ...words], files);
  expect(status).toBe(2);
  expect(err.join('\n')).toMatch(message);
});

describe('an archive', () => {
  const inside = ['x86_64.o', 'riscv64.o'];
  const archive = arFile(
    Object.fromEntries(inside.map((name) => [name, files.get(name) ?? new Uint8Array(0)])),
  );

  it('prints the entries of all members', async () => {
    files.set('libtest.a', archive);
    const rows = await rowsOf('libtest.a');
    for (const name of inside) {
      const own = rows.filter((row) => row.text('member') === name);
      const alone = await rowsOf(name);
      expect(own.map((row) => textOf(row, 'type_name', 'offset', 'formula'))).toEqual(
        alone.map((row) => textOf(row, 'type_name', 'offset', 'formula')),
      );
    }
    const { out } = await runCommand(['relocs', 'libtest.a'], files);
    expect(out).toContain('riscv64.o:\n');
  });
});

describe('what no table has', () => {
  /** Returns an object with one entry of a type, for a machine. */
  const objectFor = (machine: number, type: number) =>
    elfObject({
      header: { machine },
      sections: [
        { name: '.text', flags: 6, data: Uint8Array.from({ length: 12 }, (_, i) => i) },
        {
          name: '.rela.text',
          type: 4,
          link: '.symtab',
          info: '.text',
          data: rela(64, 8, 1, type, 3),
        },
      ],
      symbols: [{ name: 'f' }],
    }).bytes;

  it.each([
    [62, 200, 'the type is unknown'],
    [15, 2, 'the relocations of the machine are unknown'],
  ])('machine %d, type %d: number, raw bytes and why', async (machine, type, why) => {
    files.set('unknown.o', objectFor(machine, type));
    const [row] = await rowsOf('unknown.o', '--at', '.text=0x1000');
    expect(row && textOf(row, 'type', 'type_name', 'formula', 'value', 'bytes_before')).toEqual([
      ...[type, `type ${type}`, '', null, '08090a0b'],
    ]);
    expect(row?.text('why')).toBe(why);
    const { out } = await runCommand(['relocs', 'unknown.o'], files);
    expect(out).toContain(`The formula of type ${type} is not known.`);
  });
});
