/** Types with all that C needs before them, in the order that C needs. */
import type { ByteText } from '#print/byte-text.ts';
import { definition } from './definitions.ts';
import { Emission } from './emission.ts';
import { NumberedNames } from './names.ts';
import { Order } from './order.ts';
import type { Records } from './records.ts';
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
    this.#emission.start(queue);
    this.#reading.start(this.#emission);
  }

  #paused(): false {
    this.#w.pause();
    return false;
  }
}
