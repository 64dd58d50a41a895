/** Places in a log: the part and the class of a line, the line that is shown first. */
import { LINE_CLASSES, type LineClass } from '#formats/verifier-log/line.ts';
import type { LogOverview } from './log-overview.ts';

/** Returns the index of the part that a line belongs to: see `firstOwnLine` of `log-groups.ts`. */
export function partAt({ parts }: Pick<LogOverview, 'parts'>, line: number): number {
  const next = parts.findIndex(({ ownFirstLine }) => ownFirstLine > line);
  return Math.max(0, (next < 0 ? parts.length : next) - 1);
}

/** Returns the line that a log shows first: that of the first failure, else of the first part. */
export function firstShownLine({ parts }: Pick<LogOverview, 'parts'>): number {
  const failed = parts.find(({ verdict, cause }) => verdict === 'rejected' || cause !== null);
  return (failed ?? parts[0])?.tellingLine ?? 0;
}

/** Returns the class of a line. */
export function lineClassOf({ classes }: Pick<LogOverview, 'classes'>, line: number): LineClass {
  return LINE_CLASSES[classes[line] ?? 0] ?? 'unknown';
}
