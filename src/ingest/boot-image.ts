/**
 * The way from the image that a boot loader takes to the kernel's ELF file or
 * BTF. Where the header says what is packed where, that is followed; else the
 * image is searched, as extract-vmlinux does: for BTF first, then for compressed
 * data that unpacks to a kernel.
 */
import { append } from '#bytes/append.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { type ByteSource, bufferSource, MAX_MEMORY } from '#bytes/source.ts';
import { BOOT_IMAGE_HEAD, type BootImage, packedKernel } from '#formats/containers/boot-image.ts';
import { decompress } from '#formats/containers/decompress.ts';
import { findBtf } from '#formats/containers/find-btf.ts';
import { hasLzop, type PackedPlace, packedPlaces } from '#formats/containers/packed-places.ts';
import { sniff } from '#formats/containers/sniff.ts';
import type { KernelVersion } from '#model/object-model.ts';
import type { IngestOptions } from './ingest-options.ts';
import { versionInBanner, versionInHeader } from './kernel-version.ts';
import { sliceSource } from './slice-source.ts';
import { followed, readWhole } from './unpack.ts';

/** What stands inside an image, and the names of what it was unpacked from, outermost first. */
export type Inside = {
  readonly source: ByteSource;
  readonly containers: readonly string[];
  /** Of the kernel, where the layers say it; what is inside may say it itself. */
  readonly version?: KernelVersion | null;
};

/** No kernel is smaller: what is, is not searched for one. */
export const MIN_KERNEL_SIZE = 1024 * 1024;
/** Bytes that tell what the packed part of an image is. */
const HEAD_LENGTH = 512;
/** Places that are tried at most: what looks like compressed data is mostly none. */
const MAX_TRIES = 256;
/** Bytes that all tries together may unpack. */
const MAX_TRIED_BYTES = 2 * MAX_MEMORY;
/** Where an ELF file has a section of this name, the table of section names has this text. */
const BTF_SECTION = '\0.BTF\0';

/**
 * What is packed in `source`, an image of `kind` that begins with `head`. Throws
 * `Malformed`: `boot.no-btf`, `container.unsupported` for a kernel packed by lzop.
 */
export async function openBootImage(
  source: ByteSource,
  kind: BootImage,
  head: Uint8Array,
  issues: Issue[],
  options: IngestOptions,
): Promise<Inside> {
  const version = versionInHeader(kind, head);
  const span = packedKernel(kind, head, source.size);
  if (span !== null) {
    const inside = sliceSource(source, span);
    const start = await inside.read(0, BOOT_IMAGE_HEAD);
    if (sniff(start) !== 'unknown') return { source: inside, containers: [kind], version };
  }
  const found = await searchKernel(source, true, issues, options);
  if (found !== null) {
    const containers = [kind, ...found.containers];
    return { source: found.source, containers, version: version ?? found.version ?? null };
  }
  const isLzop = hasLzop(await readWhole(source));
  throw isLzop ? packedByLzop(source, kind) : noBtfInside(source, kind);
}

/**
 * Searches `source` for BTF and for a packed kernel; null where there is
 * neither. A kernel without BTF counts only when it is sure that this `isKernel`.
 */
export async function searchKernel(
  source: ByteSource,
  isKernel: boolean,
  issues: Issue[],
  options: IngestOptions,
): Promise<Inside | null> {
  options.onProgress?.({ step: 'looking for the kernel', done: 0, total: 0 });
  const bytes = await readWhole(source);
  const btf = findBtf(bytes);
  if (btf !== null) {
    issues.push(placeNote(source, btf.span.start, btf.blobCount));
    const version = versionInBanner(bytes);
    return { source: sliceSource(source, btf.span), containers: [], version };
  }
  options.signal?.throwIfAborted();
  return searchPacked(source, bytes, isKernel, issues, options);
}

/** The first packed kernel with BTF; else, where `isKernel`, the first that may be one at all. */
async function searchPacked(
  source: ByteSource,
  bytes: Uint8Array,
  isKernel: boolean,
  issues: Issue[],
  options: IngestOptions,
): Promise<Inside | null> {
  let fallback: Unpacked | null = null;
  let budget = MAX_TRIED_BYTES;
  let tries = 0;
  let triedEnd = 0;
  for (const place of packedPlaces(bytes)) {
    if (place.byteOffset < triedEnd) continue;
    if (++tries > MAX_TRIES || budget <= 0) break;
    const unpacked = await tryUnpack(source, bytes, place, budget, options);
    if (unpacked === null) continue;
    budget -= unpacked.bytes.length;
    if (holdsBtf(unpacked.bytes)) return inside(source, unpacked, issues);
    if (unpacked.issues.some((issue) => issue.severity === 'error')) continue;
    // What a sound stream is made of needs no second look.
    const rest = unpacked.issues.find((issue) => issue.code === 'container.trailing');
    triedEnd = rest?.span?.start ?? bytes.length;
    if (isKernel && (isElf(unpacked.bytes) || unpacked.bytes.length >= MIN_KERNEL_SIZE))
      fallback ??= unpacked;
  }
  return fallback && inside(source, fallback, issues);
}

type Unpacked = {
  readonly place: PackedPlace;
  readonly bytes: Uint8Array;
  readonly issues: readonly Issue[];
};

function inside(source: ByteSource, { place, bytes, issues: own }: Unpacked, issues: Issue[]) {
  // What follows the packed kernel is the rest of the image.
  append(
    issues,
    own.filter((issue) => issue.code !== 'container.trailing'),
  );
  return { source: bufferSource(source.name, bytes), containers: [place.kind] };
}

/** What comes out at `place`; null where that is no compressed data after all. */
async function tryUnpack(
  source: ByteSource,
  bytes: Uint8Array,
  place: PackedPlace,
  budget: number,
  options: IngestOptions,
): Promise<Unpacked | null> {
  try {
    const unpacked = await decompress(place.kind, bytes.subarray(place.byteOffset), {
      region: source.name,
      limit: Math.min(MAX_MEMORY, budget),
      fileOffset: place.byteOffset,
      ...followed(place.kind, options),
    });
    return { place, ...unpacked };
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

function isElf(bytes: Uint8Array): boolean {
  return sniff(bytes.subarray(0, HEAD_LENGTH)) === 'elf';
}

function holdsBtf(bytes: Uint8Array): boolean {
  return isElf(bytes) ? includesText(bytes, BTF_SECTION) : findBtf(bytes) !== null;
}

/** Section names stand near the end of a file, so the search begins there. */
function includesText(bytes: Uint8Array, text: string): boolean {
  const codes = Array.from(text, (c) => c.charCodeAt(0));
  const dot = codes.indexOf(0x2e);
  for (let at = bytes.lastIndexOf(0x2e); at >= dot; at = bytes.lastIndexOf(0x2e, at - 1)) {
    if (codes.every((code, i) => bytes[at - dot + i] === code)) return true;
  }
  return false;
}

function placeNote(source: ByteSource, byteOffset: number, blobCount: number): Issue {
  const others = blobCount > 1 ? `, the largest of ${blobCount}` : '';
  return {
    severity: 'note',
    code: 'boot.btf-found',
    region: source.name,
    message: `The image has no sections: its BTF was found at 0x${byteOffset.toString(16)} by its magic number${others}`,
    span: null,
  };
}

/** The issue of a kernel that was got out of `image`, but has no `.BTF`. */
export function kernelWithoutBtf(source: ByteSource, image: string): Issue {
  return {
    severity: 'warning',
    code: 'boot.no-btf',
    region: source.name,
    message: `${source.name}: the kernel in this ${image} has no BTF`,
    span: null,
    expected: 'a kernel built with CONFIG_DEBUG_INFO_BTF',
    found: 'no .BTF section',
  };
}

/** The refusal of a kernel in `image` in which nothing was found. */
export function noBtfInside(source: ByteSource, image: string): Malformed {
  return new Malformed({
    code: 'boot.no-btf',
    region: source.name,
    message: `${source.name}: there is no BTF in this ${image}`,
    span: null,
    expected: 'a kernel built with CONFIG_DEBUG_INFO_BTF',
    found: `${source.size} bytes without any`,
    advice: 'Open the vmlinux of that kernel, or its /sys/kernel/btf/vmlinux.',
  });
}

function packedByLzop(source: ByteSource, kind: BootImage): Malformed {
  return new Malformed({
    code: 'container.unsupported',
    region: source.name,
    message: `${source.name}: the kernel in this ${kind} is packed by lzop, which cannot be unpacked here`,
    span: null,
    advice: 'Get the vmlinux out with "extract-vmlinux" and open that.',
  });
}
