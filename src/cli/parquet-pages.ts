/**
 * Checks the pages of a Parquet file before hyparquet decodes them: wrong offsets and run lengths
 * would make hyparquet loop forever. Source: "Parquet encoding definitions", `parquet.thrift`
 * (apache/parquet-format).
 */
import { type FileMetaData, snappyUncompress } from 'hyparquet';
// hyparquet's package.json exports `./src/*.js`. Its main entry (1.33) exports no reader of page
// headers: `parquetScan` and `onPage` return a page only after decoding, but the check must come
// before.
import { parquetHeader } from 'hyparquet/src/column.js';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';

type Header = ReturnType<typeof parquetHeader>;
type Column = NonNullable<FileMetaData['row_groups'][number]['columns'][number]['meta_data']>;

/** Checks that pages are adjacent and have at most one value per row. Rejects with `TypeError`. */
export async function checkPages(
  source: ByteSource,
  { row_groups: groups, schema, num_rows: rows }: FileMetaData,
  columns: ReadonlySet<string>,
): Promise<void> {
  const repetitions = new Map(schema.map(({ name, repetition_type: type }) => [name, type]));
  for (const { meta_data: column } of groups.flatMap((group) => group.columns)) {
    const name = column?.path_in_schema.join('.') ?? '';
    if (column === undefined || !columns.has(name)) continue;
    const repetition = repetitions.get(name);
    if (repetition === 'REPEATED') throw new TypeError(`the column ${name} has lists`);
    const start = Number(column.dictionary_page_offset || column.data_page_offset);
    const chunk = await source.read(start, start + Number(column.total_compressed_size));
    const reader = { view: viewOf(chunk), offset: 0 };
    while (reader.offset < chunk.length - 1) {
      const header = parquetHeader(reader);
      const { compressed_page_size: size } = header;
      const of = `a page of the column ${visible(name)}`;
      if (!(size >= 0 && reader.offset + size <= chunk.length)) {
        throw new TypeError(`${of} says that it has ${size} bytes`);
      }
      const count = valuesOf(header);
      if (!(count >= 0 && count <= rows))
        throw new TypeError(`${of} says that it has ${count} values`);
      const bytes = chunk.subarray(reader.offset, reader.offset + size);
      checkPage(header, bytes, column, repetition === 'OPTIONAL', of);
      reader.offset += size;
    }
  }
}

function valuesOf({
  data_page_header: v1,
  data_page_header_v2: v2,
  dictionary_page_header,
}: Header) {
  return v1?.num_values ?? v2?.num_values ?? dictionary_page_header?.num_values ?? 0;
}

function checkPage(
  header: Header,
  bytes: Uint8Array,
  column: Column,
  isOptional: boolean,
  of: string,
) {
  const { data_page_header: v1, data_page_header_v2: v2, uncompressed_page_size: length } = header;
  if (v2 !== undefined) {
    const levels = [v2.definition_levels_byte_length, v2.repetition_levels_byte_length];
    if (!levels.every((each = -1) => each >= 0 && each <= bytes.length)) {
      throw new TypeError(`${of} has levels of ${levels.join()} bytes`);
    }
    const [definitions = 0, repetitions = 0] = levels;
    if (isOptional) checkRuns(bytes, repetitions, 1, v2.num_values);
    const packed = bytes.subarray(definitions + repetitions);
    const isPacked = v2.is_compressed !== false;
    const rest = length - definitions - repetitions;
    const page = isPacked ? unpacked(packed, rest, column.codec) : packed;
    const values = v2.num_values - v2.num_nulls;
    if (!(values >= 0 && values <= v2.num_values)) {
      throw new TypeError(`${of} has ${v2.num_nulls} nulls in ${v2.num_values} values`);
    }
    const hasLength = v2.encoding === 'RLE';
    checkValues(page, 0, v2.encoding, values, { hasLength, isZeroFree: false });
  } else if (v1 !== undefined) {
    const page = unpacked(bytes, length, column.codec);
    let at = 0;
    let values = v1.num_values;
    if (isOptional) {
      values = checkRuns(page, LENGTH_BYTES, 1, v1.num_values);
      at = LENGTH_BYTES + viewOf(page).getUint32(0, true);
    }
    const hasLength = column.type === 'BOOLEAN';
    // hyparquet reads no runs if the width is 0.
    checkValues(page, at, v1.encoding, values, { hasLength, isZeroFree: true });
  }
}

/** Size of the length field before runs of levels and of booleans, in bytes. */
const LENGTH_BYTES = 4;
/** Limit of values in a block of the DELTA encodings. */
const MAX_BLOCK = 1 << 16;

/** Checks encoded values from offset `at` on; `values` is their number without nulls. */
function checkValues(
  page: Uint8Array,
  at: number,
  encoding: string,
  values: number,
  { hasLength, isZeroFree }: { readonly hasLength: boolean; readonly isZeroFree: boolean },
): void {
  if (encoding.endsWith('_DICTIONARY') || encoding === 'RLE') {
    const width = page[at] ?? 0;
    if (hasLength) checkRuns(page, at + LENGTH_BYTES, 1, values);
    else if (width > 0 || !isZeroFree) checkRuns(page, at + 1, width, values);
  } else if (encoding.startsWith('DELTA')) {
    const block = varint(page, at);
    const miniblocks = varint(page, block.end);
    if (!(block.value > 0 && block.value <= MAX_BLOCK && miniblocks.value <= block.value)) {
      throw new TypeError(`a block has ${block.value} values in ${miniblocks.value} parts`);
    }
  }
}

/** Checks runs from `at` on: `values` values of `width` bits. Counts the ones if `width` is 1. */
function checkRuns(bytes: Uint8Array, at: number, width: number, values: number): number {
  let place = at;
  let ones = 0;
  for (let left = values; left > 0; ) {
    const { value: header, end } = varint(bytes, place);
    const isPacked = (header & 1) === 1;
    // As in hyparquet, the number of values overflows: a large header gives a negative number.
    const count = isPacked ? (header >> 1) << 3 : header >>> 1;
    if (count < 0 || count >= left + 8) {
      throw new TypeError(`a run has ${count} values, of ${left} that are left`);
    }
    const last = bytes[end] ?? 0;
    if (!isPacked) ones += last === 1 ? Math.min(count, left) : 0;
    else if (width === 1) ones += onesIn(bytes, end, Math.min(count, left));
    place = end + (isPacked ? (count >> 3) * width : (width + 7) >> 3);
    left -= count;
  }
  return ones;
}

function onesIn(bytes: Uint8Array, at: number, bits: number): number {
  let ones = 0;
  for (let bit = 0; bit < bits; bit++) ones += ((bytes[at + (bit >> 3)] ?? 0) >> (bit & 7)) & 1;
  return ones;
}

/** Reads an unsigned LEB128 number of up to 32 bits. Throws `TypeError` if bytes are missing. */
function varint(bytes: Uint8Array, at: number) {
  let value = 0;
  for (let end = at, shift = 0; ; shift += 7) {
    const byte = bytes[end++];
    if (byte === undefined) throw new TypeError('a page ends within its values');
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end };
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function unpacked(bytes: Uint8Array, length: number, codec: string): Uint8Array {
  // hyparquet rejects codecs other than Snappy.
  return codec === 'SNAPPY' ? unsnapped(bytes, length) : bytes;
}

/** Largest ratio of unpacked to packed bytes in Snappy: three bytes can copy 64. */
const MAX_SNAPPY_RATIO = 22;

/** Unpacks a page to `length` bytes. Throws `TypeError` if Snappy cannot produce `length` bytes. */
export function unsnapped(packed: Uint8Array, length: number): Uint8Array {
  if (length > MAX_SNAPPY_RATIO * packed.length + 64) {
    throw new TypeError(`a page says that it unpacks ${packed.length} bytes to ${length}`);
  }
  const page = new Uint8Array(length);
  snappyUncompress(packed, page);
  return page;
}
