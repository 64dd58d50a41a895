/** Finds members in files that are not archives, and reads the bytes of members. */
import type { Issue } from '#bytes/issue.ts';
import { type ByteSource, MAX_MEMORY, sliceSource, unpackedSource } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { findBpfObjects } from '#formats/containers/bpf-objects.ts';
import { decodeLiteral, decodeNumbers, readSkeleton } from '#formats/containers/skeleton.ts';
import { describeMagic, describeText } from '#formats/containers/sniff.ts';
import { unpackZipMember } from '#formats/containers/zip.ts';
import type { ArchiveMember } from '#model/object-model.ts';
import type { IngestOptions } from './ingest-options.ts';
import { decompressOptions, readWhole } from './unpack.ts';

type Members = { readonly members: readonly ArchiveMember[]; readonly issues: readonly Issue[] };

/** Number of bytes that show if a file is text. */
const TEXT_HEAD = 4096;

/** Returns the BPF objects in a file of unknown type. Texts may contain skeletons and arrays. */
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
  // An object that a byte order mark or UTF-16 damaged: the error that says so is enough.
  if (describeMagic(head)?.startsWith('ELF ') === true) return { members: [], issues: [] };
  const { spans, issues } = await findBpfObjects(source, options);
  const members = spans.map(({ start, end }) => bpfMember(`bpf@${hexText(start)}`, start, end));
  return { members, issues };
}

function bpfMember(name: string, start: number, end: number): ArchiveMember {
  return { name, kind: 'BPF object', fileOffset: start, size: end - start, packing: null };
}

/** Returns the bytes of a member of `source`. Throws `Malformed` if they cannot be unpacked. */
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
      const limits = { limit: MAX_MEMORY, ...decompressOptions('zip', options) };
      return unpackedSource(source, name, await unpackZipMember(source, member, limits));
    }
    case 'c-numbers':
      return unpackedSource(source, name, decodeNumbers(await readWhole(source), fileOffset));
    case 'c-string': {
      const bytes = decodeLiteral(await readWhole(source), fileOffset);
      return unpackedSource(source, name, bytes.subarray(packing.skip, packing.skip + size));
    }
  }
}
