/** C declarations in, the BTF that clang would write for them out. */
import type { Endian } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { BtfWriter } from '#formats/btf/write.ts';
import type { BtfRecord } from '#formats/btf/write-records.ts';
import type { Declared, Problem } from './declared-places.ts';
import { emitBtf } from './emit.ts';
import type { Kernel } from './kernel-types.ts';
import { parseDeclarations } from './parse.ts';

export type Compiled = {
  /** A BTF blob of the declarations that could be read. */
  readonly btf: Uint8Array;
  readonly problems: readonly Problem[];
  /** Notes on parts that are left out of a text that compiles. */
  readonly notes: readonly Problem[];
  /** Declarations in the order of the text. */
  readonly declared: readonly Declared[];
};

/**
 * Compiles declarations as clang 19 does for BPF, with debug information. Types that
 * are only declared are written down too, as if a variable of each stood behind them.
 * `kernel`: what `vmlinux.h` has the types of; null for none.
 * Total: what cannot be read is a problem, and the rest is compiled.
 */
export function compileDeclarations(
  text: string,
  endian: Endian,
  kernel: Kernel | null = null,
): Compiled {
  const { declared, problems, notes, layouts } = parseDeclarations(text, endian, kernel);
  const writer = new BtfWriter({ endian });
  const faults = [...problems];
  let records: readonly BtfRecord[] = [];
  try {
    records = emitBtf(declared, layouts);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    faults.push({ message: error.message, start: 0, end: 1 });
  }
  for (const record of records) {
    try {
      writer.addType(record);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // Ids must not shift: an invalid type is replaced by another one.
      writer.addType({ kind: BtfKind.INT, name: '', size: 1, encoding: 0, bitOffset: 0, bits: 8 });
      faults.push({ message: `BTF cannot store this: ${error.message}`, start: 0, end: 1 });
    }
  }
  return { btf: writer.finish(), problems: faults, notes, declared };
}
