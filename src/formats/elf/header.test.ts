import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import { elfObject } from '#testing/elf-object.ts';
import { elfHeaderSize, elfHeaderSpan, readElfHeader } from './header.ts';

const read = (bytes: Uint8Array) => readElfHeader(new ByteReader(bytes, 'ELF header'));

function refusal(bytes: Uint8Array): unknown {
  try {
    return read(bytes);
  } catch (error) {
    return error instanceof Malformed ? error.issue : error;
  }
}

/** Returns a valid ELF header. `patch` replaces the bytes at some offsets. */
function patched(patch: Readonly<Record<number, number>>): Uint8Array {
  const { bytes } = elfObject();
  for (const [offset, value] of Object.entries(patch)) bytes[Number(offset)] = value;
  return bytes;
}

describe('readElfHeader', () => {
  it.each([
    [32, 'little'],
    [32, 'big'],
    [64, 'little'],
    [64, 'big'],
  ] as const)('reads ELF%i, %s-endian', (elfClass, endian) => {
    const object = elfObject({ class: elfClass, endian, header: { flags: 0x01020304, type: 3 } });
    expect(read(object.bytes)).toMatchObject({
      elfClass,
      endian,
      eType: 3,
      eMachine: 247,
      eVersion: 1,
      eEntry: 0n,
      ePhoff: 0n,
      eShoff: BigInt(object.shoff),
      eFlags: 0x01020304,
      eEhsize: elfHeaderSize(elfClass),
      ePhentsize: 0,
      ePhnum: 0,
      eShentsize: elfClass === 64 ? 64 : 40,
      eShnum: 2,
      eShstrndx: 1,
    });
  });

  it('has adjacent fields up to the end of the header', () => {
    const fields = [
      'e_type',
      'e_machine',
      'e_version',
      'e_entry',
      'e_phoff',
      'e_shoff',
      'e_flags',
      'e_ehsize',
      'e_phentsize',
      'e_phnum',
      'e_shentsize',
      'e_shnum',
      'e_shstrndx',
    ] as const;
    for (const elfClass of [32, 64] as const) {
      let end = 16;
      for (const field of fields) {
        const span = elfHeaderSpan(elfClass, field);
        expect([field, span.start]).toEqual([field, end]);
        end = span.end;
      }
      expect(end).toBe(elfHeaderSize(elfClass));
    }
  });

  it.each([
    ['another magic', patched({ 3: 0x47 }), 'elf.bad-magic', { start: 0, end: 4 }],
    ['three bytes', patched({}).subarray(0, 3), 'elf.bad-magic', { start: 0, end: 3 }],
    ['nothing', new Uint8Array(0), 'elf.bad-magic', { start: 0, end: 0 }],
    ['the magic alone', patched({}).subarray(0, 4), 'elf.header-truncated', { start: 0, end: 4 }],
    ['63 bytes', patched({}).subarray(0, 63), 'elf.header-truncated', { start: 0, end: 63 }],
    ['class 0', patched({ 4: 0 }), 'elf.unknown-class', { start: 4, end: 5 }],
    ['class 3', patched({ 4: 3 }), 'elf.unknown-class', { start: 4, end: 5 }],
    ['byte order 0', patched({ 5: 0 }), 'elf.unknown-byte-order', { start: 5, end: 6 }],
  ])('refuses %s', (_what, bytes, code, span) => {
    expect(refusal(bytes)).toMatchObject({ severity: 'error', code, span });
  });
});
