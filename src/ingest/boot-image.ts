/**
 * Finds the ELF file or BTF of the kernel in a boot image. If the header gives no position,
 * searches for BTF, then for compressed kernels, as extract-vmlinux does.
 */
import { append } from '#bytes/arrays.ts';
import { attemptAsync, type Issue, Malformed } from '#bytes/issue.ts';
import { type ByteSource, bufferSource, MAX_MEMORY, sliceSource } from '#bytes/source.ts';
import { BOOT_IMAGE_HEAD, type BootImage, packedKernel } from '#formats/containers/boot-image.ts';
import { decompress } from '#formats/containers/decompress.ts';
import { findBtf } from '#formats/containers/find-btf.ts';
import { hasLzop, type PackedPlace, packedPlaces, sniff } from '#formats/containers/sniff.ts';
import type { KernelVersion } from '#model/object-model.ts';
import type { IngestOptions } from './ingest-options.ts';
import { versionInBanner, versionInHeader } from './kernel-version.ts';
import { decompressOptions, readWhole } from './unpack.ts';

/** A file in an image. `containers` are the names of its containers, the outermost first. */
export type InnerFile = {
  readonly source: ByteSource;
  readonly containers: readonly string[];
  /** Version in the headers of the containers. The file itself may contain a version as well. */
  readonly version?: KernelVersion | null;
};

/** Smallest size in bytes of a file that is searched for a kernel. */
export const MIN_KERNEL_SIZE = 1024 * 1024;
/** Number of bytes that identify the compressed part of an image. */
const HEAD_LENGTH = 512;
/** Largest number of tries to unpack data, because most data that looks compressed is not. */
const MAX_TRIES = 256;
/** Largest number of bytes that are unpacked in all tries together. */
const MAX_TRIED_BYTES = 2 * MAX_MEMORY;
/** Section name `.BTF` in the table of section names of an ELF file. */
const BTF_SECTION = '\0.BTF\0';

/** Returns the compressed file in a boot image. Throws `Malformed`, for lzop as well. */
export async function openBootImage(
  source: ByteSource,
  kind: BootImage,
  head: Uint8Array,
  issues: Issue[],
  options: IngestOptions,
): Promise<InnerFile> {
  const version = versionInHeader(kind, head);
  const span = packedKernel(kind, head, source.size);
  if (span !== null) {
    const inner = sliceSource(source, span);
    const start = await inner.read(0, BOOT_IMAGE_HEAD);
    if (sniff(start) !== 'unknown') return { source: inner, containers: [kind], version };
  }
  const kernel = await searchKernel(source, true, issues, options);
  if (kernel !== null) {
    const containers = [kind, ...kernel.containers];
    return { source: kernel.source, containers, version: version ?? kernel.version ?? null };
  }
  const isLzop = hasLzop(await readWhole(source));
  throw isLzop ? packedByLzop(source, kind) : noBtfInside(source, kind);
}

/** Searches for BTF, then for a compressed kernel, which must have BTF unless `isKernel`. */
export async function searchKernel(
  source: ByteSource,
  isKernel: boolean,
  issues: Issue[],
  options: IngestOptions,
): Promise<InnerFile | null> {
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

/** Returns the first compressed kernel with BTF. If `isKernel`, it need not have BTF. */
async function searchPacked(
  source: ByteSource,
  bytes: Uint8Array,
  isKernel: boolean,
  issues: Issue[],
  options: IngestOptions,
): Promise<InnerFile | null> {
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
    if (holdsBtf(unpacked.bytes)) return innerFile(source, unpacked, issues);
    if (unpacked.issues.some((issue) => issue.severity === 'error')) continue;
    // Searches only the data after a valid stream, not the stream itself.
    const rest = unpacked.issues.find((issue) => issue.code === 'container.trailing');
    triedEnd = rest?.span?.start ?? bytes.length;
    if (isKernel && (isElf(unpacked.bytes) || unpacked.bytes.length >= MIN_KERNEL_SIZE))
      fallback ??= unpacked;
  }
  return fallback && innerFile(source, fallback, issues);
}

type Unpacked = {
  readonly place: PackedPlace;
  readonly bytes: Uint8Array;
  readonly issues: readonly Issue[];
};

function innerFile(source: ByteSource, { place, bytes, issues: own }: Unpacked, issues: Issue[]) {
  // Data after the compressed kernel belongs to the image and is not an issue.
  append(
    issues,
    own.filter((issue) => issue.code !== 'container.trailing'),
  );
  const inner = { ...bufferSource(source.name, bytes), onUnpacked: source.onUnpacked };
  return { source: inner, containers: [place.kind] };
}

/** Unpacks the data at `place`. Returns null if the data is not compressed. */
async function tryUnpack(
  source: ByteSource,
  bytes: Uint8Array,
  place: PackedPlace,
  budget: number,
  options: IngestOptions,
): Promise<Unpacked | null> {
  const unpacked = await attemptAsync([], () =>
    decompress(place.kind, bytes.subarray(place.byteOffset), {
      region: source.name,
      limit: Math.min(MAX_MEMORY, budget),
      fileOffset: place.byteOffset,
      ...decompressOptions(place.kind, options),
    }),
  );
  if (unpacked === null) return null;
  source.onUnpacked?.(unpacked.bytes.length);
  return { place, ...unpacked };
}

function isElf(bytes: Uint8Array): boolean {
  return sniff(bytes.subarray(0, HEAD_LENGTH)) === 'elf';
}

function holdsBtf(bytes: Uint8Array): boolean {
  return isElf(bytes) ? includesText(bytes, BTF_SECTION) : findBtf(bytes) !== null;
}

/** Searches backwards, because section names are near the end of a file. */
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

/** Returns the issue for a kernel without `.BTF` in the image `image`. */
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

/** Returns the error for the image `image`, in which no BTF was found. */
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
