/**
 * The words of Alpha assembly as GNU objdump 2.40 spells them: registers,
 * mnemonics by opcode and function. What is missing here it calls `.long`.
 *
 * The numbers are those of the Alpha Architecture Handbook, appendix C,
 * "Instruction Encodings"; which of them have a name was read off the tool.
 */

/** Integer registers by their number, as the calling standard calls them. */
export const INTEGER_REGISTERS: readonly string[] = [
  ...['v0', 't0', 't1', 't2', 't3', 't4', 't5', 't6', 't7'],
  ...['s0', 's1', 's2', 's3', 's4', 's5', 'fp'],
  ...['a0', 'a1', 'a2', 'a3', 'a4', 'a5'],
  ...['t8', 't9', 't10', 't11', 'ra', 't12', 'at', 'gp', 'sp', 'zero'],
];

/** Number of the register that always reads as zero. */
export const ZERO_REGISTER = 31;

/** Opcodes that this printer treats one by one. */
export const OPCODE = {
  callPal: 0x00,
  lda: 0x08,
  ldah: 0x09,
  ldqU: 0x0b,
  logical: 0x11,
  floatFromInteger: 0x14,
  vaxFloat: 0x15,
  ieeeFloat: 0x16,
  anyFloat: 0x17,
  miscellany: 0x18,
  jump: 0x1a,
  media: 0x1c,
  br: 0x30,
} as const;

/** Memory format, integer register: opcode to mnemonic. */
export const INTEGER_MEMORY = new Map<number, string>([
  [0x08, 'lda'],
  [0x09, 'ldah'],
  [0x0a, 'ldbu'],
  [0x0b, 'ldq_u'],
  [0x0c, 'ldwu'],
  [0x0d, 'stw'],
  [0x0e, 'stb'],
  [0x0f, 'stq_u'],
  [0x28, 'ldl'],
  [0x29, 'ldq'],
  [0x2a, 'ldl_l'],
  [0x2b, 'ldq_l'],
  [0x2c, 'stl'],
  [0x2d, 'stq'],
  [0x2e, 'stl_c'],
  [0x2f, 'stq_c'],
]);

/** Memory format, floating register. */
export const FLOAT_MEMORY = new Map<number, string>([
  [0x20, 'ldf'],
  [0x21, 'ldg'],
  [0x22, 'lds'],
  [0x23, 'ldt'],
  [0x24, 'stf'],
  [0x25, 'stg'],
  [0x26, 'sts'],
  [0x27, 'stt'],
]);

/** Branch format, integer register. */
export const INTEGER_BRANCHES = new Map<number, string>([
  [0x30, 'br'],
  [0x34, 'bsr'],
  [0x38, 'blbc'],
  [0x39, 'beq'],
  [0x3a, 'blt'],
  [0x3b, 'ble'],
  [0x3c, 'blbs'],
  [0x3d, 'bne'],
  [0x3e, 'bge'],
  [0x3f, 'bgt'],
]);

/** Branch format, floating register. */
export const FLOAT_BRANCHES = new Map<number, string>([
  [0x31, 'fbeq'],
  [0x32, 'fblt'],
  [0x33, 'fble'],
  [0x35, 'fbne'],
  [0x36, 'fbge'],
  [0x37, 'fbgt'],
]);

/** By bits 14 and 15 of a jump. */
export const JUMPS: readonly string[] = ['jmp', 'jsr', 'ret', 'jcr'];

/** PALcode format under opcode 0: the functions that have names. */
export const PAL_CALLS = new Map<number, string>([
  [0x00, 'halt'],
  [0x02, 'draina'],
  [0x80, 'bpt'],
  [0x81, 'bugchk'],
  [0x83, 'callsys'],
  [0x86, 'imb'],
  [0x9e, 'rduniq'],
  [0x9f, 'wruniq'],
  [0xaa, 'gentrap'],
]);

/** Opcodes reserved for PALcode, shown with their 26 bits. */
export const PAL_RESERVED = new Map<number, string>([
  [0x19, 'pal19'],
  [0x1b, 'pal1b'],
  [0x1d, 'pal1d'],
  [0x1e, 'pal1e'],
  [0x1f, 'pal1f'],
]);

export type MiscellanyShape = 'nothing' | 'ra' | 'rb' | 'ra-rb';

/** Opcode 0x18 by all of its 16 low bits: mnemonic, and which registers it shows. */
export const MISCELLANY = new Map<number, readonly [string, MiscellanyShape]>([
  [0x0000, ['trapb', 'nothing']],
  [0x0400, ['excb', 'nothing']],
  [0x4000, ['mb', 'nothing']],
  [0x4400, ['wmb', 'nothing']],
  [0x8000, ['fetch', 'rb']],
  [0xa000, ['fetch_m', 'rb']],
  [0xc000, ['rpcc', 'ra-rb']],
  [0xe000, ['rc', 'ra']],
  [0xe800, ['ecb', 'rb']],
  [0xf000, ['rs', 'ra']],
  [0xf800, ['wh64', 'rb']],
  [0xfc00, ['wh64en', 'rb']],
]);

const ARITHMETIC: readonly (readonly [number, string])[] = [
  [0x00, 'addl'],
  [0x02, 's4addl'],
  [0x09, 'subl'],
  [0x0b, 's4subl'],
  [0x0f, 'cmpbge'],
  [0x12, 's8addl'],
  [0x1b, 's8subl'],
  [0x1d, 'cmpult'],
  [0x20, 'addq'],
  [0x22, 's4addq'],
  [0x29, 'subq'],
  [0x2b, 's4subq'],
  [0x2d, 'cmpeq'],
  [0x32, 's8addq'],
  [0x3b, 's8subq'],
  [0x3d, 'cmpule'],
  [0x40, 'addl/v'],
  [0x49, 'subl/v'],
  [0x4d, 'cmplt'],
  [0x60, 'addq/v'],
  [0x69, 'subq/v'],
  [0x6d, 'cmple'],
];

const LOGICAL: readonly (readonly [number, string])[] = [
  [0x00, 'and'],
  [0x08, 'andnot'],
  [0x14, 'cmovlbs'],
  [0x16, 'cmovlbc'],
  [0x20, 'or'],
  [0x24, 'cmoveq'],
  [0x26, 'cmovne'],
  [0x28, 'ornot'],
  [0x40, 'xor'],
  [0x44, 'cmovlt'],
  [0x46, 'cmovge'],
  [0x48, 'eqv'],
  [0x64, 'cmovle'],
  [0x66, 'cmovgt'],
];

const SHIFTS: readonly (readonly [number, string])[] = [
  [0x02, 'mskbl'],
  [0x06, 'extbl'],
  [0x0b, 'insbl'],
  [0x12, 'mskwl'],
  [0x16, 'extwl'],
  [0x1b, 'inswl'],
  [0x22, 'mskll'],
  [0x26, 'extll'],
  [0x2b, 'insll'],
  [0x30, 'zap'],
  [0x31, 'zapnot'],
  [0x32, 'mskql'],
  [0x34, 'srl'],
  [0x36, 'extql'],
  [0x39, 'sll'],
  [0x3b, 'insql'],
  [0x3c, 'sra'],
  [0x52, 'mskwh'],
  [0x57, 'inswh'],
  [0x5a, 'extwh'],
  [0x62, 'msklh'],
  [0x67, 'inslh'],
  [0x6a, 'extlh'],
  [0x72, 'mskqh'],
  [0x77, 'insqh'],
  [0x7a, 'extqh'],
];

const MULTIPLIES: readonly (readonly [number, string])[] = [
  [0x00, 'mull'],
  [0x20, 'mulq'],
  [0x30, 'umulh'],
  [0x40, 'mull/v'],
  [0x60, 'mulq/v'],
];

const MEDIA: readonly (readonly [number, string])[] = [
  [0x38, 'minsb8'],
  [0x39, 'minsw4'],
  [0x3a, 'minub8'],
  [0x3b, 'minuw4'],
  [0x3c, 'maxub8'],
  [0x3d, 'maxuw4'],
  [0x3e, 'maxsb8'],
  [0x3f, 'maxsw4'],
];

/** Operate format with two sources and a destination, register or literal: by opcode, then function. */
export const OPERATES = new Map<number, ReadonlyMap<number, string>>([
  [0x10, new Map(ARITHMETIC)],
  [0x11, new Map(LOGICAL)],
  [0x12, new Map(SHIFTS)],
  [0x13, new Map(MULTIPLIES)],
  [0x1c, new Map(MEDIA)],
]);

/** Names for an operate whose first source is `zero`; the operand is the second source. By opcode << 7 | function. */
export const OPERATES_FROM_ZERO = new Map<number, string>([
  [(0x10 << 7) | 0x00, 'sextl'],
  [(0x10 << 7) | 0x09, 'negl'],
  [(0x10 << 7) | 0x29, 'negq'],
  [(0x10 << 7) | 0x49, 'negl/v'],
  [(0x10 << 7) | 0x69, 'negq/v'],
  [(0x11 << 7) | 0x20, 'mov'],
  [(0x11 << 7) | 0x28, 'not'],
  [(0x11 << 7) | 0x61, 'amask'],
]);

/** Opcode 0x1c with `zero` as first source and a register as second. */
export const MEDIA_ONE_SOURCE = new Map<number, string>([
  [0x00, 'sextb'],
  [0x01, 'sextw'],
  [0x30, 'ctpop'],
  [0x32, 'ctlz'],
  [0x33, 'cttz'],
  [0x34, 'unpkbw'],
  [0x35, 'unpkbl'],
  [0x36, 'pkwb'],
  [0x37, 'pklb'],
]);

/** Opcode 0x1c from a floating register; the second source must be `zero`. */
export const MEDIA_FROM_FLOAT = new Map<number, string>([
  [0x70, 'ftoit'],
  [0x78, 'ftois'],
]);

/** Opcode 0x14 from an integer register; the second source must be `zero`. */
export const FLOAT_FROM_INTEGER = new Map<number, string>([
  [0x004, 'itofs'],
  [0x014, 'itoff'],
  [0x024, 'itoft'],
]);
