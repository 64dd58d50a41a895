/** Compares paths through a real kernel with known answers, and their offsets with CO-RE's. */
import { describe, expect, it } from 'vitest';
import { targetOf } from '#analysis/core/candidates.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { type StructLayout, structLayout } from '#analysis/types/struct-layout.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { memberAt } from '#model/type-items.ts';
import {
  arrayData,
  isModifier,
  kindOf,
  nameOf,
  nameOffOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { corpusKernel, isLargeCorpus, kernelIds, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { askPaths, type TypePath } from './ask-paths.ts';
import { type DescribedPath, describePath, type PathStep } from './describe-path.ts';
import { buildPathIndex, type PathIndex, typeOfNode } from './path-index.ts';
import { pathInC } from './path-text.ts';

async function kernelTypes(): Promise<TypeTable> {
  const kernel = corpusKernel(kernelIds.second);
  const { types } = await openModel(kernel.name, readCorpusFile(kernel));
  if (types === null) throw new Error('a kernel has types');
  return types;
}

/** Yields xorshift32 pseudo-random numbers, the same in each run. */
function* numbers(seed: number): Generator<number, never, void> {
  for (let n = seed; ; ) {
    n ^= n << 13;
    n ^= n >>> 17;
    n ^= n << 5;
    yield n >>> 0;
  }
}

describe('on a kernel', () => {
  let opened: Promise<PathIndex> | null = null;
  const theIndex = () => {
    opened ??= kernelTypes().then(buildPathIndex);
    return opened;
  };

  it.skipIf(!isLargeCorpus).each([
    ['task_struct', 'net_device', 'task->nsproxy->net_ns->loopback_dev', [3064, 40, 352]],
    ['task_struct', 'files_struct', 'task->files', [3048]],
    ['task_struct', 'cgroup', 'task->cgroups->dfl_cgrp', [3584, 128]],
    ['task_struct', 'tty_struct', 'task->signal->tty', [3072, 408]],
    ['sk_buff', 'sk_family', 'skb->sk->__sk_common.skc_family', [24, 16]],
    ['sk_buff', 'net', 'skb->dev->nd_net.net', [16, 280]],
    ['file', 'i_ino', 'file->f_inode->i_ino', [40, 64]],
    ['file', 'super_block', 'file->f_inode->i_sb', [40, 40]],
    ['bpf_prog', 'bpf_map', 'prog->aux->cgroup_storage[0]', [56, 952]],
    ['vm_area_struct', 'inode', 'vma->vm_file->f_inode', [128, 40]],
    ['bio', 'gendisk', 'bio->bi_bdev->bd_disk', [8, 16]],
  ] as const)('from %s to %s it is %s', async (from, to, inC, offsets) => {
    const index = await theIndex();
    const answer = askPaths(index, { from, to, limit: 1, around: false });
    const [path] = answer.ok ? answer.paths.map((one) => describePath(index.types, one)) : [];
    expect(path && pathInC(index.types, path)).toBe(inC);
    expect(path?.steps.map(({ byteOffset }) => Number(byteOffset))).toEqual(offsets);
  });

  it('a struct around a part comes after certain steps, a list after a part', async () => {
    const index = await theIndex();
    const ask = (from: string, to: string) => {
      const answer = askPaths(index, { from, to, limit: 30, around: true });
      return answer.ok ? answer.paths.map((one) => describePath(index.types, one)) : [];
    };
    const [around] = ask('sk_buff', 'tcp_sock.snd_cwnd');
    expect(around && pathInC(index.types, around)).toBe(
      'container_of(skb->sk, struct tcp_sock, inet_conn.icsk_inet.sk)->snd_cwnd',
    );
    expect(around?.through).toBe('part');
    expect(ask('net', 'net_device')[0]?.through).toBeNull();
    expect(ask('hlist_head', 'net_device').map(({ through }) => through)).toContain('list');
  });

  it.skipIf(!isLargeCorpus)(
    'every access string is taken by CO-RE, and gives the offset of the layout',
    async () => {
      const index = await theIndex();
      const steps = stepsOfPairs(index, 600);
      expect(steps.length).toBeGreaterThan(1000);
      const layouts = new Map<TypeId, StructLayout>();
      for (const { step, path } of steps) {
        expect(step.fault, `${nameOf(index.types, path.start)} ${step.accessStr}`).toBeNull();
      }
      for (const { described, path } of steps) {
        expect(offsetsOf(described)).toEqual(laidOut(index.types, path, layouts));
      }
      expectResolved(
        index.types,
        steps.map(({ step }) => step),
      );
    },
    120_000,
  );
});

type StepOfPath = {
  readonly step: PathStep;
  readonly path: TypePath;
  readonly described: DescribedPath;
};

const FAR = ['task_struct', 'sk_buff', 'file', 'bpf_prog', 'bio', 'net_device'];

/** Returns the accesses of the best paths between `pairs` pseudo-random pairs of named types. */
function stepsOfPairs(index: PathIndex, pairs: number): StepOfPath[] {
  const { types } = index;
  const random = numbers(0x5eed);
  const named = (): string => {
    for (;;) {
      const id = typeOfNode(index, random.next().value % index.ids.length);
      if (nameOffOf(types, id) !== 0) return nameOf(types, id);
    }
  };
  const found: StepOfPath[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    // Types with many paths to others: two random types seldom have a path between them.
    const from = FAR[pair % FAR.length] ?? '';
    const answer = askPaths(index, { from, to: named(), limit: 3, around: pair % 4 === 1 });
    for (const path of answer.ok ? answer.paths : []) {
      const described = describePath(types, path);
      for (const step of described.steps) found.push({ step, path, described });
    }
  }
  return found;
}

const offsetsOf = ({ steps }: DescribedPath) => steps.map(({ bitOffset }) => Number(bitOffset));

/** Returns the offset of each access, as the sum of offsets in struct layouts. */
function laidOut(t: TypeTable, path: TypePath, known: Map<TypeId, StructLayout>): number[] {
  const bits = ({ type, index }: { readonly type: TypeId; readonly index: number }): number => {
    const layout = known.get(type) ?? structLayout(t, type);
    known.set(type, layout);
    return layout.rows.find((row) => row.index === index)?.bitOffset ?? NaN;
  };
  const sums: number[] = [];
  let open: number | null = null;
  const close = () => {
    if (open !== null) sums.push(open);
    open = null;
  };
  for (const step of path.members) {
    open = (open ?? 0) + bits(step);
    if (isPointer(t, step)) close();
  }
  if (path.container !== null) {
    close();
    sums.push(path.container.members.reduce((sum, step) => sum + bits(step), 0));
  }
  for (const step of path.field) open = (open ?? 0) + bits(step);
  close();
  return sums;
}

/** Returns true if the member is a pointer, or an array of pointers, to a struct. */
function isPointer(t: TypeTable, step: { readonly type: TypeId; readonly index: number }): boolean {
  let at = memberAt(t, step.type, step.index)?.type ?? VOID;
  for (;;) {
    const kind = kindOf(t, at);
    if (kind === BtfKind.PTR) return true;
    if (kind === BtfKind.ARRAY) at = arrayData(t, at).elemType;
    else if (isModifier(kind)) at = skipModifiers(t, at);
    else return false;
  }
}

/** Expects that each access string, resolved in the same types, has the path's offset. */
function expectResolved(types: TypeTable, steps: readonly PathStep[]): void {
  const records = steps.map((step, index) => ({
    index,
    kind: 0,
    root: step.root,
    accessStr: step.accessStr,
    hasAccessStr: true,
    sectionName: 'paths',
    relocIndexInSection: index,
    insnOff: 8 * index,
    func: null,
    eliminated: false,
    insnLength: 0 as const,
  }));
  const insns = new Uint8Array(16 * records.length);
  const object = { types, endian: types.endian, records, insns };
  const results = resolveObject(object, targetOf('kernel', types), { fresh: true });
  results.forEach((result, i) => {
    const step = steps[i];
    const what = `${step?.root} ${step?.accessStr}: ${result.reason}`;
    expect(result.localSpec, what).not.toBeNull();
    expect(
      result.matched.map(({ id }) => id),
      what,
    ).toContain(step?.root);
  });
}
