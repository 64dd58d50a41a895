/** Shows BTF as fields: header, types, kinds, strings. Source: "BTF Type Format", section 2. */
import type { FileStructure, PlacedBlob } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  type Piece,
  paddingField,
  pieces,
  type StructureField,
  sequence,
} from '#analysis/fields/field.ts';
import { headerField } from '#analysis/fields/header.ts';
import {
  BTF_LAYOUT_SOURCE,
  BTF_STRINGS_SOURCE,
  BTF_TYPE_SOURCE,
} from '#analysis/fields/sources.ts';
import { stringFields } from '#analysis/fields/strings.ts';
import { structFields } from '#analysis/fields/struct-fields.ts';
import { inRow, table } from '#analysis/fields/table.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { counted } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { typeField } from './btf-type.ts';

/** Returns the parts of a blob. `span` is the section or file of the blob. */
export function blobParts(structure: FileStructure, blob: PlacedBlob, span: Span): FieldList {
  const { start, header } = blob;
  const place = (extent: Span): Span => ({ start: start + extent.start, end: start + extent.end });
  const parts: Piece[] = [
    { ...spanOf(start, header.hdrLen), make: () => blobHeader(structure, blob) },
    { ...place(header.types), make: (at) => typesField(blob, at) },
    ...(header.layout === null
      ? []
      : [{ ...place(header.layout), make: (at: Span) => layoutField(blob, at) }]),
    { ...place(header.strings), make: (at) => stringsField(structure, blob, at) },
  ];
  return pieces(span, parts, (at) =>
    at.start >= start + header.strings.end
      ? makeField('undescribed', 'behind the strings', at, {
          meaning: 'No header describes these bytes',
        })
      : paddingField(at, 'Between the parts of the blob'),
  );
}

function blobHeader({ model }: FileStructure, blob: PlacedBlob): StructureField {
  const block = model.headers.find(
    ({ title, span }) => title === 'BTF header' && span.start === blob.start,
  );
  const span = spanOf(blob.start, blob.header.hdrLen);
  return block === undefined
    ? makeField('header', 'BTF header', span)
    : headerField(block, { endian: blob.types.endian, read: blob.read, addressBits: 64 });
}

function typesField(blob: PlacedBlob, span: Span): StructureField {
  const { types, start } = blob;
  const { count, recordOff } = types;
  const first = recordOff[0] ?? 0;
  const end = start + (recordOff[count] ?? first);
  const isWhole = end >= span.end;
  return makeField('part', 'types', span, {
    meaning: counted(count, 'type'),
    source: BTF_TYPE_SOURCE,
    parts: () =>
      sequence(
        isWhole ? count : count + 1,
        (i) => (i > count ? span.end : start + (recordOff[i] ?? first)),
        (i) =>
          i < count
            ? typeField(blob, typeId(types.firstId + i))
            : makeField('undescribed', 'not read', { start: end, end: span.end }, UNREAD),
      ),
  });
}

const UNREAD = { meaning: 'After a record of unknown length' };

function layoutField(blob: PlacedBlob, span: Span): StructureField {
  const entries = Math.floor((span.end - span.start) / 4);
  const place = { endian: blob.types.endian, read: blob.read, source: BTF_LAYOUT_SOURCE };
  return makeField('part', 'layout', span, {
    meaning: 'Record sizes by kind',
    source: BTF_LAYOUT_SOURCE,
    parts: () =>
      table(span, 4, entries, (i, at) =>
        makeField('entry', `kind ${i} ${kindName(i)}`, at, {
          source: BTF_LAYOUT_SOURCE,
          parts: () => structFields({ ...place, span: at }, LAYOUT_FIELDS),
        }),
      ),
  });
}

const LAYOUT_FIELDS = inRow([
  {
    name: 'info_sz',
    cType: '__u8',
    size: 1,
    meaning: () => 'bytes that follow struct btf_type once',
  },
  { name: 'elem_sz', cType: '__u8', size: 1, meaning: () => 'bytes that follow for each of vlen' },
  { name: 'flags', cType: '__u16', size: 2, notation: 'hex' },
]);

function stringsField(
  structure: FileStructure,
  { types, read }: PlacedBlob,
  span: Span,
): StructureField {
  return makeField('part', 'strings', span, {
    meaning: 'Names, each with the NUL that ends it',
    source: BTF_STRINGS_SOURCE,
    parts: () =>
      stringFields({
        span,
        read,
        source: BTF_STRINGS_SOURCE,
        offsetBase: types.strBase,
        known: structure.stringStarts,
      }),
  });
}
