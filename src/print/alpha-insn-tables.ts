/**
 * Registers and mnemonics of Alpha assembly as GNU objdump 2.40 spells them. objdump prints `.long`
 * for an encoding that is not in these tables.
 *
 * The numbers are from the Alpha Architecture Handbook, appendix C, "Instruction Encodings"; the
 * names are from objdump's output.
 */

/** Parses a table of hex codes and names, in the handbook's order: `08 lda  09 ldah`. */
export function byCode(table: string): ReadonlyMap<number, string> {
  const entries = table.matchAll(/([0-9a-f]+) (\S+)/g);
  return new Map(Array.from(entries, ([, code = '', name = '']) => [parseInt(code, 16), name]));
}

/** Integer registers by number, named as in the calling standard. */
export const INTEGER_REGISTERS: readonly string[] = [
  ...['v0', 't0', 't1', 't2', 't3', 't4', 't5', 't6', 't7'],
  ...['s0', 's1', 's2', 's3', 's4', 's5', 'fp'],
  ...['a0', 'a1', 'a2', 'a3', 'a4', 'a5'],
  ...['t8', 't9', 't10', 't11', 'ra', 't12', 'at', 'gp', 'sp', 'zero'],
];

/** Number of the register that always reads as zero. */
export const ZERO_REGISTER = 31;

/** Opcodes for which the printer has special code. */
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

/** Mnemonics of the memory format with an integer register, by opcode. */
export const INTEGER_MEMORY = byCode(`
  08 lda  09 ldah  0a ldbu  0b ldq_u  0c ldwu  0d stw  0e stb  0f stq_u  28 ldl
  29 ldq  2a ldl_l  2b ldq_l  2c stl  2d stq  2e stl_c  2f stq_c
`);

export const FLOAT_MEMORY = byCode(`
  20 ldf  21 ldg  22 lds  23 ldt  24 stf  25 stg  26 sts  27 stt
`);

export const INTEGER_BRANCHES = byCode(`
  30 br  34 bsr  38 blbc  39 beq  3a blt  3b ble  3c blbs  3d bne  3e bge  3f bgt
`);

export const FLOAT_BRANCHES = byCode(`
  31 fbeq  32 fblt  33 fble  35 fbne  36 fbge  37 fbgt
`);

/** Mnemonics of jumps, by bits 14 and 15 of the instruction. */
export const JUMPS: readonly string[] = ['jmp', 'jsr', 'ret', 'jcr'];

/** Names of the PALcode functions (opcode 0), by function code. */
export const PAL_CALLS = byCode(`
  00 halt  02 draina  80 bpt  81 bugchk  83 callsys  86 imb  9e rduniq  9f wruniq
  aa gentrap
`);

/** Opcodes reserved for PALcode. The other 26 bits are printed as a number. */
export const PAL_RESERVED = byCode(`
  19 pal19  1b pal1b  1d pal1d  1e pal1e  1f pal1f
`);

export type MiscellanyShape = 'nothing' | 'ra' | 'rb' | 'ra-rb';

/** Mnemonics of opcode 0x18 and their printed registers, by the low 16 bits. */
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

const ARITHMETIC = byCode(`
  00 addl  02 s4addl  09 subl  0b s4subl  0f cmpbge  12 s8addl  1b s8subl  1d cmpult
  20 addq  22 s4addq  29 subq  2b s4subq  2d cmpeq  32 s8addq  3b s8subq  3d cmpule
  40 addl/v  49 subl/v  4d cmplt  60 addq/v  69 subq/v  6d cmple
`);

const LOGICAL = byCode(`
  00 and  08 andnot  14 cmovlbs  16 cmovlbc  20 or  24 cmoveq  26 cmovne  28 ornot
  40 xor  44 cmovlt  46 cmovge  48 eqv  64 cmovle  66 cmovgt
`);

const SHIFTS = byCode(`
  02 mskbl  06 extbl  0b insbl  12 mskwl  16 extwl  1b inswl  22 mskll  26 extll
  2b insll  30 zap  31 zapnot  32 mskql  34 srl  36 extql  39 sll  3b insql  3c sra
  52 mskwh  57 inswh  5a extwh  62 msklh  67 inslh  6a extlh  72 mskqh  77 insqh
  7a extqh
`);

const MULTIPLIES = byCode(`
  00 mull  20 mulq  30 umulh  40 mull/v  60 mulq/v
`);

const MEDIA = byCode(`
  38 minsb8  39 minsw4  3a minub8  3b minuw4  3c maxub8  3d maxuw4  3e maxsb8
  3f maxsw4
`);

/** Names of operate instructions (two sources, one destination) by opcode, then function code. */
export const OPERATES = new Map<number, ReadonlyMap<number, string>>([
  [0x10, ARITHMETIC],
  [0x11, LOGICAL],
  [0x12, SHIFTS],
  [0x13, MULTIPLIES],
  [0x1c, MEDIA],
]);

/** Names of operate instructions whose first source is `zero`, by opcode << 7 | function code. */
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

/** Names of opcode 0x1c if the first source is `zero` and the second is a register. */
export const MEDIA_ONE_SOURCE = byCode(`
  00 sextb  01 sextw  30 ctpop  32 ctlz  33 cttz  34 unpkbw  35 unpkbl  36 pkwb
  37 pklb
`);

/** Names of opcode 0x1c if the first source is a floating register and the second is `zero`. */
export const MEDIA_FROM_FLOAT = byCode(`
  70 ftoit  78 ftois
`);

/** Names of opcode 0x14 if the first source is an integer register and the second is `zero`. */
export const FLOAT_FROM_INTEGER = byCode(`
  004 itofs  014 itoff  024 itoft
`);
