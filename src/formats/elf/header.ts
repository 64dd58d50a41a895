/**
 * The header that opens an ELF file, in both classes and both byte orders.
 *
 * Source: System V gABI chapter 4, "ELF Header" and "ELF Identification".
 * Reads what is there; whether the numbers make sense together is not its matter.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import { type Endian, type Span, spanOf } from '#bytes/span.ts';

/** `EI_CLASS` in bits. */
export type ElfClass = 32 | 64;

export type ElfHeader = {
  readonly elfClass: ElfClass;
  readonly endian: Endian;
  /** The 16 bytes of `e_ident`. */
  readonly eIdent: Uint8Array;
  readonly eType: number;
  readonly eMachine: number;
  readonly eVersion: number;
  readonly eEntry: bigint;
  readonly ePhoff: bigint;
  readonly eShoff: bigint;
  readonly eFlags: number;
  readonly eEhsize: number;
  readonly ePhentsize: number;
  readonly ePhnum: number;
  readonly eShentsize: number;
  readonly eShnum: number;
  readonly eShstrndx: number;
};

/** Bytes of the identification that opens the header, whatever the class. */
export const EI_NIDENT = 16;

export type ElfHeaderFieldName =
  | 'e_type'
  | 'e_machine'
  | 'e_version'
  | 'e_entry'
  | 'e_phoff'
  | 'e_shoff'
  | 'e_flags'
  | 'e_ehsize'
  | 'e_phentsize'
  | 'e_phnum'
  | 'e_shentsize'
  | 'e_shnum'
  | 'e_shstrndx';

/** Bytes of the whole header. */
export function elfHeaderSize(elfClass: ElfClass): number {
  return elfClass === 64 ? 64 : 52;
}

/** Where a field of the header lies in the file. */
export function elfHeaderSpan(elfClass: ElfClass, field: ElfHeaderFieldName): Span {
  const word = elfClass / 8;
  const tail = 24 + 3 * word;
  switch (field) {
    case 'e_type':
      return spanOf(16, 2);
    case 'e_machine':
      return spanOf(18, 2);
    case 'e_version':
      return spanOf(20, 4);
    case 'e_entry':
      return spanOf(24, word);
    case 'e_phoff':
      return spanOf(24 + word, word);
    case 'e_shoff':
      return spanOf(24 + 2 * word, word);
    case 'e_flags':
      return spanOf(tail, 4);
    case 'e_ehsize':
      return spanOf(tail + 4, 2);
    case 'e_phentsize':
      return spanOf(tail + 6, 2);
    case 'e_phnum':
      return spanOf(tail + 8, 2);
    case 'e_shentsize':
      return spanOf(tail + 10, 2);
    case 'e_shnum':
      return spanOf(tail + 12, 2);
    case 'e_shstrndx':
      return spanOf(tail + 14, 2);
  }
}

/**
 * Reads the header from the first bytes of a file; the byte order of `file` is
 * not used, the file says its own. Throws `Malformed`: `elf.bad-magic`,
 * `elf.header-truncated`, `elf.unknown-class`, `elf.unknown-byte-order`.
 */
export function readElfHeader(file: ByteReader): ElfHeader {
  checkMagic(file);
  requireHeader(file, EI_NIDENT);
  const elfClass = readClass(file);
  const endian = readEndian(file);
  requireHeader(file, elfHeaderSize(elfClass));
  const r = file.as(endian);
  const at = (field: ElfHeaderFieldName) => elfHeaderSpan(elfClass, field).start;
  const word = (field: ElfHeaderFieldName) =>
    elfClass === 64 ? r.u64(at(field), field) : BigInt(r.u32(at(field), field));
  return {
    elfClass,
    endian,
    eIdent: r.bytes.slice(0, EI_NIDENT),
    eType: r.u16(at('e_type')),
    eMachine: r.u16(at('e_machine')),
    eVersion: r.u32(at('e_version')),
    eEntry: word('e_entry'),
    ePhoff: word('e_phoff'),
    eShoff: word('e_shoff'),
    eFlags: r.u32(at('e_flags')),
    eEhsize: r.u16(at('e_ehsize')),
    ePhentsize: r.u16(at('e_phentsize')),
    ePhnum: r.u16(at('e_phnum')),
    eShentsize: r.u16(at('e_shentsize')),
    eShnum: r.u16(at('e_shnum')),
    eShstrndx: r.u16(at('e_shstrndx')),
  };
}

function checkMagic(file: ByteReader): void {
  const found = [...file.bytes.subarray(0, 4)];
  if (found.length === 4 && [0x7f, 0x45, 0x4c, 0x46].every((byte, i) => byte === found[i])) return;
  throw new Malformed({
    code: 'elf.bad-magic',
    region: 'ELF header',
    message: 'not ELF: the file does not begin with the four bytes that every ELF file begins with',
    span: file.span(0, found.length),
    expected: '7f 45 4c 46',
    found: found.map((byte) => byte.toString(16).padStart(2, '0')).join(' ') || 'nothing',
  });
}

function requireHeader(file: ByteReader, size: number): void {
  if (file.length >= size) return;
  throw new Malformed({
    code: 'elf.header-truncated',
    region: 'ELF header',
    message: 'ELF header truncated: the file ends inside it',
    span: file.span(0, file.length),
    expected: `${size} bytes`,
    found: `${file.length} bytes`,
    advice: 'The file was cut short. Copy or build it again.',
  });
}

function readClass(file: ByteReader): ElfClass {
  const value = file.u8(4, 'EI_CLASS');
  if (value === 1) return 32;
  if (value === 2) return 64;
  throw new Malformed({
    code: 'elf.unknown-class',
    region: 'ELF header',
    message: `unknown ELF class ${value}`,
    span: file.span(4, 1),
    expected: '1 (32-bit) or 2 (64-bit)',
    found: `${value}`,
  });
}

function readEndian(file: ByteReader): Endian {
  const value = file.u8(5, 'EI_DATA');
  if (value === 1) return 'little';
  if (value === 2) return 'big';
  throw new Malformed({
    code: 'elf.unknown-byte-order',
    region: 'ELF header',
    message: `unknown byte order ${value}`,
    span: file.span(5, 1),
    expected: '1 (little-endian) or 2 (big-endian)',
    found: `${value}`,
  });
}
