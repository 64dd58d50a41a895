/** The walk of a log as columns that the page keeps while a person replays it. */
import { getOrCreate } from '#bytes/cache.ts';
import type { Prune, Walk } from './walk.ts';

/** A line of C of the log. Texts are raw. */
export type ReplaySource = {
  readonly text: string;
  /** Base name; null up to Linux 6.6. */
  readonly file: string | null;
  readonly line: number | null;
};

/** Columns of the walked steps; see `Walk`. They can be transferred to another thread. */
export type ReplayColumns = {
  readonly insns: Int32Array;
  /** Line of each step in the text. */
  readonly lines: Int32Array;
  readonly parents: Int32Array;
  /** Indexes in `EDGES`. */
  readonly edges: Uint8Array;
  readonly frames: Uint8Array;
  /** Index of each step's line in `sources`; -1 if the log has none. */
  readonly sourceIds: Int32Array;
  readonly sources: readonly ReplaySource[];
  /** Text of each walked instruction. */
  readonly texts: ReadonlyMap<number, string>;
  readonly prunes: readonly Prune[];
};

/** Returns the columns of a walk. */
export function replayColumns(walk: Walk): ReplayColumns {
  const { stepCount, insns, lines, parents, edges, frames, sourceLines, prunes } = walk;
  const sourceIds = new Int32Array(stepCount);
  const sources: ReplaySource[] = [];
  const ids = new Map<string, number>();
  const texts = new Map<number, string>();
  let lastLine = -1;
  let lastId = -1;
  for (let step = 0; step < stepCount; step++) {
    const insn = walk.insnOf(step);
    if (!texts.has(insn)) texts.set(insn, walk.printedOf(step));
    const line = sourceLines[step] ?? -1;
    if (line !== lastLine) {
      lastLine = line;
      const source = line < 0 ? '' : walk.table.textOf(line);
      lastId = getOrCreate(ids, source, () => {
        const found = walk.sourceOf(step);
        if (found === null) return -1;
        const { text, file, line: number } = found;
        return sources.push({ text, file, line: number }) - 1;
      });
    }
    sourceIds[step] = lastId;
  }
  return { insns, lines, parents, edges, frames, sourceIds, sources, texts, prunes };
}
