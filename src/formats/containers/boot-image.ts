/**
 * Boot images: the kind of a kernel image by its header, and the span of the compressed kernel in
 * the image. Source: Linux, Documentation/arch/x86/boot.rst, arch/arm64/booting.rst,
 * arch/riscv/boot-image-header.rst, drivers/firmware/efi/libstub/zboot-header.S,
 * arch/arm/boot/compressed/head.S, arch/s390/boot/head.S; the UAPI Group's "Unified Kernel Image",
 * and Microsoft's "PE Format" for its container.
 */
import { startsWith } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { type Span, spanOf } from '#bytes/span.ts';

export type BootImage =
  | 'bzImage'
  | 'EFI zboot'
  | 'arm64 Image'
  | 'RISC-V Image'
  | 'ARM zImage'
  | 's390 image'
  | 'unified kernel image'
  | 'EFI kernel';

/** Number of bytes that identify every kind of boot image. The mark of s390 is after 64 KiB. */
export const BOOT_IMAGE_HEAD = 0x10010;

type Mark = readonly [BootImage, number, string | readonly number[]];

/** Marks in the order of the check. PE is last, because some earlier kinds are PE files too. */
const MARKS: readonly Mark[] = [
  ['bzImage', 0x202, 'HdrS'],
  ['EFI zboot', 4, 'zimg'],
  ['arm64 Image', 0x38, 'ARM\x64'],
  ['RISC-V Image', 0x38, 'RSC\x05'],
  ['ARM zImage', 0x24, [0x18, 0x28, 0x6f, 0x01]],
  ['ARM zImage', 0x24, [0x01, 0x6f, 0x28, 0x18]],
  ['s390 image', 0x10008, 'S390EP'],
  // LINUX_PE_MAGIC, in kernels that boot their Image as a PE file.
  ['EFI kernel', 0x38, [0xcd, 0x23, 0x82, 0x81]],
];

/** Returns the kind of boot image by its first `BOOT_IMAGE_HEAD` bytes; null for other files. */
export function bootImageKind(head: Uint8Array): BootImage | null {
  const mark = MARKS.find(([, offset, magic]) => startsWith(head, magic, offset));
  if (mark !== undefined) {
    // Any file may contain "zimg" here: require the start of a PE file as well.
    return mark[0] === 'EFI zboot' && !startsWith(head, 'MZ') ? null : mark[0];
  }
  return peSection(head, '.linux') === null ? null : 'unified kernel image';
}

/** Returns the span of the compressed kernel, cut at `fileSize`; null if the header has none. */
export function packedKernel(kind: BootImage, head: Uint8Array, fileSize: number): Span | null {
  switch (kind) {
    case 'bzImage':
      return clipped(bzImagePayload(head), fileSize);
    case 'EFI zboot':
      return clipped(zbootPayload(head), fileSize);
    case 'unified kernel image':
      return clipped(peSection(head, '.linux'), fileSize);
    default:
      return null;
  }
}

function clipped(span: Span | null, fileSize: number): Span | null {
  if (span === null || span.start >= fileSize || span.end <= span.start) return null;
  return { start: span.start, end: Math.min(span.end, fileSize) };
}

const SECTOR = 512;
/** First version of the boot protocol whose header has the position of the payload. */
const PAYLOAD_PROTOCOL = 0x208;

function bzImagePayload(head: Uint8Array): Span | null {
  const r = new ByteReader(head, 'bzImage header');
  if (r.length < 0x250 || r.u16(0x206) < PAYLOAD_PROTOCOL) return null;
  // Old boot loaders require that 0 means 4.
  const setupSectors = r.u8(0x1f1) || 4;
  const start = (setupSectors + 1) * SECTOR + r.u32(0x248);
  return spanOf(start, r.u32(0x24c));
}

/** Returns the kernel version in the header: release, builder and date; empty if there is none. */
export function versionText(kind: BootImage, head: Uint8Array): string {
  if (kind !== 'bzImage' || head.length < 0x210) return '';
  // The offset counts from the end of the boot sector. 0 means that there is no version.
  const place = new ByteReader(head, 'bzImage header').u16(0x20e);
  return place === 0 ? '' : asciiText(head, place + SECTOR);
}

/** Returns the text from `start` to the first NUL, at most 256 characters. */
export function asciiText(bytes: Uint8Array, start: number): string {
  const text = bytes.subarray(start, start + 256);
  const end = text.indexOf(0);
  return String.fromCharCode(...(end < 0 ? text : text.subarray(0, end)));
}

function zbootPayload(head: Uint8Array): Span | null {
  if (head.length < 16) return null;
  const r = new ByteReader(head, 'EFI zboot header');
  return spanOf(r.u32(8), r.u32(12));
}

const PE_HEADER_LENGTH = 24;
const PE_SECTION_LENGTH = 40;

/** Returns the file span of the section `name` of a PE file; null if there is no such section. */
function peSection(head: Uint8Array, name: string): Span | null {
  if (!startsWith(head, 'MZ') || head.length < 0x40) return null;
  const r = new ByteReader(head, 'PE header');
  const header = r.u32(0x3c);
  if (!startsWith(head, 'PE\0\0', header) || header + PE_HEADER_LENGTH > r.length) return null;
  const count = r.u16(header + 6);
  const table = header + PE_HEADER_LENGTH + r.u16(header + 20);
  for (let i = 0; i < count; i++) {
    const at = table + i * PE_SECTION_LENGTH;
    if (at + PE_SECTION_LENGTH > r.length) return null;
    if (!startsWith(head, name.padEnd(8, '\0'), at)) continue;
    // The stored section is padded to whole blocks. VirtualSize is the length without padding.
    const length = Math.min(r.u32(at + 8) || Number.POSITIVE_INFINITY, r.u32(at + 16));
    return spanOf(r.u32(at + 20), length);
  }
  return null;
}
