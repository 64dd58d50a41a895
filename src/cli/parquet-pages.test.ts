import { parquetMetadata } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { checkPages } from './parquet-pages.ts';

/**
 * Returns a file with one column of numbers and nulls, and the offset of the levels in its page.
 */
function written() {
  const data = [1, null, null, 4, 5];
  const columnData = [{ name: 'a', data, type: 'INT32', nullable: true } as const];
  const bytes = new Uint8Array(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED' }));
  const reader = { view: new DataView(bytes.buffer), offset: 'PAR1'.length };
  const header = parquetHeader(reader);
  return { bytes, header, levels: reader.offset };
}

async function check(bytes: Uint8Array): Promise<void> {
  const metadata = parquetMetadata(bytes.slice().buffer);
  await checkPages(bufferSource('a', bytes), metadata, new Set(['a']));
}

it('takes a page as it is written', async () => {
  const { bytes, header } = written();
  expect(header.data_page_header_v2?.definition_levels_byte_length).toBeGreaterThan(0);
  await check(bytes);
});

it.each([
  ['repeats a value too often', 0x7e, 'a run has 63 values, of 5 that are left'],
  ['has too many groups of eight', 0x7f, 'a run has 504 values, of 5 that are left'],
])('refuses a run that %s', async (_what, byte, said) => {
  const { bytes, levels } = written();
  bytes[levels] = byte;
  await expect(check(bytes)).rejects.toThrow(said);
});

it('refuses a run of a thousand million values', async () => {
  const { bytes, levels } = written();
  bytes.set([0x81, 0x80, 0x80, 0x80, 0x01], levels);
  await expect(check(bytes)).rejects.toThrow('a run has 1073741824 values, of 5 that are left');
});
