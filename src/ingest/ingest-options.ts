import type { Progress, Signal } from '#bytes/long-work.ts';
import type { TypeTable } from '#model/type-table.ts';

/** Options for reading a file: a signal, a progress callback, and the base for split BTF. */
export type IngestOptions = {
  readonly signal?: Signal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The base for split BTF. A base that does not fit is reported and not used; BTF that is not split needs none. */
  readonly base?: TypeTable;
  /** Display name of the base, for messages. */
  readonly baseName?: string;
};
