/** Relocation types of Alpha ELF. */
import type { MachineRelocations } from './relocation-type.ts';

export const ALPHA: MachineRelocations = {
  machines: [0x9026],
  prefix: 'R_ALPHA_',
  source: 'GNU ld 2.40 (bfd/elf64-alpha.c); there is no processor supplement.',
  insnEndian: null,
  types: `
    0 NONE~ mark
    1 REFLONG~ S+A 4 x32 ld:s33 lld:no
    2 REFQUAD~ S+A 8
    3 GPREL32~ S+A-GP 4 s32 ld:s33
    4 LITERAL~ GE-GP 2 s16
    5 LITUSE~ mark
    6 GPDISP~ GP-P gpdisp s32
    7 BRADDR~ S+A-P-4 4:2-22@0 s23/4 lld:no
    8 HINT~ S+A-P-4 4:2-15@0
    9 SREL16~ S+A-P 2 s16 lld:no
    10 SREL32~ S+A-P 4 s32 lld:no
    11 SREL64~ S+A-P 8
    17 GPRELHIGH~ S+A-GP 2:+8000;16-31@0 s32
    18 GPRELLOW~ S+A-GP 2
    19 GPREL16~ S+A-GP 2 s16
    24 COPY~ dyn
    25 GLOB_DAT~ S+A 8 dyn
    26 JMP_SLOT~ S+A 8 dyn
    27 RELATIVE~ B+A 8 dyn
    28 BRSGP~ L+A-P-4 4:2-22@0 s23/4 ld:none lld:no
    29 TLSGD~ GTLSGD-GP 2 s16
    30 TLSLDM~ GTLSLD-GP 2 s16
    31 DTPMOD64~ Module(S) 8 dyn
    32 GOTDTPREL~ GDTPR-GP 2 s16
    33 DTPREL64~ S+A-DTPB 8
    34 DTPRELHI~ S+A-DTPB 2:+8000;16-31@0 s32
    35 DTPRELLO~ S+A-DTPB 2
    36 DTPREL16~ S+A-DTPB 2 s16
    37 GOTTPREL~ GTPR-GP 2 s16
    38 TPREL64~ S+A-TPB 8
    39 TPRELHI~ S+A-TPB 2:+8000;16-31@0 s32
    40 TPRELLO~ S+A-TPB 2
    41 TPREL16~ S+A-TPB 2 s16
  `,
  relaxations: [
    [/^(?:LITERAL|LITUSE)$/, 'ldq from the GOT becomes lda or ldah of the address'],
    [/^(?:HINT|GPDISP)$/, 'jsr becomes bsr, and the reload of gp is deleted'],
    [/^(?:TLSGD|TLSLDM|GOTDTPREL|GOTTPREL)$/, 'the TLS sequence becomes an offset'],
  ],
};
