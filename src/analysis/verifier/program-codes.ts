/** Code of the programs of an object as loaders send it, which says what a log leaves out. */
import { type ProgramPart, progLoads, programCode } from '#analysis/libbpf/program-parts.ts';
import type { ByteSource } from '#bytes/source.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** An object with its bytes. */
export type LogObject = { readonly model: ObjectModel; readonly source: ByteSource };

/** The code of a program with its subprograms, in libbpf's order, and the place of each function. */
export type LoadedCode = {
  /** Instructions in slots of 8 bytes. */
  readonly bytes: Uint8Array;
  readonly parts: readonly ProgramPart[];
};

/** Returns the code of each program of an object. */
export async function programCodes({
  model,
  source,
}: LogObject): Promise<ReadonlyMap<string, LoadedCode>> {
  const sections = await programCode(model, source);
  const codes = new Map<string, LoadedCode>();
  for (const { name, parts, insnCount } of progLoads(model, sections).programs) {
    const bytes = new Uint8Array(insnCount * SLOT_SIZE);
    for (const { section, start, end, insnOff } of parts) {
      const own = sections.get(section)?.bytes.subarray(start, end) ?? new Uint8Array(0);
      const at = insnOff * SLOT_SIZE;
      bytes.set(own.subarray(0, bytes.length - at), at);
    }
    codes.set(name, { bytes, parts });
  }
  return codes;
}

/** Returns the code of a program, of the only one if `name` is null; null if there is none. */
export function codeOf(
  codes: ReadonlyMap<string, LoadedCode>,
  name: string | null,
): LoadedCode | null {
  const [only = ''] = codes.size === 1 ? codes.keys() : [];
  return codes.get(name ?? only) ?? null;
}
