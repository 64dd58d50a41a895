/** Opens files for tests as the page opens a dropped file. */
import { bufferSource } from '#bytes/source.ts';
import { ingest, ingestBytes } from '#ingest/ingest.ts';
import type { IngestOptions } from '#ingest/ingest-options.ts';
import type { ObjectModel } from '#model/object-model.ts';

/**
 * Returns the model of an object or BTF blob. Throws `Malformed` if the file is rejected, `Error`
 * for an archive.
 */
export async function openModel(
  name: string,
  bytes: Uint8Array,
  options: IngestOptions = {},
): Promise<ObjectModel> {
  const opened = await ingest(bufferSource(name, bytes), options);
  if (opened.kind !== 'object') throw new Error(`${name} is an archive`);
  return opened.model;
}

/** Returns the model, and the source of its offsets: the file, or its unpacked contents. */
export async function openObject(name: string, bytes: Uint8Array) {
  const opened = await ingestBytes(name, bytes);
  if (opened.kind !== 'object') throw new Error(`${name} is an archive`);
  return { model: opened.model, source: opened.source };
}
