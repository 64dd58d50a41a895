/** Types with all that C needs before them, in the order that C needs. */
import type { TypeTable } from '#model/type-table.ts';
import type { ByteText } from '#print/byte-text.ts';
import { definition } from './definitions.ts';
import { Emission } from './emission.ts';
import { NumberedNames } from './names.ts';
import { Order } from './order.ts';
import { type Records, recordsOf } from './records.ts';
import { Reading, Writing, type WritingOptions } from './writing.ts';

/** Steps of ordering from one pause to the next. */
const ORDER_STEPS = 1 << 16;

/**
 * One C text: what was written for a type need not be written again for the next.
 *
 * Source: libbpf, `btf_dump__dump_type`.
 */
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

  /** Names that C cannot spell, and that stand in the text in another form. */
  get spelledCount(): number {
    return this.#names.spelledCount;
  }

  /** Begins with `id`: what it needs, and the type itself where C can define it. `resume` writes. */
  start(id: number): void {
    this.#order.start(id);
    this.#isOrdered = false;
  }

  /** Writes on to the end (true) or to the next pause. */
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
    // libbpf stops here.
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
 * All types of a blob as one C header: `bpftool btf dump file … format c`, byte for byte.
 *
 * The types of a base are written too, as the tool does. Where it stops with an
 * error (a struct that holds itself by value) a comment says so and the dump goes on.
 *
 * Source: bpftool 7.1, `dump_btf_c`; libbpf 1.1, `btf_dump__dump_type`.
 */

const HEAD = `#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)
#endif

`;

const TAIL = `#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute pop
#endif

#endif /* __VMLINUX_H__ */
`;

/** Each is some 65,000 bytes or steps: 256 MiB of text, or a few seconds of looking around in it. */
const MAX_PAUSES = 1 << 12;

/**
 * Writes the C of all types of `t` and its bases. Yields the number of types done,
 * those of bases among them, every 64 KiB or so, and at the end. Cut, with a comment
 * that says so, after 256 MiB.
 */
export function* writeC(t: TypeTable, out: ByteText): Generator<number, void> {
  const records = recordsOf(t);
  const dump = new Dump(records, out);
  let pauses = 0;
  out.latin1(HEAD);
  for (let id = 1; id <= records.lastId; id++) {
    dump.start(id);
    while (!dump.resume()) {
      yield id - 1;
      if (++pauses < MAX_PAUSES) continue;
      out.latin1(`\n/* cut after ${out.length} bytes */\n`);
      return;
    }
  }
  out.latin1(TAIL);
  yield records.lastId;
}
