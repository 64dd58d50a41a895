/** Finds BPF objects inside of other files by their ELF headers. Source: System V gABI. */
import { startsWith } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import { type Progress, type Signal, SLICE_MS, Slices } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { type Endian, type Span, spanOf } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { EM, ET, SHT } from '#formats/elf/constants.ts';
import { elfHeaderSize } from '#formats/elf/header.ts';
import { sectionHeaderSize } from '#formats/elf/records.ts';
import { MAX_MEMBERS } from './member.ts';

const MAGIC = '\x7fELF';
const ELFCLASS64 = 2;
const EV_CURRENT = 1;
const HEADER_SIZE = elfHeaderSize(64);
const SECTION_SIZE = sectionHeaderSize(64);

/** Number of bytes that are searched at once. */
const WINDOW = 1024 * 1024;
/** Limit of the bytes of section headers that are read, as a multiple of the size of the file. */
const MAX_TABLES = 2;

export type EmbeddedObjects = {
  /** Spans of the objects in ascending order, without overlaps. */
  readonly spans: readonly Span[];
  readonly issues: readonly Issue[];
};

type SearchOptions = {
  readonly signal?: Signal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
};

/** Returns the BPF objects in `source`. A truncated object has an issue. Takes linear time. */
export async function findBpfObjects(
  source: ByteSource,
  { signal, onProgress }: SearchOptions = {},
): Promise<EmbeddedObjects> {
  const spans: Span[] = [];
  const issues: Issue[] = [];
  const slices = signal === undefined ? null : new Slices(SLICE_MS, signal);
  let budget = MAX_TABLES * source.size + WINDOW;
  for (let start = 0; start + HEADER_SIZE <= source.size; ) {
    onProgress?.({ step: 'looking for BPF objects', done: start, total: source.size });
    const bytes = await source.read(start, start + WINDOW);
    // The next window starts early enough to contain a header that this window cuts.
    const last = bytes.length - HEADER_SIZE;
    let next = start + last + 1;
    for (let at = bytes.indexOf(0x7f); at >= 0 && at <= last; at = bytes.indexOf(0x7f, at + 1)) {
      if (slices?.isOver === true) await slices.rest();
      const table = sectionTable(bytes.subarray(at, at + HEADER_SIZE), source.size - start - at);
      if (table === null) continue;
      budget -= table.span.end - table.span.start;
      if (budget < 0 || spans.length === MAX_MEMBERS) {
        issues.push(searchEnded(start + at));
        return { spans, issues };
      }
      const end = await objectEnd(source, start + at, table);
      if (end === null) continue;
      const span = { start: start + at, end: Math.min(end, source.size) };
      if (end > span.end) issues.push(cut(span, end));
      spans.push(span);
      next = span.end;
      break;
    }
    start = next;
    if (bytes.length === 0) break;
  }
  return { spans, issues };
}

/** Position of the section headers in an object. The object is at least `end` bytes long. */
type Table = { readonly endian: Endian; readonly span: Span; readonly end: number };

/** Returns the position of the section headers; null if `header` is not of a BPF object. */
function sectionTable(header: Uint8Array, available: number): Table | null {
  if (!startsWith(header, MAGIC) || header[4] !== ELFCLASS64 || header[6] !== EV_CURRENT)
    return null;
  const endian = header[5] === 1 ? 'little' : header[5] === 2 ? 'big' : null;
  if (endian === null) return null;
  const r = new ByteReader(header, 'ELF header', endian);
  const isBpf = r.u16(16) === ET.rel && r.u16(18) === EM.bpf && r.u32(20) === EV_CURRENT;
  if (!isBpf || r.u16(52) !== HEADER_SIZE || r.u16(58) !== SECTION_SIZE) return null;
  const span = spanOf(Number(r.u64(40)), r.u16(60) * SECTION_SIZE);
  if (span.start < HEADER_SIZE || span.end === span.start || span.end > available) return null;
  const programHeaders = Number(r.u64(32)) + r.u16(54) * r.u16(56);
  return { endian, span, end: Math.max(span.end, Math.min(programHeaders, available)) };
}

/** Returns the end of the object at `start` by its section headers; null if they are invalid. */
async function objectEnd(source: ByteSource, start: number, table: Table): Promise<number | null> {
  const { span, endian } = table;
  const bytes = await source.read(start + span.start, start + span.end);
  if (bytes.length < span.end - span.start) return null;
  const r = new ByteReader(bytes, 'section headers', endian);
  // The first section header must have the type SHT_NULL.
  if (r.u32(4) !== SHT.null) return null;
  let end = table.end;
  for (let at = SECTION_SIZE; at < r.length; at += SECTION_SIZE) {
    const type = r.u32(at + 4);
    if (type === SHT.null || type === SHT.nobits) continue;
    end = Math.max(end, Number(r.u64(at + 24) + r.u64(at + 32)));
  }
  return start + end;
}

function searchEnded(at: number): Issue {
  return {
    severity: 'warning',
    code: 'embedded.limit',
    region: 'embedded objects',
    message: 'The search for BPF objects ended before the end of the file',
    span: spanOf(at, HEADER_SIZE),
    expected: `at most ${MAX_MEMBERS} objects, and section headers of twice the size of the file`,
    found: `more, at ${hexText(at)}`,
  };
}

function cut({ start, end }: Span, stated: number): Issue {
  return {
    severity: 'error',
    code: 'embedded.past-end',
    region: 'embedded objects',
    message: `The BPF object at ${hexText(start)} runs past the end of the file`,
    span: spanOf(start, HEADER_SIZE),
    expected: `${stated - start} bytes`,
    found: `${end - start} bytes`,
    advice: 'The part of it that exists is used.',
  };
}
