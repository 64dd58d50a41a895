/** Lint of instructions: opcodes, registers, jumps outside the section or into a 64-bit load. */
import { type SectionCode, secondHalves } from '#analysis/objects/section-code.ts';
import { relocationAtInsn } from '#analysis/relocations/by-place.ts';
import type { Issue } from '#bytes/issue.ts';
import { IssueCollector } from '#bytes/issue.ts';
import { spanOf } from '#bytes/span.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import {
  ALU_OP,
  CALL_SOURCE,
  JMP_OP,
  MODE,
  OPCODE,
  opOf,
  SIZE,
  SOURCE,
} from '#formats/bpf/opcodes.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';

const LAST_REGISTER = 10;
const INSNS_PER_STEP = 65_536;

/** Returns the issues of the code. Yields between small steps. */
export function* codeFindings(model: ObjectModel, code: SectionCode): Generator<void, Issue[]> {
  const name = sectionName(model.sections, code.section);
  const issues = new IssueCollector(name);
  const pass = new CodePass(model, code, name, issues);
  for (let slot = 0, steps = 0; slot < pass.slots; steps++) {
    slot += pass.check(slot);
    if (steps % INSNS_PER_STEP === 0) yield;
  }
  const { bytes, fileOffset, left } = code;
  if (bytes.length % SLOT_SIZE !== 0 && left === 0) {
    issues.add('code.trailing', () => ({
      message: `${name}: ends inside an instruction`,
      span: spanOf(fileOffset + pass.slots * SLOT_SIZE, bytes.length % SLOT_SIZE),
      expected: 'a multiple of 8 bytes',
      found: `${bytes.length} bytes`,
    }));
  }
  if (left > 0) {
    issues.add('code.not-checked', () => ({
      severity: 'note',
      message: `${name}: only its first ${bytes.length} bytes were checked`,
      span: spanOf(fileOffset + bytes.length, left),
    }));
  }
  return issues.issues();
}

class CodePass {
  readonly slots: number;
  readonly #model: ObjectModel;
  readonly #code: SectionCode;
  readonly #name: string;
  readonly #issues: IssueCollector;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #halves: Uint8Array;

  constructor(model: ObjectModel, code: SectionCode, name: string, issues: IssueCollector) {
    const { bytes } = code;
    this.slots = Math.floor(bytes.length / SLOT_SIZE);
    this.#model = model;
    this.#code = code;
    this.#name = name;
    this.#issues = issues;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = model.endian === 'little';
    this.#halves = secondHalves(bytes);
  }

  /** Checks the instruction at `slot`. Returns its number of slots. */
  check(slot: number): 1 | 2 {
    const at = slot * SLOT_SIZE;
    const opcode = this.#view.getUint8(at);
    if (KNOWN_OPCODES[opcode] === 0) {
      const what = `unknown opcode 0x${opcode.toString(16).padStart(2, '0')}`;
      this.#report('code.unknown-opcode', slot, what, 1);
      return 1;
    }
    const registers = this.#view.getUint8(at + 1);
    const low = registers & 0xf;
    const high = registers >> 4;
    if (low > LAST_REGISTER || high > LAST_REGISTER) {
      this.#report('code.no-such-register', slot, registerWords(low, high), 2);
    }
    if (opcode === OPCODE.ldImm64) return this.#checkLdImm64(slot);
    const distance = this.#distance(slot, opcode, this.#little ? high : low);
    if (distance !== null) this.#checkTarget(slot, slot + 1 + distance);
    return 1;
  }

  #checkLdImm64(slot: number): 1 | 2 {
    if (slot + 1 < this.slots) return 2;
    // If the section was read only in part, its remaining slots are unknown.
    if (this.#code.left === 0) {
      this.#report('code.ld-imm64-cut', slot, '64-bit load cut at the end', SLOT_SIZE);
    }
    return 1;
  }

  /** Returns the slots from the next instruction to the target of a jump or call; else null. */
  #distance(slot: number, opcode: number, srcReg: number): number | null {
    const at = slot * SLOT_SIZE;
    switch (opcode) {
      case OPCODE.gotol:
        return this.#view.getInt32(at + 4, this.#little);
      case OPCODE.call:
        // The linker or loader sets the distance of a call that has a relocation.
        return srcReg === CALL_SOURCE.pseudoCall &&
          relocationAtInsn(this.#model, this.#code.section, at) === null
          ? this.#view.getInt32(at + 4, this.#little)
          : null;
      case OPCODE.callx:
      case OPCODE.exit:
      case OPCODE.gotox:
        return null;
      default: {
        const family = opcode & 7;
        const jumps = family === 5 || (family === 6 && opOf(opcode) !== JMP_OP.ja);
        return jumps ? this.#view.getInt16(at + 2, this.#little) : null;
      }
    }
  }

  #checkTarget(slot: number, target: number): void {
    if (target < 0 || target >= this.slots) {
      if (this.#code.left > 0 && target >= this.slots) return;
      const where = `jump to instruction ${target}, outside the section`;
      this.#report(
        'code.jump-outside',
        slot,
        where,
        SLOT_SIZE,
        `0 to ${this.slots - 1}`,
        `${target}`,
      );
    } else if (this.#halves[target] === 1) {
      this.#report(
        'code.jump-into-ld-imm64',
        slot,
        `jump into a 64-bit load, to ${target}`,
        SLOT_SIZE,
      );
    }
  }

  #report(
    code: string,
    slot: number,
    what: string,
    length: number,
    expected?: string,
    found?: string,
  ): void {
    const span = spanOf(this.#code.fileOffset + slot * SLOT_SIZE, length);
    this.#issues.add(code, () => ({
      message: `${this.#name}, instruction ${slot}: ${what}`,
      span,
      ...(expected === undefined ? {} : { expected }),
      ...(found === undefined ? {} : { found }),
    }));
  }
}

function registerWords(low: number, high: number): string {
  const missing = [...new Set([low, high])].filter((n) => n > LAST_REGISTER).map((n) => `r${n}`);
  return `${missing.join(' and ')} ${missing.length > 1 ? 'do' : 'does'} not exist`;
}

/**
 * The valid opcodes: Documentation/bpf/standardization/instruction-set.rst, and legacy packet
 * access, may_goto and callx.
 */
const CLASS = { ld: 0, ldx: 1, st: 2, stx: 3, alu: 4, jmp: 5, jmp32: 6, alu64: 7 } as const;
const SOURCES = [SOURCE.k, SOURCE.x];
const SIZES = [SIZE.w, SIZE.h, SIZE.b, SIZE.dw];
const NARROW = [SIZE.w, SIZE.h, SIZE.b];

/** Operations that compare no operands: goto, call, exit, may_goto. */
const NOT_COMPARING: readonly number[] = [JMP_OP.ja, JMP_OP.call, JMP_OP.exit, JMP_OP.jcond];

function* knownOpcodes(): Generator<number> {
  yield OPCODE.ldImm64;
  for (const size of NARROW) {
    yield CLASS.ld | MODE.abs | size;
    yield CLASS.ld | MODE.ind | size;
    yield CLASS.ldx | MODE.memsx | size;
  }
  for (const size of SIZES) {
    yield CLASS.ldx | MODE.mem | size;
    yield CLASS.st | MODE.mem | size;
    yield CLASS.stx | MODE.mem | size;
    // Atomics of 8 and 16 bits exist only as load-acquire and store-release.
    yield CLASS.stx | MODE.atomic | size;
  }
  for (const op of Object.values(ALU_OP)) {
    for (const source of SOURCES) {
      // Negation has no source register; bswap (alu64) has no second byte order.
      if (op === ALU_OP.neg && source === SOURCE.x) continue;
      yield CLASS.alu | op | source;
      if (op !== ALU_OP.end || source === SOURCE.k) yield CLASS.alu64 | op | source;
    }
  }
  for (const op of Object.values(JMP_OP)) {
    if (NOT_COMPARING.includes(op)) continue;
    for (const source of SOURCES) {
      yield CLASS.jmp | op | source;
      yield CLASS.jmp32 | op | source;
    }
  }
  const { ja, gotol, gotox, call, callx, exit, mayGoto } = OPCODE;
  yield* [ja, gotol, gotox, call, callx, exit, mayGoto];
}

/** Table by opcode: 1 if the opcode is valid, else 0. */
export const KNOWN_OPCODES: Uint8Array = (() => {
  const table = new Uint8Array(256);
  for (const opcode of knownOpcodes()) table[opcode] = 1;
  return table;
})();
