/** The header and the directory of an atlas. A block is raw DEFLATE (RFC 1951) with a CRC-32. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import { decodeText } from '#bytes/text.ts';
import { crc32 } from '#formats/containers/checksums.ts';
import { VarintReader, VarintWriter } from './varints.ts';

const ATLAS_MAGIC = Uint8Array.from('BTFATLAS', (c) => c.charCodeAt(0));
export const ATLAS_VERSION = 1;
export const ATLAS_HEADER_SIZE = 40;

/** Largest unpacked size of a block in bytes. */
const MAX_RAW_LENGTH = 1 << 28;
const MAX_KERNELS = 1 << 16;

/** Position of a block in the file and its unpacked length, in bytes. */
export type BlockPlace = {
  readonly offset: number;
  readonly length: number;
  readonly rawLength: number;
  readonly crc: number;
};

/** Properties of a kernel in an atlas, without its types. */
export type KernelInfo = {
  /** Name that is unique in the atlas, for example `6.1.0-56-amd64`. */
  readonly name: string;
  /** Version: `6.1.0`. `version`, `arch` and `flavour` are empty if they are unknown. */
  readonly version: string;
  readonly arch: string;
  readonly flavour: string;
};

export type AtlasKernel = KernelInfo & {
  readonly endian: Endian;
  readonly pointerSize: 4 | 8;
  readonly typeCount: number;
  /** Size of the kernel's BTF in bytes. */
  readonly size: number;
  /** Block that lists the types in their order; null if the atlas cannot rebuild the BTF. */
  readonly block: BlockPlace | null;
  /** Number of the kernel to whose list of types `block` stores only differences; -1 for none. */
  readonly base: number;
};

export type AtlasModule = {
  /** Name of the module as the kernel writes it, for example `nf_conntrack`. */
  readonly name: string;
  readonly kernel: number;
  readonly typeCount: number;
  /** Size of the module's split BTF in bytes. */
  readonly size: number;
};

/** Place of a block of entries. A block has entries of one kind, sorted by name. */
export type EntryBlockPlace = BlockPlace & {
  readonly kind: number;
  readonly first: Uint8Array;
};

export type AtlasDirectory = {
  /** Kernels, oldest first. */
  readonly kernels: readonly AtlasKernel[];
  /** Modules, sorted by name, then by kernel. */
  readonly modules: readonly AtlasModule[];
  /** Blocks of entries, sorted by kind, then by name. */
  readonly entries: readonly EntryBlockPlace[];
  readonly records: readonly BlockPlace[];
  readonly names: readonly BlockPlace[];
};

/** Returns the header of an atlas with the directory at `directory`. */
export function atlasHeader(directory: BlockPlace): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(ATLAS_HEADER_SIZE);
  const view = new DataView(header.buffer);
  header.set(ATLAS_MAGIC);
  view.setUint32(8, ATLAS_VERSION, true);
  view.setBigUint64(16, BigInt(directory.offset), true);
  view.setUint32(24, directory.length, true);
  view.setUint32(28, directory.rawLength, true);
  view.setUint32(32, directory.crc, true);
  view.setUint32(12, crc32(0, header), true);
  return header;
}

/** Returns true if `head` begins with the magic number of an atlas. */
function isAtlas(head: Uint8Array): boolean {
  return ATLAS_MAGIC.every((byte, i) => head[i] === byte);
}

/** Returns the position of the directory. Throws `Malformed` for other files and damage. */
export function readAtlasHeader(head: Uint8Array, name: string): BlockPlace {
  const r = new ByteReader(head, name);
  const fail = (code: string, message: string, at: readonly [number, number], found: string) =>
    r.malformed(code, message, { at, found });
  if (!isAtlas(head)) throw fail('atlas.magic', `${name} is not an atlas`, [0, 8], 'other bytes');
  if (head.length < ATLAS_HEADER_SIZE) {
    throw fail(
      'atlas.truncated',
      `${name}: the header of the atlas is cut off`,
      [0, head.length],
      `${head.length} bytes`,
    );
  }
  const version = r.u32(8);
  if (version !== ATLAS_VERSION) {
    throw r.malformed(
      'atlas.version',
      `${name} is an atlas of version ${version}, which this version of btfscope cannot read`,
      {
        at: [8, 4],
        expected: `version ${ATLAS_VERSION}`,
        found: `version ${version}`,
        advice: 'Open it with a newer btfscope, or build it again with this one.',
      },
    );
  }
  const bare = head.slice(0, ATLAS_HEADER_SIZE);
  bare.fill(0, 12, 16);
  if (crc32(0, bare) !== r.u32(12)) {
    throw fail(
      'atlas.checksum',
      `${name}: the header of the atlas is damaged`,
      [12, 4],
      'another checksum',
    );
  }
  return {
    offset: Math.min(Number(r.u64(16)), Number.MAX_SAFE_INTEGER),
    length: r.u32(24),
    rawLength: r.u32(28),
    crc: r.u32(32),
  };
}

const utf8 = new TextEncoder();

/** Returns the directory as bytes, without compression. */
export function writeDirectory({
  kernels,
  modules,
  entries,
  records,
  names,
}: AtlasDirectory): Uint8Array<ArrayBuffer> {
  const out = new VarintWriter();
  out.uint(kernels.length);
  for (const kernel of kernels) {
    for (const text of [kernel.name, kernel.version, kernel.arch, kernel.flavour]) {
      out.counted(utf8.encode(text));
    }
    out.uint((kernel.endian === 'big' ? 1 : 0) + (kernel.pointerSize === 4 ? 2 : 0));
    out.uint(kernel.typeCount);
    out.uint(kernel.size);
    out.uint(kernel.block === null ? 0 : 1);
    if (kernel.block !== null) writePlace(out, kernel.block);
    out.uint(kernel.base + 1);
  }
  out.uint(entries.length);
  for (const place of entries) {
    out.uint(place.kind);
    out.counted(place.first);
    writePlace(out, place);
  }
  for (const list of [records, names]) {
    out.uint(list.length);
    for (const place of list) writePlace(out, place);
  }
  out.uint(modules.length);
  for (const module of modules) {
    out.counted(utf8.encode(module.name));
    out.uint(module.kernel);
    out.uint(module.typeCount);
    out.uint(module.size);
  }
  return out.finish();
}

/** Reads the unpacked directory. Throws `Malformed` if it is damaged. */
export function readDirectory(bytes: Uint8Array, name: string): AtlasDirectory {
  const from = new VarintReader(bytes, `${name}: the directory`);
  const count = from.count('the number of kernels', 10);
  if (count > MAX_KERNELS)
    throw from.malformed(`it has ${count} kernels, more than ${MAX_KERNELS}`);
  const text = () => decodeText(from.counted('a name'));
  const kernels = Array.from({ length: count }, (): AtlasKernel => {
    const info = { name: text(), version: text(), arch: text(), flavour: text() };
    const flags = from.uint('flags');
    return {
      ...info,
      endian: flags & 1 ? 'big' : 'little',
      pointerSize: flags & 2 ? 4 : 8,
      typeCount: from.uint('the number of types'),
      size: from.uint('a size'),
      block: from.uint('a mark') === 0 ? null : readPlace(from),
      base: from.uint('a kernel') - 1,
    };
  });
  const blocks = from.count('the number of blocks', 8);
  const entries = Array.from({ length: blocks }, () => ({
    kind: from.below(5, 'a kind'),
    first: from.counted('a name'),
    ...readPlace(from),
  }));
  const list = () =>
    Array.from({ length: from.count('the number of blocks', 7) }, () => readPlace(from));
  const [records, names] = [list(), list()];
  const modules = Array.from({ length: from.count('the number of modules', 4) }, () => ({
    name: text(),
    kernel: from.below(kernels.length, 'a kernel'),
    typeCount: from.uint('the number of types'),
    size: from.uint('a size'),
  }));
  return { kernels, modules, entries, records, names };
}

function writePlace(out: VarintWriter, { offset, length, rawLength, crc }: BlockPlace): void {
  out.uint(offset);
  out.uint(length);
  out.uint(rawLength);
  out.uint(crc);
}

function readPlace(from: VarintReader): BlockPlace {
  const offset = from.uint('an offset');
  const length = from.uint('a length');
  return {
    offset,
    length,
    rawLength: from.below(MAX_RAW_LENGTH, 'a length'),
    crc: from.below(2 ** 32, 'a checksum'),
  };
}

/** Returns the error for a block whose bytes do not match the directory. */
export function damagedBlock(
  region: string,
  { offset, length }: BlockPlace,
  found: string,
): Malformed {
  return new Malformed({
    code: 'atlas.checksum',
    region,
    message: `${region} is damaged`,
    span: { start: offset, end: offset + length },
    found,
    advice: 'Copy the atlas again, or build it again.',
  });
}
