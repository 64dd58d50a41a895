/**
 * Checks links that contain kernel types: C, sizes and offsets must equal the kernel's, and links
 * must not be too long. With BTFSCOPE_ALL=1 it checks every struct and union of every kernel,
 * otherwise a third of those of one kernel, another third in each run.
 */
import { describe, expect, it } from 'vitest';
import { openCarried, typesLink } from '#analysis/links/carried-link.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { cDeclaration } from '#print/c-dump/c-declaration.ts';
import { corpusKernels, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { firstUnlike } from '#testing/same-types.ts';
import { tableOf } from '#testing/type-table.ts';

const MINUTE = 60_000;
const QUIET = new AbortController().signal;

const kernels = corpusKernels().map((file) => [file.id, file] as const);

async function opened(key: string): Promise<TypeTable> {
  const carried = await openCarried(key);
  if (carried.kind !== 'types') throw new Error('no types');
  return tableOf(carried.bytes);
}

/** Returns the first difference between the link of type `id` and the kernel's type, or null. */
async function fault(t: TypeTable, id: TypeId, maxLength: number): Promise<string | null> {
  const link = await typesLink(t, id, maxLength, QUIET);
  if (link === null) return 'there is no link';
  const carried = await opened(link.key);
  const root = typeId(1);
  if (sizeOf(carried, root) !== sizeOf(t, id)) return 'another size';
  const unlike = firstUnlike(t, id, carried, root);
  if (unlike !== null) return unlike;
  return cDeclaration(carried, root) === cDeclaration(t, id) ? null : 'another C';
}

describe('links of the types of kernels', () => {
  it.each(kernels)(
    'are as short as was set out for: %s',
    async (_id, file) => {
      const t = tableOf(readCorpusFile(file));
      const goals = {
        list_head: 150,
        sk_buff: 2000,
        task_struct: 8000,
        inode: 2500,
        net_device: 7000,
      };
      for (const [name, goal] of Object.entries(goals)) {
        const id = findTypeKey(t, { kind: 'struct', name, ordinal: 0 });
        if (id === null) throw new Error(`no struct ${name}`);
        const link = await typesLink(t, id, 0, QUIET);
        const fragment = `#/types?file=${link?.key}&name=${file.name}&type=struct:${name}`;
        expect(fragment.length, name).toBeLessThan(goal);
        expect(await fault(t, id, 0), name).toBeNull();
        expect(await fault(t, id, 8000), name).toBeNull();
      }
    },
    MINUTE,
  );

  const all = process.env.BTFSCOPE_ALL === '1';
  const one = Math.floor(Math.random() * kernels.length);
  const some = kernels.filter((_, i) => all || i === one);
  it.skipIf(!isLargeCorpus).each(some)(
    'carry every struct and union as it is: %s',
    async (_id, file) => {
      const slices = all ? 1 : 3;
      const slice = Math.floor(Math.random() * slices);
      const t = tableOf(readCorpusFile(file));
      const wrong: string[] = [];
      let seen = 0;
      for (let at = 1 + slice; at <= t.count; at += slices) {
        const id = typeId(at);
        if (!isComposite(kindOf(t, id))) continue;
        seen++;
        const found = await fault(t, id, 0);
        if (found !== null) wrong.push(`[${id}] ${nameOf(t, id)}: ${found}`);
      }
      expect(wrong).toEqual([]);
      expect(seen).toBeGreaterThan(1500);
    },
    6 * MINUTE,
  );
});
