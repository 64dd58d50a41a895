/**
 * The rows of a disassembly: function headings, source lines, and instructions with their
 * relocations. Rows are decoded on access, since a section may have 2,000,000 instructions.
 */
import { coreRecordsBetween } from '#analysis/core/core-records.ts';
import { type FunctionRange, functionsIn } from '#analysis/objects/functions.ts';
import { relocationOffset, relocationsInRange } from '#analysis/relocations/by-place.ts';
import { upperBound } from '#bytes/arrays.ts';
import { decodeInsn, type Insn, insnOffsets, SLOT_SIZE } from '#formats/bpf/insn.ts';
import {
  type CoreIndex,
  coreIndex,
  type RelocIndex,
  relocIndex,
  type SectionIndex,
} from '#model/ids.ts';
import { hasBpfCode, insnSlot, isAlpha, type ObjectModel } from '#model/object-model.ts';
import { lineRowsOf, type SourceLine, sourceLine } from './source-lines.ts';

export type ListingRow =
  | { readonly kind: 'function'; readonly func: FunctionRange }
  | { readonly kind: 'source'; readonly line: SourceLine }
  /** `insnIndex`: number of 8-byte slots from the start of the section. */
  | { readonly kind: 'insn'; readonly insn: Insn; readonly insnIndex: number }
  /** Instruction of a machine other than BPF. `insnIndex`: words from the start of the section. */
  | {
      readonly kind: 'word';
      readonly word: number;
      readonly insnOff: number;
      readonly insnIndex: number;
    }
  | { readonly kind: 'relocation'; readonly reloc: RelocIndex }
  | { readonly kind: 'core'; readonly core: CoreIndex };

export type CodeListing = {
  readonly count: number;
  readonly insnCount: number;
  /** Returns row `i`; null if the listing has no such row. */
  readonly rowAt: (i: number) => ListingRow | null;
  /** Returns the row of the instruction that contains byte `insnOff` of the section, or -1. */
  readonly rowOfInsn: (insnOff: number) => number;
};

const Row = { function: 0, source: 1, insn: 2, relocation: 3, core: 4 } as const;

const EMPTY: CodeListing = { count: 0, insnCount: 0, rowAt: () => null, rowOfInsn: () => -1 };

/** Returns true if the app can list the instructions of the object's machine. */
export function canList(model: ObjectModel): boolean {
  return hasBpfCode(model) || isAlpha(model);
}

/** Returns the listing of a code section with content `bytes`; empty for unsupported machines. */
export function codeListing(
  model: ObjectModel,
  section: SectionIndex,
  bytes: Uint8Array,
): CodeListing {
  if (!canList(model)) return EMPTY;
  // An incomplete word at the end of the section is not an instruction.
  const offsets = hasBpfCode(model)
    ? insnOffsets(bytes, model.endian)
    : Uint32Array.from({ length: Math.floor(bytes.length / WORD) }, (_, i) => i * WORD);
  const functions = functionsIn(model, section);
  const lines = changedLines(model, section);
  const relocs = relocationsInRange(model, section, 0, bytes.length);
  const cores = coreRecordsBetween(model, section, 0, bytes.length);
  const total = offsets.length + functions.length + lines.length + relocs.length + cores.length;
  const kinds = new Uint8Array(total);
  const refs = new Uint32Array(total);
  const rowOf = new Uint32Array(offsets.length);
  let count = 0;
  const put = (kind: number, ref: number) => {
    kinds[count] = kind;
    refs[count] = ref;
    count += 1;
  };
  const before = [
    queue(
      functions.length,
      (i) => functions[i]?.start ?? 0,
      (i) => put(Row.function, i),
    ),
    queue(
      lines.length,
      (i) => model.ext.line.insnOff[lines[i] ?? 0] ?? 0,
      (i) => put(Row.source, lines[i] ?? 0),
    ),
  ];
  // Relocations of an instruction are listed in the order of llvm-objdump.
  const after = [
    queue(
      cores.length,
      (i) => model.ext.core.insnOff[cores[i] ?? 0] ?? 0,
      (i) => put(Row.core, cores[i] ?? 0),
    ),
    queue(
      relocs.length,
      (i) => relocationOffset(model, relocIndex(relocs[i] ?? 0)),
      (i) => put(Row.relocation, relocs[i] ?? 0),
    ),
  ];
  for (let i = 0; i < offsets.length; i++) {
    const end = offsets[i + 1] ?? bytes.length;
    for (const take of before) take(end);
    rowOf[i] = count;
    put(Row.insn, offsets[i] ?? 0);
    for (const take of after) take(end);
  }
  return {
    count,
    insnCount: offsets.length,
    rowAt: (i) =>
      i < 0 || i >= count ? null : readRow(model, functions, bytes, kinds[i] ?? 0, refs[i] ?? 0),
    rowOfInsn: (insnOff) => {
      const insn = insnHolding(offsets, bytes.length, insnOff);
      return insn === null ? -1 : (rowOf[insn] ?? -1);
    },
  };
}

/** Returns a function that emits the remaining rows whose offsets are before its argument `end`. */
function queue(length: number, offsetAt: (i: number) => number, put: (i: number) => void) {
  let next = 0;
  return (end: number) => {
    for (; next < length && offsetAt(next) < end; next++) put(next);
  };
}

/** Returns the line records whose source line differs from that of the previous record. */
function changedLines(model: ObjectModel, section: SectionIndex): Uint32Array {
  const { fileNameOff, lineCol } = model.ext.line;
  const starts = new Set(functionsIn(model, section).map((f) => f.start));
  let file = -1;
  let line = -1;
  return lineRowsOf(model, section).filter((row) => {
    const rowFile = fileNameOff[row] ?? 0;
    const rowLine = (lineCol[row] ?? 0) >>> 10;
    const same =
      rowFile === file && rowLine === line && !starts.has(model.ext.line.insnOff[row] ?? 0);
    file = rowFile;
    line = rowLine;
    return !same;
  });
}

function readRow(
  model: ObjectModel,
  functions: readonly FunctionRange[],
  bytes: Uint8Array,
  kind: number,
  ref: number,
): ListingRow | null {
  switch (kind) {
    case Row.function: {
      const func = functions[ref];
      return func === undefined ? null : { kind: 'function', func };
    }
    case Row.source:
      return { kind: 'source', line: sourceLine(model, ref) };
    case Row.relocation:
      return { kind: 'relocation', reloc: relocIndex(ref) };
    case Row.core:
      return { kind: 'core', core: coreIndex(ref) };
    default:
      return hasBpfCode(model) ? bpfRow(model, bytes, ref) : wordRow(model, bytes, ref);
  }
}

function bpfRow(model: ObjectModel, bytes: Uint8Array, insnOff: number): ListingRow | null {
  const insn = decodeInsn(bytes, insnOff, model.endian);
  return insn === null ? null : { kind: 'insn', insn, insnIndex: insnOff / SLOT_SIZE };
}

const WORD = 4;

function wordRow(model: ObjectModel, bytes: Uint8Array, insnOff: number): ListingRow | null {
  if (insnOff + WORD > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = view.getUint32(insnOff, model.endian === 'little');
  return { kind: 'word', word, insnOff, insnIndex: insnOff / WORD };
}

function insnHolding(offsets: Uint32Array, length: number, insnOff: number): number | null {
  const after = upperBound(offsets, insnOff);
  return after === 0 || insnOff >= length ? null : after - 1;
}

/** Returns true if an instruction begins at `insnOff`; `ld_imm64` has two slots (RFC 9669, 5.4). */
export function isInsnStart(model: ObjectModel, code: Uint8Array, insnOff: number): boolean {
  if (isAlpha(model)) return insnOff % insnSlot(model) === 0;
  let at = 0;
  while (at < insnOff) {
    const insn = decodeInsn(code, at, model.endian);
    if (insn === null) return false;
    at += insn.length;
  }
  return at === insnOff;
}
