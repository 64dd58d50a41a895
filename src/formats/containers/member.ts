/** Members of archives: their kinds, and the reader that all archive formats use. */
import { startsWith } from '#bytes/arrays.ts';
import type { Issue } from '#bytes/issue.ts';
import { type Signal, SLICE_MS, Slices } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { counted } from '#bytes/text.ts';
import { EM } from '#formats/elf/constants.ts';
import * as objectModules from '#formats/object-modules.ts';
import { isPackedKind, type Sniffed, sniff } from './sniff.ts';

/** How a compressed or encoded member is stored. */
export type MemberPacking =
  | {
      readonly kind: 'zip';
      /** Field "compression method" of APPNOTE.TXT 4.4.5; 0 means stored. */
      readonly method: number;
      readonly isEncrypted: boolean;
      /** Size of the packed member in bytes. */
      readonly byteLength: number;
      readonly crc32: number;
    }
  /** A C string literal. The first `skip` bytes of its value do not belong to the member. */
  | { readonly kind: 'c-string'; readonly skip: number }
  /** A C array of numbers. `fileOffset` of the member is the offset of the `{`. */
  | { readonly kind: 'c-numbers' };

/** A file in an archive or in another file. */
export type ArchiveMember = {
  /** Name as stored, not escaped. */
  readonly name: string;
  readonly kind: MemberKind;
  /** Offset of the first byte; for zip that of the local header, for C text that of the literal. */
  readonly fileOffset: number;
  /** Size of the member in bytes, unpacked. */
  readonly size: number;
  /** How the member is packed; null if its bytes are at `fileOffset`. */
  readonly packing: MemberPacking | null;
};

/** Kinds of members, the most interesting first. */
const KINDS = [
  'BPF object',
  'BTF',
  'kernel',
  'kernel module',
  'object file',
  'archive',
  'log',
  'other',
] as const;

export type MemberKind = (typeof KINDS)[number];

/** Number of bytes that `sniff` needs for all formats except images of s390. */
const HEAD_LENGTH = 1024;
/** Number of bytes of a member's name that are read. */
export const MAX_NAME_LENGTH = 4096;
const E_MACHINE = 18;

/** Returns the kind of a member by its first bytes, or by its name if `head` is null. */
export function memberKind(name: string, head: Uint8Array | null): MemberKind {
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.(gz|xz|zst|bz2|lzma|lz4)$/, '');
  const format = head === null ? 'unknown' : sniff(head);
  if (format === 'elf' && isBpfMachine(head)) return 'BPF object';
  const byContent = BY_CONTENT[format];
  if (byContent !== undefined) return byContent;
  if (format in objectModules) return 'object file';
  const byName = BY_NAME.find(([pattern]) => pattern.test(base))?.[1];
  // The name decides only if the content may match it: ELF, compressed data, a kernel or a log.
  const isPlain = format === 'unknown' && byName === 'log';
  const isNamed =
    head === null || format === 'elf' || isPackedKind(format) || byName === 'kernel' || isPlain;
  if (byName !== undefined && isNamed) return byName;
  return format === 'elf' ? 'object file' : 'other';
}

const BY_CONTENT: { readonly [S in Sniffed]?: MemberKind } = {
  btf: 'BTF',
  ar: 'archive',
  tar: 'archive',
  zip: 'archive',
  cpio: 'archive',
  rpm: 'archive',
  bzImage: 'kernel',
  'unified kernel image': 'kernel',
  'EFI zboot': 'kernel',
};

const BY_NAME: readonly (readonly [RegExp, MemberKind])[] = [
  [/\.btf$/, 'BTF'],
  [/\.ko(\.debug)?$/, 'kernel module'],
  [/^(vmlinu[xz]|bzImage|zImage|Image)/, 'kernel'],
  [/\.bpf\.o$/, 'BPF object'],
  [/\.(tar|tgz|txz|a|zip|deb|rpm|cpio)$/, 'archive'],
  [/\.(o|so|debug)$/, 'object file'],
  [/\.log$/, 'log'],
];

function isBpfMachine(head: Uint8Array | null): boolean {
  if (head === null) return false;
  return startsWith(head, [EM.bpf, 0], E_MACHINE) || startsWith(head, [0, EM.bpf], E_MACHINE);
}

/** Sorts `members` by kind, the most interesting first. Members of one kind keep their order. */
function byInterest(members: readonly ArchiveMember[]): ArchiveMember[] {
  return KINDS.flatMap((wanted) => members.filter(({ kind }) => kind === wanted));
}

/** Largest number of members that an archive lists. */
export const MAX_MEMBERS = 250_000;

/** Number of bytes that are read at once: several small members share a read. */
const FETCH_LENGTH = 16 * 1024;

type StatedMember = {
  readonly name: string;
  readonly fileOffset: number;
  /** Size in bytes that the archive states; the member may be cut off. */
  readonly size: number;
  readonly sizeSpan: Span;
};

export class MemberReader {
  readonly source: ByteSource;
  /** Display name of the archive, for issues. */
  readonly region: string;
  readonly members: ArchiveMember[] = [];
  readonly issues: Issue[] = [];
  readonly #code: string;
  readonly #slices: Slices | null;
  #bufferStart = 0;
  #buffer: Uint8Array = new Uint8Array(0);

  /** `code` is the prefix of the codes of issues, for example `tar`. */
  constructor(source: ByteSource, code: string, region: string, signal?: Signal) {
    this.source = source;
    this.region = region;
    this.#code = code;
    this.#slices = signal === undefined ? null : new Slices(SLICE_MS, signal);
  }

  /** Returns up to `length` bytes from `start`. If the signal is aborted, throws its reason. */
  async fetch(start: number, length: number): Promise<Uint8Array> {
    if (this.#slices?.isOver === true) await this.#slices.rest();
    const end = Math.min(start + length, this.source.size);
    if (start < this.#bufferStart || end > this.#bufferStart + this.#buffer.length) {
      this.#bufferStart = start;
      this.#buffer = await this.source.read(start, Math.max(end, start + FETCH_LENGTH));
    }
    return this.#buffer.subarray(start - this.#bufferStart, end - this.#bufferStart);
  }

  /** Adds a member that is not packed. Returns false if there are too many members. */
  async add({ name, fileOffset, size, sizeSpan }: StatedMember): Promise<boolean> {
    const present = Math.max(0, Math.min(size, this.source.size - fileOffset));
    if (present < size) this.pastEnd(name, sizeSpan, size, present);
    const head = await this.fetch(fileOffset, Math.min(present, HEAD_LENGTH));
    const kind = memberKind(name, head);
    return this.push({ name, kind, fileOffset, size: present, packing: null });
  }

  /** Adds a member. Returns false if there are too many members. */
  push(member: ArchiveMember): boolean {
    if (this.members.length < MAX_MEMBERS) {
      this.members.push(member);
      return true;
    }
    this.issue('error', 'too-many', 'The archive has more members than can be listed', {
      span: spanOf(member.fileOffset, 1),
      expected: `at most ${counted(MAX_MEMBERS, 'member')}`,
      found: `another one, ${member.name}`,
      advice: 'Unpack it yourself and open what is inside.',
    });
    return false;
  }

  /** Adds an issue about a member that runs past the end of the archive. */
  pastEnd(name: string, span: Span, stated: number, present: number): void {
    this.issue('error', 'member-past-end', `The member ${name} runs past the end of the archive`, {
      span,
      expected: `${stated} bytes`,
      found: `${present} bytes`,
      advice:
        'The archive is cut or its header is wrong; the part of the member that exists is used.',
    });
  }

  /** Adds an issue about a malformed header (`length` bytes at `at`), which ends the list. */
  badHeader(at: number, length: number, expected: string, found: string): void {
    const code = at + length > this.source.size ? 'truncated' : 'bad-header';
    const message =
      'A member header of the archive cannot be read; the members after it are not shown';
    this.issue('error', code, message, { span: spanOf(at, length), expected, found });
  }

  issue(
    severity: Issue['severity'],
    code: string,
    message: string,
    more: Pick<Issue, 'span' | 'expected' | 'found' | 'advice'>,
  ): void {
    const { region } = this;
    this.issues.push({ severity, code: `${this.#code}.${code}`, region, message, ...more });
  }

  /** Returns all members, the most interesting first. An empty archive has an issue. */
  finish(): { readonly members: readonly ArchiveMember[]; readonly issues: readonly Issue[] } {
    if (this.members.length === 0 && this.issues.length === 0)
      this.issue('warning', 'empty', 'The archive has no members', {
        span: spanOf(0, this.source.size),
      });
    return { members: byInterest(this.members), issues: this.issues };
  }
}
