/** Builds minimal boot images around a payload. Fields that no reader uses are 0. */

type Field = readonly [offset: number, value: number | string | Uint8Array];

/**
 * Returns `length` bytes with `fields` at their offsets. Numbers become little-endian 32-bit words,
 * texts their characters.
 */
function image(length: number, ...fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  for (const [offset, value] of fields) {
    if (typeof value === 'number') view.setUint32(offset, value, true);
    else bytes.set(typeof value === 'string' ? characters(value) : value, offset);
  }
  return bytes;
}

function characters(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

/** Filler code around a payload; it matches no compression format. */
const CODE = new Uint8Array(300).fill(0x90);

/**
 * Returns `packed` followed by its unpacked length, which kernel builds append for formats that do
 * not store it.
 */
export function withSize(packed: Uint8Array, unpackedLength: number): Uint8Array {
  return image(packed.length + 4, [0, packed], [packed.length, unpackedLength]);
}

/** Returns an x86 image: boot sector, `setupSectors` sectors (0 means 4), code, payload, code. */
export function bzImage(
  payload: Uint8Array,
  setupSectors = 2,
  protocol = 0x20f,
  version = '',
): Uint8Array {
  const start = ((setupSectors || 4) + 1) * 512;
  const payloadStart = start + CODE.length;
  const bytes = image(
    payloadStart + payload.length + CODE.length,
    [0, 'MZ'],
    [0x202, 'HdrS'],
    [0x206, protocol],
    [0x248, CODE.length],
    [0x24c, payload.length],
    [start, CODE],
    [payloadStart, payload],
    [payloadStart + payload.length, CODE],
    ...(version === '' ? [] : ([[0x300, `${version}\0`]] as const)),
  );
  if (version !== '') new DataView(bytes.buffer).setUint16(0x20e, 0x300 - 0x200, true);
  bytes[0x1f1] = setupSectors;
  return bytes;
}

/** Returns an EFI zboot image; its header names the compression of the payload. */
export function zboot(payload: Uint8Array, compression: string): Uint8Array {
  const start = 0x200;
  return image(
    start + payload.length + CODE.length,
    [0, 'MZ'],
    [4, 'zimg'],
    [8, start],
    [12, payload.length],
    [24, compression],
    [0x38, 0x818223cd],
    [start, payload],
    [start + payload.length, CODE],
  );
}

/** Returns a PE file with a section `.text` and a section `name`, which is padded to a block. */
export function peFile(name: string, content: Uint8Array): Uint8Array {
  const header = 0x80;
  const table = header + 24;
  const start = 0x400;
  const padded = Math.ceil(content.length / 512) * 512;
  return image(
    start + padded,
    [0, 'MZ'],
    [0x3c, header],
    [header, 'PE\0\0'],
    // The upper half of this word is NumberOfSections.
    [header + 4, 2 << 16],
    [table, '.text\0\0\0'],
    [table + 40, name],
    [table + 40 + 8, content.length],
    [table + 40 + 16, padded],
    [table + 40 + 20, start],
    [start, content],
  );
}

/** Returns an arm64 (`ARM\x64`) or RISC-V (`RSC\x05`) image: a kernel that contains `inside`. */
export function rawImage(mark: string, inside: Uint8Array): Uint8Array {
  const start = 0x400;
  return image(start + inside.length + CODE.length, [0x38, mark], [start, inside]);
}

/** Returns a 32-bit ARM image: a decompressor that contains the payload, then more code. */
export function zImage(payload: Uint8Array): Uint8Array {
  const start = 0x123;
  return image(
    start + payload.length + CODE.length,
    [0x24, 0x016f2818],
    [start, payload],
    [start + payload.length, CODE],
  );
}

/** Returns an s390 image. The mark of its format is at offset 64 KiB. */
export function s390Image(payload: Uint8Array): Uint8Array {
  const start = 0x11003;
  return image(
    start + payload.length + CODE.length,
    [0x10008, 'S390EP'],
    [start, payload],
    [start + payload.length, CODE],
  );
}
