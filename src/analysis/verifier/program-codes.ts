/** Code of the programs of an object as loaders send it, which says what a log leaves out. */

import { isExternSymbol } from '#analysis/libbpf/externs.ts';
import {
  type ProgramPart,
  progLoads,
  programCode,
  subprogramAt,
} from '#analysis/libbpf/program-parts.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import type { ByteSource } from '#bytes/source.ts';
import type { Endian } from '#bytes/span.ts';
import {
  decodeInsn,
  type Insn,
  insnOffsets,
  isCall,
  isLdImm64,
  SLOT_SIZE,
} from '#formats/bpf/insn.ts';
import { CALL_SOURCE, IMM64_SOURCE } from '#formats/bpf/opcodes.ts';
import { symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { symbolName } from '#model/symbols.ts';

/** An object with its bytes. */
export type LogObject = { readonly model: ObjectModel; readonly source: ByteSource };

/** The code of a program with its subprograms, in libbpf's order, and the place of each function. */
export type LoadedCode = {
  /** Instructions in slots of 8 bytes. Calls and addresses of functions are relocated. */
  readonly bytes: Uint8Array;
  readonly endian: Endian;
  readonly parts: readonly ProgramPart[];
  /** Names of the externs that are called or loaded, by slot; raw text. */
  readonly externs: ReadonlyMap<number, string>;
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
    const externs = relocateCalls(model, bytes, parts);
    codes.set(name, { bytes, endian: model.endian, parts, externs });
  }
  return codes;
}

/**
 * Writes the calls and addresses of functions. Returns the names of externs by slot.
 * Source: libbpf.c, bpf_object__reloc_code() and bpf_object__relocate_data().
 */
function relocateCalls(
  model: ObjectModel,
  bytes: Uint8Array,
  parts: readonly ProgramPart[],
): ReadonlyMap<number, string> {
  const externs = new Map<number, string>();
  const view = new DataView(bytes.buffer);
  const isLittle = model.endian === 'little';
  const byStart = new Map(parts.map((part) => [functionKey(part), part]));
  for (const part of parts) {
    const start = part.insnOff * SLOT_SIZE;
    const own = bytes.subarray(start, start + part.end - part.start);
    for (const offset of insnOffsets(own, model.endian)) {
      const insn = decodeInsn(own, offset, model.endian);
      if (insn === null) continue;
      const at = start + offset;
      const place = subprogramAt(model, part, insn);
      const extern = place === null ? externAt(model, part, insn) : null;
      if (extern !== null) externs.set(at / SLOT_SIZE, extern);
      if (extern !== null && isCall(insn)) {
        bytes[at + 1] = registersOf(insn.dstReg, CALL_SOURCE.pseudoKfuncCall, isLittle);
      }
      if (place === null) continue;
      const callee = byStart.get(functionKey(functionAt(model, place.section, place.offset)));
      if (callee === undefined) continue;
      const target = callee.insnOff + (place.offset - callee.start) / SLOT_SIZE;
      view.setInt32(at + 4, target - at / SLOT_SIZE - 1, isLittle);
      if (isLdImm64(insn)) bytes[at + 1] = registersOf(insn.dstReg, IMM64_SOURCE.func, isLittle);
    }
  }
  return externs;
}

/** Returns the byte of an instruction's registers. */
function registersOf(dst: number, src: number, isLittle: boolean): number {
  return isLittle ? (src << 4) | dst : (dst << 4) | src;
}

/** Returns the name of the extern that an instruction calls or loads; null if there is none. */
function externAt(model: ObjectModel, { section, start }: ProgramPart, insn: Insn): string | null {
  if (!isLdImm64(insn) && !(isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoCall)) return null;
  const at = start + insn.offset;
  const [reloc] = relocationsInRange(model, section, at, at + SLOT_SIZE);
  const symbol = reloc === undefined ? -1 : (model.relocations.symbol[reloc] ?? -1);
  if (symbol < 0 || !isExternSymbol(model.symbols, symbolIndex(symbol))) return null;
  return symbolName(model.symbols, symbolIndex(symbol));
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
