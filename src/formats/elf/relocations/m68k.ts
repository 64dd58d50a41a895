/** Relocation types of m68k. */
import type { MachineRelocations } from './relocation-type.ts';

export const M68K: MachineRelocations = {
  machines: [4],
  prefix: 'R_68K_',
  source:
    'System V ABI, Motorola 68000 Processor Family Supplement, "Relocation". Values and checks: GNU ld 2.40 (bfd/elf32-m68k.c).',
  insnEndian: null,
  types: `
    0 NONE mark
    1 32 S+A 4
    2 16 S+A 2 x16 ld:s17 lld:no
    3 8 S+A 1 x8 ld:s9 lld:no
    4 PC32 S+A-P 4
    5 PC16 S+A-P 2 s16 lld:no
    6 PC8 S+A-P 1 s8 lld:no
    7 GOT32|GOTPCREL32 GE+A-P 4
    8 GOT16|GOTPCREL16 GE+A-P 2 s16
    9 GOT8|GOTPCREL8 GE+A-P 1 s8
    10 GOT32O|GOTOFF32 GE+A-GOT 4
    11 GOT16O|GOTOFF16 GE+A-GOT 2 s16
    12 GOT8O|GOTOFF8 GE+A-GOT 1 s8
    13 PLT32 L+A-P 4
    14 PLT16 L+A-P 2 s16 lld:no
    15 PLT8 L+A-P 1 s8 lld:no
    16 PLT32O|PLTOFF32 L+A-GOT 4
    17 PLT16O|PLTOFF16 L+A-GOT 2 s16
    18 PLT8O|PLTOFF8 L+A-GOT 1 s8
    19 COPY dyn
    20 GLOB_DAT S 4 dyn
    21 JMP_SLOT S 4 dyn
    22 RELATIVE B+A 4 dyn
    23 GNU_VTINHERIT mark
    24 GNU_VTENTRY mark
    25 TLS_GD32 GTLSGD+A-GOT 4
    26 TLS_GD16 GTLSGD+A-GOT 2 s16
    27 TLS_GD8 GTLSGD+A-GOT 1 s8
    28 TLS_LDM32 GTLSLD+A-GOT 4
    29 TLS_LDM16 GTLSLD+A-GOT 2 s16
    30 TLS_LDM8 GTLSLD+A-GOT 1 s8
    31 TLS_LDO32 S+A-DTPB 4
    32 TLS_LDO16 S+A-DTPB 2 s16
    33 TLS_LDO8 S+A-DTPB 1 s8
    34 TLS_IE32 GTPR+A-GOT 4
    35 TLS_IE16 GTPR+A-GOT 2 s16
    36 TLS_IE8 GTPR+A-GOT 1 s8
    37 TLS_LE32 S+A-TPB 4
    38 TLS_LE16 S+A-TPB 2 s16
    39 TLS_LE8 S+A-TPB 1 s8
    40 TLS_DTPMOD32 Module(S) 4 dyn
    41 TLS_DTPREL32 S+A-DTPB 4 dyn
    42 TLS_TPREL32 S+A-TPB 4 dyn
  `,
  relaxations: [],
};
