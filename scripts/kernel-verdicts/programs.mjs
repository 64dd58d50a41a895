// Makes programs with wrong func_info and line_info: a program and its subprogram, each with its
// own records as in an object file.
import { blobOf, Dice } from './blob.mjs';

/** Size of a func_info and a line_info record in bytes, as far as Linux 6.18 reads them. */
const KNOWN = { func: 8, line: 16 };

const TYPES = (subReturns) => {
  const int = { kind: 'int', name: 'int', size: 4, tail: [(1 << 24) | 32] };
  const main = { kind: 'func_proto', type: int };
  const sub = { kind: 'func_proto', type: subReturns === 'int' ? int : null };
  return [
    int,
    main,
    { kind: 'func', name: 'main', type: main },
    sub,
    { kind: 'func', name: 'sub', type: sub },
  ];
};
const SECTIONS = 'socket\0.text\0';
const [INT, MAIN, SUB, ABSENT] = [1, 3, 5, 9];

/** Returns an instruction from its opcode, registers and immediate; its offset is 0. */
const insn = (opcode, regs, immediate = 0) => {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode;
  bytes[1] = regs;
  bytes.writeInt32LE(immediate, 4);
  return bytes;
};
const EXIT = insn(0x95, 0);
const LOAD_64 = [insn(0x18, 0x02), insn(0, 0)];
/** The instruction `r0 = 0`. */
const ZERO = insn(0xb7, 0);

/**
 * Returns a program for `seed`: its BTF, the names of two sections, the instructions of `main` and
 * `sub`, and for `func` and `line` the record size and the records. The first word of a record
 * counts instructions from the function's start.
 */
export function programOf(seed) {
  const dice = new Dice(seed);
  const hasPacketLoad = dice.once(6);
  const main = [...LOAD_64, insn(0x85, 0x10, 1), EXIT];
  const sub = hasPacketLoad
    ? [insn(0xbf, 0x16), insn(0x30, 0), ZERO, EXIT]
    : [...LOAD_64, ZERO, EXIT];
  const types = blobOf(TYPES(dice.once(3) ? 'void' : 'int'));
  const names = types.readUInt32LE(20);
  const blob = Buffer.concat([types, Buffer.from(SECTIONS)]);
  const strings = names + SECTIONS.length;
  blob.writeUInt32LE(strings, 20);
  const isWrong = () => dice.once(12);
  const records = (what, fields) => {
    const size = KNOWN[what] + dice.of([0, 0, 0, 4, 8, isWrong() ? 248 : 0]);
    const of = (func, offsets) =>
      offsets.map((offset) => {
        const record = Buffer.alloc(size);
        const at = isWrong() ? dice.below(4) : offset;
        Buffer.from(Uint32Array.of(at, ...fields(func)).buffer).copy(record);
        if (size > KNOWN[what] && dice.once(20)) record[KNOWN[what] + dice.below(4)] = 1;
        return record;
      });
    return { size, of };
  };
  const func = records('func', (id) => [isWrong() ? dice.of([INT, MAIN, SUB, 0, ABSENT]) : id]);
  const place = () => (isWrong() ? strings - 1 + dice.below(3) : dice.below(strings));
  const line = records('line', () => [place(), place(), 1024 * dice.below(9)]);
  // Instruction 1 is the second half of a 16-byte load, so a line there is wrong.
  const lines = () => [0, isWrong() ? 1 : 2, 3].slice(0, 1 + dice.below(3));
  return {
    blob,
    sectionNameOff: { main: names, sub: names + SECTIONS.indexOf('.') },
    main: Buffer.concat(main),
    sub: Buffer.concat(sub),
    func: {
      size: func.size,
      main: func.of(MAIN, isWrong() ? [0, 2] : [0]),
      sub: func.of(SUB, isWrong() ? [0, 3] : [0]),
    },
    line: { size: line.size, main: line.of(0, lines()), sub: line.of(0, lines()) },
  };
}

/** Returns the arguments of BPF_PROG_LOAD, with `sub` after `main` as libbpf places it. */
export function loadInput({ blob, main, sub, func, line }) {
  const word = (value) => Buffer.from(Uint32Array.of(value).buffer);
  const start = main.length / 8;
  const table = (records) => {
    const moved = records.sub.map((record) => {
      const copy = Buffer.from(record);
      copy.writeUInt32LE(record.readUInt32LE(0) + start, 0);
      return copy;
    });
    const all = [...records.main, ...moved];
    return [word(records.size), word(all.length), ...all];
  };
  const insns = Buffer.concat([main, sub]);
  return Buffer.concat([
    word(blob.length),
    blob,
    word(insns.length / 8),
    insns,
    ...table(func),
    ...table(line),
  ]);
}
