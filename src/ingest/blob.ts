/** Reads a raw BTF file, such as /sys/kernel/btf/vmlinux, as a model. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { type ByteSource, MAX_MEMORY } from '#bytes/source.ts';
import { BTF_HEADER_SIZE, BTF_HEADER_SIZE_LAYOUT, magicEndian } from '#formats/btf/header.ts';
import { NO_BTF_IDS } from '#model/btf-ids.ts';
import { NO_EXT } from '#model/ext.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_RELOCATIONS } from '#model/relocations.ts';
import { NO_SECTIONS } from '#model/sections.ts';
import { NO_SYMBOLS } from '#model/symbols.ts';
import { readSection, sectionsNamed } from './elf.ts';
import { trailingIssue } from './header-blocks.ts';
import type { IngestOptions } from './ingest-options.ts';
import { ingestPlacedBtf } from './place-btf.ts';

/** Reads `source` as a BTF blob. Throws `Malformed` if no type can be shown. */
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
    dwarf: null,
    kernelVersion: null,
    own: null,
    issues,
  };
}

/** Returns the bytes of the blob up to the end of its last section. Throws `Malformed`. */
async function readBlob(source: ByteSource): Promise<Uint8Array> {
  const head = new ByteReader(await source.read(0, BTF_HEADER_SIZE_LAYOUT), source.name);
  const end = Math.min(source.size, declaredEnd(head) ?? source.size);
  if (end > MAX_MEMORY) {
    throw new Malformed({
      code: 'btf.too-large',
      region: source.name,
      message: `${source.name}: BTF of ${end} bytes is more than can be held`,
      span: head.span(0, head.length),
      expected: `at most ${MAX_MEMORY} bytes`,
      found: `${end} bytes`,
    });
  }
  return source.read(0, end);
}

/** Returns the end of the last section, unchecked; null if the header is incomplete. */
function declaredEnd(head: ByteReader): number | null {
  const endian = magicEndian(head);
  if (endian === null || head.length < BTF_HEADER_SIZE) return null;
  const r = head.as(endian);
  const hdrLen = r.u32(4);
  const ends = [r.u32(8) + r.u32(12), r.u32(16) + r.u32(20)];
  if (hdrLen >= BTF_HEADER_SIZE_LAYOUT && r.length >= BTF_HEADER_SIZE_LAYOUT) {
    ends.push(r.u32(24) + r.u32(28));
  }
  return Math.max(BTF_HEADER_SIZE, hdrLen + ends.reduce((most, end) => Math.max(most, end), 0));
}

export type BtfBytes = {
  readonly bytes: Uint8Array;
  /** File offset of the first byte; null if the section is stored compressed. */
  readonly fileOffset: number | null;
};

/** Returns the `.BTF` section of an ELF file, or a raw BTF file; null if the bytes are missing. */
export async function storedBtf(model: ObjectModel, source: ByteSource): Promise<BtfBytes | null> {
  if (model.format === 'btf') return await rawBtf(source);
  const [first] = sectionsNamed(model.sections, '.BTF');
  return first === undefined ? null : await readSection(source, model, first, []);
}

/** Returns `source` as a BTF blob. Throws `Malformed` above the memory limit. */
export async function rawBtf(source: ByteSource): Promise<BtfBytes> {
  return { bytes: await source.read(0, Math.min(source.size, MAX_MEMORY)), fileOffset: 0 };
}
