/**
 * The headless entry: a file in, a model out.
 *
 * Looks at content, never at the name; unpacks what is packed; reads every
 * region on its own, so that a damaged one leaves an issue and the others are
 * shown. Throws `Malformed` only when nothing of the file can be shown.
 */
import { type Issue, Malformed } from '#bytes/issue.ts';
import { type ByteSource, bufferSource } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { readArMembers } from '#formats/containers/ar.ts';
import { decompress } from '#formats/containers/decompress.ts';
import { describeUnknown, type Sniffed, sniff } from '#formats/containers/sniff.ts';
import type { ArchiveMember, ObjectModel } from '#model/object-model.ts';
import { ingestBlob } from './blob.ts';
import type { IngestOptions } from './ingest-options.ts';
import { ingestObject } from './object.ts';

export type Ingested =
  | {
      readonly kind: 'object';
      readonly model: ObjectModel;
      /** What the model's offsets count in: the file itself, or what was unpacked from it. */
      readonly source: ByteSource;
    }
  | {
      readonly kind: 'archive';
      readonly name: string;
      readonly members: readonly ArchiveMember[];
      readonly issues: readonly Issue[];
    };

/** Unpacked data beyond this is refused: a megabyte of gzip can hold a gigabyte of zeros. */
const UNPACK_LIMIT = 512 * 1024 * 1024;
const MAX_CONTAINERS = 3;
const HEAD_LENGTH = 4096;

/** Reads `source` whole. Throws `Malformed` when it is refused, `AbortError` when `signal` says so. */
export async function ingest(source: ByteSource, options: IngestOptions = {}): Promise<Ingested> {
  const issues: Issue[] = [];
  const containers: string[] = [];
  let at = source;
  for (;;) {
    options.signal?.throwIfAborted();
    const head = await at.read(0, HEAD_LENGTH);
    const found = sniff(head);
    switch (found) {
      case 'elf':
        return {
          kind: 'object',
          model: await ingestObject(at, containers, issues, options),
          source: at,
        };
      case 'btf':
        return { kind: 'object', model: await ingestBlob(at, containers, issues), source: at };
      case 'ar':
      case 'thin-ar': {
        const archive = await readArMembers(at);
        return {
          kind: 'archive',
          name: source.name,
          members: archive.members,
          issues: [...issues, ...archive.issues],
        };
      }
      case 'unknown':
        throw notOurs(at, head);
      default:
        at = await unpack(at, found, containers, issues, options);
    }
  }
}

async function unpack(
  source: ByteSource,
  kind: Exclude<Sniffed, 'elf' | 'btf' | 'ar' | 'thin-ar' | 'unknown'>,
  containers: string[],
  issues: Issue[],
  options: IngestOptions,
): Promise<ByteSource> {
  if (containers.length === MAX_CONTAINERS) {
    throw new Malformed({
      code: 'container.too-deep',
      region: source.name,
      message: `${source.name} is packed more than ${MAX_CONTAINERS} times over`,
      span: null,
      advice: 'Unpack it by hand and open what is inside.',
    });
  }
  options.onProgress?.({ step: `unpacking ${kind}`, done: 0, total: 0 });
  const packed = await source.read(0, source.size);
  const unpacked = await decompress(kind, packed, {
    region: source.name,
    limit: UNPACK_LIMIT,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  containers.push(kind);
  issues.push(...unpacked.issues);
  return bufferSource(source.name, unpacked.bytes);
}

function notOurs(source: ByteSource, head: Uint8Array): Malformed {
  return new Malformed({
    code: 'file.unknown',
    region: source.name,
    message:
      source.size === 0
        ? `${source.name} is an empty file`
        : `${source.name} is not a file this reader knows: it looks like ${describeUnknown(head)}`,
    span: spanOf(0, Math.min(source.size, 16)),
    expected: 'an ELF object, a BTF blob, an ar archive, or one of these compressed',
    found: describeUnknown(head),
  });
}

/** For callers that have bytes at hand: tests, the command line. */
export function ingestBytes(name: string, bytes: Uint8Array): Promise<Ingested> {
  return ingest(bufferSource(name, bytes));
}
