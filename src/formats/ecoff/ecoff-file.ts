/** Reads an Alpha eCOFF file. Reads regions separately, so that a bad one hides no other. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { attempt, type Issue, Malformed } from '#bytes/issue.ts';
import { type CommentSection, readComment } from './comment.ts';
import { type ExternalTable, readExternals } from './external-symbols.ts';
import {
  ECOFF_MAGIC,
  FILE_HEADER,
  type FileHeader,
  OPTIONAL_HEADER,
  type OptionalHeader,
  readFileHeader,
  readOptionalHeader,
  readSymbolicHeader,
  regionAt,
  SYMBOLIC_HEADER,
  type SymbolicHeader,
} from './headers.ts';
import { RELOCATION_SIZE, type RelocationTable, readRelocations } from './relocations.ts';
import { hasRawData, readSectionHeaders, type SectionHeader } from './section-headers.ts';

export type EcoffFile = {
  /** Bytes of the object, unpacked if it is compressed. File offsets are offsets in these bytes. */
  readonly bytes: Uint8Array;
  /** Header of a compressed object; null if the object is not compressed. */
  readonly compressed: CompressedHeader | null;
  readonly header: FileHeader;
  readonly optional: OptionalHeader | null;
  readonly sections: readonly SectionHeader[];
  readonly symbolic: SymbolicHeader | null;
  readonly externals: ExternalTable | null;
  /** One table for each section with relocations, in the order of the section headers. */
  readonly relocations: readonly RelocationTable[];
  readonly comment: CommentSection | null;
};

/** Part of a model that only eCOFF files have: `model.own`. */
export type EcoffPart = { readonly formatName: 'eCOFF'; readonly file: EcoffFile };

/** Returns the eCOFF file of a model; null if the model has another format. */
export function ecoffFile(model: {
  readonly format: string;
  readonly own: object | null;
}): EcoffFile | null {
  return model.format === 'ecoff' ? (model.own as EcoffPart).file : null;
}

const EMPTY_REGION = 'eCOFF object';

/** Returns true if a file begins with the magic number of Alpha eCOFF, compressed or not. */
export function startsAsEcoff(start: Uint8Array): boolean {
  const magic = (start[0] ?? 0) | ((start[1] ?? 0) << 8);
  return (
    magic === ECOFF_MAGIC.alpha || magic === ECOFF_MAGIC.alphaBsd || magic === ECOFF_MAGIC.alphaZ
  );
}

/** Reads an eCOFF file. If the file header is unreadable, adds an issue and returns null. */
export function readEcoff(bytes: Uint8Array, issues: Issue[]): EcoffFile | null {
  const file = new ByteReader(bytes, EMPTY_REGION);
  const header = attempt(issues, () => readFileHeader(file));
  if (header === null) return null;
  if (header.fMagic !== ECOFF_MAGIC.alphaZ) return readObject(file, header, null, issues);

  const compressed = attempt(issues, () => readCompressedHeader(file));
  if (compressed === null) return null;
  const unpacked = attempt(issues, () => unpackCompressed(file, compressed));
  if (unpacked === null) return null;
  const inner = new ByteReader(unpacked, EMPTY_REGION);
  const innerHeader = attempt(issues, () => readPlainHeader(inner));
  return innerHeader === null ? null : readObject(inner, innerHeader, compressed, issues);
}

/** Returns the raw data of a section; empty if the section has none, or none in the file. */
export function rawDataOf(file: EcoffFile, section: SectionHeader): Uint8Array {
  if (!hasRawData(section)) return new Uint8Array(0);
  const start = section.sScnptr;
  const end = start + section.sSize;
  if (end > BigInt(file.bytes.length)) return new Uint8Array(0);
  return file.bytes.subarray(Number(start), Number(end));
}

/** Reads the header of an unpacked object. Refuses a compressed one, so that nesting ends. */
function readPlainHeader(file: ByteReader): FileHeader {
  const header = readFileHeader(file);
  if (header.fMagic !== ECOFF_MAGIC.alphaZ) return header;
  throw new Malformed({
    code: 'ecoff.compressed-twice',
    region: file.region,
    message: 'The compressed object holds another compressed object',
    span: null,
    expected: 'magic 0x183',
    found: '0x188',
  });
}

function readObject(
  file: ByteReader,
  header: FileHeader,
  compressed: CompressedHeader | null,
  issues: Issue[],
): EcoffFile {
  const optional =
    header.fOpthdr === 0 ? null : attempt(issues, () => readOptionalHeader(file, header.fOpthdr));
  const sections = readSectionHeaders(file, header, issues);
  for (const section of sections) attempt(issues, () => requireRawData(file, section));
  const symbolic =
    header.fSymptr === 0n ? null : attempt(issues, () => readSymbolicHeader(file, header));
  return {
    bytes: file.bytes,
    compressed,
    header,
    optional,
    sections,
    symbolic,
    externals: symbolic === null ? null : readExternals(file, symbolic, issues),
    relocations: readAllRelocations(file, sections, issues),
    comment: readCommentOf(file, sections, issues),
  };
}

/** Reads all relocation tables. Together they may not have more entries than fit in the file. */
function readAllRelocations(
  file: ByteReader,
  sections: readonly SectionHeader[],
  issues: Issue[],
): readonly RelocationTable[] {
  const tables: RelocationTable[] = [];
  let room = Math.floor(file.length / RELOCATION_SIZE);
  for (const section of sections) {
    if (section.sNreloc === 0) continue;
    const table = attempt(issues, () => readRelocations(file, section, room, issues));
    if (table === null) continue;
    room -= table.count;
    tables.push(table);
  }
  return tables;
}

function requireRawData(file: ByteReader, section: SectionHeader): void {
  if (hasRawData(section)) regionAt(file, section.sScnptr, section.sSize, section.name);
}

function readCommentOf(
  file: ByteReader,
  sections: readonly SectionHeader[],
  issues: Issue[],
): CommentSection | null {
  const section = sections.find((s) => s.name === '.comment');
  if (section === undefined || !hasRawData(section)) return null;
  const start = section.sScnptr;
  const end = start + section.sSize;
  // For a section outside of the file, `requireRawData` has already added an issue.
  if (end > BigInt(file.length)) return null;
  const data = file.slice(Number(start), Number(section.sSize), '.comment');
  return readComment(data, issues);
}

/**
 * A compressed object (magic 0x188) has a separate file header, the unpacked size, a quadword with
 * an unpublished meaning, and packed bytes.
 *
 * The packed bytes are groups: one control byte, then up to eight output bytes, for the bits from
 * the lowest. For a set bit the byte follows, and is stored in a table at the current hash. For a
 * clear bit the byte is taken from the table. The hash is `((hash << 4) ^ byte) & 0xfff` for each
 * output byte. Source: the behaviour of GNU BFD.
 */

const TABLE_SIZE = 4096;
const STREAM_OFFSET = FILE_HEADER.size + 16;
/** A control byte of 0 stands for eight bytes of output. */
const MAX_BYTES_PER_PACKED_BYTE = 8;

type CompressedHeader = {
  readonly uncompressedSize: bigint;
  /** File offset of the first packed byte. */
  readonly streamOffset: number;
};

/** Reads the header of a compressed object. Throws `Malformed` for an impossible unpacked size. */
function readCompressedHeader(file: ByteReader): CompressedHeader {
  const r = file.slice(0, Math.min(STREAM_OFFSET, file.length), 'compressed object');
  r.require(0, STREAM_OFFSET, 'the header of a compressed object');
  const uncompressedSize = r.u64(FILE_HEADER.size);
  const maxSize = (file.length - STREAM_OFFSET) * MAX_BYTES_PER_PACKED_BYTE;
  if (uncompressedSize > BigInt(maxSize)) {
    throw new Malformed({
      code: 'ecoff.compressed-size',
      region: r.region,
      message: 'The compressed object says that it unpacks to more than its bytes can hold',
      span: r.span(FILE_HEADER.size, 8),
      expected: `at most ${maxSize} bytes`,
      found: `${uncompressedSize}`,
    });
  }
  return { uncompressedSize, streamOffset: STREAM_OFFSET };
}

/** Unpacks an object. Throws `Malformed` if the packed bytes end before the declared size. */
function unpackCompressed(file: ByteReader, header: CompressedHeader): Uint8Array {
  const output = new Uint8Array(Number(header.uncompressedSize));
  const table = new Uint8Array(TABLE_SIZE);
  let at = header.streamOffset;
  let hash = 0;
  let control = 0;
  for (let produced = 0; produced < output.length; produced++) {
    if (produced % 8 === 0) control = packedByte(file, at++, output.length, produced);
    let byte = table[hash] ?? 0;
    if ((control & (1 << (produced % 8))) !== 0) {
      byte = packedByte(file, at++, output.length, produced);
      table[hash] = byte;
    }
    output[produced] = byte;
    hash = ((hash << 4) ^ byte) & (TABLE_SIZE - 1);
  }
  return output;
}

function packedByte(file: ByteReader, at: number, wanted: number, produced: number): number {
  const byte = file.bytes[at];
  if (byte !== undefined) return byte;
  throw new Malformed({
    code: 'ecoff.compressed-cut',
    region: 'compressed object',
    message: 'The packed bytes end before the object is whole',
    span: file.span(file.length, 0),
    expected: `${wanted} unpacked bytes`,
    found: `${produced}`,
  });
}

/**
 * Detects Alpha eCOFF objects. Any data may begin with the two bytes of the magic number, so a size
 * in the header must be right as well. `head` is the file or at least its first 512 bytes. If the
 * file ends inside of its header, only the magic number is checked.
 */
export const ecoff = {
  begins(head: Uint8Array): boolean {
    if (!startsAsEcoff(head)) return false;
    if (head.length < FILE_HEADER.size) return true;
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const fNsyms = view.getUint32(16, true);
    const fOpthdr = view.getUint16(20, true);
    return (
      fNsyms === SYMBOLIC_HEADER.size ||
      fOpthdr === OPTIONAL_HEADER.size ||
      (fNsyms === 0 && fOpthdr === 0)
    );
  },
};
