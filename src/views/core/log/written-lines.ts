/** The lines that libbpf prints of some results, each with the record that it is about. */
import type { CoreResult } from '#analysis/core/resolve.ts';
import { coreIndex } from '#model/ids.ts';
import { coreLog } from '#print/core-log.ts';
import type { LinePart } from './log-parts.ts';

export type WrittenLine = {
  /** The record, by its row in the file. */
  readonly row: number;
  readonly parts: readonly LinePart[];
};

/** In the order of the records; `relo #N` leads to the record. */
export function writtenLines(results: readonly CoreResult[]): WrittenLine[] {
  return results.flatMap((result) =>
    coreLog(result).map((text) => ({ row: result.record.index, parts: partsOf(result, text) })),
  );
}

function partsOf({ record }: CoreResult, text: string): LinePart[] {
  const words = `relo #${record.relocIndexInSection}`;
  const start = text.indexOf(words);
  if (start < 0) return [{ start: 0, text, goal: null }];
  const end = start + words.length;
  const selection = { kind: 'core', core: coreIndex(record.index), step: null } as const;
  return [
    { start: 0, text: text.slice(0, start), goal: null },
    {
      start,
      text: words,
      goal: { selection, view: 'core', title: 'Inspect the relocation', file: null },
    },
    { start: end, text: text.slice(end), goal: null },
  ];
}
