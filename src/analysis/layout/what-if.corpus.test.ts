/**
 * Checks the proposed order of every struct of a kernel: complete, aligned, smaller, no overlap.
 */
import { describe, expect, it } from 'vitest';
import { alignOf } from '#analysis/types/sizes.ts';
import { type StructLayout, structLayout } from '#analysis/types/struct-layout.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOf } from '#model/type-table.ts';
import { atLeast, corpusKernels, kernelIds, readCorpusFile } from '#testing/corpus.ts';
import { tableOf } from '#testing/type-table.ts';
import { reorderedStruct, whatIf } from './what-if.ts';

describe('on kernels', () => {
  // A kernel with 8-byte pointers and one with 4-byte pointers, if the corpus has them.
  const ids = [kernelIds.second, kernelIds.bits32];
  const kernels = corpusKernels().filter(({ id }) => ids.includes(id));

  it.each(kernels)(
    '$id',
    (kernel) => {
      const t = tableOf(readCorpusFile(kernel));
      const complaints: string[] = [];
      let smaller = 0;
      for (let i = 1; i <= t.count; i++) {
        const id = typeId(i);
        if (kindOf(t, id) !== BtfKind.STRUCT) continue;
        const outcome = whatIf(t, id);
        if (outcome.kind !== 'smaller') continue;
        smaller++;
        const before = structLayout(t, id);
        const { types, type } = reorderedStruct(t, id, outcome);
        const after = structLayout(types, type);
        const complain = (what: string) => complaints.push(`${nameOf(t, id)}: ${what}`);
        if (after.sizeBytes !== before.sizeBytes - outcome.savedBytes) complain('size');
        if (after.outOfOrder) complain('order');
        if (membersIn(after) !== membersIn(before)) complain('members');
        for (const row of after.rows) {
          if (row.overlaps || row.pastEnd) complain(`place of ${row.name}`);
          const align = row.kind === 'member' && !row.isBitfield ? alignOf(t, row.type) : 0;
          if (align > 1 && row.bitOffset % (8 * align) !== 0) complain(`alignment of ${row.name}`);
        }
      }
      expect(complaints).toEqual([]);
      expect(smaller).toBeGreaterThan(atLeast({ large: 100, testdata: 20 }));
    },
    60_000,
  );
});

/** Returns the members as one text that does not depend on their order. */
function membersIn({ rows }: StructLayout): string {
  return rows
    .filter((row) => row.kind === 'member')
    .map((row) => `${row.type} ${row.bitSize} ${row.isBitfield} ${row.name}`)
    .sort()
    .join('\n');
}
