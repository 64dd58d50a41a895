/**
 * The `.comment` section: headers (tag, length, value) and their data. The first is a version
 * stamp, and the last has tag 0. Source: Tru64 UNIX Object File and Symbol Table Format, chapter 7.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { cStruct, type ValuesOf } from '#bytes/c-struct.ts';
import { attempt, type Issue } from '#bytes/issue.ts';
import { lookupIn, numberedNames } from '#bytes/text.ts';
import { type CompactRelocations, readCompactRelocations } from './compact.ts';

export const SUBSECTION_HEADER = cStruct({
  cmTag: 'x32',
  /** Length of the data in bytes; 0 if `cmVal` is the value itself. */
  cmLen: 'u32',
  /** Offset of the data from the start of the section, or the value itself. */
  cmVal: 'x64',
});

const HEADER_SIZE = SUBSECTION_HEADER.size;

/** Values of `cm_tag`. */
const CM = { end: 0, compactRlc: 4 } as const;

export type CommentSubsection = ValuesOf<typeof SUBSECTION_HEADER> & {
  readonly fileOffset: number;
  /** File offset of the data; null if there is no data or it is outside of the section. */
  readonly dataFileOffset: number | null;
  readonly compact: CompactRelocations | null;
};

export type CommentSection = {
  readonly fileOffset: number;
  readonly size: number;
  readonly subsections: readonly CommentSubsection[];
};

/** Reads the section. Data outside of the section and a list without an end become issues. */
export function readComment(section: ByteReader, issues: Issue[]): CommentSection {
  const subsections: CommentSubsection[] = [];
  let hasEnd = false;
  for (let at = 0; !hasEnd && at + HEADER_SIZE <= section.length; at += HEADER_SIZE) {
    const subsection = readSubsection(section, at, issues);
    subsections.push(subsection);
    hasEnd = subsection.cmTag === CM.end;
  }
  if (!hasEnd)
    issues.push(
      section.malformed(
        'ecoff.comment-no-end',
        'The comment section has no subsection that ends its list',
        {
          at: [0, section.length],
          severity: 'warning',
          expected: 'a last header with tag 0',
          found: `${Math.floor(section.length / HEADER_SIZE)} headers and none of them`,
        },
      ).issue,
    );
  return { fileOffset: section.fileOffset, size: section.length, subsections };
}

/** Returns the name `CM_…` of a tag; null if it has none (users define tags from 0x80000000 on). */
export const commentTagName = lookupIn(
  numberedNames('CM_* END 3: CMSTAMP COMPACT_RLC STRSPACE TAGDESC IDENT TOOLVER'),
);

function readSubsection(section: ByteReader, at: number, issues: Issue[]): CommentSubsection {
  const header = { ...SUBSECTION_HEADER.read(section, at), fileOffset: section.fileOffset + at };
  const { cmTag, cmLen, cmVal } = header;
  const data = cmLen === 0 ? null : attempt(issues, () => dataOf(section, at, cmLen, cmVal));
  if (data === null) return { ...header, dataFileOffset: null, compact: null };
  const compact =
    cmTag === CM.compactRlc ? attempt(issues, () => readCompactRelocations(data, issues)) : null;
  return { ...header, dataFileOffset: data.fileOffset, compact };
}

function dataOf(section: ByteReader, at: number, cmLen: number, cmVal: bigint): ByteReader {
  if (cmVal + BigInt(cmLen) <= BigInt(section.length)) {
    return section.slice(Number(cmVal), cmLen, 'comment subsection');
  }
  throw section.malformed(
    'ecoff.comment-data',
    'The data of a comment subsection does not lie in the section',
    {
      at: [at, HEADER_SIZE],
      expected: `an end at ${section.length} bytes or before`,
      found: `${cmLen} bytes at ${cmVal}`,
    },
  );
}
