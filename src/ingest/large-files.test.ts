/** Tests how many bytes are read of files that are larger than the memory. */
import { describe, expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { ingest } from './ingest.ts';

const GIGABYTE = 1024 ** 3;
const BTF = btfBlob({ types: [int('int', 4), ptr(1)] }).bytes;

/** Returns a file of `size` bytes: `start`, then zeros. Counts the bytes that are read. */
function sparse(start: Uint8Array, size: number) {
  let bytesRead = 0;
  const source: ByteSource = {
    name: 'vmlinux',
    size,
    read: (from, to) => {
      const end = Math.min(to, size);
      const bytes = new Uint8Array(Math.max(0, end - from));
      bytesRead += bytes.length;
      bytes.set(start.subarray(from, end));
      return Promise.resolve(bytes);
    },
  };
  return { source, bytesRead: () => bytesRead };
}

async function open(source: ByteSource) {
  const opened = await ingest(source);
  if (opened.kind !== 'object') throw new Error('an object was expected');
  return opened.model;
}

/** Returns an ELF file whose last section is `name` and has `size` bytes. */
function elfWithLarge(name: string, size: number) {
  const object = elfObject({
    sections: [
      { name: '.text', flags: 6, data: new Uint8Array(64) },
      ...(name === '.BTF' ? [] : [{ name: '.BTF', data: BTF }]),
      { name: '.BTF_ids', data: [u32(1)] },
      { name, size },
    ],
    symbols: [{ name: 'main', shndx: '.text' }],
  });
  const header = object.shoff + object.sectionIndex(name) * 64;
  new DataView(object.bytes.buffer).setBigUint64(header + 24, BigInt(object.bytes.length), true);
  return sparse(object.bytes, object.bytes.length + size);
}

describe('a large ELF file', () => {
  it.each(['.debug_info', '.rodata', '.text.large'])(
    'of which %s has a gigabyte is read by less than 1 %%',
    async (name) => {
      const { source, bytesRead } = elfWithLarge(name, GIGABYTE);
      const model = await open(source);
      expect(model.issues.filter((issue) => issue.severity !== 'note')).toEqual([]);
      expect(model.types?.count).toBe(2);
      expect(model.symbols.count).toBe(2);
      expect(model.btfIds.count).toBe(1);
      expect(bytesRead()).toBeLessThan(GIGABYTE / 1000);
    },
  );

  it('reports that its .BTF is too large for memory', async () => {
    const { source, bytesRead } = elfWithLarge('.BTF', 4 * GIGABYTE);
    const model = await open(source);
    expect(model.types).toBeNull();
    expect(model.issues).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'elf.section-too-large', region: '.BTF' }),
    );
    expect(bytesRead()).toBeLessThan(1 << 20);
  });
});

describe('a large file that begins as BTF', () => {
  it('is read up to the end of the strings', async () => {
    const { source, bytesRead } = sparse(BTF, 4 * GIGABYTE);
    const model = await open(source);
    expect(model.types?.count).toBe(2);
    expect(model.size).toBe(4 * GIGABYTE);
    expect(model.issues).toMatchObject([
      {
        severity: 'warning',
        code: 'btf.trailing',
        message: `${4 * GIGABYTE - BTF.length} bytes after the string section`,
        span: { start: BTF.length, end: 4 * GIGABYTE },
      },
    ]);
    expect(bytesRead()).toBeLessThan(200_000);
  });

  it('is refused if its header claims all of it', async () => {
    const claims = btfBlob({ types: [int('int', 4)], header: { strLen: 0xfffffff0 } }).bytes;
    const { source, bytesRead } = sparse(claims, 8 * GIGABYTE);
    await expect(open(source)).rejects.toMatchObject({ issue: { code: 'btf.too-large' } });
    expect(bytesRead()).toBeLessThan(200_000);
  });

  it('is refused with the same message as a small file if its header is wrong', async () => {
    const short = btfBlob({ header: { hdrLen: 4 } }).bytes;
    await expect(open(sparse(short, 4 * GIGABYTE).source)).rejects.toMatchObject({
      issue: { code: 'btf.header-too-short' },
    });
  });
});

describe('a large file that is packed, or of no known format', () => {
  it.each([
    ['gzip', [0x1f, 0x8b, 8], 'container.too-large'],
    [
      'a boot image',
      [...new Uint8Array(0x38), ...new TextEncoder().encode('ARM\x64')],
      'container.too-large',
    ],
  ])('%s is refused before it is read', async (_what, start, code) => {
    const { source, bytesRead } = sparse(Uint8Array.from(start), 4 * GIGABYTE);
    const error: unknown = await open(source).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Malformed);
    expect(error).toMatchObject({ issue: { code } });
    expect(bytesRead()).toBeLessThan(200_000);
  });

  it('data is searched for objects once, and not kept in memory', async () => {
    const size = 600 << 20;
    const { source, bytesRead } = sparse(Uint8Array.of(1, 2, 3, 0xff), size);
    await expect(open(source)).rejects.toMatchObject({ issue: { code: 'file.unknown' } });
    expect(bytesRead()).toBeLessThan(size * 1.01);
  });
});
