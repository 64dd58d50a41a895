/**
 * Builds archives for tests, byte by byte. The sources of the formats are in the readers in
 * formats/containers.
 */
import { deflateRawSync } from 'node:zlib';
import { crc32 } from '#formats/containers/checksums.ts';
import { assemble, type Part, raw, text, u16, u32, u64, zeros } from './assemble.ts';

export type Files = Readonly<Record<string, Uint8Array>>;

const join = (...parts: readonly Part[]) => assemble('little', ...parts).bytes;
const padding = (length: number, to: number) => zeros((to - (length % to)) % to);

/** Returns a GNU `ar` archive; names have up to 15 characters. */
export function arFile(files: Files): Uint8Array<ArrayBuffer> {
  const members = Object.entries(files).flatMap(([name, bytes]) => {
    const fields = [`${name}/`.padEnd(16), '0'.padEnd(12), '0'.padEnd(6), '0'.padEnd(6)];
    const head = `${fields.join('')}${'644'.padEnd(8)}${`${bytes.length}`.padEnd(10)}\`\n`;
    return [text(head), raw(bytes), text('\n'.repeat(bytes.length & 1))];
  });
  return join(text('!<arch>\n'), ...members);
}

/** Fields of a tar header. All but the name have a default. */
export type TarEntry = {
  readonly name: string;
  readonly data?: Uint8Array;
  readonly type?: string;
  readonly prefix?: string;
  /** Text of the size field, at most 12 bytes; by default the size of the data. */
  readonly size?: string;
  readonly magic?: string;
  /** Byte 482: true if another block continues the list of a sparse file's parts. */
  readonly isSparseMore?: boolean;
};

/** Returns a tar member: its header and data, without the end blocks of an archive. */
export function tarEntry(entry: TarEntry): Uint8Array<ArrayBuffer> {
  const { name, data = new Uint8Array(0), type = '0', prefix = '', magic = 'ustar\x0000' } = entry;
  const block = new Uint8Array(512);
  const put = (at: number, value: string) =>
    block.set(
      Array.from(value, (c) => c.charCodeAt(0)),
      at,
    );
  put(0, name);
  put(100, '0000644\x000000000\x000000000\0');
  put(124, entry.size ?? `${data.length.toString(8).padStart(11, '0')}\0`);
  put(136, '00000000000\0        ');
  put(156, type);
  put(257, magic);
  put(345, prefix);
  block[482] = entry.isSparseMore === true ? 1 : 0;
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return join(raw(block), raw(data), padding(data.length, 512));
}

/** Returns a tar archive; each argument is files by name, or bytes of a member. */
export function tarFile(...entries: readonly (Files | TarEntry)[]): Uint8Array<ArrayBuffer> {
  const list = entries.flatMap((entry) =>
    typeof entry.name === 'string'
      ? [entry as TarEntry]
      : Object.entries(entry as Files).map(([name, data]): TarEntry => ({ name, data })),
  );
  return join(...list.map((entry) => raw(tarEntry(entry))), zeros(1024));
}

/** Returns a record of a pax header. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length;
  while (`${length}${rest}`.length !== length) length = `${length}${rest}`.length;
  return `${length}${rest}`;
}

export type ZipOptions = {
  readonly method?: 0 | 8;
  /** True if the sizes and the offset are in the zip64 field instead of their usual fields. */
  readonly isZip64?: boolean;
  /** CRC in both headers of the file; by default the right CRC. */
  readonly crc?: number;
  readonly flags?: number;
  /** Compression method in both headers; by default the method that is used. */
  readonly statedMethod?: number;
};

/** Returns a zip archive. */
export function zipFile(files: Files, options: ZipOptions = {}): Uint8Array<ArrayBuffer> {
  const { method = 8, isZip64 = false, flags = 0, statedMethod = method } = options;
  const MAX_U32 = 0xffffffff;
  const local: Part[] = [];
  const central: Part[] = [];
  let offset = 0;
  let centralSize = 0;
  for (const [name, data] of Object.entries(files)) {
    const packed = method === 8 ? new Uint8Array(deflateRawSync(data)) : data;
    const crc = options.crc ?? crc32(0, data);
    const head = [u16(20), u16(flags), u16(statedMethod), u16(0), u16(0), u32(crc)];
    const extra = isZip64
      ? join(u16(1), u16(24), u64(data.length), u64(packed.length), u64(offset))
      : new Uint8Array(0);
    const sizes = (isWide: boolean) =>
      isWide ? [u32(MAX_U32), u32(MAX_U32)] : [u32(packed.length), u32(data.length)];
    const localParts = [text('PK\x03\x04'), ...head, ...sizes(false), u16(name.length), u16(0)];
    local.push(...localParts, text(name), raw(packed));
    const start = isZip64 ? MAX_U32 : offset;
    central.push(
      text('PK\x01\x02'),
      u16(20),
      ...head,
      ...sizes(isZip64),
      ...[u16(name.length), u16(extra.length), u16(0), u16(0), u16(0), u32(0), u32(start)],
      text(name),
      raw(extra),
    );
    offset += 30 + name.length + packed.length;
    centralSize += 46 + name.length + extra.length;
  }
  const count = Object.keys(files).length;
  const end64 = [
    ...[text('PK\x06\x06'), u64(44), u16(45), u16(45), u32(0), u32(0), u64(count), u64(count)],
    ...[u64(centralSize), u64(offset)],
    ...[text('PK\x06\x07'), u32(0), u64(offset + centralSize), u32(1)],
  ];
  const end = isZip64
    ? [...end64, text('PK\x05\x06'), zeros(4), u16(0xffff), u16(0xffff), u32(MAX_U32), u32(MAX_U32)]
    : [
        ...[text('PK\x05\x06'), zeros(4), u16(count), u16(count)],
        ...[u32(centralSize), u32(offset)],
      ];
  return join(...local, ...central, ...end, u16(0));
}

/** Returns a cpio archive in the "newc" format. All its files have the mode `mode`. */
export function cpioFile(files: Files, mode = 0o100644): Uint8Array<ArrayBuffer> {
  const entry = (name: string, data: Uint8Array, fileMode: number): Part[] => {
    const fields = [0, fileMode, 0, 0, 1, 0, data.length, 0, 0, 0, 0, name.length + 1, 0];
    const head = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
    return [
      text(`${head}${name}\0`),
      padding(head.length + name.length + 1, 4),
      raw(data),
      padding(data.length, 4),
    ];
  };
  const members = Object.entries(files).flatMap(([name, data]) => entry(name, data, mode));
  return join(...members, ...entry('TRAILER!!!', new Uint8Array(0), 0));
}

/** Returns an RPM package around `payload`; its two headers have one entry and some data each. */
export function rpmFile(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = assemble(
    'big',
    ...[raw([0x8e, 0xad, 0xe8, 1]), u32(0), u32(1), u32(5)],
    ...[u32(1000), u32(6), u32(0), u32(1), text('name\0')],
  ).bytes;
  const lead = [raw([0xed, 0xab, 0xee, 0xdb]), zeros(92)];
  return join(...lead, raw(header), padding(header.length, 8), raw(header), raw(payload));
}
