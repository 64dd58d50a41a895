import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { elfObject } from '#testing/elf-object.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';

async function rows(file: string): Promise<JsonRow[]> {
  const { status, err, out } = await runCommand(['data', file, '--json']);
  expect({ status, err }).toEqual({ status: 0, err: [] });
  const list: unknown = JSON.parse(out);
  return Array.isArray(list) ? list.map((row) => new JsonRow(row)) : [];
}

function row(all: readonly JsonRow[], section: string, name: string | null) {
  const found = all.find(
    ({ fields }) => fields.get('section') === section && fields.get('name') === name,
  );
  return found === undefined ? null : Object.fromEntries(found.fields);
}

describe('data --json', () => {
  it('has a row for each variable, map and string', async () => {
    const all = await rows('data_relocs.bpf.o');
    expect(row(all, '.data', 'table')).toEqual({
      section: '.data',
      name: 'table',
      type: 'int (*[5])(void *)',
      offset: 0,
      size: 40,
      linkage: 'global',
      value: ['first', 'second', 'third', 0, 'second'],
    });
    expect(row(all, '.data.steps', 'begin')).toMatchObject({
      value: { name: '"begin"', run: 'first', next: '&last', weight: 1 },
    });
    expect(row(all, '.maps', 'sums')).toMatchObject({
      value: { type: 'BPF_MAP_TYPE_ARRAY', key: '__u32', key_size: 4, max_entries: 16 },
    });
    expect(row(all, '.rodata.str1.1', null)).toMatchObject({ value: 'begin', size: 6 });
    expect(row(all, 'license', 'LICENSE')).toMatchObject({ value: 'GPL' });
  });

  it('is the same in both byte orders', async () => {
    for (const name of ['data_relocs', 'kinds', 'externs', 'bitfields']) {
      const values = async (file: string) =>
        (await rows(file)).map(({ fields }) => [...fields].filter(([key]) => key !== 'offset'));
      expect(await values(`${name}.be.bpf.o`)).toEqual(await values(`${name}.bpf.o`));
    }
  });

  it('has null for what another file defines', async () => {
    const all = await rows('externs.bpf.o');
    expect(row(all, '.kconfig', 'CONFIG_HZ')).toMatchObject({
      linkage: 'extern',
      offset: null,
      size: 8,
      value: null,
    });
  });
});

describe('data as text', () => {
  it('is C with comments', async () => {
    const { out } = await runCommand(['data', 'data_relocs.bpf.o']);
    expect(out).toContain('/* license: GPL */\n');
    expect(out).toContain(
      '\nint (*table[5])(void *) = {\n\tfirst, second, third, NULL, second,\n};',
    );
    expect(out).toContain('\nstatic int hidden[8] = {\n\t20, 21,');
    expect(out).toContain('\nmap sums = {\n\t.type = BPF_MAP_TYPE_ARRAY,\n\t.key = __u32,');
    expect(out).toContain('/* offset 6 */ "last"\n');
  });
});

const AS_U32 = ['data', 'data_relocs.bpf.o', '--type', 'typedef:__u32'];

describe('data --type', () => {
  it('reads bytes in the byte order of the file, or in the one given', async () => {
    const read = async (...more: string[]) =>
      (await runCommand([...AS_U32, '--bytes', '01 02 03 04', ...more])).out;
    expect(await read()).toBe('(__u32)67305985;\n');
    expect(await read('--endian', 'big', '--json')).toBe('16909060\n');
  });

  it('reads a struct', async () => {
    const bytes = `${'00'.repeat(24)}0700000000000000`;
    const words = ['data', 'data_relocs.bpf.o', '--type', 'struct:step', '--bytes', bytes];
    expect((await runCommand(words)).out).toBe(
      '(struct step){\n\t.name = NULL,\n\t.run = NULL,\n\t.next = NULL,\n\t.weight = 7,\n};\n',
    );
    expect(JSON.parse((await runCommand([...words, '--json'])).out)).toEqual({
      name: 0,
      run: 0,
      next: 0,
      weight: 7,
    });
  });

  it('reads a file, and warns where the sizes differ', async () => {
    const files = new Map([['v.bin', Uint8Array.of(5, 0, 0, 0, 9)]]);
    const { out, err } = await runCommand([...AS_U32, '--from', 'v.bin'], files);
    expect(out).toBe('(__u32)5;\n');
    expect(err).toEqual(['btfscope: warning: the type has 4 bytes, got 5']);
  });

  it('prints a dump again as bpftool prints it by BTF', async () => {
    const dump = '[{"key":["0x01","0x00","0x00","0x00"],"value":["0x07","0x00","0x00","0x00"]}]';
    const files = new Map([['d.json', new TextEncoder().encode(dump)]]);
    const words = [...AS_U32, '--dump', 'd.json', '--key', 'typedef:__u32'];
    expect((await runCommand(words, files)).out).toBe(
      '[{\n        "key": 1,\n        "value": 7\n    }\n]\n',
    );
    const asJson: unknown = JSON.parse((await runCommand([...words, '--json'], files)).out);
    expect(asJson).toEqual([{ ...JSON.parse(dump)[0], formatted: { key: 1, value: 7 } }]);
  });
});

describe('data --dump', () => {
  const dumped = async (dump: string, ...more: string[]) =>
    await runCommand(
      ['data', 'xdp_counter.bpf.o', '--dump', 'dump.txt', ...more],
      new Map([['dump.txt', new TextEncoder().encode(dump)]]),
    );
  const VERDICT = '[{\n        "key": 0,\n        "value": "XDP_PASS"\n    }\n]\n';

  it('chooses the map of the file by its sizes, in the plain output of bpftool', async () => {
    const text = 'key: 00 00 00 00  value: 02 00 00 00\nFound 1 element\n';
    expect((await dumped(text)).out).toBe(VERDICT);
    const wide = 'key:\n01 00 00 00 02 00 00 00 50 00 bb 01\nvalue: ff ff ff ff ff ff ff ff\n';
    expect((await dumped(wide)).out).toContain('"value": 18446744073709551615');
  });

  it('reads the output for a map with BTF, and keeps all digits', async () => {
    expect((await dumped(VERDICT)).out).toBe(VERDICT);
    const perCpu =
      '[{"key":6,"values":[{"cpu":0,"value":{"packets":1,"bytes":18446744073709551615}}]}]';
    expect((await dumped(perCpu)).out).toContain('"bytes": 18446744073709551615');
  });

  it('asks for the map where several fit, and names those of the file where none fits', async () => {
    expect((await dumped('Found 0 elements', '--map', 'verdict')).out).toBe('[]\n');
    expect((await dumped('Found 0 elements')).err.join()).toContain(
      'the dump fits several maps: protocols, last_seen, verdict; choose one with --map',
    );
    expect((await dumped('key: 01  value: 02')).err.join()).toContain('the dump fits no map of');
    expect((await dumped(VERDICT, '--map', 'x')).err.join()).toContain('no map is named "x"');
  });
});

it.each([
  [[...AS_U32], 2, '--type requires one of --bytes, --from and --dump'],
  [[...AS_U32, '--bytes', '00', '--from', 'x'], 2, '--type requires one of'],
  [[...AS_U32, '--bytes', '00', '--endian', 'middle'], 2, 'is not a byte order'],
  [[...AS_U32, '--bytes', '00', '--key', 'x'], 2, '--key requires --dump'],
  [['data', 'kinds.bpf.o', '--bytes', '00'], 2, '--bytes requires --type'],
  [[...AS_U32, '--bytes', '0'], 1, 'is not a run of hex bytes'],
  [[...AS_U32, '--dump', 'bad.json'], 1, 'the dump is not JSON'],
  [['data', 'kinds.bpf.o', '--type', 'struct:no_such', '--bytes', '00'], 1, 'no type is named'],
  [['data', 'kinds.btf'], 1, 'is not an object file'],
])('ends with one clear line on %j', async (words, status, message) => {
  const files = new Map([['bad.json', new TextEncoder().encode('[{')]]);
  const ran = await runCommand(words, files);
  expect({ status: ran.status, out: ran.out, lines: ran.err.length }).toEqual({
    status,
    out: '',
    lines: 1,
  });
  expect(ran.err[0]).toContain(message);
});

it('shows names that would mislead as escapes', async () => {
  const files = new Map([
    [
      'a.o',
      elfObject({
        sections: [
          { name: '.data', flags: 3, data: new Uint8Array(4) },
          { name: '.BTF', data: btfBlob().bytes },
        ],
        symbols: [{ name: 'a\u202eb', size: 4, type: 1, shndx: '.data' }],
      }).bytes,
    ],
  ]);
  const { out } = await runCommand(['data', 'a.o'], files);
  expect(out).toContain('a\\u{202e}b; /* no type: 00 00 00 00 */');
});
