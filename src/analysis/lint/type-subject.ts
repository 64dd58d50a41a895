/** What every pass over the types is given. */
import type { BlobRecords } from './blob-records.ts';
import type { Collected } from './collected.ts';
import type { NameCheck } from './name-check.ts';
import type { TypeSizes } from './type-sizes.ts';

export type TypeSubject = {
  readonly records: BlobRecords;
  readonly sizes: TypeSizes;
  readonly names: NameCheck;
  readonly found: Collected;
};

/** Passes yield once for so many records. */
export const RECORDS_PER_STEP = 4096;
