import type { Progress } from '#bytes/progress.ts';

/** How a caller follows and stops the reading of a file. */
export type IngestOptions = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
};
