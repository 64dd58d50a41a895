import type { Grouping } from '#analysis/core/matrix/groups.ts';
import type { CoreMatrix } from '#analysis/core/matrix/matrix.ts';

/** What all lines of the table are told. */
export type LineProps = {
  readonly index: number;
  /** Of the ids of its cells. */
  readonly idPrefix: string;
  /** CSS pixels. */
  readonly top: number;
  readonly height: number;
  readonly gridTemplateColumns: string;
  readonly matrix: CoreMatrix;
  /** Targets whose cells are drawn: to `endTarget`, exclusive. */
  readonly firstTarget: number;
  readonly endTarget: number;
  /** Column of the active cell, 0 for the line's name; null where it is in another line. */
  readonly activeColumn: number | null;
  readonly by: Grouping;
};
