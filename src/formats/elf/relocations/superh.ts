/** Relocation types of SuperH. */
import type { MachineRelocations } from './relocation-type.ts';

export const SUPERH: MachineRelocations = {
  machines: [42],
  prefix: 'R_SH_',
  source: 'GNU ld 2.40 (bfd/elf32-sh.c); there is no processor supplement.',
  insnEndian: null,
  types: `
    0 NONE~ mark
    1 DIR32~ S+A 4
    2 REL32~ S+A-P 4
    3 DIR8WPN~ S+A-P-4 2:1-8@0 s9/2 lld:no
    4 IND12W~ S+A-P-4 2:1-12@0 s13/2 ld:stub lld:no
    5 DIR8WPL~ S+A-(P&~3)-4 2:2-9@0 u10/4
    6 DIR8WPZ~ S+A-P-4 2:1-8@0 u9/2 lld:no
    7 DIR8BP~
    8 DIR8W~
    9 DIR8L~
    10 LOOP_START~ mark
    11 LOOP_END~ mark
    22 GNU_VTINHERIT~ mark
    23 GNU_VTENTRY~ mark
    24 SWITCH8~ mark
    25 SWITCH16~ mark
    26 SWITCH32~ mark
    27 USES~ mark
    28 COUNT~ mark
    29 ALIGN~ mark
    30 CODE~ mark
    31 DATA~ mark
    32 LABEL~ mark
    33 DIR16~ S+A 2 x16 ld:none lld:no
    34 DIR8~ S+A 1 x8 ld:none lld:no
    35 DIR8UL~
    36 DIR8UW~
    37 DIR8U~
    38 DIR8SW~
    39 DIR8S~
    40 DIR4UL~
    41 DIR4UW~
    42 DIR4U~
    43 PSHA~
    44 PSHL~
    45 DIR5U~
    46 DIR6U~
    47 DIR6S~
    48 DIR10S~
    49 DIR10SW~
    50 DIR10SL~
    51 DIR10SQ~
    53 DIR16S~
    144 TLS_GD_32~ GTLSGD+A-GOT 4
    145 TLS_LD_32~ GTLSLD+A-GOT 4
    146 TLS_LDO_32~ S+A-DTPB 4
    147 TLS_IE_32~ GTPR+A-GOT 4
    148 TLS_LE_32~ S+A-TPB 4
    149 TLS_DTPMOD32~ Module(S) 4 dyn
    150 TLS_DTPOFF32~ S+A-DTPB 4 dyn
    151 TLS_TPOFF32~ S+A-TPB 4 dyn
    160 GOT32~ GE+A-GOT 4
    161 PLT32~ L+A-P 4
    162 COPY~ dyn
    163 GLOB_DAT~ S+A 4 dyn
    164 JMP_SLOT~ S+A 4 dyn
    165 RELATIVE~ B+A 4 dyn
    166 GOTOFF~ S+A-GOT 4
    167 GOTPC~ GOT+A-P 4
    168 GOTPLT32~ GE+A-GOT 4
    169 GOT_LOW16~
    170 GOT_MEDLOW16~
    171 GOT_MEDHI16~
    172 GOT_HI16~
    173 GOTPLT_LOW16~
    174 GOTPLT_MEDLOW16~
    175 GOTPLT_MEDHI16~
    176 GOTPLT_HI16~
    177 PLT_LOW16~
    178 PLT_MEDLOW16~
    179 PLT_MEDHI16~
    180 PLT_HI16~
    181 GOTOFF_LOW16~
    182 GOTOFF_MEDLOW16~
    183 GOTOFF_MEDHI16~
    184 GOTOFF_HI16~
    185 GOTPC_LOW16~
    186 GOTPC_MEDLOW16~
    187 GOTPC_MEDHI16~
    188 GOTPC_HI16~
    189 GOT10BY4~
    190 GOTPLT10BY4~
    191 GOT10BY8~
    192 GOTPLT10BY8~
    193 COPY64~
    194 GLOB_DAT64~
    195 JMP_SLOT64~
    196 RELATIVE64~
    201 GOT20~ GE+A-GOT 2x2:0.16-19@4,1.0-15@0 s20
    202 GOTOFF20~ S+A-GOT 2x2:0.16-19@4,1.0-15@0 s20
    203 GOTFUNCDESC~
    204 GOTFUNCDESC20~
    205 GOTOFFFUNCDESC~
    206 GOTOFFFUNCDESC20~
    207 FUNCDESC~
    208 FUNCDESC_VALUE~
    242 SHMEDIA_CODE~
    243 PT_16~
    244 IMMS16~
    245 IMMU16~
    246 IMM_LOW16~
    247 IMM_LOW16_PCREL~
    248 IMM_MEDLOW16~
    249 IMM_MEDLOW16_PCREL~
    250 IMM_MEDHI16~
    251 IMM_MEDHI16_PCREL~
    252 IMM_HI16~
    253 IMM_HI16_PCREL~
    254 64~
    255 64_PCREL~
  `,
  relaxations: [
    [/^TLS_(?:GD|LD|LDO|IE)_32$/, 'the TLS sequence becomes an offset from the thread pointer'],
    [/^(?:USES|COUNT|ALIGN|CODE|DATA|LABEL)$/, 'marks that -relax reads to shorten calls'],
  ],
};
