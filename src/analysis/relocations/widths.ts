/**
 * Determines how many bits a relocation reads and writes: a data word, or the instruction or half
 * instruction that contains the field. The number is 0 for types that only mark a site, or that the
 * dynamic linker applies outside the file. `formats/bpf/relocations.ts` has BPF's types. Source:
 * column "field" of the relocation tables in the processor supplements of the ELF specification.
 */

/** Bits of types whose name without prefix matches; `word` is the width of an address. */
type Rule = readonly [name: RegExp, bits: number | 'word'];

/** Rules for types of data words. All supplements name these types by their width. */
const BY_NUMBER: readonly Rule[] = [
  [/64$/, 64],
  [/32S?$/, 32],
  [/16$/, 16],
  [/8$/, 8],
];
/** Types that the dynamic linker applies to one address. */
const ADDRESSES = /^(?:GLOB_DAT|JUMP_SLOT|JMP_SLOT|RELATIVE|IRELATIVE)$/;
const WITHOUT_BITS: Rule = [/^(?:NONE|COPY|GNU_VT\w+|NUM|EH)$/, 0];

type Machine = {
  readonly prefix: string;
  readonly rules: readonly Rule[];
  /** Bits of types that no rule matches, in most cases the bits of an instruction. */
  readonly others: number;
};

const machine = (number: number, prefix: string, others: number, rules: readonly Rule[]) =>
  [number, { prefix, rules, others }] as const;

const MACHINES: ReadonlyMap<number, Machine> = new Map<number, Machine>([
  machine(3, 'R_386_', 32, [
    [/^TLS_(?:GD|LDM)_(?:PUSH|CALL|POP)$|^TLS_DESC_CALL$/, 0],
    [/^TLS_DESC$/, 64],
    [/^(?:PC)?16$/, 16],
    [/^(?:PC)?8$/, 8],
  ]),
  machine(8, 'R_MIPS_', 32, [
    [/^(?:JALR|UNUSED\d)$/, 0],
    [/^(?:R_MICROMIPS_PC(?:7|10)_S1|R_MICROMIPS_GPREL7_S2)$/, 16],
    [/^(?:64|SUB|TLS_\w+64)$/, 64],
    [/^(?:GLOB_DAT|JUMP_SLOT)$/, 'word'],
  ]),
  machine(20, 'R_PPC_', 32, [
    [/^(?:TLS|TLSGD|TLSLD)$/, 0],
    [/16|^SECTOFF/, 16],
  ]),
  machine(21, 'R_PPC64_', 32, [
    [/^(?:TLS|TLSGD|TLSLD|PCREL_OPT)$/, 0],
    [ADDRESSES, 64],
    [/^TOC$|64$|34$/, 64],
    [/16/, 16],
  ]),
  machine(22, 'R_390_', 0, [
    [/^TLS_(?:LOAD|GDCALL|LDCALL)$/, 0],
    [/^GOT(?:OFF|PC)$/, 'word'],
    [/^TLS_(?:DTPMOD|DTPOFF|TPOFF)$/, 'word'],
    [ADDRESSES, 'word'],
    // Fields of 12 bits lie in a halfword, fields of 20 bits in a word.
    [/12(?:DBL)?$|16DBL$/, 16],
    [/20$|(?:24|32)DBL$|ENT$|^GOTPCDBL$/, 32],
    ...BY_NUMBER,
  ]),
  machine(40, 'R_ARM_', 32, [
    [/^(?:PRIVATE_\d+|ME_TOO|V4BX|TLS_DESCSEQ|GOTRELAX)$/, 0],
    [/^(?:TLS_DESC|FUNCDESC_VALUE)$/, 64],
    [/^ABS8$/, 8],
    [/^ABS16$|^THM_(?:ABS5|PC8|SWI8|JUMP(?:6|8|11)|ALU_ABS_G\d(?:_NC)?|TLS_DESCSEQ16)$/, 16],
  ]),
  machine(43, 'R_SPARC_', 32, [
    [/^(?:JMP_SLOT|REGISTER)$|^(?:TLS|GOTDATA_OP)(?:_\w+)?_(?:ADD|LD|LDX)$/, 0],
    [ADDRESSES, 'word'],
    [/^(?:UA|DISP|PLT|TLS_DTPMOD|TLS_DTPOFF|TLS_TPOFF)?64$/, 64],
    [/^(?:UA|DISP)?16$/, 16],
    [/^(?:DISP)?8$/, 8],
  ]),
  machine(62, 'R_X86_64_', 0, [
    [/^TLSDESC_CALL$/, 0],
    [/^TLSDESC$/, 128],
    [ADDRESSES, 64],
    [/^(?:TLSGD|TLSLD|GOTTPOFF|\w*GOTPCREL\w*(?<!64)|GOTPC32_TLSDESC)$/, 32],
    ...BY_NUMBER,
  ]),
  machine(183, 'R_AARCH64_', 32, [
    [/^(?:P32_)?TLSDESC_(?:LDR|ADD|CALL)$/, 0],
    [/^TLSDESC$/, 128],
    [/^P32_TLSDESC$/, 64],
    [/^P32_(?:GLOB_DAT|JUMP_SLOT|RELATIVE|IRELATIVE|COPY)$/, 32],
    [ADDRESSES, 64],
    [/^(?:AUTH_RELATIVE|(?:AUTH_)?ABS64|PREL64|GOTREL64|TLS_(?:DTPMOD|DTPREL|TPREL)64)$/, 64],
    [/^(?:P32_)?(?:ABS|PREL)16$/, 16],
  ]),
  machine(243, 'R_RISCV_', 32, [
    [/^(?:ALIGN|RELAX|TPREL_ADD|TLSDESC_CALL|(?:SET|SUB)_ULEB128)$/, 0],
    [ADDRESSES, 'word'],
    // CALL patches two instructions: an auipc and the jalr after it.
    [/^CALL(?:_PLT)?$/, 64],
    [/^RVC_/, 16],
    // These types change six bits of a byte.
    [/^(?:SET|SUB)6$/, 8],
    [/^(?:ADD|SUB|SET|TLS_DTPMOD|TLS_DTPREL|TLS_TPREL)?64$/, 64],
    [/^(?:ADD|SUB|SET)16$/, 16],
    [/^(?:ADD|SUB|SET)8$/, 8],
    [/^TLSDESC$/, 128],
  ]),
  machine(258, 'R_LARCH_', 32, [
    [/^(?:MARK_\w+|RELAX|ALIGN|TLS_LE_ADD_R|(?:ADD|SUB)_ULEB128)$/, 0],
    [/^SOP_(?!POP)/, 0],
    [ADDRESSES, 'word'],
    // CALL36 patches two instructions: a pcaddu18i and the jirl after it.
    [/^CALL36$/, 64],
    [/^(?:ADD|SUB)6$/, 8],
    [/^(?:ADD|SUB)24$/, 24],
    [/^TLS_DESC64$/, 128],
    [/^TLS_DESC32$/, 64],
    [/^(?:ADD|SUB|TLS_DTPMOD|TLS_DTPREL|TLS_TPREL)?64$|^64_PCREL$/, 64],
    [/^(?:ADD|SUB)16$/, 16],
    [/^(?:ADD|SUB)8$/, 8],
  ]),
]);

/**
 * Returns how many bits from `r_offset` on the named relocation reads and writes; 0 if none or
 * unknown. The name is a result of `relocationName`. Of joined MIPS types, the last type other than
 * NONE decides.
 */
export function relocationBits(machine: number, name: string, addressBits: 32 | 64): number {
  const known = MACHINES.get(machine);
  if (known === undefined) return 0;
  const writes = name.split('/').findLast((part) => part !== `${known.prefix}NONE`) ?? name;
  const bare = writes.startsWith(known.prefix) ? writes.slice(known.prefix.length) : writes;
  const bits = [WITHOUT_BITS, ...known.rules].find(([pattern]) => pattern.test(bare))?.[1];
  return bits === 'word' ? addressBits : (bits ?? known.others);
}
