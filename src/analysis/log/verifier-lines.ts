/** The kernel verifier's log: instructions, the source between them, and what it refuses. */
import type { LineReading, VerifierEvent } from './log-line.ts';

/** The helper that libbpf and cilium/ebpf call in place of what cannot be relocated: 0x0bad2310. */
export const POISON_FUNC = 195896080;

const INVALID_FUNC = /\binvalid func unknown#(\d{1,10})/;
const INVALID_CORE = /^(\d{1,10}): <invalid CO-RE relocation>$/;
const INSN = /^(\d{1,10}): \(([0-9a-f]{2})\) (.+)$/;
const CALL = /^call unknown#(\d{1,10})/;
const SOURCE = /^; (.*)$/;
const FILE = /^(.*) @ ([^@]{1,512}):(\d{1,10})$/;
const PROCESSED = /^processed (\d{1,10}) insns\b/;
const REGISTER_TYPE = /^R(\d{1,2}) type=([^ ]{1,64}) expected=(.{1,256})$/;
const REGISTER =
  /^R(\d{1,2}) ((?:!read_ok|invalid |unbounded |min value |max value |pointer |offset |is |has |must |leaks ).{0,256}|!read_ok)$/;
const MARK = /^-- (BEGIN|END) PROG LOAD LOG --$/;

/** What `line` says where the verifier speaks; null where it does not. */
export function readVerifierLine(line: string): LineReading | null {
  const event = verifierEvent(line.trim());
  return event === null ? null : { source: 'verifier', event };
}

function verifierEvent(line: string): VerifierEvent | null {
  const core = INVALID_CORE.exec(line);
  if (core !== null) return { event: 'invalid-core', insnIndex: Number(core[1]) };
  const insn = INSN.exec(line);
  if (insn !== null) {
    const [, index, opcode = '', text = ''] = insn;
    const insnIndex = Number(index);
    return Number(CALL.exec(text)?.[1]) === POISON_FUNC
      ? { event: 'poisoned-call', insnIndex }
      : { event: 'insn', insnIndex, opcode: Number.parseInt(opcode, 16), text };
  }
  const func = INVALID_FUNC.exec(line);
  if (func !== null) {
    const number = Number(func[1]);
    return { event: 'invalid-func', func: number, poison: number === POISON_FUNC };
  }
  const source = SOURCE.exec(line);
  if (source !== null) return sourceEvent(source[1] ?? '');
  const processed = PROCESSED.exec(line);
  if (processed !== null) return { event: 'processed', insns: Number(processed[1]) };
  const mark = MARK.exec(line);
  if (mark !== null) return { event: 'log-mark', begins: mark[1] === 'BEGIN' };
  return registerEvent(line);
}

function sourceEvent(text: string): VerifierEvent {
  const at = FILE.exec(text);
  if (at === null) return { event: 'source', code: text, file: null, line: null };
  const [, code = '', file = '', line] = at;
  return { event: 'source', code, file, line: Number(line) };
}

function registerEvent(line: string): VerifierEvent | null {
  const type = REGISTER_TYPE.exec(line);
  if (type !== null) {
    const [, register, found = '', expected = ''] = type;
    return { event: 'register-type', register: Number(register), type: found, expected };
  }
  const access = REGISTER.exec(line);
  if (access === null) return null;
  return { event: 'register-access', register: Number(access[1]), message: access[2] ?? '' };
}
