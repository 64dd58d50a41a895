import { describe, expect, it } from 'vitest';
import { relocationName } from './names.ts';
import { relocationBits } from './widths.ts';

/** Machine, address bits, and type names by width, from the tables of the supplements. */
const TABLES: readonly (readonly [
  machine: number,
  addressBits: 32 | 64,
  prefix: string,
  widths: Readonly<Record<number, string>>,
])[] = [
  [
    62,
    64,
    'R_X86_64_',
    {
      0: 'NONE COPY TLSDESC_CALL',
      8: '8 PC8',
      16: '16 PC16',
      32: `PC32 GOT32 PLT32 GOTPCREL 32 32S TLSGD TLSLD DTPOFF32 GOTTPOFF TPOFF32 GOTPC32 SIZE32
        GOTPC32_TLSDESC GOTPCRELX REX_GOTPCRELX`,
      64: `64 GLOB_DAT JUMP_SLOT RELATIVE DTPMOD64 DTPOFF64 TPOFF64 PC64 GOTOFF64 GOT64 GOTPCREL64
        GOTPC64 GOTPLT64 PLTOFF64 SIZE64 IRELATIVE`,
      128: 'TLSDESC',
    },
  ],
  [
    3,
    32,
    'R_386_',
    {
      0: 'NONE COPY TLS_DESC_CALL',
      8: '8 PC8',
      16: '16 PC16',
      32: '32 PC32 GOT32 PLT32 GLOB_DAT JUMP_SLOT RELATIVE GOTOFF GOTPC TLS_GD GOT32X IRELATIVE',
      64: 'TLS_DESC',
    },
  ],
  [
    183,
    64,
    'R_AARCH64_',
    {
      0: 'NONE COPY TLSDESC_CALL',
      16: 'ABS16 PREL16',
      32: `ABS32 PREL32 PLT32 GOTPCREL32 MOVW_UABS_G0 LD_PREL_LO19 ADR_PREL_PG_HI21 ADD_ABS_LO12_NC
        TSTBR14 CONDBR19 JUMP26 CALL26 LDST64_ABS_LO12_NC LD64_GOT_LO12_NC TLSDESC_LD64_LO12`,
      64: 'ABS64 PREL64 GOTREL64 GLOB_DAT JUMP_SLOT RELATIVE TLS_TPREL64 IRELATIVE AUTH_ABS64',
      128: 'TLSDESC',
    },
  ],
  [
    22,
    64,
    'R_390_',
    {
      0: 'NONE COPY TLS_LOAD TLS_GDCALL TLS_LDCALL',
      8: '8',
      16: '12 16 GOT12 GOT16 PC16 PC16DBL PLT16DBL GOTOFF16 GOTPLT12 PC12DBL PLT12DBL PLTOFF16',
      32: `32 PC32 GOT32 PLT32 PC32DBL PLT32DBL GOTPCDBL GOTENT GOTPLTENT TLS_IEENT TLS_LE32 20
        GOT20 TLS_GOTIE20 PC24DBL PLT24DBL`,
      64: '64 PC64 GOT64 PLT64 GLOB_DAT JMP_SLOT RELATIVE GOTOFF64 TLS_DTPMOD TLS_LDO64 IRELATIVE',
    },
  ],
  [
    40,
    32,
    'R_ARM_',
    {
      0: 'NONE COPY V4BX GNU_VTENTRY PRIVATE_3',
      8: 'ABS8',
      16: 'ABS16 THM_ABS5 THM_PC8 THM_JUMP11 THM_JUMP8 THM_JUMP6 THM_ALU_ABS_G0_NC',
      32: 'ABS32 REL32 CALL JUMP24 THM_CALL MOVW_ABS_NC THM_MOVT_ABS PREL31 GLOB_DAT RELATIVE TLS_LE32',
    },
  ],
  [
    243,
    64,
    'R_RISCV_',
    {
      0: 'NONE COPY ALIGN RELAX TPREL_ADD SET_ULEB128',
      8: 'ADD8 SUB8 SET8 SUB6 SET6',
      16: 'ADD16 SUB16 SET16 RVC_BRANCH RVC_JUMP',
      32: '32 BRANCH JAL PCREL_HI20 PCREL_LO12_I HI20 LO12_S ADD32 SUB32 SET32 32_PCREL PLT32 GOT32_PCREL',
      64: '64 CALL CALL_PLT ADD64 SUB64 RELATIVE JUMP_SLOT TLS_DTPMOD64',
      128: 'TLSDESC',
    },
  ],
  [
    258,
    64,
    'R_LARCH_',
    {
      0: 'NONE COPY MARK_LA SOP_PUSH_PCREL RELAX ALIGN ADD_ULEB128',
      8: 'ADD8 SUB8 ADD6',
      16: 'ADD16 SUB16',
      24: 'ADD24',
      32: '32 B26 PCALA_HI20 PCALA_LO12 SOP_POP_32_U ADD32 32_PCREL',
      64: '64 ADD64 64_PCREL CALL36 RELATIVE',
    },
  ],
  [
    21,
    64,
    'R_PPC64_',
    {
      0: 'NONE COPY TLS TLSGD PCREL_OPT',
      16: 'ADDR16 ADDR16_LO_DS ADDR16_HIGHEST TOC16_HA GOT_TPREL16_LO_DS REL16_HA',
      32: 'ADDR32 REL32 REL24 REL14 ADDR24 REL24_NOTOC',
      64: 'ADDR64 REL64 TOC GLOB_DAT JMP_SLOT RELATIVE DTPMOD64 PCREL34 GOT_PCREL34',
    },
  ],
  [
    20,
    32,
    'R_PPC_',
    { 0: 'NONE COPY TLS', 16: 'ADDR16_HA GOT16 SECTOFF_LO REL16', 32: 'ADDR32 REL24 RELATIVE' },
  ],
  [
    43,
    64,
    'R_SPARC_',
    {
      0: 'NONE COPY JMP_SLOT',
      8: '8 DISP8',
      16: '16 DISP16 UA16',
      32: '32 DISP32 WDISP30 HI22 LO10 13 UA32 WDISP16',
      64: '64 DISP64 UA64 GLOB_DAT RELATIVE TLS_DTPMOD64',
    },
  ],
  [8, 32, 'R_MIPS_', { 0: 'NONE JALR COPY', 32: '16 32 26 HI16 LO16 GPREL32 PC16', 64: '64' }],
];

describe('relocationBits', () => {
  it.each(TABLES)('machine %d, %d bits', (machine, addressBits, prefix, widths) => {
    const wrong = Object.entries(widths).flatMap(([bits, names]) =>
      names
        .split(/\s+/)
        .map((name) => [name, relocationBits(machine, prefix + name, addressBits)] as const)
        .filter(([, found]) => found !== Number(bits))
        .map(([name, found]) => `${name}: ${found}, not ${bits}`),
    );
    expect(wrong).toEqual([]);
  });

  it('names the type of MIPS that writes, of the three in an entry', () => {
    const gpRelative = relocationName(8, 0x051807, 64);
    expect(gpRelative).toBe('R_MIPS_GPREL16/R_MIPS_SUB/R_MIPS_HI16');
    expect(relocationBits(8, 'R_MIPS_GPREL16/R_MIPS_SUB/R_MIPS_HI16', 64)).toBe(32);
    expect(relocationBits(8, 'R_MIPS_REL32/R_MIPS_64/R_MIPS_NONE', 64)).toBe(64);
    expect(relocationBits(8, 'R_MICROMIPS_PC7_S1', 32)).toBe(16);
  });

  it('is a number of whole bytes for every type that has a name', () => {
    for (const machine of [3, 8, 20, 21, 22, 40, 43, 62, 183, 243, 258]) {
      for (let type = 0; type < 2048; type++) {
        const name = relocationName(machine, type, 32);
        if (name !== null) expect(relocationBits(machine, name, 32) % 8, name).toBe(0);
      }
    }
  });

  it('is null for other machines', () => {
    expect(relocationBits(0xabcd, 'type 5', 64)).toBe(0);
  });
});
