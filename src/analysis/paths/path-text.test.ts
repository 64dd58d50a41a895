import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  fwd,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { askPaths } from './ask-paths.ts';
import { type DescribedPath, describePath } from './describe-path.ts';
import { buildPathIndex } from './path-index.ts';
import { pathInBpf, pathInC } from './path-text.ts';

/** Types of a small kernel, by their ids. */
const TYPES: readonly TypeRecord[] = [
  /* 1 */ int('int', 4),
  /* 2 */ struct('task_struct', 96, [
    { name: 'pid', type: 1, bitOffset: 0 },
    { name: 'files', type: 3, bitOffset: 64 },
    { name: '', type: 5, bitOffset: 128 },
    { name: 'thread', type: 6, bitOffset: 256 },
    { name: 'comm', type: 8, bitOffset: 384 },
    { name: 'opaque', type: 9, bitOffset: 512 },
  ]),
  /* 3 */ ptr(4),
  /* 4 */ struct('files_struct', 32, [
    { name: 'fd', type: 11, bitOffset: 0 },
    { name: 'rows', type: 14, bitOffset: 64 },
    { name: 'first', type: 16, bitOffset: 128 },
  ]),
  /* 5 */ union('', 8, [
    { name: 'sched', type: 7, bitOffset: 0 },
    { name: 'raw', type: 1, bitOffset: 0 },
  ]),
  /* 6 */ struct('thread_struct', 16, [{ name: 'sp', type: 1, bitOffset: 64 }]),
  /* 7 */ ptr(17),
  /* 8 */ array(1, 1, 4),
  /* 9 */ ptr(0),
  /* 10 */ struct('file', 16, [
    { name: 'flag', type: 1, bitOffset: 4, bitfieldSize: 1 },
    { name: 'ino', type: 1, bitOffset: 64 },
  ]),
  /* 11 */ ptr(12),
  /* 12 */ ptr(10),
  /* 13 */ array(15, 1, 2),
  /* 14 */ ptr(13),
  /* 15 */ struct('row', 8, [{ name: 'cell', type: 1, bitOffset: 32 }]),
  /* 16 */ array(12, 1, 2),
  /* 17 */ fwd('sched'),
  /* 18 */ struct('sched', 8, [{ name: 'load', type: 1, bitOffset: 0 }]),
  /* 19 */ struct('', 4, [{ name: 'val', type: 1, bitOffset: 0 }]),
  /* 20 */ typedef('kuid_t', 19),
  /* 21 */ struct('sock', 24, [
    { name: 'sk_rcvbuf', type: 1, bitOffset: 0 },
    { name: 'sk_uid', type: 20, bitOffset: 64 },
    { name: 'link', type: 27, bitOffset: 128 },
    { name: 'sk_a', type: 1, bitOffset: 32 },
    { name: 'sk_b', type: 1, bitOffset: 96 },
  ]),
  /* 22 */ struct('tcp_sock', 48, [
    { name: 'state', type: 1, bitOffset: 0 },
    { name: '', type: 23, bitOffset: 64 },
    { name: 'snd_cwnd', type: 1, bitOffset: 320 },
  ]),
  /* 23 */ struct('', 32, [{ name: 'inner', type: 21, bitOffset: 64 }]),
  /* 24 */ struct('sk_buff', 32, [
    { name: 'sk', type: 26, bitOffset: 64 },
    { name: 'list', type: 27, bitOffset: 128 },
  ]),
  /* 25 */ typeTag('percpu', 21),
  /* 26 */ ptr(25),
  /* 27 */ struct('list_head', 8, [{ name: 'next', type: 28, bitOffset: 0 }]),
  /* 28 */ ptr(27),
  /* 29 */ modifier('const', 2),
  /* 30 */ typedef('task_t', 29),
];

const types = tableOf(btfBlob({ types: TYPES }).bytes);
const index = buildPathIndex(types);

function paths(from: string, to: string, around = false): DescribedPath[] {
  const answer = askPaths(index, { from, to, limit: 10, around });
  if (!answer.ok) throw new Error(`${from} > ${to}: ${answer.problem.reason}`);
  return answer.paths.map((path) => describePath(types, path));
}

/** Returns the C text of each path, then `type access-string +offset` for each access. */
const told = (all: readonly DescribedPath[]) =>
  all.map((path) => [
    pathInC(types, path),
    path.steps
      .map(
        (step) =>
          `${step.root} ${step.accessStr} ${step.kind === 'access' ? '+' : '-'}${step.byteOffset}`,
      )
      .join(', '),
  ]);

describe('a path in C and as accesses', () => {
  it('goes by value with dots, through pointers with arrows', () => {
    expect(told(paths('task_struct', 'sp'))).toEqual([['task->thread.sp', '2 0:3:0 +40']]);
    expect(told(paths('task_struct', 'files_struct'))).toEqual([['task->files', '2 0:1 +8']]);
  });

  it('passes anonymous members, and goes on from a declaration in the full type', () => {
    expect(told(paths('task_struct', 'load'))).toEqual([
      ['task->sched->load', '2 0:2:0 +16, 18 0:0 +0'],
    ]);
    expect(paths('task_struct', 'load')[0]?.steps[0]?.throughUnion).toBe(true);
  });

  it('takes the first element of arrays, with an index where the access string has one', () => {
    expect(told(paths('files_struct', 'file'))).toEqual([
      ['files->first[0]', '4 0:2:0 +16'],
      ['files->fd[0]', '4 0:0 +0'],
    ]);
    expect(told(paths('files_struct', 'cell'))).toEqual([
      ['files->rows[0][0].cell', '4 0:1 +8, 15 0:0 +4'],
    ]);
  });

  it('begins at the target of a typedef, whose name it has only where needed', () => {
    expect(told(paths('task_t', 'pid'))).toEqual([['task->pid', '2 0:0 +0']]);
    expect(told(paths('kuid_t', 'val'))).toEqual([['kuid->val', '20 0:0 +0']]);
    expect(told(paths('sk_buff', 'val'))).toEqual([
      ['skb->sk->sk_uid.val', '24 0:0 +8, 21 0:1:0 +8'],
    ]);
  });

  it('ends at void', () => {
    expect(paths('list_head', 'file')).toEqual([]);
    expect(paths('sched', 'task_struct')).toEqual([]);
  });

  it('lists the tags of a pointer', () => {
    expect(paths('sk_buff', 'sock')[0]?.steps[0]?.tags).toEqual(['percpu']);
  });

  it('has no text in C where it ends at a member without a name', () => {
    const t = tableOf(
      btfBlob({
        types: [
          struct('a', 8, [{ name: '', type: 2, bitOffset: 32 }]),
          struct('b', 4, [{ name: 'x', type: 3, bitOffset: 0 }]),
          int('int', 4),
        ],
      }).bytes,
    );
    const answer = askPaths(buildPathIndex(t), { from: 'a', to: 'b', limit: 2, around: false });
    const [path] = answer.ok ? answer.paths.map((one) => describePath(t, one)) : [];
    expect(path?.steps).toMatchObject([{ accessStr: '0:0', byteOffset: 4n }]);
    expect(path && pathInC(t, path)).toBeNull();
    expect(path && pathInBpf(t, path)).toBeNull();
  });
});

describe('container_of', () => {
  it('is offered only if enabled, after certain steps', () => {
    expect(paths('sk_buff', 'tcp_sock')).toEqual([]);
    const [path, guess] = paths('sk_buff', 'tcp_sock', true);
    expect(told(path === undefined ? [] : [path])).toEqual([
      ['container_of(skb->sk, struct tcp_sock, inner)', '24 0:0 +8, 22 0:1:0 -16'],
    ]);
    expect(path?.cost).toEqual({ pointers: 1, containers: 1, members: 1 });
    expect(path?.through).toBe('part');
    expect(guess && pathInC(types, guess)).toBe(
      'container_of(skb->list.next, struct tcp_sock, inner.link)',
    );
    expect(guess?.through).toBe('list');
  });

  it('begins at the pointer itself where that is the part, and goes on to a field', () => {
    expect(told(paths('sock', 'tcp_sock.snd_cwnd', true).slice(0, 1))).toEqual([
      ['container_of(sk, struct tcp_sock, inner)->snd_cwnd', '22 0:1:0 -16, 22 0:2 +40'],
    ]);
  });

  it('does not continue from a part that was reached by value', () => {
    expect(told(paths('tcp_sock', 'tcp_sock', true))).toEqual([
      ['container_of(tcp_sock->inner.link.next, struct tcp_sock, inner.link)', expect.any(String)],
    ]);
  });
});

describe('a path in a BPF program', () => {
  const lines = (from: string, to: string, around = false) => {
    const [path] = paths(from, to, around);
    return path === undefined ? null : pathInBpf(types, path);
  };

  it.each([
    ['task_struct', 'load', ['BPF_CORE_READ(task, sched, load);']],
    ['task_struct', 'sp', ['BPF_CORE_READ(task, thread.sp);']],
    ['task_struct', 'thread_struct', ['&task->thread;']],
    ['task_struct', 'comm', ['BPF_CORE_READ_INTO(&value, task, comm);']],
    ['file', 'flag', ['BPF_CORE_READ_BITFIELD_PROBED(file, flag);']],
    [
      'files_struct',
      'flag',
      [
        'struct file *p = BPF_CORE_READ(files, first[0]);',
        'BPF_CORE_READ_BITFIELD_PROBED(p, flag);',
      ],
    ],
    ['files_struct', 'cell', ['BPF_CORE_READ((struct row *)BPF_CORE_READ(files, rows), cell);']],
  ])('from %s to %s', (from, to, expected) => {
    expect(lines(from, to)).toEqual(expected);
  });

  it('reads a pointer behind a pointer by itself', () => {
    const path = paths('task_struct', 'ino').find((one) => one.cost.pointers === 3);
    expect(path && pathInBpf(types, path)).toEqual([
      'void *next;',
      'bpf_probe_read_kernel(&next, sizeof(next), BPF_CORE_READ(task, files, fd));',
      'BPF_CORE_READ((struct file *)next, ino);',
    ]);
  });

  it('reads from what container_of gives', () => {
    expect(lines('sk_buff', 'tcp_sock.snd_cwnd', true)).toEqual([
      'BPF_CORE_READ(container_of(BPF_CORE_READ(skb, sk), struct tcp_sock, inner), snd_cwnd);',
    ]);
  });
});
