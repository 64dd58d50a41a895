/** Bytes of a test as a model with its verdicts, opened as a dropped file is. */
import { checkFile, type FileCheck } from '#analysis/libbpf/file-check.ts';
import { bufferSource } from '#bytes/source.ts';
import { storedBtf } from '#ingest/btf-bytes.ts';
import { ingest } from '#ingest/ingest.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';

/** The model, read on `base` where that is given, and the check. Throws `Malformed` where the file is refused, `Error` where it has no BTF. */
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
