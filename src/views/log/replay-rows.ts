/** Rows of the lists that show a walk. */
import type { Replay, Segment } from '#analysis/verifier/replay.ts';
import type { ReplayLine, ReplayLines } from '#analysis/verifier/replay-source.ts';

/** A row of the source: a file, a line of it (an index), or an instruction of a line. */
export type SourceRow =
  | { readonly kind: 'file'; readonly file: string | null }
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'insn'; readonly line: number; readonly insn: number };

/** Returns the rows of lines. Only the line `unfolded` shows its instructions; all if it is null. */
export function sourceRows(lines: readonly ReplayLine[], unfolded: number | null): SourceRow[] {
  const rows: SourceRow[] = [];
  lines.forEach(({ file, insns }, line) => {
    if (line === 0 || lines[line - 1]?.file !== file) rows.push({ kind: 'file', file });
    rows.push({ kind: 'line', line });
    if (unfolded !== null && unfolded !== line) return;
    for (const insn of insns) rows.push({ kind: 'insn', line, insn });
  });
  return rows;
}

/** Returns the first step of a line on the path, else its last step of all; null if it has none. */
export function stepOfLine(
  { lineOfStep }: ReplayLines,
  path: Int32Array,
  stepCount: number,
  line: number,
): number | null {
  const onPath = path.find((step) => lineOfStep[step] === line);
  if (onPath !== undefined) return onPath;
  for (let step = stepCount - 1; step >= 0; step--) if (lineOfStep[step] === line) return step;
  return null;
}

/** Returns the last step of an instruction on the path, else the one that the walk shows first. */
export function placeOfStep(replay: Replay, path: Int32Array, insn: number): number | null {
  return path.findLast((step) => replay.insnOf(step) === insn) ?? replay.stepOfInsn(insn);
}

/** Returns the index of the segment that contains a step; -1 if there is none. */
export function segmentAt(segments: readonly Segment[], step: number): number {
  return segments.findIndex(({ first, last }) => first <= step && step <= last);
}
