/** Relocation types of RISC-V. */
import type { MachineRelocations } from './relocation-type.ts';

export const RISCV: MachineRelocations = {
  machines: [243],
  prefix: 'R_RISCV_',
  source:
    'RISC-V ELF psABI, "Relocations" and "Linker Relaxation". Values and checks: GNU ld 2.40 (bfd/elfnn-riscv.c) and ld.lld 19 (ELF/Arch/RISCV.cpp).',
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
    12 TLSDESC Descriptor(S+A) 16 dyn
    16 BRANCH S+A-P 4:1-4@8,5-10@25,11@7,12@31 s13/2
    17 JAL S+A-P 4:1-10@21,11@20,12-19@12,20@31 s21/2
    18 CALL L+A-P 4x2:+800;0.12-31@12,1.0-11@20p s32
    19 CALL_PLT L+A-P 4x2:+800;0.12-31@12,1.0-11@20p s32
    20 GOT_HI20 GE+A-P 4:+800;12-31@12 s32
    21 TLS_GOT_HI20 GTPR+A-P 4:+800;12-31@12 s32
    22 TLS_GD_HI20 GTLSGD+A-P 4:+800;12-31@12 s32
    23 PCREL_HI20 S+A-P 4:+800;12-31@12 s32
    24 PCREL_LO12_I PCHI 4:0-11@20
    25 PCREL_LO12_S PCHI 4:0-4@7,5-11@25
    26 HI20 S+A 4:+800;12-31@12 s32
    27 LO12_I S+A 4:0-11@20
    28 LO12_S S+A 4:0-4@7,5-11@25
    29 TPREL_HI20 S+A-TPB 4:+800;12-31@12 s32
    30 TPREL_LO12_I S+A-TPB 4:0-11@20
    31 TPREL_LO12_S S+A-TPB 4:0-4@7,5-11@25
    32 TPREL_ADD mark
    33 ADD8 V+S+A 1
    34 ADD16 V+S+A 2
    35 ADD32 V+S+A 4
    36 ADD64 V+S+A 8
    37 SUB8 V-S-A 1
    38 SUB16 V-S-A 2
    39 SUB32 V-S-A 4
    40 SUB64 V-S-A 8
    41 GOT32_PCREL GE+A-P 4 s32
    43 ALIGN mark
    44 RVC_BRANCH S+A-P 2:1-2@3,3-4@10,5@2,6-7@5,8@12 s9/2
    45 RVC_JUMP S+A-P 2:1-3@3,4@11,5@2,6@7,7@6,8-9@9,10@8,11@12 s12/2
    46 RVC_LUI S+A 2:+800;12-16@2,17@12 s18 ld:raw18
    47 GPREL_I~ S+A-GP 4:0-11@20 s12
    48 GPREL_S~ S+A-GP 4:0-4@7,5-11@25 s12
    49 TPREL_I~ S+A-TPB 4:0-11@20 s12
    50 TPREL_S~ S+A-TPB 4:0-4@7,5-11@25 s12
    51 RELAX mark
    52 SUB6 (V&63)-S-A 1:0-5@0
    53 SET6 S+A 1:0-5@0
    54 SET8 S+A 1
    55 SET16 S+A 2
    56 SET32 S+A 4
    57 32_PCREL S+A-P 4 s32 ld:none
    58 IRELATIVE Resolver(B+A) w dyn
    59 PLT32 L+A-P 4 s32
    60 SET_ULEB128 S+A uleb
    61 SUB_ULEB128 V-S-A uleb
    62 TLSDESC_HI20 GDESC+A-P 4:+800;12-31@12 s32
    63 TLSDESC_LOAD_LO12 PCHI 4:0-11@20
    64 TLSDESC_ADD_LO12 PCHI 4:0-11@20
    65 TLSDESC_CALL mark
  `,
  relaxations: [
    [
      /^CALL(?:_PLT)?$/,
      'with RELAX: auipc and jalr become jal, c.j or c.jal where the target is in reach; bytes are deleted',
    ],
    [
      /^(?:HI20|LO12_[IS]|PCREL_HI20|PCREL_LO12_[IS])$/,
      'with RELAX: lui or auipc is deleted where the target is in reach of gp or of zero',
    ],
    [
      /^TPREL_(?:HI20|ADD|LO12_[IS])$/,
      'with RELAX: lui and add are deleted where the offset fits 12 bits',
    ],
    [/^GOT_HI20$/, 'lld: the load from the GOT becomes an address where the entry is not needed'],
    [/^TLSDESC_/, 'the descriptor sequence becomes a load of the offset'],
    [/^ALIGN$/, 'padding that the alignment does not need is deleted, also without relaxation'],
  ],
};
