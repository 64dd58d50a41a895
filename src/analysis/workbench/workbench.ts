/** Compiles C declarations to the BTF that clang would write. */
import type { Endian } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { BtfWriter } from '#formats/btf/write.ts';
import type { Layouts } from './c-types.ts';
import { Fault } from './cursor.ts';
import type { Declared, Problem } from './declared-places.ts';
import { emitBtf } from './emit.ts';
import type { Kernel } from './kernel-types.ts';
import { parseDeclarations } from './parse.ts';
import type { SourceFile } from './sources.ts';

export type Compiled = {
  /** BTF of the declarations that have no error. */
  readonly btf: Uint8Array;
  readonly problems: readonly Problem[];
  /** Notes about parts that are left out, although the text compiles. */
  readonly notes: readonly Problem[];
  /** All declarations, in the order of the text. */
  readonly declared: readonly Declared[];
};

/**
 * Compiles declarations as clang 19 does for BPF with debug information, but also writes unused
 * types of the program. `kernel` has the types of `vmlinux.h`, or is null. `headers` are local
 * headers; offsets count their characters after the program's. Never throws: invalid declarations
 * are problems.
 */
export function compileDeclarations(
  text: string,
  endian: Endian,
  kernel: Kernel | null = null,
  headers: readonly SourceFile[] = [],
): Compiled {
  const { declared, problems, notes, layouts } = parseDeclarations(text, endian, kernel, headers);
  const writer = new BtfWriter({ endian });
  const faults = [...problems];
  for (const record of recordsOf(declared, layouts, faults)) {
    try {
      writer.addType(record);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // Write an INT in place of the omitted type, so that later types keep their ids.
      writer.addType({ kind: BtfKind.INT, name: '', size: 1, encoding: 0, bitOffset: 0, bits: 8 });
      faults.push({ message: `BTF cannot store this: ${error.message}`, start: 0, end: 1 });
    }
  }
  return { btf: writer.finish(), problems: faults, notes, declared };
}

/** Returns the records of the declarations. Returns none, and adds a problem, if they are too many. */
function recordsOf(declared: readonly Declared[], layouts: Layouts, faults: Problem[]) {
  try {
    return emitBtf(declared, layouts);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    faults.push({ message: error.message, start: 0, end: 1 });
    return [];
  }
}
