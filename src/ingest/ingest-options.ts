import type { Progress, Signal } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import type { LoadForms } from '#formats/verifier-log/detect.ts';
import type { TypeTable } from '#model/type-table.ts';

/** Yields files that may be meant by a name. The caller checks their ids. */
export type FilesBeside = (names: readonly string[]) => AsyncIterable<ByteSource>;

/** Options for reading a file: a signal to cancel, a progress callback, a base for split BTF. */
export type IngestOptions = {
  readonly signal?: Signal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Base for split BTF. A base that does not fit becomes an issue and is not used. */
  readonly base?: TypeTable;
  /** Display name of the base, for messages. */
  readonly baseName?: string;
  /** True if the caller needs headers, sections and symbols alone: no types, no relocations. */
  readonly sectionsOnly?: boolean;
  /** File with the DWARF of a stripped file, whose sections have the same addresses. */
  readonly debugFile?: ByteSource;
  /** Opens files that may have types of the file: those with one of `names`, relative to its folder. */
  readonly filesBeside?: FilesBeside;
  /** Finds logs that have only lines of rare forms. */
  readonly loadForms?: LoadForms;
};
