/** RPM packages: a lead, two headers, a compressed cpio archive. Source: the manual of RPM. */
import { startsWith } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { hexDigits } from '#bytes/text.ts';

const LEAD_LENGTH = 96;
const MAGIC = [0x8e, 0xad, 0xe8, 0x01];
const HEADER_LENGTH = 16;
const ENTRY_LENGTH = 16;

/** Returns the span of the payload of an RPM package. Throws `Malformed` (`rpm.bad-header`). */
export async function rpmPayload(source: ByteSource): Promise<Span> {
  const signature = await headerEnd(source, LEAD_LENGTH, 'signature header');
  const start = await headerEnd(source, Math.ceil(signature / 8) * 8, 'package header');
  return { start, end: source.size };
}

/** Returns the end of the RPM header at `start`, which has entries, then data. */
async function headerEnd(source: ByteSource, start: number, what: string): Promise<number> {
  const bytes = await source.read(start, start + HEADER_LENGTH);
  if (bytes.length < HEADER_LENGTH || !startsWith(bytes, MAGIC)) {
    const found = bytes.length === 0 ? 'the end of the file' : hexDigits(bytes.subarray(0, 4));
    throw badHeader(source, what, spanOf(start, HEADER_LENGTH), hexDigits(MAGIC), found);
  }
  const reader = new ByteReader(bytes, what, 'big', start);
  const end = start + HEADER_LENGTH + reader.u32(8) * ENTRY_LENGTH + reader.u32(12);
  if (end >= source.size) {
    const found = `${end} of ${source.size} bytes`;
    throw badHeader(source, what, reader.span(8, 8), 'a header inside the file', found);
  }
  return end;
}

function badHeader(
  source: ByteSource,
  what: string,
  span: Span,
  expected: string,
  found: string,
): Malformed {
  return new Malformed({
    code: 'rpm.bad-header',
    region: source.name,
    message: `${source.name}: the ${what} of the RPM package cannot be read`,
    span,
    expected,
    found,
    advice: 'Download the package again, or get its files out with "rpm2cpio".',
  });
}
