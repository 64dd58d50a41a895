/** The `.BTF.ext` header as a block of fields, and what is odd about it. Source: "BTF Type Format", section 4.2. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import {
  EXT_HEADER_SIZE_CORE,
  type ExtHeader,
  type ExtPartHeader,
} from '#formats/btf/ext-header.ts';
import { BTF_HEADER_SIZE } from '#formats/btf/header.ts';
import type { HeaderBlock, HeaderField } from '#model/object-model.ts';
import { commonFields, commonOddities, headerField, hex, unknownFields } from './header-fields.ts';

function known(header: ExtHeader): number {
  return header.coreRelo === null ? BTF_HEADER_SIZE : EXT_HEADER_SIZE_CORE;
}

/** Every field of the header, with its span. `reader` covers the section in its byte order. */
export function extHeaderBlock(reader: ByteReader, header: ExtHeader): HeaderBlock {
  const partFields = (part: ExtPartHeader): HeaderField[] => [
    headerField(
      reader,
      `${part.name}_off`,
      part.field,
      part.off,
      `${part.name} begins at ${hex(part.start)} of the section`,
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
      ...unknownFields(reader, known(header), header.hdrLen),
    ],
  };
}

/** What is odd about the header and read over. `typesEndian` is the byte order of `.BTF`. */
export function extHeaderOddities(
  reader: ByteReader,
  header: ExtHeader,
  typesEndian: Endian,
): Issue[] {
  const issues = commonOddities(reader, header, known(header), 'ext', '.BTF.ext');
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
      message: 'There is nothing behind the .BTF.ext header',
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
