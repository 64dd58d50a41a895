/**
 * The headless entry: a file in, a model out.
 *
 * Looks at content, never at the name; unpacks what is packed; reads every
 * region on its own, so that a damaged one leaves an issue and the others are
 * shown. Throws `Malformed` only when nothing of the file can be shown.
 */
import { append } from '#bytes/append.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { Signal } from '#bytes/slices.ts';
import { type ByteSource, bufferSource, MAX_MEMORY } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { readArMembers } from '#formats/containers/ar.ts';
import { BOOT_IMAGE_HEAD } from '#formats/containers/boot-image.ts';
import { readCpioMembers, rpmPayload } from '#formats/containers/cpio.ts';
import { isPackedKind } from '#formats/containers/packed-places.ts';
import {
  type ArchiveKind,
  describeUnknown,
  isWithoutWords,
  type ObjectFormat,
  type Sniffed,
  sniff,
} from '#formats/containers/sniff.ts';
import { readTarMembers } from '#formats/containers/tar.ts';
import { readZipMembers } from '#formats/containers/zip.ts';
import type { ArchiveMember, KernelVersion, ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { ingestBlob } from './blob.ts';
import {
  type Inside,
  kernelWithoutBtf,
  MIN_KERNEL_SIZE,
  noBtfInside,
  openBootImage,
  searchKernel,
} from './boot-image.ts';
import type { IngestOptions } from './ingest-options.ts';
import { membersInside } from './members.ts';
import { ingestObject } from './object.ts';
import * as objectModules from './object-modules.ts';
import { sliceSource } from './slice-source.ts';
import { readWhole, unpackSource } from './unpack.ts';

export type Ingested =
  | {
      readonly kind: 'object';
      readonly model: ObjectModel;
      /** What the model's offsets count in: the file itself, or what was unpacked from it. */
      readonly source: ByteSource;
    }
  | {
      /** An archive, or another file with objects inside. */
      readonly kind: 'archive';
      readonly name: string;
      /** Those that are looked for first, first. */
      readonly members: readonly ArchiveMember[];
      /** What the members' offsets count in: the file itself, or what was unpacked from it. */
      readonly source: ByteSource;
      readonly issues: readonly Issue[];
    }
  /** The types of many kernels. */
  | { readonly kind: 'atlas'; readonly atlas: AtlasFile };

/**
 * Reads all bytes of the file `name`; the model's offsets count in `unpacked`, or in the bytes
 * where that is null. Throws `Malformed`.
 */
type ObjectReader = {
  readonly ingest: (
    name: string,
    bytes: Uint8Array,
    containers: readonly string[],
    issues: Issue[],
  ) => { readonly model: ObjectModel; readonly unpacked: Uint8Array | null };
};

/** By the format that `sniff` tells. */
const OBJECT_READERS: Readonly<Record<ObjectFormat, ObjectReader>> = objectModules;

const ARCHIVE_READERS: Readonly<
  Record<ArchiveKind, (source: ByteSource, signal?: Signal) => Promise<Members>>
> = {
  ar: readArMembers,
  'thin-ar': readArMembers,
  tar: readTarMembers,
  zip: readZipMembers,
  cpio: readCpioMembers,
};

type Members = { readonly members: readonly ArchiveMember[]; readonly issues: readonly Issue[] };

/** A kernel in an image in a compressed file has four. */
const MAX_CONTAINERS = 6;
/** The name, among containers, of a kernel without any header. */
const BARE_KERNEL = 'bare kernel';

/** Reads `source`, by ranges where it is not packed. Throws `Malformed` when it is refused, `AbortError` when `signal` says so. */
export async function ingest(source: ByteSource, options: IngestOptions = {}): Promise<Ingested> {
  const issues: Issue[] = [];
  const containers: string[] = [];
  let at = source;
  /** What the kernel came in; null while there is none. */
  let image: string | null = null;
  let version: KernelVersion | null = null;
  for (;;) {
    options.signal?.throwIfAborted();
    const head = await at.read(0, BOOT_IMAGE_HEAD);
    const first = sniff(head);
    // An archive in a kernel's image is an initramfs, and no kernel.
    const found = image !== null && isArchive(first) ? 'unknown' : first;
    switch (found) {
      case 'elf': {
        const own = await ingestObject(at, containers, issues, options);
        const model = { ...own, kernelVersion: version ?? own.kernelVersion };
        if (image !== null && model.types === null) issues.push(kernelWithoutBtf(source, image));
        return { kind: 'object', model, source: at };
      }
      case 'btf':
        return {
          kind: 'object',
          model: {
            ...(await ingestBlob(at, containers, issues, options)),
            kernelVersion: version,
          },
          source: at,
        };
      case 'atlas':
        return { kind: 'atlas', atlas: await AtlasFile.open(at) };
      default: {
        if (isObjectFormat(found)) {
          const bytes = await readWhole(at);
          // Named, since without any format there is no `found` to know it by.
          const reader: ObjectReader = OBJECT_READERS[found];
          const { model, unpacked } = reader.ingest(at.name, bytes, containers, issues);
          const source = unpacked === null ? at : bufferSource(at.name, unpacked);
          return { kind: 'object', model, source };
        }
        if (isArchive(found)) {
          const { members, issues: own } = await ARCHIVE_READERS[found](at, options.signal);
          return archive(source.name, at, members, [...issues, ...own]);
        }
        const inside = await open(at, found, head, image, issues, options);
        if (inside === null) {
          const { members, issues: own } = await membersInside(at, head, options);
          if (members.length === 0) throw notOurs(at, head);
          return archive(source.name, at, members, [...issues, ...own]);
        }
        if (containers.length + inside.containers.length > MAX_CONTAINERS)
          throw new Malformed({
            code: 'container.too-deep',
            region: source.name,
            message: `${source.name} is packed more than ${MAX_CONTAINERS} times over`,
            span: null,
            advice: 'Unpack it by hand and open what is inside.',
          });
        append(containers, inside.containers);
        version ??= inside.version ?? null;
        if (!isPackedKind(found) && found !== 'rpm') image ??= inside.containers[0] ?? null;
        at = inside.source;
      }
    }
  }
}

function archive(
  name: string,
  source: ByteSource,
  members: readonly ArchiveMember[],
  issues: readonly Issue[],
): Ingested {
  return { kind: 'archive', name, members, source, issues };
}

function isArchive(found: Sniffed): found is ArchiveKind {
  return found in ARCHIVE_READERS;
}

function isObjectFormat(found: Sniffed): found is ObjectFormat {
  return found in OBJECT_READERS;
}

/**
 * One layer less: what stands inside of `source`, which is packed, a package, a boot image, or
 * searched for a kernel; null where that is not found in an unknown file.
 */
async function open(
  source: ByteSource,
  kind: Exclude<Sniffed, 'elf' | 'btf' | 'atlas' | ArchiveKind | ObjectFormat>,
  head: Uint8Array,
  image: string | null,
  issues: Issue[],
  options: IngestOptions,
): Promise<Inside | null> {
  if (isPackedKind(kind)) {
    return { source: await unpackSource(source, kind, issues, options), containers: [kind] };
  }
  if (kind === 'rpm') {
    return { source: sliceSource(source, await rpmPayload(source)), containers: [kind] };
  }
  if (kind !== 'unknown') return openBootImage(source, kind, head, issues, options);
  const isKernel = image !== null;
  const found =
    isKernel || mayHoldKernel(source, head)
      ? await searchKernel(source, isKernel, issues, options)
      : null;
  if (found !== null) return { ...found, containers: [BARE_KERNEL, ...found.containers] };
  if (isKernel) throw noBtfInside(source, image);
  return null;
}

function mayHoldKernel(source: ByteSource, head: Uint8Array): boolean {
  return source.size >= MIN_KERNEL_SIZE && source.size <= MAX_MEMORY && isWithoutWords(head);
}

function notOurs(source: ByteSource, head: Uint8Array): Malformed {
  return new Malformed({
    code: 'file.unknown',
    region: source.name,
    message:
      source.size === 0
        ? `${source.name} is an empty file`
        : `${source.name}: unsupported file type; it looks like ${describeUnknown(head)}`,
    span: spanOf(0, Math.min(source.size, 16)),
    expected:
      'an ELF object, a BTF blob, an Alpha eCOFF object, an archive or package of these, a skeleton, or one of these compressed',
    found: describeUnknown(head),
  });
}

/** For callers that have bytes at hand: tests, the command line. */
export function ingestBytes(name: string, bytes: Uint8Array): Promise<Ingested> {
  return ingest(bufferSource(name, bytes));
}

/** The types of a kernel, out of its BTF. Throws `Malformed`. */
export async function kernelTypes(name: string, btf: Uint8Array): Promise<TypeTable> {
  const opened = await ingestBytes(name, btf);
  const types = opened.kind === 'object' ? opened.model.types : null;
  if (types !== null) return types;
  throw new Malformed({
    code: 'btf.none',
    region: name,
    message: `${name} has no BTF`,
    span: null,
    expected: 'types of a kernel',
    found: 'another file',
  });
}
