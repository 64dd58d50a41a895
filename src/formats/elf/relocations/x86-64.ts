/** Relocation types of x86-64. */
import type { MachineRelocations } from './relocation-type.ts';

export const X86_64: MachineRelocations = {
  machines: [62],
  prefix: 'R_X86_64_',
  source:
    'System V ABI, AMD64 Architecture Processor Supplement, "Relocation Types" and "Thread-Local Storage". Values and checks: GNU ld 2.40 (bfd/elf64-x86-64.c) and ld.lld 19 (ELF/Arch/X86_64.cpp).',
  insnEndian: null,
  types: `
    0 NONE mark
    1 64 S+A 8
    2 PC32 S+A-P 4 s32
    3 GOT32 GE-GOT+A 4 s32
    4 PLT32 L+A-P 4 s32
    5 COPY dyn
    6 GLOB_DAT S w dyn
    7 JUMP_SLOT S w dyn
    8 RELATIVE B+A w dyn
    9 GOTPCREL GE+A-P 4 s32
    10 32 S+A 4 u32
    11 32S S+A 4 s32
    12 16 S+A 2 x16 ld:s17
    13 PC16 S+A-P 2 x16 ld:s17 lld:s16
    14 8 S+A 1 x8 ld:s9
    15 PC8 S+A-P 1 s8
    16 DTPMOD64 Module(S) 8 dyn
    17 DTPOFF64 S+A-DTPB 8
    18 TPOFF64 S+A-TPB 8
    19 TLSGD GTLSGD+A-P 4 s32
    20 TLSLD GTLSLD+A-P 4 s32
    21 DTPOFF32 S+A-DTPB 4 s32
    22 GOTTPOFF GTPR+A-P 4 s32
    23 TPOFF32 S+A-TPB 4 s32
    24 PC64 S+A-P 8
    25 GOTOFF64 S+A-GOT 8
    26 GOTPC32 GOT+A-P 4 s32
    27 GOT64 GE-GOT+A 8
    28 GOTPCREL64 GE+A-P 8
    29 GOTPC64 GOT+A-P 8
    30 GOTPLT64 GE-GOT+A 8
    31 PLTOFF64 L+A-GOT 8
    32 SIZE32 Z+A 4 u32
    33 SIZE64 Z+A 8
    34 GOTPC32_TLSDESC GDESC+A-P 4 s32
    35 TLSDESC_CALL mark
    36 TLSDESC Descriptor(S+A) 16 dyn
    37 IRELATIVE Resolver(B+A) w dyn
    38 RELATIVE64~ B+A 8 dyn
    39 PC32_BND~ S+A-P 4 s32
    40 PLT32_BND~ L+A-P 4 s32
    41 GOTPCRELX GE+A-P 4 s32
    42 REX_GOTPCRELX GE+A-P 4 s32
    250 GNU_VTINHERIT~ mark
    251 GNU_VTENTRY~ mark
  `,
  relaxations: [
    [
      /^(?:REX_)?GOTPCRELX$/,
      'mov x@GOTPCREL(%rip), reg becomes lea x(%rip), reg, or mov $x, reg in code without PIC; an indirect call or jmp becomes a direct one',
    ],
    [/^GOTTPOFF$/, 'the load of the offset from the GOT becomes mov $x@tpoff, reg'],
    [
      /^TLSGD$/,
      'the call of __tls_get_addr becomes an access to %fs:0 with the offset from the GOT or as a constant',
    ],
    [/^TLSLD$/, 'the call of __tls_get_addr becomes mov %fs:0, %rax'],
    [
      /^(?:GOTPC32_TLSDESC|TLSDESC_CALL)$/,
      'the descriptor call becomes a load of the offset, and the call a nop',
    ],
    [/^DTPOFF(?:32|64)$/, 'after a relaxed TLSLD the value is the offset from the thread pointer'],
    [
      /^(?:PLT32|PC32|PLTOFF64)$/,
      'the call of __tls_get_addr that follows a relaxed TLSGD or TLSLD is replaced',
    ],
  ],
};
