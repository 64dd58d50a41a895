/** Code of the programs of an object as loaders send it, which says what a log leaves out. */
import {
  type ProgramPart,
  progLoads,
  programCode,
  subprogramAt,
} from '#analysis/libbpf/program-parts.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import type { ByteSource } from '#bytes/source.ts';
import type { Endian } from '#bytes/span.ts';
import { decodeInsn, insnOffsets, isLdImm64, SLOT_SIZE } from '#formats/bpf/insn.ts';
import { IMM64_SOURCE } from '#formats/bpf/opcodes.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** An object with its bytes. */
export type LogObject = { readonly model: ObjectModel; readonly source: ByteSource };

/** The code of a program with its subprograms, in libbpf's order, and the place of each function. */
export type LoadedCode = {
  /** Instructions in slots of 8 bytes. Calls and addresses of functions are relocated. */
  readonly bytes: Uint8Array;
  readonly endian: Endian;
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
    relocateCalls(model, bytes, parts);
    codes.set(name, { bytes, endian: model.endian, parts });
  }
  return codes;
}

/** Writes the calls and addresses of functions. Source: libbpf.c, bpf_object__reloc_code(). */
function relocateCalls(model: ObjectModel, bytes: Uint8Array, parts: readonly ProgramPart[]): void {
  const view = new DataView(bytes.buffer);
  const isLittle = model.endian === 'little';
  const byStart = new Map(parts.map((part) => [functionKey(part), part]));
  for (const part of parts) {
    const start = part.insnOff * SLOT_SIZE;
    const own = bytes.subarray(start, start + part.end - part.start);
    for (const offset of insnOffsets(own, model.endian)) {
      const insn = decodeInsn(own, offset, model.endian);
      const place = insn && subprogramAt(model, part, insn);
      if (insn === null || place === null) continue;
      const callee = byStart.get(functionKey(functionAt(model, place.section, place.offset)));
      if (callee === undefined) continue;
      const target = callee.insnOff + (place.offset - callee.start) / SLOT_SIZE;
      const at = start + offset;
      view.setInt32(at + 4, target - at / SLOT_SIZE - 1, isLittle);
      if (!isLdImm64(insn)) continue;
      const { func } = IMM64_SOURCE;
      bytes[at + 1] = isLittle ? (func << 4) | insn.dstReg : (insn.dstReg << 4) | func;
    }
  }
}

function functionKey(range: Pick<ProgramPart, 'section' | 'start'> | null): string {
  return range === null ? '' : `${range.section} ${range.start}`;
}

/** Returns the code of a program, of the only one if `name` is null; null if there is none. */
export function codeOf(
  codes: ReadonlyMap<string, LoadedCode>,
  name: string | null,
): LoadedCode | null {
  const [only = ''] = codes.size === 1 ? codes.keys() : [];
  return codes.get(name ?? only) ?? null;
}
