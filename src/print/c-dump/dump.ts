/** Writes types after their dependencies, in the order that C requires. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { DumpOptions } from '#print/btf-dump.ts';
import { type ByteText, isText, longestText, pieceOf } from '#print/byte-text.ts';
import { declarator } from './declarators.ts';
import { definition } from './definitions.ts';
import { Emission } from './emission.ts';
import { NameOrder } from './name-order.ts';
import { NumberedNames } from './names.ts';
import { Order } from './order.ts';
import { kindAt, type Records, recordsOf, wordAt } from './records.ts';
import { sortedIds } from './sort.ts';
import {
  DIALECTS,
  PAUSE_STEPS,
  type Passage,
  Reading,
  Writing,
  type WritingOptions,
} from './writing.ts';

/** Number of ordering steps between two pauses. */
const ORDER_STEPS = 1 << 16;

/** Writer of one C text, which contains each type once. Source: libbpf, `btf_dump__dump_type`. */
export class Dump {
  readonly #w: Writing;
  readonly #names: NumberedNames;
  readonly #order: Order;
  readonly #emission: Emission;
  readonly #reading: Reading;
  #isOrdered = true;

  constructor(records: Records, out: ByteText, options: WritingOptions = {}) {
    const names = new NumberedNames(records, options.exact ?? false);
    this.#names = names;
    this.#w = new Writing(records, out, names, definition, options);
    this.#order = new Order(records, this.#w.choice);
    this.#emission = new Emission(this.#w, names);
    this.#reading = new Reading(this.#w);
  }

  /** Number of names that are not valid in C and were changed. */
  get spelledCount(): number {
    return this.#names.spelledCount;
  }

  /** Prepares type `id` with its dependencies. `resume` writes the text. */
  start(id: number): void {
    this.#order.start(id);
    this.#isOrdered = false;
  }

  /** Prepares the prototypes of all kfuncs. Their dependencies must already be written. */
  startKfuncs(): void {
    this.#reading.start(kfuncPrototypes(this.#w));
  }

  /** Writes until the next pause. Returns true at the end. */
  resume(): boolean {
    if (!this.#isOrdered) {
      const left = this.#order.advance(ORDER_STEPS);
      this.#w.worked(ORDER_STEPS - left);
      if (left === 0) return this.#paused();
      this.#isOrdered = true;
      if (this.#order.queue.length > 0 || this.#order.cycle !== null) this.#begin();
    }
    return this.#reading.resume() && (!this.#w.isPauseDue || this.#paused());
  }

  #begin(): void {
    const { queue, cycle } = this.#order;
    // libbpf stops at a type that contains itself.
    if (cycle !== null) {
      this.#w.out.latin1(`/* unsatisfiable type cycle, id:[${cycle}] */\n\n`);
    }
    this.#reading.start(this.#emission.write(queue));
  }

  #paused(): false {
    this.#w.pause();
    return false;
  }
}

/**
 * Writes all types of a blob and its bases as one C header, `bpftool btf dump file … format c`.
 * Where bpftool stops with an error, this text has a comment and continues. Source: bpftool,
 * `dump_btf_c`; libbpf, `btf_dump__dump_type`.
 */

const HEAD = `#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)
#endif

`;

const KFUNC_MACROS = `#ifndef __ksym
#define __ksym __attribute__((section(".ksyms")))
#endif

#ifndef __weak
#define __weak __attribute__((weak))
#endif

#ifndef __bpf_fastcall
#if __has_attribute(bpf_fastcall)
#define __bpf_fastcall __attribute__((bpf_fastcall))
#else
#define __bpf_fastcall
#endif
#endif

`;

const TAIL = `#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute pop
#endif

#endif /* __VMLINUX_H__ */
`;

/** Limit of pauses without new text, about a second. */
const MAX_IDLE_PAUSES = 1 << 10;

export type COptions = DumpOptions & {
  /** True: types in the order of their ids. Default: in bpftool's order. */
  readonly unsorted?: boolean;
};

/**
 * Writes the C of all types of `t` and its bases, or of `roots`. Yields the number of types done,
 * about every 64 KiB and at the end. After `longestText` bytes, or a second without new text, the
 * text ends with a comment.
 */
export function* writeC(
  t: TypeTable,
  out: ByteText,
  { bpftool = '7.8', unsorted = false, roots = [] }: COptions = {},
): Generator<number, void> {
  const dialect = DIALECTS[bpftool];
  const records = recordsOf(t);
  const dump = new Dump(records, out, { dialect });
  const isWhole = roots.length === 0;
  const isSorted = isWhole && dialect.isSorted && !unsorted;
  const maxLength = longestText(t);
  const maxPauses = MAX_IDLE_PAUSES + Math.ceil(maxLength / PAUSE_STEPS);
  let pauses = 0;
  let done = 0;
  /** Writes the rest of the current type. Returns false if the text is cut. */
  function* finish(): Generator<number, boolean> {
    do {
      yield done;
      if (++pauses > maxPauses || out.length > maxLength) {
        out.latin1(`\n/* cut after ${out.length} bytes */\n`);
        return false;
      }
    } while (!dump.resume());
    return true;
  }
  out.latin1(HEAD);
  if (dialect.hasKfuncs) out.latin1(KFUNC_MACROS);
  for (const ids of isSorted ? sortedIds(records) : [isWhole ? allIds(records) : roots]) {
    for (const id of ids) {
      dump.start(id);
      if (!dump.resume() && !(yield* finish())) return;
      done++;
    }
  }
  if (isWhole && dialect.hasKfuncs) {
    dump.startKfuncs();
    if (!dump.resume() && !(yield* finish())) return;
  }
  out.latin1(TAIL);
  yield isWhole ? records.lastId : roots.length;
}

function* allIds({ lastId }: Records): Generator<number, void> {
  for (let id = 1; id <= lastId; id++) yield id;
}

const KFUNC_TAG = 'bpf_kfunc';
const FASTCALL_TAG = 'bpf_fastcall';
/** Component index -1 of a DECL_TAG: the tag belongs to the whole type. */
const NO_COMPONENT = 0xffffffff;

const EXTERN = pieceOf('extern ');
const FASTCALL = pieceOf('__bpf_fastcall ');
const KSYM = pieceOf(' __weak __ksym;\n');

/** Writes the prototypes of kfuncs (DECL_TAG `bpf_kfunc`) sorted by name (`dump_btf_kfuncs`). */
function* kfuncPrototypes(w: Writing): Passage {
  const { records, out } = w;
  const { types } = records;
  const kfuncs: number[] = [];
  const fastcalls = new Set<number>();
  for (let id = 1; id <= records.lastId; id++) {
    if (kindAt(records, id) !== BtfKind.DECL_TAG || wordAt(records, id, 3) !== NO_COMPONENT)
      continue;
    const func = wordAt(records, id, 2);
    if (kindAt(records, func) !== BtfKind.FUNC) continue;
    const nameOff = wordAt(records, id, 0);
    if (isText(types, nameOff, KFUNC_TAG)) kfuncs.push(func);
    if (isText(types, nameOff, FASTCALL_TAG)) fastcalls.add(func);
  }
  const nameOffs = Uint32Array.from(kfuncs, (func) => wordAt(records, func, 0));
  const numbers = new NameOrder(types).numbers(nameOffs);
  const order = [...kfuncs.keys()].sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
  out.latin1('\n/* BPF kfuncs */\n#ifndef BPF_NO_KFUNC_PROTOTYPES\n');
  for (const index of order) {
    const func = kfuncs[index] ?? 0;
    out.piece(EXTERN);
    if (fastcalls.has(func)) out.piece(FASTCALL);
    const nested = declarator(w, wordAt(records, func, 2), nameOffs[index] ?? 0, 0);
    if (nested !== null) yield nested;
    out.piece(KSYM);
    if (w.isPauseDue) yield null;
  }
  out.latin1('#endif\n\n');
}
