/** The files inside of another file: how they are found where it is no archive, and their bytes. */
import type { Issue } from '#bytes/issue.ts';
import { type ByteSource, bufferSource, MAX_MEMORY } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { findBpfObjects } from '#formats/containers/bpf-objects.ts';
import { describeMagic, describeText } from '#formats/containers/known-others.ts';
import { decodeLiteral, decodeNumbers, readSkeleton } from '#formats/containers/skeleton.ts';
import { unpackZipMember } from '#formats/containers/zip.ts';
import type { ArchiveMember } from '#model/object-model.ts';
import type { IngestOptions } from './ingest-options.ts';
import { sliceSource } from './slice-source.ts';
import { followed, readWhole } from './unpack.ts';

type Members = { readonly members: readonly ArchiveMember[]; readonly issues: readonly Issue[] };

/** Bytes that tell text from other data. */
const TEXT_HEAD = 4096;

/** The BPF objects in a file of an unknown type that begins with `head`: those of a skeleton or an array of numbers where it is text. */
export async function membersInside(
  source: ByteSource,
  head: Uint8Array,
  options: IngestOptions,
): Promise<Members> {
  if (source.size > 0 && describeText(head.subarray(0, TEXT_HEAD)) !== null) {
    return source.size > MAX_MEMORY
      ? { members: [], issues: [] }
      : readSkeleton(await readWhole(source));
  }
  // An object that a byte order mark or UTF-16 damaged: that is told, not what is left of it.
  if (describeMagic(head)?.startsWith('ELF ') === true) return { members: [], issues: [] };
  const { spans, issues } = await findBpfObjects(source, options);
  const members = spans.map(({ start, end }) => bpfMember(`bpf@${hexText(start)}`, start, end));
  return { members, issues };
}

function bpfMember(name: string, start: number, end: number): ArchiveMember {
  return { name, kind: 'BPF object', fileOffset: start, size: end - start, packing: null };
}

/**
 * The bytes of a member, as a file of its own; `source` is what its offset counts in. Throws
 * `Malformed` where it cannot be unpacked.
 */
export async function memberSource(
  source: ByteSource,
  member: ArchiveMember,
  options: IngestOptions = {},
): Promise<ByteSource> {
  const { name, fileOffset, size, packing } = member;
  switch (packing?.kind) {
    case undefined:
      return { ...sliceSource(source, spanOf(fileOffset, size)), name };
    case 'zip': {
      const limits = { limit: MAX_MEMORY, ...followed('zip', options) };
      return bufferSource(name, await unpackZipMember(source, member, limits));
    }
    case 'c-numbers':
      return bufferSource(name, decodeNumbers(await readWhole(source), fileOffset));
    case 'c-string': {
      const bytes = decodeLiteral(await readWhole(source), fileOffset);
      return bufferSource(name, bytes.subarray(packing.skip, packing.skip + size));
    }
  }
}
