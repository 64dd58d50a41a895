/** Relocation types of i386. */
import type { MachineRelocations } from './relocation-type.ts';

export const I386: MachineRelocations = {
  machines: [3],
  prefix: 'R_386_',
  source:
    'System V ABI, Intel386 Architecture Processor Supplement, "Relocation". Values and checks: GNU ld 2.40 (bfd/elf32-i386.c) and ld.lld 19 (ELF/Arch/X86.cpp).',
  insnEndian: null,
  types: `
    0 NONE mark
    1 32 S+A 4
    2 PC32 S+A-P 4
    3 GOT32 GE+A-GOT 4
    4 PLT32 L+A-P 4
    5 COPY dyn
    6 GLOB_DAT S 4 dyn
    7 JUMP_SLOT S 4 dyn
    8 RELATIVE B+A 4 dyn
    9 GOTOFF S+A-GOT 4
    10 GOTPC GOT+A-P 4
    11 32PLT L+A 4
    14 TLS_TPOFF S+A-TPB 4 dyn
    15 TLS_IE GTPR+A 4
    16 TLS_GOTIE GTPR+A-GOT 4
    17 TLS_LE S+A-TPB 4
    18 TLS_GD GTLSGD+A-GOT 4
    19 TLS_LDM GTLSLD+A-GOT 4
    20 16 S+A 2 x16 ld:s17
    21 PC16 S+A-P 2 x16 ld:s17 lld:s17
    22 8 S+A 1 x8 ld:s9
    23 PC8 S+A-P 1 s8
    24 TLS_GD_32 GTLSGD+A-GOT 4
    25 TLS_GD_PUSH mark
    26 TLS_GD_CALL mark
    27 TLS_GD_POP mark
    28 TLS_LDM_32 GTLSLD+A-GOT 4
    29 TLS_LDM_PUSH mark
    30 TLS_LDM_CALL mark
    31 TLS_LDM_POP mark
    32 TLS_LDO_32 S+A-DTPB 4
    33 TLS_IE_32 GTPR+A-GOT 4
    34 TLS_LE_32 TPB-S+A 4
    35 TLS_DTPMOD32 Module(S) 4 dyn
    36 TLS_DTPOFF32 S+A-DTPB 4 dyn
    37 TLS_TPOFF32 TPB-S+A 4 dyn
    38 SIZE32~ Z+A 4
    39 TLS_GOTDESC GDESC+A-GOT 4
    40 TLS_DESC_CALL mark
    41 TLS_DESC Descriptor(S+A) 8 dyn
    42 IRELATIVE Resolver(B+A) 4 dyn
    43 GOT32X GE+A-GOT 4
    200 USED_BY_INTEL_200~
    250 GNU_VTINHERIT~ mark
    251 GNU_VTENTRY~ mark
  `,
  relaxations: [
    [/^GOT32X$/, 'mov x@GOT(%ebx), reg becomes lea x@GOTOFF(%ebx), reg, or mov $x, reg'],
    [/^TLS_(?:GD|LDM)$/, 'the call of ___tls_get_addr becomes an access to %gs:0'],
    [/^TLS_(?:IE|GOTIE|IE_32)$/, 'the load of the offset becomes mov $x@ntpoff, reg'],
    [/^TLS_(?:GOTDESC|DESC_CALL)$/, 'the descriptor call becomes a load of the offset'],
    [/^TLS_LDO_32$/, 'after a relaxed TLS_LDM the value is the offset from the thread pointer'],
    [/^PLT32$/, 'the call of ___tls_get_addr that follows a relaxed TLS_GD or TLS_LDM is replaced'],
  ],
};
