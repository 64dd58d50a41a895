/** Relocation types of LoongArch. */
import type { MachineRelocations } from './relocation-type.ts';

export const LOONGARCH: MachineRelocations = {
  machines: [258],
  prefix: 'R_LARCH_',
  source:
    'ELF for the LoongArch Architecture (la-abi-specs), "Relocations". Values: ld.lld 19 (ELF/Arch/LoongArch.cpp).',
  insnEndian: 'little',
  types: `
    0 NONE mark
    1 32 S+A 4
    2 64 S+A 8
    3 RELATIVE B+A w dyn
    4 COPY dyn
    5 JUMP_SLOT S w dyn
    6 TLS_DTPMOD32 Module(S) 4 dyn
    7 TLS_DTPMOD64 Module(S) 8 dyn
    8 TLS_DTPREL32 S+A-DTPB 4
    9 TLS_DTPREL64 S+A-DTPB 8
    10 TLS_TPREL32 S+A-TPB 4 dyn
    11 TLS_TPREL64 S+A-TPB 8 dyn
    12 IRELATIVE Resolver(B+A) w dyn
    13 TLS_DESC32 Descriptor(S+A) 8 dyn
    14 TLS_DESC64 Descriptor(S+A) 16 dyn
    20 MARK_LA mark
    21 MARK_PCREL mark
    22 SOP_PUSH_PCREL push(S+A-P) stack
    23 SOP_PUSH_ABSOLUTE push(S+A) stack
    24 SOP_PUSH_DUP push(top) stack
    25 SOP_PUSH_GPREL push(GE-GOT) stack
    26 SOP_PUSH_TLS_TPREL push(S+A-TPB) stack
    27 SOP_PUSH_TLS_GOT push(GTPR-GOT) stack
    28 SOP_PUSH_TLS_GD push(GTLSGD-GOT) stack
    29 SOP_PUSH_PLT_PCREL push(L+A-P) stack
    30 SOP_ASSERT assert(pop) stack
    31 SOP_NOT push(!pop) stack
    32 SOP_SUB push(pop-pop) stack
    33 SOP_SL push(pop<<pop) stack
    34 SOP_SR push(pop>>pop) stack
    35 SOP_ADD push(pop+pop) stack
    36 SOP_AND push(pop&pop) stack
    37 SOP_IF_ELSE push(pop?pop:pop) stack
    38 SOP_POP_32_S_10_5 pop 4:0-4@10 s5
    39 SOP_POP_32_U_10_12 pop 4:0-11@10 u12
    40 SOP_POP_32_S_10_12 pop 4:0-11@10 s12
    41 SOP_POP_32_S_10_16 pop 4:0-15@10 s16
    42 SOP_POP_32_S_10_16_S2 pop 4:2-17@10 s18/4
    43 SOP_POP_32_S_5_20 pop 4:0-19@5 s20
    44 SOP_POP_32_S_0_5_10_16_S2 pop 4:2-17@10,18-22@0 s23/4
    45 SOP_POP_32_S_0_10_10_16_S2 pop 4:2-17@10,18-27@0 s28/4
    46 SOP_POP_32_U pop 4 u32
    47 ADD8 V+S+A 1
    48 ADD16 V+S+A 2
    49 ADD24 V+S+A 1x3:0.0-7@0,1.8-15@0,2.16-23@0
    50 ADD32 V+S+A 4
    51 ADD64 V+S+A 8
    52 SUB8 V-S-A 1
    53 SUB16 V-S-A 2
    54 SUB24 V-S-A 1x3:0.0-7@0,1.8-15@0,2.16-23@0
    55 SUB32 V-S-A 4
    56 SUB64 V-S-A 8
    57 GNU_VTINHERIT mark
    58 GNU_VTENTRY mark
    64 B16 S+A-P 4:2-17@10 s18/4
    65 B21 S+A-P 4:2-17@10,18-22@0 s23/4
    66 B26 L+A-P 4:2-17@10,18-27@0 s28/4
    67 ABS_HI20 S+A 4:12-31@5
    68 ABS_LO12 S+A 4:0-11@10
    69 ABS64_LO20 S+A 4:32-51@5
    70 ABS64_HI12 S+A 4:52-63@10
    71 PCALA_HI20 HiPage(S+A)-Page(P) 4:12-31@5 s32 ld:none lld:none
    72 PCALA_LO12 S+A 4:0-11@10
    73 PCALA64_LO20 PageDelta(S+A,P-8) 4:32-51@5
    74 PCALA64_HI12 PageDelta(S+A,P-12) 4:52-63@10
    75 GOT_PC_HI20 HiPage(GE)-Page(P) 4:12-31@5 s32
    76 GOT_PC_LO12 GE 4:0-11@10
    77 GOT64_PC_LO20 PageDelta(GE,P-8) 4:32-51@5
    78 GOT64_PC_HI12 PageDelta(GE,P-12) 4:52-63@10
    79 GOT_HI20 GE 4:12-31@5
    80 GOT_LO12 GE 4:0-11@10
    81 GOT64_LO20 GE 4:32-51@5
    82 GOT64_HI12 GE 4:52-63@10
    83 TLS_LE_HI20 S+A-TPB 4:12-31@5
    84 TLS_LE_LO12 S+A-TPB 4:0-11@10
    85 TLS_LE64_LO20 S+A-TPB 4:32-51@5
    86 TLS_LE64_HI12 S+A-TPB 4:52-63@10
    87 TLS_IE_PC_HI20 HiPage(GTPR)-Page(P) 4:12-31@5 s32
    88 TLS_IE_PC_LO12 GTPR 4:0-11@10
    89 TLS_IE64_PC_LO20 PageDelta(GTPR,P-8) 4:32-51@5
    90 TLS_IE64_PC_HI12 PageDelta(GTPR,P-12) 4:52-63@10
    91 TLS_IE_HI20 GTPR 4:12-31@5
    92 TLS_IE_LO12 GTPR 4:0-11@10
    93 TLS_IE64_LO20 GTPR 4:32-51@5
    94 TLS_IE64_HI12 GTPR 4:52-63@10
    95 TLS_LD_PC_HI20 HiPage(GTLSLD)-Page(P) 4:12-31@5 s32
    96 TLS_LD_HI20 GTLSLD 4:12-31@5
    97 TLS_GD_PC_HI20 HiPage(GTLSGD)-Page(P) 4:12-31@5 s32
    98 TLS_GD_HI20 GTLSGD 4:12-31@5
    99 32_PCREL S+A-P 4 s32
    100 RELAX mark
    102 ALIGN mark
    103 PCREL20_S2 S+A-P 4:2-21@5 s22/4
    105 ADD6 (V&63)+S+A 1:0-5@0
    106 SUB6 (V&63)-S-A 1:0-5@0
    107 ADD_ULEB128 V+S+A uleb
    108 SUB_ULEB128 V-S-A uleb
    109 64_PCREL S+A-P 8
    110 CALL36 L+A-P 4x2:+20000;0.18-37@5,1.2-17@10p s38/4
    111 TLS_DESC_PC_HI20 HiPage(GDESC)-Page(P) 4:12-31@5 s32
    112 TLS_DESC_PC_LO12 GDESC 4:0-11@10
    113 TLS_DESC64_PC_LO20 PageDelta(GDESC,P-8) 4:32-51@5
    114 TLS_DESC64_PC_HI12 PageDelta(GDESC,P-12) 4:52-63@10
    115 TLS_DESC_HI20 GDESC 4:12-31@5
    116 TLS_DESC_LO12 GDESC 4:0-11@10
    117 TLS_DESC64_LO20 GDESC 4:32-51@5
    118 TLS_DESC64_HI12 GDESC 4:52-63@10
    119 TLS_DESC_LD mark
    120 TLS_DESC_CALL mark
    121 TLS_LE_HI20_R S+A-TPB 4:+800;12-31@5
    122 TLS_LE_ADD_R mark
    123 TLS_LE_LO12_R S+A-TPB 4:0-11@10
    124 TLS_LD_PCREL20_S2 GTLSLD-P 4:2-21@5 s22/4
    125 TLS_GD_PCREL20_S2 GTLSGD-P 4:2-21@5 s22/4
    126 TLS_DESC_PCREL20_S2 GDESC-P 4:2-21@5 s22/4
  `,
  relaxations: [
    [
      /^(?:PCALA_HI20|PCALA_LO12|GOT_PC_HI20|GOT_PC_LO12)$/,
      'with RELAX: pcalau12i and the access become pcaddi where the target is in reach; bytes are deleted',
    ],
    [/^(?:CALL36|B26)$/, 'with RELAX: pcaddu18i and jirl become bl where the target is in reach'],
    [/^TLS_(?:DESC|IE|LD|GD)/, 'the TLS sequence becomes an offset from the thread pointer'],
    [/^TLS_LE_/, 'with RELAX: lu12i.w and add.d are deleted where the offset fits 12 bits'],
    [/^ALIGN$/, 'padding that the alignment does not need is deleted'],
  ],
};
