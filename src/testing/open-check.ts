/** Opens a file for tests of verdicts. */
import { checkFile, type FileCheck } from '#analysis/libbpf/file-check.ts';
import { bufferSource } from '#bytes/source.ts';
import { storedBtf } from '#ingest/blob.ts';
import { ingest } from '#ingest/ingest.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';

/**
 * Returns the check of a file's BTF, and its model. Throws `Malformed` for a rejected file, and an
 * error for one without BTF.
 */
export async function openCheck(
  name: string,
  bytes: Uint8Array,
  base: TypeTable | null = null,
): Promise<{ readonly model: ObjectModel; readonly check: FileCheck }> {
  const opened = await ingest(bufferSource(name, bytes), base === null ? {} : { base });
  if (opened.kind !== 'object') throw new Error(`${name} is an archive`);
  const { model, source } = opened;
  const stored = await storedBtf(model, source);
  if (stored === null) throw new Error(`${name} has no BTF`);
  return { model, check: checkFile(stored, model) };
}
