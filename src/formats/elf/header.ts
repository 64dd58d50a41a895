/** Reads the ELF header without checks. Source: System V gABI chapter 4, "ELF Header". */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { type CName, fieldSpan, inBothClasses, type ValuesOf } from '#bytes/c-struct.ts';
import type { Endian, Span } from '#bytes/span.ts';

/** The class of an ELF file (`EI_CLASS`), in bits. */
export type ElfClass = 32 | 64;

/** Size of `e_ident` in bytes, the same in both classes. */
export const EI_NIDENT = 16;

const HEADER = inBothClasses({
  eIdent: 'char16',
  eType: 'u16',
  eMachine: 'u16',
  eVersion: 'u32',
  eEntry: 'word',
  ePhoff: 'word',
  eShoff: 'word',
  eFlags: 'u32',
  eEhsize: 'u16',
  ePhentsize: 'u16',
  ePhnum: 'u16',
  eShentsize: 'u16',
  eShnum: 'u16',
  eShstrndx: 'u16',
});

type Values = ValuesOf<(typeof HEADER)[64]>;

export type ElfHeader = Values & {
  readonly elfClass: ElfClass;
  readonly endian: Endian;
  readonly eIdent: Uint8Array;
};

export type ElfHeaderFieldName = CName<keyof Values>;

/** Returns the size of the ELF header in bytes. */
export function elfHeaderSize(elfClass: ElfClass): number {
  return HEADER[elfClass].size;
}

/** Returns the file span of a field of the ELF header. */
export function elfHeaderSpan(elfClass: ElfClass, field: ElfHeaderFieldName): Span {
  return fieldSpan(HEADER[elfClass], field);
}

/** Reads the ELF header in the byte order of the file. Throws `Malformed`. */
export function readElfHeader(start: ByteReader): ElfHeader {
  const file = start.slice(0, start.length, 'ELF header');
  checkMagic(file);
  requireHeader(file, EI_NIDENT);
  const elfClass = readClass(file);
  const endian = readEndian(file);
  requireHeader(file, elfHeaderSize(elfClass));
  const values = HEADER[elfClass].read(file.as(endian));
  return { ...values, elfClass, endian, eIdent: file.bytes.slice(0, EI_NIDENT) };
}

function checkMagic(file: ByteReader): void {
  const magic = [...file.bytes.subarray(0, 4)];
  if (magic.length === 4 && [0x7f, 0x45, 0x4c, 0x46].every((byte, i) => byte === magic[i])) return;
  throw file.malformed(
    'elf.bad-magic',
    'not ELF: the file does not begin with the four bytes that every ELF file begins with',
    {
      at: [0, magic.length],
      expected: '7f 45 4c 46',
      found: magic.map((byte) => byte.toString(16).padStart(2, '0')).join(' ') || 'nothing',
    },
  );
}

function requireHeader(file: ByteReader, size: number): void {
  if (file.length >= size) return;
  throw file.malformed('elf.header-truncated', 'ELF header truncated: the file ends inside it', {
    at: [0, file.length],
    expected: `${size} bytes`,
    found: `${file.length} bytes`,
    advice: 'The file was cut short. Copy or build it again.',
  });
}

function readClass(file: ByteReader): ElfClass {
  const value = file.u8(4, 'EI_CLASS');
  if (value === 1) return 32;
  if (value === 2) return 64;
  throw file.malformed('elf.unknown-class', `unknown ELF class ${value}`, {
    at: [4, 1],
    expected: '1 (32-bit) or 2 (64-bit)',
    found: `${value}`,
  });
}

function readEndian(file: ByteReader): Endian {
  const value = file.u8(5, 'EI_DATA');
  if (value === 1) return 'little';
  if (value === 2) return 'big';
  throw file.malformed('elf.unknown-byte-order', `unknown byte order ${value}`, {
    at: [5, 1],
    expected: '1 (little-endian) or 2 (big-endian)',
    found: `${value}`,
  });
}
