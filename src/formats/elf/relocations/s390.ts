/** Relocation types of s390. */
import type { MachineRelocations } from './relocation-type.ts';

export const S390: MachineRelocations = {
  machines: [22],
  prefix: 'R_390_',
  source:
    'ELF Application Binary Interface s390x Supplement, "Relocation Types". Values and checks: GNU ld 2.40 (bfd/elf64-s390.c) and ld.lld 19 (ELF/Arch/SystemZ.cpp).',
  insnEndian: null,
  types: `
    0 NONE mark
    1 8 S+A 1 x8 ld:s9
    2 12 S+A 2:0-11@0 u12 ld:none
    3 16 S+A 2 x16 ld:s17
    4 32 S+A 4 x32 ld:s33
    5 PC32 S+A-P 4 s32 ld:s33
    6 GOT12 GE+A-GOT 2:0-11@0 u12 ld:s13
    7 GOT32 GE+A-GOT 4 x32 ld:s33
    8 PLT32 L+A-P 4 s32 ld:s33
    9 COPY dyn
    10 GLOB_DAT S w dyn
    11 JMP_SLOT S w dyn
    12 RELATIVE B+A w dyn
    13 GOTOFF32|GOTOFF S+A-GOT 4 s32 ld:s33
    14 GOTPC GOT+A-P 8
    15 GOT16 GE+A-GOT 2 x16 ld:s17
    16 PC16 S+A-P 2 s16 ld:s17
    17 PC16DBL S+A-P 2:1-16@0 s17/2 ld:s18/2
    18 PLT16DBL L+A-P 2:1-16@0 s17/2 ld:s18/2
    19 PC32DBL S+A-P 4:1-32@0 s33/2 ld:s34/2
    20 PLT32DBL L+A-P 4:1-32@0 s33/2 ld:s34/2
    21 GOTPCDBL GOT+A-P 4:1-32@0 s33/2 ld:s34/2
    22 64 S+A 8
    23 PC64 S+A-P 8
    24 GOT64 GE+A-GOT 8
    25 PLT64 L+A-P 8
    26 GOTENT GE+A-P 4:1-32@0 s33/2 ld:s34/2
    27 GOTOFF16 S+A-GOT 2 s16 ld:s17
    28 GOTOFF64 S+A-GOT 8
    29 GOTPLT12 GE+A-GOT 2:0-11@0 u12
    30 GOTPLT16 GE+A-GOT 2 x16 ld:s17
    31 GOTPLT32 GE+A-GOT 4 x32 ld:s33
    32 GOTPLT64 GE+A-GOT 8
    33 GOTPLTENT GE+A-P 4:1-32@0 s33/2 ld:s34/2
    34 PLTOFF16 L+A-GOT 2 s16 ld:s17
    35 PLTOFF32 L+A-GOT 4 s32 ld:s33
    36 PLTOFF64 L+A-GOT 8
    37 TLS_LOAD mark
    38 TLS_GDCALL mark
    39 TLS_LDCALL mark
    40 TLS_GD32 GTLSGD+A-GOT 4
    41 TLS_GD64 GTLSGD+A-GOT 8
    42 TLS_GOTIE12 GTPR+A-GOT 2:0-11@0 u12
    43 TLS_GOTIE32 GTPR+A-GOT 4
    44 TLS_GOTIE64 GTPR+A-GOT 8
    45 TLS_LDM32 GTLSLD+A-GOT 4
    46 TLS_LDM64 GTLSLD+A-GOT 8
    47 TLS_IE32 GTPR+A 4
    48 TLS_IE64 GTPR+A 8
    49 TLS_IEENT GTPR+A-P 4:1-32@0 s33/2 ld:s34/2
    50 TLS_LE32 S+A-TPB 4
    51 TLS_LE64 S+A-TPB 8
    52 TLS_LDO32 S+A-DTPB 4
    53 TLS_LDO64 S+A-DTPB 8
    54 TLS_DTPMOD Module(S) w dyn
    55 TLS_DTPOFF S+A-DTPB w dyn
    56 TLS_TPOFF S+A-TPB w dyn
    57 20 S+A 4:0-11@16,12-19@8 s20 ld:none
    58 GOT20 GE+A-GOT 4:0-11@16,12-19@8 s20
    59 GOTPLT20 GE+A-GOT 4:0-11@16,12-19@8 s20
    60 TLS_GOTIE20 GTPR+A-GOT 4:0-11@16,12-19@8 s20
    61 IRELATIVE Resolver(B+A) w dyn
    62 PC12DBL S+A-P 2:1-12@0 s13/2 ld:s14/2
    63 PLT12DBL L+A-P 2:1-12@0 s13/2 ld:s14/2
    64 PC24DBL S+A-P 1x3:2.1-8@0,1.9-16@0,0.17-24@0 s25/2 ld:none
    65 PLT24DBL L+A-P 1x3:2.1-8@0,1.9-16@0,0.17-24@0 s25/2 ld:none
    250 GNU_VTINHERIT~ mark
    251 GNU_VTENTRY~ mark
  `,
  relaxations: [
    [/^(?:GOTENT|GOTPLTENT)$/, 'lgrl of the GOT entry becomes larl of the address'],
    [/^TLS_(?:GD|LDM|IE|GOTIE)/, 'the value becomes the offset from the thread pointer'],
    [/^TLS_LDO/, 'after a relaxed TLS_LDM the value is the offset from the thread pointer'],
    [/^TLS_(?:LOAD|GDCALL|LDCALL)$/, 'the marked instruction is replaced with the TLS sequence'],
  ],
};
