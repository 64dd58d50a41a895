/** Numbers of a file above 2^53 are printed digit by digit: none goes through a double. */
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, struct, typedef } from '#testing/btf-types.ts';
import { runCommand } from '#testing/run-command.ts';
import { sampleBytes } from '#testing/samples.ts';

/** The smallest integer that is no double; a double is an even neighbour of it. */
const ODD = 2n ** 53n + 1n;
const NEIGHBOURS = /900719925474099[02468](?!\d)|0x2000000000000[02468](?![\da-f])/;

/** Copies an ELF64 object with one field of 64 bits set to `ODD`. */
function withField(bytes: Uint8Array, at: (view: DataView) => number): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  view.setBigUint64(at(view), ODD, true);
  return copy;
}

/** Returns the offset of the content of the first section with type `type`. */
function contentOf(view: DataView, type: number): number {
  const headers = Number(view.getBigUint64(40, true));
  for (let i = 0; i < view.getUint16(60, true); i++) {
    if (view.getUint32(headers + 64 * i + 4, true) !== type) continue;
    return Number(view.getBigUint64(headers + 64 * i + 24, true));
  }
  return 0;
}

const headersAt = (view: DataView) => Number(view.getBigUint64(40, true));
const SYMTAB = 2;
const REL = 9;

describe('fields of 64 bits', () => {
  it.each<[string, (view: DataView) => number]>([
    ['e_entry', () => 24],
    ['sh_addr', (view) => headersAt(view) + 64 * 3 + 16],
    ['sh_size', (view) => headersAt(view) + 64 * 3 + 32],
    ['sh_addralign', (view) => headersAt(view) + 64 * 3 + 48],
    ['r_offset', (view) => contentOf(view, REL)],
    ...Array.from({ length: 12 }, (_, i): [string, (view: DataView) => number] => [
      `st_value of symbol ${i + 1}`,
      (view) => contentOf(view, SYMTAB) + 24 * (i + 1) + 8,
    ]),
    ...Array.from({ length: 12 }, (_, i): [string, (view: DataView) => number] => [
      `st_size of symbol ${i + 1}`,
      (view) => contentOf(view, SYMTAB) + 24 * (i + 1) + 16,
    ]),
  ])('%s', async (_name, at) => {
    for (const type of [1, 2]) {
      const bytes = withField(sampleBytes('xdp_counter.bpf.o'), at);
      new DataView(bytes.buffer).setUint16(16, type, true);
      const files = new Map([['a.o', bytes]]);
      for (const name of ['relocs', 'symbols', 'readelf', 'disasm', 'data', 'info', 'check']) {
        for (const more of [[], ['--json']]) {
          const { out, err } = await runCommand([name, 'a.o', ...more], files);
          const rounded = `${out}\n${err.join('\n')}`
            .split('\n')
            .filter((one) => NEIGHBOURS.test(one));
          expect({ name, rounded }).toEqual({ name, rounded: [] });
        }
      }
    }
  });
});

describe('sizes of types', () => {
  const size = 0x8000001n * 0x4000003n;
  const files = new Map([
    [
      'a.btf',
      btfBlob({
        types: [
          int('char', 1),
          array(1, 1, 0x8000001),
          array(2, 1, 0x4000003),
          typedef('t', 3),
          struct('s', 64, [{ name: 'm', type: 4, bitOffset: 0 }]),
        ],
      }).bytes,
    ],
  ]);

  it.each([
    [['type', 'a.btf', 't'], `${size} bytes`],
    [['type', 'a.btf', 't', '--json'], `"size": ${size},`],
    [['type', 'a.btf', 's.m'], `${size} bytes at offset 0`],
    [['type', 'a.btf', 's.m', '--json'], `"bit_size": ${8n * size},`],
    [['query', 'a.btf', "SELECT size FROM types WHERE name = 't'", '--json'], `${size}`],
  ])('%j', async (words, text) => {
    expect((await runCommand(words, files)).out).toContain(text);
  });

  it('the end of a member is not rounded', async () => {
    const { out } = await runCommand(['check', 'a.btf'], files);
    expect(out).toContain('found: an end past bit 2^53');
  });
});
