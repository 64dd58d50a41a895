/** Reads the kernel verifier's log: instructions, the source lines between them, and the error. */
import {
  type LinePattern,
  type LineReading,
  readByPattern,
  type VerifierEvent,
} from './log-line.ts';

/** Nonexistent helper 0xbad2310 of libbpf and cilium/ebpf: called for an unresolved access. */
export const POISON_FUNC = 195896080;

const CALL = /^call unknown#(\d{1,10})/;

const LINES: readonly LinePattern<VerifierEvent>[] = [
  [
    /^(\d{1,10}): <invalid CO-RE relocation>$/,
    (insn) => ({ event: 'invalid-core', insnIndex: Number(insn) }),
  ],
  [
    /^(\d{1,10}): \(([0-9a-f]{2})\) (.+)$/,
    (insn, opcode, text) =>
      Number(CALL.exec(text)?.[1]) === POISON_FUNC
        ? { event: 'poisoned-call', insnIndex: Number(insn) }
        : { event: 'insn', insnIndex: Number(insn), opcode: Number.parseInt(opcode, 16), text },
  ],
  [
    /\binvalid func unknown#(\d{1,10})/,
    (func) => ({
      event: 'invalid-func',
      func: Number(func),
      poison: Number(func) === POISON_FUNC,
    }),
  ],
  [
    /^; (.*) @ ([^@]{1,512}):(\d{1,10})$/,
    (code, file, line) => ({ event: 'source', code, file, line: Number(line) }),
  ],
  [/^; (.*)$/, (code) => ({ event: 'source', code, file: null, line: null })],
  [/^processed (\d{1,10}) insns\b/, (insns) => ({ event: 'processed', insns: Number(insns) })],
  [
    /^-- (BEGIN|END) PROG LOAD LOG --$/,
    (what) => ({ event: 'log-mark', begins: what === 'BEGIN' }),
  ],
  [
    /^R(\d{1,2}) type=([^ ]{1,64}) expected=(.{1,256})$/,
    (register, type, expected) => ({
      event: 'register-type',
      register: Number(register),
      type,
      expected,
    }),
  ],
  [
    /^R(\d{1,2}) ((?:!read_ok|invalid |unbounded |min value |max value |pointer |offset |is |has |must |leaks ).{0,256}|!read_ok)$/,
    (register, message) => ({ event: 'register-access', register: Number(register), message }),
  ],
  // Source: __check_mem_access. `off` is the register's fixed offset, `r` is the proved size.
  [
    /^invalid access to packet, off=(-?\d{1,11}) size=(\d{1,11}), R(\d{1,2})(?:\(id=\d{1,10},off=(-?\d{1,11}),r=(\d{1,10})\))?/,
    (offset, size, register, fixed, range) => ({
      event: 'packet-access',
      offset: Number(offset),
      size: Number(size),
      register: Number(register),
      fixedOffset: fixed === '' ? null : Number(fixed),
      range: range === '' ? null : Number(range),
    }),
  ],
];

/** Returns the reading of a line of the verifier's log, else null. */
export function readVerifierLine(line: string): LineReading | null {
  const event = readByPattern(LINES, line.trim());
  return event === null ? null : { source: 'verifier', event };
}
