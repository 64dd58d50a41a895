/**
 * What all readers of archives share: a member, what it seems to be, and a reader that goes
 * through an archive once, from header to header.
 */
import type { Issue } from '#bytes/issue.ts';
import { type Signal, Slices } from '#bytes/slices.ts';
import type { ByteSource } from '#bytes/source.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { counted } from '#bytes/text.ts';
import * as objectModules from '#formats/object-modules.ts';
import { isPackedKind } from './packed-places.ts';
import { type Sniffed, sniff } from './sniff.ts';
import { startsWith } from './starts-with.ts';

/** How the bytes of a member are stored, where they are not stored as they are. */
export type MemberPacking =
  | {
      readonly kind: 'zip';
      /** "compression method" of APPNOTE.TXT 4.4.5; 0 = stored. */
      readonly method: number;
      readonly isEncrypted: boolean;
      /** Bytes in the archive. */
      readonly byteLength: number;
      readonly crc32: number;
    }
  /** A C string literal. `skip` bytes of what it stands for are no part of the member. */
  | { readonly kind: 'c-string'; readonly skip: number }
  /** A C array of numbers, the place that of its `{`. */
  | { readonly kind: 'c-numbers' };

/** A file inside an archive, or in another file. */
export type ArchiveMember = {
  /** Raw text. */
  readonly name: string;
  readonly kind: MemberKind;
  /** Where its bytes begin; in a zip archive its local header, in C text the literal. */
  readonly fileOffset: number;
  /** Bytes of the member once it is unpacked. */
  readonly size: number;
  /** null where its bytes are those at `fileOffset`. */
  readonly packing: MemberPacking | null;
};

/** The kinds of members, those that are looked for first. */
const KINDS = [
  'BPF object',
  'BTF',
  'kernel',
  'kernel module',
  'object file',
  'archive',
  'other',
] as const;

export type MemberKind = (typeof KINDS)[number];

/** Bytes that `sniff` needs, but for images of s390. */
const HEAD_LENGTH = 1024;
const EM_BPF = 247;
const E_MACHINE = 18;

/** What a member seems to be, by its first bytes where those are known, else by its name. */
export function memberKind(name: string, head: Uint8Array | null): MemberKind {
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.(gz|xz|zst|bz2|lzma|lz4)$/, '');
  const found = head === null ? 'unknown' : sniff(head);
  if (found === 'elf' && isBpfMachine(head)) return 'BPF object';
  const byContent = BY_CONTENT[found];
  if (byContent !== undefined) return byContent;
  if (found in objectModules) return 'object file';
  const byName = BY_NAME.find(([pattern]) => pattern.test(base))?.[1];
  // Other content is not what the name says; packed content may be, and a kernel's looks like anything.
  const isNamed = head === null || found === 'elf' || isPackedKind(found) || byName === 'kernel';
  if (byName !== undefined && isNamed) return byName;
  return found === 'elf' ? 'object file' : 'other';
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
];

function isBpfMachine(head: Uint8Array | null): boolean {
  if (head === null) return false;
  return startsWith(head, [EM_BPF, 0], E_MACHINE) || startsWith(head, [0, EM_BPF], E_MACHINE);
}

/** `members` with those that are looked for first; those of one kind keep their order. */
function byInterest(members: readonly ArchiveMember[]): ArchiveMember[] {
  return KINDS.flatMap((wanted) => members.filter(({ kind }) => kind === wanted));
}

/** More members of one archive are not listed: the tables of a page have an end, too. */
export const MAX_MEMBERS = 250_000;

/** Bytes fetched at once: small members then share a read. */
const FETCH_LENGTH = 16 * 1024;
/** Milliseconds of work between two looks at the signal. */
const SLICE_MS = 40;

/** What a header says of a member. */
type Stated = {
  readonly name: string;
  readonly fileOffset: number;
  /** As stated; what lies past the end of the archive is cut off with an issue. */
  readonly size: number;
  /** The field that states it. */
  readonly sizeSpan: Span;
};

export class MemberReader {
  readonly source: ByteSource;
  /** What the archive is called in issues. */
  readonly region: string;
  readonly members: ArchiveMember[] = [];
  readonly issues: Issue[] = [];
  readonly #code: string;
  readonly #slices: Slices | null;
  #bufferStart = 0;
  #buffer: Uint8Array = new Uint8Array(0);

  /** `code` begins the codes of all issues: `tar`. */
  constructor(source: ByteSource, code: string, region: string, signal?: Signal) {
    this.source = source;
    this.region = region;
    this.#code = code;
    this.#slices = signal === undefined ? null : new Slices(SLICE_MS, signal);
  }

  /** `length` bytes from `start`, fewer where the file ends. Neighbouring ones cost one read. Throws the reason of the signal. */
  async fetch(start: number, length: number): Promise<Uint8Array> {
    if (this.#slices?.isOver === true) await this.#slices.rest();
    const end = Math.min(start + length, this.source.size);
    if (start < this.#bufferStart || end > this.#bufferStart + this.#buffer.length) {
      this.#bufferStart = start;
      this.#buffer = await this.source.read(start, Math.max(end, start + FETCH_LENGTH));
    }
    return this.#buffer.subarray(start - this.#bufferStart, end - this.#bufferStart);
  }

  /** Adds a member that is stored as it is; false where there are too many. */
  async add({ name, fileOffset, size, sizeSpan }: Stated): Promise<boolean> {
    const present = Math.max(0, Math.min(size, this.source.size - fileOffset));
    if (present < size) this.pastEnd(name, sizeSpan, size, present);
    const head = await this.fetch(fileOffset, Math.min(present, HEAD_LENGTH));
    const kind = memberKind(name, head);
    return this.push({ name, kind, fileOffset, size: present, packing: null });
  }

  /** Adds a member; false where there are too many. */
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

  /** Tells that a member runs past the end of the archive. */
  pastEnd(name: string, span: Span, stated: number, present: number): void {
    this.issue('error', 'member-past-end', `The member ${name} runs past the end of the archive`, {
      span,
      expected: `${stated} bytes`,
      found: `${present} bytes`,
      advice:
        'The archive is cut or its header is wrong; the part of the member that exists is used.',
    });
  }

  /** Tells that the header of `length` bytes at `at` is none, which ends the list. */
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

  /** All members, those that are looked for first. An archive without any is told. */
  finish(): { readonly members: readonly ArchiveMember[]; readonly issues: readonly Issue[] } {
    if (this.members.length === 0 && this.issues.length === 0)
      this.issue('warning', 'empty', 'The archive has no members', {
        span: spanOf(0, this.source.size),
      });
    return { members: byInterest(this.members), issues: this.issues };
  }
}
