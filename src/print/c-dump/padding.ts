/**
 * Unnamed bit-fields that fill a struct where the compiler would not leave room by itself.
 *
 * Source: libbpf, `btf_dump_emit_bit_padding`: `long: 0` where only an alignment has
 * to be forced, then whole units of the widest type that fits, then the rest in the
 * narrowest type that holds it.
 */
import type { Passage, Writing } from './writing.ts';

type Unit = { readonly name: string; readonly bits: number };

const CHAR: Unit = { name: 'char: ', bits: 8 };
const NARROW: readonly Unit[] = [{ name: 'int: ', bits: 32 }, { name: 'short: ', bits: 16 }, CHAR];
const UNITS: Record<4 | 8, readonly Unit[]> = {
  4: [{ name: 'long: ', bits: 32 }, ...NARROW],
  8: [{ name: 'long: ', bits: 64 }, ...NARROW],
};

/** Lines that are written at once; more are a passage of their own. */
const AT_ONCE = 64;

const roundUp = (n: number, unit: number) => Math.ceil(n / unit) * unit;

/**
 * Fills the bits `from` … `to`, at once or, when that is long, by the passage that
 * is given back. `nextAlign`: bytes to which the compiler aligns what comes then;
 * `inBitfield`: bit-fields stand on both sides.
 */
export function pad(
  w: Writing,
  level: number,
  from: number,
  to: number,
  nextAlign: number,
  inBitfield: boolean,
): Passage | null {
  if (from >= to) return null;
  const unit = unitFor(UNITS[w.layout.pointerSize], from, to);
  const start = roundUp(from, unit.bits);
  let at = from;
  if (start > from && start <= to) {
    const isExact = start === to && roundUp(from, Math.max(1, nextAlign) * 8) !== start;
    const restFits = start !== to && to - start <= start - from;
    if (inBitfield || isExact || restFits) {
      writeField(w, level, unit.name, inBitfield ? start - from : 0);
    }
    at = start;
  }
  return fill(w, level, unit, to - at);
}

/** Fills `bits` of a packed struct, in which the compiler leaves no room by itself. libbpf does not make the difference. */
export function padPacked(w: Writing, level: number, bits: number): Passage | null {
  return fill(w, level, UNITS[w.layout.pointerSize][0] ?? CHAR, bits);
}

function fill(w: Writing, level: number, unit: Unit, bits: number): Passage | null {
  if (bits <= 0) return null;
  const filling = new Filling(w, level, unit, bits);
  return bits > AT_ONCE * unit.bits ? filling : filling.resume();
}

/** The widest unit with a boundary between `from` and `to`. */
function unitFor(units: readonly Unit[], from: number, to: number): Unit {
  for (const unit of units) {
    if (roundUp(from, unit.bits) <= to) return unit;
  }
  return CHAR;
}

/** Whole units, and what is left in a narrower one. */
class Filling implements Passage {
  readonly #w: Writing;
  readonly #level: number;
  readonly #unit: Unit;
  #bits: number;

  constructor(w: Writing, level: number, unit: Unit, bits: number) {
    this.#w = w;
    this.#level = level;
    this.#unit = unit;
    this.#bits = bits;
  }

  resume(): Passage | null {
    const { name, bits } = this.#unit;
    while (this.#bits >= bits) {
      writeField(this.#w, this.#level, name, bits);
      this.#bits -= bits;
      if (this.#bits > AT_ONCE * bits && this.#w.isPauseDue) return this;
    }
    if (this.#bits === 0) return null;
    const units = UNITS[this.#w.layout.pointerSize];
    const narrow = units.findLast((unit) => unit.bits >= this.#bits) ?? CHAR;
    writeField(this.#w, this.#level, narrow.name, this.#bits);
    return null;
  }
}

function writeField(w: Writing, level: number, name: string, bits: number): void {
  w.line(level);
  w.out.latin1(name).decimal(bits).latin1(';');
}
