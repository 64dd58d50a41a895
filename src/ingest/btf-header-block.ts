/** The BTF header as a block of fields, and what is odd about it. Source: "BTF Type Format", section 2; 2026 encoding. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import type { Span } from '#bytes/span.ts';
import { BTF_HEADER_SIZE, BTF_HEADER_SIZE_LAYOUT, type BtfHeader } from '#formats/btf/header.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { type BtfLayout, contradictions } from '#formats/btf/layout.ts';
import type { HeaderBlock, HeaderField } from '#model/object-model.ts';
import { commonFields, commonOddities, headerField, hex, unknownFields } from './header-fields.ts';

function known(header: BtfHeader): number {
  return header.layoutOff === null ? BTF_HEADER_SIZE : BTF_HEADER_SIZE_LAYOUT;
}

/** Every field of the header, with its span. `reader` covers the blob in its byte order. */
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
      ...unknownFields(reader, known(header), header.hdrLen),
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
  const at = isAbsent ? 'no layout' : `${what} at ${hex(header.hdrLen + off)} of the blob`;
  return [
    headerField(reader, `${name}_off`, offset, off, at),
    headerField(reader, `${name}_len`, offset + 4, len, isAbsent ? '' : `${len} bytes`),
  ];
}

/** What is odd about the header and its sections, and read over. */
export function btfHeaderOddities(
  reader: ByteReader,
  header: BtfHeader,
  layout: BtfLayout | null,
): Issue[] {
  return [
    ...commonOddities(reader, header, known(header), 'btf', 'BTF'),
    ...layoutOddities(reader, layout ?? []),
    ...unusedBytes(reader, header),
  ];
}

function layoutOddities(reader: ByteReader, layout: BtfLayout): Issue[] {
  const issues: Issue[] = [];
  const flagged = layout.filter((entry) => entry.flags !== 0);
  const [firstFlagged] = flagged;
  if (firstFlagged !== undefined) {
    const others = flagged.length > 1 ? ` and of ${flagged.length - 1} more kinds` : '';
    issues.push({
      severity: 'warning',
      code: 'btf.layout-flags',
      region: reader.region,
      message: `Unknown layout flags ${hex(firstFlagged.flags)} of ${kindName(firstFlagged.kind)}${others}`,
      span: reader.span(firstFlagged.offset + 2, 2),
      expected: '0x0',
      found: hex(firstFlagged.flags),
    });
  }
  const [wrong] = contradictions(layout);
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

/** Bytes between and behind the sections, which nothing refers to. */
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
        message: `${bytes(extent.start - end)} before the ${name} section belong to no section`,
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

/** The warning of bytes behind the last section. */
export function trailingIssue(region: string, span: Span): Issue {
  return {
    severity: 'warning',
    code: 'btf.trailing',
    region,
    message: `${bytes(span.end - span.start)} after the string section`,
    span,
  };
}

function bytes(count: number): string {
  return count === 1 ? '1 byte' : `${count} bytes`;
}
