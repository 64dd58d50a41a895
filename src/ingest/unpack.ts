/** Unpacks files that are compressed as a whole. */
import { append } from '#bytes/arrays.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { type ByteSource, MAX_MEMORY, unpackedSource } from '#bytes/source.ts';
import {
  type CompressedKind,
  type DecompressOptions,
  decompress,
} from '#formats/containers/decompress.ts';
import { isPackedKind, type PackedKind, sniff } from '#formats/containers/sniff.ts';
import type { IngestOptions } from './ingest-options.ts';

/** Number of bytes that identify the compression of a text. */
const TEXT_HEAD = 512;

/** Unpacks `source`. Damage is an issue. Throws `Malformed` if it is too large or unsupported. */
export async function unpackSource(
  source: ByteSource,
  kind: PackedKind,
  issues: Issue[],
  options: IngestOptions,
): Promise<ByteSource> {
  options.onProgress?.({ step: `unpacking ${kind}`, done: 0, total: 0 });
  const packed = await readWhole(source);
  const unpacked = await decompress(kind, packed, {
    region: source.name,
    limit: MAX_MEMORY,
    ...decompressOptions(kind, options),
  });
  append(issues, unpacked.issues);
  return unpackedSource(source, source.name, unpacked.bytes);
}

/** Returns the options of `decompress` for `kind`. Progress counts packed bytes. */
export function decompressOptions(
  kind: CompressedKind | 'zip',
  { signal, onProgress }: IngestOptions,
): Pick<DecompressOptions, 'signal' | 'onProgress'> {
  const step = `unpacking ${kind}`;
  return { signal, onProgress: onProgress && ((done, total) => onProgress({ step, done, total })) };
}

/** Returns the text of a file, unpacked if necessary. Throws as `unpackSource` does. */
export async function readText(source: ByteSource): Promise<string> {
  return new TextDecoder().decode(await readPlain(source));
}

/** Returns the bytes of a file, unpacked if necessary. Throws as `unpackSource` does. */
export async function readPlain(source: ByteSource): Promise<Uint8Array> {
  const kind = sniff(await source.read(0, Math.min(source.size, TEXT_HEAD)));
  return await readWhole(isPackedKind(kind) ? await unpackSource(source, kind, [], {}) : source);
}

/** Returns all bytes of `source`. Throws `Malformed` (`container.too-large`) above the limit. */
export async function readWhole(source: ByteSource): Promise<Uint8Array> {
  if (source.size > MAX_MEMORY) {
    throw new Malformed({
      code: 'container.too-large',
      region: source.name,
      message: `${source.name}: ${source.size} bytes are more than can be unpacked here`,
      span: null,
      expected: `at most ${MAX_MEMORY} bytes`,
      found: `${source.size} bytes`,
      advice: 'Unpack the file yourself and open the result.',
    });
  }
  return source.read(0, source.size);
}
