/** A raw BTF blob, such as /sys/kernel/btf/vmlinux, as a model. */
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { NO_BTF_IDS } from '#model/btf-ids.ts';
import { NO_EXT } from '#model/ext.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_RELOCATIONS } from '#model/relocations.ts';
import { NO_SECTIONS } from '#model/sections.ts';
import { NO_SYMBOLS } from '#model/symbols.ts';
import { readBlob } from './blob-bytes.ts';
import { trailingIssue } from './btf-header-block.ts';
import type { IngestOptions } from './ingest-options.ts';
import { ingestPlacedBtf } from './split-choice.ts';

/** Reads `source` as one BTF blob. Throws `Malformed` when no type of it may be shown. */
export async function ingestBlob(
  source: ByteSource,
  containers: readonly string[],
  issues: Issue[],
  options: IngestOptions,
): Promise<ObjectModel> {
  const bytes = await readBlob(source);
  const region = { bytes, fileOffset: 0, region: source.name };
  const { types, header, splitBase } = ingestPlacedBtf(region, null, options, issues);
  if (bytes.length < source.size) {
    issues.push(trailingIssue(source.name, { start: bytes.length, end: source.size }));
  }
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
    splitBase,
    ext: NO_EXT,
    btfIds: NO_BTF_IDS,
    ecoff: null,
    issues,
  };
}
