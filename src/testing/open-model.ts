/** Bytes of a test as a model, opened as a dropped file is. */
import { bufferSource } from '#bytes/source.ts';
import { ingest, ingestBytes } from '#ingest/ingest.ts';
import type { IngestOptions } from '#ingest/ingest-options.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** The model of an object or BTF blob. Throws `Malformed` where it is refused, `Error` for an archive. */
export async function openModel(
  name: string,
  bytes: Uint8Array,
  options: IngestOptions = {},
): Promise<ObjectModel> {
  const opened = await ingest(bufferSource(name, bytes), options);
  if (opened.kind !== 'object') throw new Error(`${name} is an archive`);
  return opened.model;
}

/** The model and what its offsets count in: the file itself, or what was unpacked from it. */
export async function openObject(name: string, bytes: Uint8Array) {
  const opened = await ingestBytes(name, bytes);
  if (opened.kind !== 'object') throw new Error(`${name} is an archive`);
  return { model: opened.model, source: opened.source };
}
