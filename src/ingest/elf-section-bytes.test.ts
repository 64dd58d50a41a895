/** Tests the bytes of sections, stored and unpacked. */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { SHT } from '#formats/elf/constants.ts';
import { sectionIndex } from '#model/ids.ts';
import { hex, type Part, raw, u32, u64 } from '#testing/assemble.ts';
import { type ElfSpec, elfObject } from '#testing/elf-object.ts';
import { ingestElf, readSection } from './elf.ts';

const TEXT = new TextEncoder().encode('types and strings');

/** A zstd frame with one block that is not compressed (RFC 8878, "Zstandard Frames"). */
const ZSTD_FRAME = [
  hex('28 b5 2f fd 20'),
  raw([TEXT.length]),
  raw([(TEXT.length << 3) | 1, 0, 0]),
  raw(TEXT),
];

/** Reads section 1 of an object, whose file is first cut to `size` bytes. */
async function read(spec: ElfSpec, size?: number) {
  const object = elfObject(spec);
  const source = bufferSource('a.o', object.bytes.subarray(0, size));
  const issues: Issue[] = [];
  const parts = await ingestElf(source, issues);
  const told = issues.length;
  const section = await readSection(source, parts, sectionIndex(1), issues);
  return { section, object, before: issues.slice(0, told), issues: issues.slice(told) };
}

function packed(chType: number, chSize: number, parts: readonly Part[]): ElfSpec {
  const header = [u32(chType), u32(0), u64(chSize), u64(4)];
  return { sections: [{ name: '.BTF', flags: 0x800, data: [...header, ...parts] }] };
}

describe('readSection', () => {
  it('returns the bytes and their offset', async () => {
    const { section, object, issues } = await read({ sections: [{ name: '.BTF', data: TEXT }] });
    expect(section).toEqual({ bytes: TEXT, fileOffset: object.sectionOffset('.BTF') });
    expect(issues).toEqual([]);
  });

  it.each([
    ['zlib', 1, [raw(deflateSync(TEXT))]],
    ['zstd', 2, ZSTD_FRAME],
  ] as const)('unpacks %s', async (_name, chType, parts) => {
    const { section, issues } = await read(packed(chType, TEXT.length, parts));
    expect(issues).toEqual([]);
    expect(section?.fileOffset).toBeNull();
    expect([...(section?.bytes ?? [])]).toEqual([...TEXT]);
  });

  it('unpacks in ELF32, whose compression header is shorter', async () => {
    const data = [u32(1), u32(TEXT.length), u32(4), raw(deflateSync(TEXT))];
    const sections = [{ name: '.BTF', flags: 0x800, data }];
    const { section, issues } = await read({ class: 32, endian: 'big', sections });
    expect(issues).toEqual([]);
    expect([...(section?.bytes ?? [])]).toEqual([...TEXT]);
  });

  it('returns the unpacked data if the declared size differs', async () => {
    const { section, issues, object } = await read(packed(1, 2 ** 50, [raw(deflateSync(TEXT))]));
    expect(section?.bytes).toHaveLength(TEXT.length);
    const start = object.sectionOffset('.BTF') + 8;
    expect(issues).toMatchObject([{ code: 'elf.unpacked-size', span: { start, end: start + 8 } }]);
  });

  it.each([
    ['an unknown packer', packed(7, 1, []), 'elf.unknown-compression'],
    [
      'no room for the compression header',
      { sections: [{ name: '.BTF', flags: 0x800, data: [u64(1)] }] },
      'elf.compression-header-truncated',
    ],
    [
      'SHT_NOBITS',
      { sections: [{ name: '.BTF', type: SHT.nobits, size: 8 }] },
      'elf.section-empty',
    ],
    ['no section at all', { header: { shoff: 0 } }, 'elf.section-absent'],
  ])('gives nothing but an issue for %s', async (_what, spec, code) => {
    const { section, issues } = await read(spec);
    expect(section).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code }]);
  });

  it('reports a section past the end of the file only once', async () => {
    const spec = { sections: [{ name: '.BTF', data: TEXT, size: 1 << 20 }] };
    const { section, before, issues } = await read(spec);
    expect(section).toBeNull();
    expect(before.map((i) => i.message)).toContain('.BTF: past the end of the file');
    expect(issues).toEqual([]);
  });
});
