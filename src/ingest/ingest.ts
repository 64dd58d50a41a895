/**
 * Reads a file of any format as a model. Detects the format by content. Reads each region
 * separately, so that a damaged region becomes an issue. Throws `Malformed` only if nothing in the
 * file can be shown.
 */
import { append } from '#bytes/arrays.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { Signal } from '#bytes/long-work.ts';
import {
  type ByteSource,
  bufferSource,
  MAX_MEMORY,
  sliceSource,
  unpackedSource,
} from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { readArMembers } from '#formats/containers/ar.ts';
import { BOOT_IMAGE_HEAD } from '#formats/containers/boot-image.ts';
import { readCpioMembers } from '#formats/containers/cpio.ts';
import { rpmPayload } from '#formats/containers/rpm.ts';
import {
  type ArchiveKind,
  describeUnknown,
  isPackedKind,
  isWithoutWords,
  type ObjectFormat,
  type Sniffed,
  sniff,
} from '#formats/containers/sniff.ts';
import { readTarMembers } from '#formats/containers/tar.ts';
import { readZipMembers } from '#formats/containers/zip.ts';
import { isLog, LOG_WINDOW } from '#formats/verifier-log/detect.ts';
import type { ArchiveMember, KernelVersion, ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { ingestBlob } from './blob.ts';
import {
  type InnerFile,
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
import { readWhole, unpackSource } from './unpack.ts';

export type Ingested =
  | {
      readonly kind: 'object';
      readonly model: ObjectModel;
      /** Source in which the model's offsets count: the file, or the unpacked file. */
      readonly source: ByteSource;
    }
  | {
      /** An archive, or another file that contains objects. */
      readonly kind: 'archive';
      readonly name: string;
      /** Members of the file, the most interesting first. */
      readonly members: readonly ArchiveMember[];
      /** Source in which the members' offsets count: the file, or the unpacked file. */
      readonly source: ByteSource;
      readonly issues: readonly Issue[];
    }
  /** An atlas: the types of many kernels. */
  | { readonly kind: 'atlas'; readonly atlas: AtlasFile }
  /** Log of a loader or of the verifier. */
  | {
      readonly kind: 'log';
      /** The text: the file, or the unpacked file. */
      readonly source: ByteSource;
      readonly issues: readonly Issue[];
    };

/** An ingested file with a model, or a container of such files. */
export type IngestedObjects = Exclude<Ingested, { readonly kind: 'atlas' | 'log' }>;

/** Reads bytes as a model. Its offsets count in `unpacked`, or in the bytes if that is null. */
type ObjectReader = {
  readonly ingest: (
    name: string,
    bytes: Uint8Array,
    containers: readonly string[],
    issues: Issue[],
  ) => { readonly model: ObjectModel; readonly unpacked: Uint8Array | null };
};

/** Reader for each object format that `sniff` returns. */
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

/** Largest number of nested containers. A kernel in an image in a compressed file has four. */
const MAX_CONTAINERS = 6;
/** Name of the container of a kernel image without a header. */
const BARE_KERNEL = 'bare kernel';

/** Reads `source` as a model. Throws `Malformed` if it is unreadable, and `AbortError`. */
export async function ingest(source: ByteSource, options: IngestOptions = {}): Promise<Ingested> {
  const issues: Issue[] = [];
  const containers: string[] = [];
  let at = source;
  /** Kind of image that contains the kernel; null without an image. */
  let image: string | null = null;
  let version: KernelVersion | null = null;
  for (;;) {
    options.signal?.throwIfAborted();
    const head = await at.read(0, BOOT_IMAGE_HEAD);
    const first = sniff(head);
    // An archive in a kernel image is an initramfs, so the kernel must be elsewhere.
    const format = image !== null && isArchive(first) ? 'unknown' : first;
    switch (format) {
      case 'elf': {
        const parsed = await ingestObject(at, containers, issues, options);
        const model = { ...parsed, kernelVersion: version ?? parsed.kernelVersion };
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
        if (isObjectFormat(format)) {
          const bytes = await readWhole(at);
          // Needs a type: with no object formats TypeScript would infer `never`.
          const reader: ObjectReader = OBJECT_READERS[format];
          const { model, unpacked } = reader.ingest(at.name, bytes, containers, issues);
          const source = unpacked === null ? at : unpackedSource(at, at.name, unpacked);
          return { kind: 'object', model, source };
        }
        if (isArchive(format)) {
          const { members, issues: own } = await ARCHIVE_READERS[format](at, options.signal);
          return archive(source.name, at, members, [...issues, ...own]);
        }
        if (format === 'unknown' && image === null && (await isLogAt(at, head, options))) {
          return { kind: 'log', source: at, issues };
        }
        const inner = await open(at, format, head, image, issues, options);
        if (inner === null) {
          const { members, issues: own } = await membersInside(at, head, options);
          if (members.length === 0) throw notOurs(at, head);
          return archive(source.name, at, members, [...issues, ...own]);
        }
        if (containers.length + inner.containers.length > MAX_CONTAINERS)
          throw new Malformed({
            code: 'container.too-deep',
            region: source.name,
            message: `${source.name} is packed more than ${MAX_CONTAINERS} times over`,
            span: null,
            advice: 'Unpack it by hand and open what is inside.',
          });
        append(containers, inner.containers);
        version ??= inner.version ?? null;
        if (!isPackedKind(format) && format !== 'rpm') image ??= inner.containers[0] ?? null;
        at = inner.source;
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

function isArchive(format: Sniffed): format is ArchiveKind {
  return format in ARCHIVE_READERS;
}

function isObjectFormat(format: Sniffed): format is ObjectFormat {
  return format in OBJECT_READERS;
}

/** Opens the file in a compressed file, package or image, or finds the kernel in another file. */
async function open(
  source: ByteSource,
  kind: Exclude<Sniffed, 'elf' | 'btf' | 'atlas' | ArchiveKind | ObjectFormat>,
  head: Uint8Array,
  image: string | null,
  issues: Issue[],
  options: IngestOptions,
): Promise<InnerFile | null> {
  if (isPackedKind(kind)) {
    return { source: await unpackSource(source, kind, issues, options), containers: [kind] };
  }
  if (kind === 'rpm') {
    return { source: sliceSource(source, await rpmPayload(source)), containers: [kind] };
  }
  if (kind !== 'unknown') return openBootImage(source, kind, head, issues, options);
  const isKernel = image !== null;
  const kernel =
    isKernel || mayHoldKernel(source, head)
      ? await searchKernel(source, isKernel, issues, options)
      : null;
  if (kernel !== null) return { ...kernel, containers: [BARE_KERNEL, ...kernel.containers] };
  if (isKernel) throw noBtfInside(source, image);
  return null;
}

async function isLogAt(
  source: ByteSource,
  head: Uint8Array,
  { loadForms }: IngestOptions,
): Promise<boolean> {
  const tail = await source.read(source.size - LOG_WINDOW, source.size);
  return isLog(head.subarray(0, LOG_WINDOW), tail, loadForms);
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
      'an ELF object, a BTF blob, an Alpha eCOFF object, an archive or package of these, a skeleton, a loader or verifier log, or one of these compressed',
    found: describeUnknown(head),
  });
}

/** Reads a file in memory. For tests and the command line. */
export function ingestBytes(name: string, bytes: Uint8Array): Promise<Ingested> {
  return ingest(bufferSource(name, bytes));
}

/** Returns the types in the BTF of a kernel. Throws `Malformed`. */
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
