/** A log to try the reader with. */
import type { CoreResult } from '#analysis/core/resolve.ts';
import { coreIndex } from '#model/ids.ts';
import { coreLog } from '#print/core-log.ts';
import type { LinePart } from './log-parts.ts';

/** What libbpf writes of all records, with a newline behind each line. Raw names. */
export function logOfResults(results: readonly CoreResult[]): string {
  let text = '';
  for (const result of results) for (const line of coreLog(result)) text += `${line}\n`;
  return text;
}

/** What is asked about most, for files that have no relocations of their own: a field that moved in Linux 6.11. */
export const INODE_LOG = `libbpf: prog 'dump_inode': relo #4: <byte_off> [423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)
libbpf: prog 'dump_inode': relo #4: no matching targets found
libbpf: prog 'dump_inode': relo #4: substituting insn #12 w/ invalid insn
libbpf: prog 'dump_inode': BPF program load failed: -22
libbpf: prog 'dump_inode': -- BEGIN PROG LOAD LOG --
12: <invalid CO-RE relocation>
failed to resolve CO-RE relocation <byte_off> [423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)
processed 13 insns (limit 1000000) max_states_per_insn 0 total_states 1 peak_states 1 mark_read 1
libbpf: prog 'dump_inode': -- END PROG LOAD LOG --
libbpf: failed to load object 'dump_inode.bpf.o'
`;

/** The lines that libbpf prints of some results, each with the record that it is about. */
type WrittenLine = {
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
      goal: { selection, view: 'core', title: 'Inspect relocation', file: null },
    },
    { start: end, text: text.slice(end), goal: null },
  ];
}
