/** Relocation types of SPARC. */
import type { MachineRelocations } from './relocation-type.ts';

export const SPARC: MachineRelocations = {
  machines: [2, 18, 43],
  prefix: 'R_SPARC_',
  source:
    'SPARC Compliance Definition and the V9 supplement, "Relocation". Values and checks: GNU ld 2.40 (bfd/elfxx-sparc.c) and ld.lld 19 (ELF/Arch/SPARCV9.cpp).',
  insnEndian: null,
  types: `
    0 NONE mark
    1 8 S+A 1 x8 ld:s9 lld:no
    2 16 S+A 2 x16 ld:s17 lld:no
    3 32 S+A 4 x32 ld:s33 lld:u32
    4 DISP8 S+A-P 1 s8 lld:no
    5 DISP16 S+A-P 2 s16 lld:no
    6 DISP32 S+A-P 4 s32
    7 WDISP30 S+A-P 4:2-31@0 s32/4
    8 WDISP22 S+A-P 4:2-23@0 s24/4 lld:no
    9 HI22 S+A 4:10-31@0
    10 22 S+A 4:0-21@0 x22 ld:s23 lld:no
    11 13 S+A 4:0-12@0 s13 ld:s14 lld:no
    12 LO10 S+A 4:0-9@0
    13 GOT10 GE-GOT 4:0-9@0
    14 GOT13 GE-GOT 4:0-12@0 s13
    15 GOT22 GE-GOT 4:10-31@0
    16 PC10 S+A-P 4:0-9@0
    17 PC22 S+A-P 4:10-31@0 s32 ld:s33 lld:none
    18 WPLT30 L+A-P 4:2-31@0 s32/4
    19 COPY dyn
    20 GLOB_DAT S+A w dyn
    21 JMP_SLOT dyn
    22 RELATIVE B+A w dyn
    23 UA32 S+A 4 x32 ld:s33 lld:u32
    24 PLT32 L+A 4 x32 ld:s33
    25 HIPLT22 L+A 4:10-31@0
    26 LOPLT10 L+A 4:0-9@0
    27 PCPLT32 L+A-P 4 s32
    28 PCPLT22 L+A-P 4:10-31@0 s32
    29 PCPLT10 L+A-P 4:0-9@0
    30 10 S+A 4:0-9@0 x10 ld:s11 lld:no
    31 11 S+A 4:0-10@0 x11 ld:s12 lld:no
    32 64 S+A 8
    33 OLO10 ((S+A)&0x3ff)+O 4:0-12@0 s13
    34 HH22 S+A 4:42-63@0
    35 HM10 S+A 4:32-41@0
    36 LM22 S+A 4:10-31@0
    37 PC_HH22 S+A-P 4:42-63@0
    38 PC_HM10 S+A-P 4:32-41@0
    39 PC_LM22 S+A-P 4:10-31@0
    40 WDISP16 S+A-P 4:2-15@0,16-17@20 s18/4 lld:no
    41 WDISP19 S+A-P 4:2-20@0 s21/4 lld:no
    42 UNUSED_42~
    43 7 S+A 4:0-6@0 x7 ld:s8 lld:no
    44 5 S+A 4:0-4@0 x5 ld:s6 lld:no
    45 6 S+A 4:0-5@0 x6 ld:s7 lld:no
    46 DISP64 S+A-P 8
    47 PLT64 L+A 8
    48 HIX22 ~(S+A) 4:10-31@0 u32
    49 LOX10 ((S+A)&0x3ff)|0x1c00 4:0-12@0
    50 H44 S+A 4:22-43@0 u44
    51 M44 S+A 4:12-21@0
    52 L44 S+A 4:0-11@0
    53 REGISTER
    54 UA64 S+A 8
    55 UA16 S+A 2 x16 ld:s17 lld:no
    56 TLS_GD_HI22 GTLSGD-GOT 4:10-31@0
    57 TLS_GD_LO10 GTLSGD-GOT 4:0-9@0
    58 TLS_GD_ADD mark
    59 TLS_GD_CALL TGA+A-P 4:2-31@0 s32/4
    60 TLS_LDM_HI22 GTLSLD-GOT 4:10-31@0
    61 TLS_LDM_LO10 GTLSLD-GOT 4:0-9@0
    62 TLS_LDM_ADD mark
    63 TLS_LDM_CALL TGA+A-P 4:2-31@0 s32/4
    64 TLS_LDO_HIX22 S+A-DTPB 4:10-31@0
    65 TLS_LDO_LOX10 (S+A-DTPB)&0x3ff 4:0-12@0
    66 TLS_LDO_ADD mark
    67 TLS_IE_HI22 GTPR-GOT 4:10-31@0
    68 TLS_IE_LO10 GTPR-GOT 4:0-9@0
    69 TLS_IE_LD mark
    70 TLS_IE_LDX mark
    71 TLS_IE_ADD mark
    72 TLS_LE_HIX22 ~(S+A-TPB) 4:10-31@0
    73 TLS_LE_LOX10 ((S+A-TPB)&0x3ff)|0x1c00 4:0-12@0
    74 TLS_DTPMOD32 Module(S) 4 dyn
    75 TLS_DTPMOD64 Module(S) 8 dyn
    76 TLS_DTPOFF32 S+A-DTPB 4
    77 TLS_DTPOFF64 S+A-DTPB 8
    78 TLS_TPOFF32 S+A-TPB 4 dyn
    79 TLS_TPOFF64 S+A-TPB 8 dyn
    80 GOTDATA_HIX22 (S+A-GOT)^((S+A-GOT)>>63) 4:10-31@0
    81 GOTDATA_LOX10 ((S+A-GOT)&0x3ff)|(((S+A-GOT)>>63)&0x1c00) 4:0-12@0
    82 GOTDATA_OP_HIX22 (GE-GOT)^((GE-GOT)>>63) 4:10-31@0
    83 GOTDATA_OP_LOX10 ((GE-GOT)&0x3ff)|(((GE-GOT)>>63)&0x1c00) 4:0-12@0
    84 GOTDATA_OP mark
    85 H34~ S+A 4:12-33@0 u34 lld:no
    86 SIZE32~ Z+A 4 x32 ld:s33
    87 SIZE64~ Z+A 8
    88 WDISP10~ S+A-P 4:2-9@5,10-11@19 s12/4 lld:no
    248 JMP_IREL~ dyn
    249 IRELATIVE~ Resolver(B+A) w dyn
    250 GNU_VTINHERIT~ mark
    251 GNU_VTENTRY~ mark
    252 REV32~
  `,
  relaxations: [
    [/^GOTDATA_OP/, 'the load from the GOT becomes an add of the offset from the GOT'],
    [/^TLS_(?:GD|LDM|LDO|IE)_/, 'the TLS sequence becomes an offset from %g7'],
    [/^WPLT30$/, 'the call of __tls_get_addr is replaced; a call with a restore becomes a branch'],
  ],
};
