/** Relocation types of Arm. */
import type { MachineRelocations } from './relocation-type.ts';

export const ARM: MachineRelocations = {
  machines: [40],
  prefix: 'R_ARM_',
  source:
    'ELF for the Arm Architecture (AAELF32), "Relocation". Values and checks: GNU ld 2.40 (bfd/elf32-arm.c) and ld.lld 19 (ELF/Arch/ARM.cpp).',
  insnEndian: null,
  types: `
    0 NONE mark
    1 PC24 ((L+A)|T)-P 4:2-25@0 s26 lld:stub
    2 ABS32 (S+A)|T 4
    3 REL32 ((S+A)|T)-P 4
    4 LDR_PC_G0 S+A-P 4:0-11@0!sm m12
    5 ABS16 S+A 2 x16 ld:u16 lld:no
    6 ABS12 S+A 4:0-11@0 u12 lld:no
    7 THM_ABS5 S+A 2:2-6@6 u7 ld:u5 lld:no
    8 ABS8 S+A 1 x8 ld:u8 lld:no
    9 SBREL32 ((S+A)|T)-SB 4
    10 THM_CALL ((L+A)|T)-P 2x2:1.1-11@0,0.12-21@0!j24 s25 ld:stub lld:stub
    11 THM_PC8 (S+A)-(P&~3) 2:2-9@0 u10
    12 BREL_ADJ
    13 TLS_DESC Descriptor(S+A) 8 dyn
    14 THM_SWI8
    15 XPC25
    16 THM_XPC22
    17 TLS_DTPMOD32 Module(S) 4 dyn
    18 TLS_DTPOFF32 S+A-DTPB 4 dyn
    19 TLS_TPOFF32 S+A-TPB 4 dyn
    20 COPY dyn
    21 GLOB_DAT (S+A)|T 4 dyn
    22 JUMP_SLOT (S+A)|T 4 dyn
    23 RELATIVE B+A 4 dyn
    24 GOTOFF32 ((S+A)|T)-GOT 4
    25 BASE_PREL GOT+A-P 4
    26 GOT_BREL GE+A-GOT 4
    27 PLT32 ((L+A)|T)-P 4:2-25@0 s26 lld:stub
    28 CALL ((L+A)|T)-P 4:2-25@0 s26 ld:stub lld:stub
    29 JUMP24 ((L+A)|T)-P 4:2-25@0 s26 ld:stub lld:stub
    30 THM_JUMP24 ((L+A)|T)-P 2x2:1.1-11@0,0.12-21@0!j24 s25 ld:stub lld:stub
    31 BASE_ABS SB+A 4
    32 ALU_PCREL7_0|ALU_PCREL_7_0
    33 ALU_PCREL15_8|ALU_PCREL_15_8
    34 ALU_PCREL23_15|ALU_PCREL_23_15
    35 LDR_SBREL_11_0|LDR_SBREL_11_0_NC
    36 ALU_SBREL_19_12|ALU_SBREL_19_12_NC
    37 ALU_SBREL_27_20|ALU_SBREL_27_20_CK
    38 TARGET1 (S+A)|T 4
    39 SBREL31
    40 V4BX mark
    41 TARGET2 GE+A-P 4
    42 PREL31 ((S+A)|T)-P 4:0-30@0 s31
    43 MOVW_ABS_NC (S+A)|T 4:0-11@0,12-15@16
    44 MOVT_ABS S+A 4:16-27@0,28-31@16
    45 MOVW_PREL_NC ((S+A)|T)-P 4:0-11@0,12-15@16
    46 MOVT_PREL S+A-P 4:16-27@0,28-31@16
    47 THM_MOVW_ABS_NC (S+A)|T 2x2:1.0-7@0,1.8-10@12,0.11@10,0.12-15@0
    48 THM_MOVT_ABS S+A 2x2:1.16-23@0,1.24-26@12,0.27@10,0.28-31@0
    49 THM_MOVW_PREL_NC ((S+A)|T)-P 2x2:1.0-7@0,1.8-10@12,0.11@10,0.12-15@0
    50 THM_MOVT_PREL S+A-P 2x2:1.16-23@0,1.24-26@12,0.27@10,0.28-31@0
    51 THM_JUMP19 ((L+A)|T)-P 2x2:1.1-11@0,0.12-17@0,1.18@13,1.19@11,0.20@10 s21 ld:stub lld:stub
    52 THM_JUMP6 S+A-P 2:1-5@3,6@9 u7 ld:u6 lld:no
    53 THM_ALU_PREL_11_0 ((S+A)|T)-(P&~3) 2x2:1.0-7@0,1.8-10@12,0.11@10!tha m12
    54 THM_PC12 ((S+A)|T)-(P&~3) 2x2:1.0-11@0!thp m12
    55 ABS32_NOI S+A 4
    56 REL32_NOI S+A-P 4
    57 ALU_PC_G0_NC ((S+A)|T)-P 4:0-11@0!alu group
    58 ALU_PC_G0 ((S+A)|T)-P 4:0-11@0!alu group
    59 ALU_PC_G1_NC ((S+A)|T)-P 4:0-11@0!alu group
    60 ALU_PC_G1 ((S+A)|T)-P 4:0-11@0!alu group
    61 ALU_PC_G2 ((S+A)|T)-P 4:0-11@0!alu group
    62 LDR_PC_G1 S+A-P 4:0-11@0!g1
    63 LDR_PC_G2 S+A-P 4:0-11@0!ldrg group
    64 LDRS_PC_G0 S+A-P 4:0-3@0,4-7@8!ldrsg group
    65 LDRS_PC_G1 S+A-P 4:0-3@0,4-7@8!ldrsg group
    66 LDRS_PC_G2 S+A-P 4:0-3@0,4-7@8!ldrsg group
    67 LDC_PC_G0 S+A-P 4:2-9@0!ldcg group
    68 LDC_PC_G1 S+A-P 4:2-9@0!ldcg group
    69 LDC_PC_G2 S+A-P 4:2-9@0!ldcg group
    70 ALU_SB_G0_NC ((S+A)|T)-SB 4:0-11@0!alu group
    71 ALU_SB_G0 ((S+A)|T)-SB 4:0-11@0!alu group
    72 ALU_SB_G1_NC ((S+A)|T)-SB 4:0-11@0!alu group
    73 ALU_SB_G1 ((S+A)|T)-SB 4:0-11@0!alu group
    74 ALU_SB_G2 ((S+A)|T)-SB 4:0-11@0!alu group
    75 LDR_SB_G0 S+A-SB 4:0-11@0!ldrg group
    76 LDR_SB_G1 S+A-SB 4:0-11@0!ldrg group
    77 LDR_SB_G2 S+A-SB 4:0-11@0!ldrg group
    78 LDRS_SB_G0 S+A-SB 4:0-3@0,4-7@8!ldrsg group
    79 LDRS_SB_G1 S+A-SB 4:0-3@0,4-7@8!ldrsg group
    80 LDRS_SB_G2 S+A-SB 4:0-3@0,4-7@8!ldrsg group
    81 LDC_SB_G0 S+A-SB 4:2-9@0!ldcg group
    82 LDC_SB_G1 S+A-SB 4:2-9@0!ldcg group
    83 LDC_SB_G2 S+A-SB 4:2-9@0!ldcg group
    84 MOVW_BREL_NC ((S+A)|T)-SB 4:0-11@0,12-15@16
    85 MOVT_BREL S+A-SB 4:16-27@0,28-31@16
    86 MOVW_BREL ((S+A)|T)-SB 4:0-11@0,12-15@16
    87 THM_MOVW_BREL_NC ((S+A)|T)-SB 2x2:1.0-7@0,1.8-10@12,0.11@10,0.12-15@0
    88 THM_MOVT_BREL S+A-SB 2x2:1.16-23@0,1.24-26@12,0.27@10,0.28-31@0
    89 THM_MOVW_BREL ((S+A)|T)-SB 2x2:1.0-7@0,1.8-10@12,0.11@10,0.12-15@0
    90 TLS_GOTDESC GDESC+A-P 4
    91 TLS_CALL
    92 TLS_DESCSEQ
    93 THM_TLS_CALL
    94 PLT32_ABS L+A 4
    95 GOT_ABS GE+A 4
    96 GOT_PREL GE+A-P 4
    97 GOT_BREL12 GE+A-GOT 4:0-11@0 u12
    98 GOTOFF12 S+A-GOT 4:0-11@0 u12
    99 GOTRELAX mark
    100 GNU_VTENTRY mark
    101 GNU_VTINHERIT mark
    102 THM_JUMP11 S+A-P 2:1-11@0 s12
    103 THM_JUMP8 S+A-P 2:1-8@0 s9
    104 TLS_GD32 GTLSGD+A-P 4
    105 TLS_LDM32 GTLSLD+A-P 4
    106 TLS_LDO32 S+A-DTPB 4
    107 TLS_IE32 GTPR+A-P 4
    108 TLS_LE32 S+A-TPB 4
    109 TLS_LDO12 S+A-DTPB 4:0-11@0 u12
    110 TLS_LE12 S+A-TPB 4:0-11@0 u12
    111 TLS_IE12GP GTPR+A-GOT 4:0-11@0 u12
    112 PRIVATE_0
    113 PRIVATE_1
    114 PRIVATE_2
    115 PRIVATE_3
    116 PRIVATE_4
    117 PRIVATE_5
    118 PRIVATE_6
    119 PRIVATE_7
    120 PRIVATE_8
    121 PRIVATE_9
    122 PRIVATE_10
    123 PRIVATE_11
    124 PRIVATE_12
    125 PRIVATE_13
    126 PRIVATE_14
    127 PRIVATE_15
    128 ME_TOO
    129 THM_TLS_DESCSEQ16
    130 THM_TLS_DESCSEQ32
    132 THM_ALU_ABS_G0_NC (S+A)|T 2:0-7@0
    133 THM_ALU_ABS_G1_NC S+A 2:8-15@0
    134 THM_ALU_ABS_G2_NC S+A 2:16-23@0
    135 THM_ALU_ABS_G3 S+A 2:24-31@0
    136 THM_BF16 ((S+A)|T)-P 2x2:0.12-16@0,1.2-11@1,1.1@11 s17
    137 THM_BF12 ((S+A)|T)-P 2x2:0.12@0,1.2-11@1,1.1@11 s13
    138 THM_BF18 ((S+A)|T)-P 2x2:0.12-18@0,1.2-11@1,1.1@11 s19
    160 IRELATIVE Resolver(B+A) 4 dyn
    161 GOTFUNCDESC
    162 GOTOFFFUNCDESC
    163 FUNCDESC
    164 FUNCDESC_VALUE
    165 TLS_GD32_FDPIC
    166 TLS_LDM32_FDPIC
    167 TLS_IE32_FDPIC
    249 RXPC25~
    250 RSBREL32~
    251 THM_RPC22~
    252 RREL32~
    253 RABS32~
    254 RPC24~
    255 RBASE~
  `,
  relaxations: [
    [/^(?:THM_CALL|CALL|PLT32)$/, 'BL to code of the other instruction set becomes BLX'],
    [
      /^(?:PC24|JUMP24|THM_JUMP24|THM_JUMP19)$/,
      'out of reach, or to code of the other instruction set, the branch goes to a veneer',
    ],
    [/^(?:THM_)?TLS_(?:GOTDESC|CALL|DESCSEQ)/, 'the descriptor call becomes a load of the offset'],
  ],
};
