/** A raw BTF blob, such as /sys/kernel/btf/vmlinux, as a model. */
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { NO_EXT } from '#model/ext.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_RELOCATIONS } from '#model/relocations.ts';
import { NO_SECTIONS } from '#model/sections.ts';
import { NO_SYMBOLS } from '#model/symbols.ts';
import { ingestBtf } from './btf.ts';

/** Reads `source` as one BTF blob. Throws `Malformed` when no type of it may be shown. */
export async function ingestBlob(
  source: ByteSource,
  containers: readonly string[],
  issues: Issue[],
): Promise<ObjectModel> {
  const bytes = await source.read(0, source.size);
  const { types, header } = ingestBtf({ bytes, fileOffset: 0, region: source.name }, null, issues);
  return {
    name: source.name,
    format: 'btf',
    size: source.size,
    containers,
    endian: types.endian,
    addressBits: 64,
    machine: null,
    fileType: '',
    headers: [header],
    sections: NO_SECTIONS,
    symbols: NO_SYMBOLS,
    relocations: NO_RELOCATIONS,
    types,
    ext: NO_EXT,
    issues,
  };
}
