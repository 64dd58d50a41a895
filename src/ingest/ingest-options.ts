import type { Progress, Signal } from '#bytes/slices.ts';
import type { TypeTable } from '#model/type-table.ts';

/** How a caller follows and stops the reading of a file, and what it is read on. */
export type IngestOptions = {
  readonly signal?: Signal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The base for split BTF. One that does not fit is told and not used; BTF that stands alone needs none. */
  readonly base?: TypeTable;
  /** What a person calls that base; only for messages. */
  readonly baseName?: string;
};
