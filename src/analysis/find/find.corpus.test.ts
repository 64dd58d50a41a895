/** Tests on whole kernels: expected hits come first, and each prefix of a query has hits. */
import { describe, expect, it } from 'vitest';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { Slices } from '#bytes/long-work.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf } from '#model/type-table.ts';
import { corpusKernels, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { find } from './find.ts';
import { buildFinder } from './finder.ts';

const FIRST: readonly (readonly [typed: string, title: string])[] = [
  ['task_struct', 'task_struct'],
  ['tsk_st', 'task_struct'],
  ['task struct', 'task_struct'],
  ['TASK_STRUCT', 'task_struct'],
  ['sk_buff', 'sk_buff'],
  ['vas', 'vm_area_struct'],
  ['inode_op', 'inode_operations'],
  ['net_dev', 'net_device'],
  ['pid', 'pid'],
  ['task_struct.pid', 'task_struct.pid'],
  ['task_struct.se.vrunt', 'task_struct.se.vruntime'],
  ['task_struct.mm.pgd', 'task_struct.mm->pgd'],
  ['sk_buff.len', 'sk_buff.len'],
  ['enumerator:BPF_PROG_TYPE_XDP', 'BPF_PROG_TYPE_XDP'],
  ['func:tcp_v4_connect', 'tcp_v4_connect'],
];

const slices = () => new Slices(1000, new AbortController().signal);

describe('kernels of the corpus', () => {
  it.each(corpusKernels().map((kernel) => [kernel.id, kernel] as const))(
    '%s',
    async (_id, kernel) => {
      const model = await openModel(kernel.name, readCorpusFile(kernel));
      const { types } = model;
      if (types === null) throw new Error('no types');
      const finder = await buildFinder(model, slices(), () => undefined);
      for (const [typed, title] of FIRST) {
        const { hits } = await find(finder, typed, 20, slices());
        expect(hits[0]?.title, typed).toBe(title);
        // Queries with each prefix of the text, as during typing.
        for (let length = 1; length < typed.length; length++) {
          const part = await find(finder, typed.slice(0, length), 5, slices());
          expect(part.hits.length, typed.slice(0, length)).toBe(Math.min(5, part.total));
        }
      }
      const { hits } = await find(finder, '0x58 in sk_buff', 20, slices());
      for (const { selection, facts } of hits) {
        if (selection?.kind !== 'type') throw new Error('a member is of a type');
        expect(isComposite(kindOf(types, selection.type))).toBe(true);
        const [first] = selection.memberPath;
        const row = structLayout(types, selection.type).rows.find(({ index }) => index === first);
        if (row === undefined) throw new Error('no such member');
        expect(row.bitOffset).toBeLessThanOrEqual(facts.bitOffset ?? -1);
        expect(row.bitOffset + row.bitSize).toBeGreaterThan(8 * 0x58);
      }
    },
    60_000,
  );
});
