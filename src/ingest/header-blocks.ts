/** Describes the `.BTF` and `.BTF.ext` headers. Source: "BTF Type Format", sections 2 and 4.2. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { counted, hexText } from '#bytes/text.ts';
import {
  EXT_HEADER_SIZE_CORE,
  type ExtHeader,
  type ExtPartHeader,
} from '#formats/btf/ext-blocks.ts';
import {
  BTF_HEADER_SIZE,
  BTF_HEADER_SIZE_LAYOUT,
  type BtfHeader,
  type BtfLayout,
  contradictions,
} from '#formats/btf/header.ts';
import { kindName, RELEASED_KIND_MAX } from '#formats/btf/kinds.ts';
import type { HeaderBlock, HeaderField } from '#model/object-model.ts';

/** Returns a header field of `length` bytes at `offset` of the region of `reader`. */
function headerField(
  reader: ByteReader,
  name: string,
  offset: number,
  value: string | number,
  meaning = '',
  length = 4,
): HeaderField {
  return { name, value: `${value}`, meaning, span: reader.span(offset, length) };
}

/** Returns the fields with which both headers begin: magic, version, flags, hdr_len. */
function commonFields(
  reader: ByteReader,
  header: { readonly version: number; readonly flags: number; readonly hdrLen: number },
): HeaderField[] {
  const order = reader.endian === 'little' ? 'little-endian' : 'big-endian';
  return [
    headerField(reader, 'magic', 0, hexText(reader.u16(0), 4), order, 2),
    headerField(reader, 'version', 2, header.version, '', 1),
    headerField(reader, 'flags', 3, hexText(header.flags), '', 1),
    headerField(reader, 'hdr_len', 4, header.hdrLen, 'offsets below count from here'),
  ];
}

/** Returns the bytes after the known header fields as one field; empty if there are none. */
function unknownFields(reader: ByteReader, known: number, hdrLen: number): HeaderField[] {
  if (hdrLen <= known) return [];
  const length = hdrLen - known;
  const set = firstNonZero(reader, known, hdrLen) !== null;
  const meaning = set ? `${length} bytes of a newer header` : `${length} bytes, all zero`;
  return [headerField(reader, '(unknown)', known, '', meaning, length)];
}

/** Returns issues about version, flags and unknown fields. Their codes begin with `prefix`. */
function commonOddities(
  reader: ByteReader,
  header: { readonly version: number; readonly flags: number; readonly hdrLen: number },
  known: number,
  prefix: string,
  what: string,
): Issue[] {
  const issues: Issue[] = [];
  const warn = (code: string, message: string, offset: number, length: number, more = {}) =>
    issues.push({
      severity: 'warning',
      code: `${prefix}.${code}`,
      region: reader.region,
      message,
      span: reader.span(offset, length),
      ...more,
    });
  if (header.version !== 1) {
    warn('version', `Unknown ${what} version ${header.version}, read as version 1`, 2, 1, {
      expected: '1',
      found: `${header.version}`,
    });
  }
  if (header.flags !== 0) {
    warn('flags', `Unknown ${what} flags ${hexText(header.flags)}`, 3, 1, {
      expected: '0x0',
      found: hexText(header.flags),
    });
  }
  const strange = firstNonZero(reader, known, header.hdrLen);
  if (strange !== null) {
    warn('header-unknown-data', `Unknown header data at offset ${strange}`, strange, 1, {
      expected: 'zero in fields that are not known',
      found: hexText(reader.u8(strange), 2),
    });
  }
  return issues;
}

function firstNonZero(reader: ByteReader, start: number, end: number): number | null {
  const at = reader.bytes.subarray(start, Math.max(start, end)).findIndex((byte) => byte !== 0);
  return at < 0 ? null : start + at;
}

function knownBtf(header: BtfHeader): number {
  return header.layoutOff === null ? BTF_HEADER_SIZE : BTF_HEADER_SIZE_LAYOUT;
}

/** Returns all fields of the BTF header. `reader` has the byte order of the blob. */
export function btfHeaderBlock(reader: ByteReader, header: BtfHeader): HeaderBlock {
  return {
    title: 'BTF header',
    span: reader.span(0, header.hdrLen),
    fields: [
      ...commonFields(reader, header),
      ...sectionFields(reader, header, 'type', 'types', 8, header.typeOff, header.typeLen),
      ...sectionFields(reader, header, 'str', 'strings', 16, header.strOff, header.strLen),
      ...(header.layoutOff === null || header.layoutLen === null
        ? []
        : sectionFields(
            reader,
            header,
            'layout',
            'the layout',
            24,
            header.layoutOff,
            header.layoutLen,
          )),
      ...unknownFields(reader, knownBtf(header), header.hdrLen),
    ],
  };
}

function sectionFields(
  reader: ByteReader,
  header: BtfHeader,
  name: string,
  what: string,
  offset: number,
  off: number,
  len: number,
): HeaderField[] {
  const isAbsent = name === 'layout' && len === 0;
  const at = isAbsent ? 'no layout' : `${what} at ${hexText(header.hdrLen + off)} of the blob`;
  return [
    headerField(reader, `${name}_off`, offset, off, at),
    headerField(reader, `${name}_len`, offset + 4, len, isAbsent ? '' : `${len} bytes`),
  ];
}

/** Returns issues about anomalies of the header and its sections that do not prevent reading. */
export function btfHeaderOddities(
  reader: ByteReader,
  header: BtfHeader,
  layout: BtfLayout | null,
  hasRecords: (kind: number) => boolean,
): Issue[] {
  return [
    ...commonOddities(reader, header, knownBtf(header), 'btf', 'BTF'),
    ...layoutOddities(reader, layout ?? [], hasRecords),
    ...unusedBytes(reader, header),
  ];
}

/** Returns issues about the layout. `hasRecords` tells if the blob has records of a kind. */
function layoutOddities(
  reader: ByteReader,
  layout: BtfLayout,
  hasRecords: (kind: number) => boolean,
): Issue[] {
  const issues: Issue[] = [];
  const flagged = layout.filter((entry) => entry.flags !== 0);
  const [firstFlagged] = flagged;
  if (firstFlagged !== undefined) {
    const others = flagged.length > 1 ? ` and of ${flagged.length - 1} more kinds` : '';
    issues.push({
      severity: 'warning',
      code: 'btf.layout-flags',
      region: reader.region,
      message: `Unknown layout flags ${hexText(firstFlagged.flags)} of ${kindName(firstFlagged.kind)}${others}`,
      span: reader.span(firstFlagged.offset + 2, 2),
      expected: '0x0',
      found: hexText(firstFlagged.flags),
    });
  }
  // Early kinds of bpf-next had other sizes, so reports a wrong size only for a kind in use.
  const wrong = contradictions(layout).find(
    ({ kind }) => kind <= RELEASED_KIND_MAX || hasRecords(kind),
  );
  if (wrong !== undefined) {
    issues.push({
      severity: 'warning',
      code: 'btf.layout-contradicts',
      region: reader.region,
      message: `The layout gives other sizes for ${kindName(wrong.kind)} than that kind has; they are not used`,
      span: reader.span(wrong.offset, 4),
      found: `info_sz ${wrong.infoSz}, elem_sz ${wrong.elemSz}`,
    });
  }
  return issues;
}

/** Returns issues about bytes between the sections and after the last section. */
function unusedBytes(reader: ByteReader, header: BtfHeader): Issue[] {
  const { types, layout, strings } = header;
  const issues: Issue[] = [];
  let end = header.hdrLen;
  for (const [name, extent] of [
    ['type', types],
    ['layout', layout],
    ['string', strings],
  ] as const) {
    if (extent === null) continue;
    if (extent.start > end) {
      issues.push({
        severity: 'warning',
        code: 'btf.gap',
        region: reader.region,
        message: `${counted(extent.start - end, 'byte')} before the ${name} section belong to no section`,
        span: reader.span(end, extent.start - end),
      });
    }
    end = Math.max(end, extent.end);
  }
  if (end < reader.length) {
    issues.push(trailingIssue(reader.region, reader.span(end, reader.length - end)));
  }
  return issues;
}

/** Returns the warning about bytes after the last section. */
export function trailingIssue(region: string, span: Span): Issue {
  return {
    severity: 'warning',
    code: 'btf.trailing',
    region,
    message: `${counted(span.end - span.start, 'byte')} after the string section`,
    span,
  };
}

function knownExt(header: ExtHeader): number {
  return header.coreRelo === null ? BTF_HEADER_SIZE : EXT_HEADER_SIZE_CORE;
}

/** Returns all fields of the `.BTF.ext` header. `reader` has the byte order of the section. */
export function extHeaderBlock(reader: ByteReader, header: ExtHeader): HeaderBlock {
  const partFields = (part: ExtPartHeader): HeaderField[] => [
    headerField(
      reader,
      `${part.name}_off`,
      part.field,
      part.off,
      `${part.name} begins at ${hexText(part.start)} of the section`,
    ),
    headerField(
      reader,
      `${part.name}_len`,
      part.field + 4,
      part.len,
      part.len === 0 ? `no ${part.name}` : '',
    ),
  ];
  return {
    title: '.BTF.ext header',
    span: reader.span(0, header.hdrLen),
    fields: [
      ...commonFields(reader, header),
      ...partFields(header.funcInfo),
      ...partFields(header.lineInfo),
      ...(header.coreRelo === null ? [] : partFields(header.coreRelo)),
      ...unknownFields(reader, knownExt(header), header.hdrLen),
    ],
  };
}

/** Returns issues that do not prevent reading. `typesEndian` is the byte order of `.BTF`. */
export function extHeaderOddities(
  reader: ByteReader,
  header: ExtHeader,
  typesEndian: Endian,
): Issue[] {
  const issues = commonOddities(reader, header, knownExt(header), 'ext', '.BTF.ext');
  const { region } = reader;
  if (header.endian !== typesEndian) {
    issues.push({
      severity: 'warning',
      code: 'ext.endian',
      region,
      message: `.BTF.ext is ${header.endian}-endian, .BTF ${typesEndian}-endian`,
      span: reader.span(0, 2),
    });
  }
  if (header.hdrLen === reader.length) {
    issues.push({
      severity: 'warning',
      code: 'ext.no-data',
      region,
      message: 'No data after the .BTF.ext header',
      span: reader.span(0, header.hdrLen),
    });
  } else if (header.coreRelo === null) {
    issues.push({
      severity: 'note',
      code: 'ext.no-core-part',
      region,
      message: 'No CO-RE records: the header ends before that part',
      span: reader.span(4, 4),
    });
  }
  return issues;
}
