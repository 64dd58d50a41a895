/** Names of `e_machine` in `llvm-readelf -h`. The first script does not load this file. */
import { numberedPhrases } from '#bytes/text.ts';
import { EM } from './constants.ts';

/** Names with llvm-readelf's spelling mistakes. */
const MACHINES = numberedPhrases(`
  0: None | WE32100 | Sparc | Intel 80386 | MC68000 | MC88000 | EM_IAMCU | Intel 80860 | MIPS R3000
  9: IBM System/370 | MIPS R3000 little-endian | 15: HPPA | 17: Fujitsu VPP500 | Sparc v8+
  19: Intel 80960 | PowerPC | PowerPC64 | IBM S/390 | SPU | 36: NEC V800 series | Fujistsu FR20
  38: TRW RH-32 | Motorola RCE | ARM | EM_ALPHA | Hitachi SH | Sparc v9 | Siemens Tricore | ARC
  46: Hitachi H8/300 | Hitachi H8/300H | Hitachi H8S | Hitachi H8/500 | Intel IA-64
  51: Stanford MIPS-X | Motorola Coldfire | Motorola MC68HC12 Microcontroller
  54: Fujitsu Multimedia Accelerator | Siemens PCP | Sony nCPU embedded RISC processor
  57: Denso NDR1 microprocesspr | Motorola Star*Core processor | Toyota ME16 processor
  60: STMicroelectronics ST100 processor | Advanced Logic Corp. TinyJ embedded processor
  62: Advanced Micro Devices X86-64 | Sony DSP processor | Digital Equipment Corp. PDP-10
  65: Digital Equipment Corp. PDP-11 | Siemens FX66 microcontroller
  67: STMicroelectronics ST9+ 8/16 bit microcontroller
  68: STMicroelectronics ST7 8-bit microcontroller | Motorola MC68HC16 Microcontroller
  70: Motorola MC68HC11 Microcontroller | Motorola MC68HC08 Microcontroller
  72: Motorola MC68HC05 Microcontroller | Silicon Graphics SVx
  74: STMicroelectronics ST19 8-bit microcontroller | Digital VAX
  76: Axis Communications 32-bit embedded processor | Infineon Technologies 32-bit embedded cpu
  78: Element 14 64-bit DSP processor | LSI Logic's 16-bit DSP processor
  80: Donald Knuth's educational 64-bit processor
  81: Harvard Universitys's machine-independent object format | Vitesse Prism
  83: Atmel AVR 8-bit microcontroller | Fujitsu FR30 | Mitsubishi D10V | Mitsubishi D30V | NEC v850
  88: Renesas M32R (formerly Mitsubishi M32r) | Matsushita MN10300 | Matsushita MN10200 | picoJava
  92: OpenRISC 32-bit embedded processor | EM_ARC_COMPACT | Tensilica Xtensa Processor
  95: Alphamosaic VideoCore processor | Thompson Multimedia General Purpose Processor
  97: National Semiconductor 32000 series | Tenor Network TPC processor | EM_SNP1K
  100: STMicroelectronics ST200 microcontroller | Ubicom IP2xxx 8-bit microcontrollers
  102: MAX Processor | National Semiconductor CompactRISC | Fujitsu F2MC16
  105: Texas Instruments msp430 microcontroller | Analog Devices Blackfin
  107: S1C33 Family of Seiko Epson processors | Sharp embedded microprocessor
  109: Arca RISC microprocessor | Unicore | eXcess 16/32/64-bit configurable embedded CPU
  112: Icera Semiconductor Inc. Deep Execution Processor | Altera Nios
  114: National Semiconductor CRX microprocessor | Motorola XGATE embedded processor
  116: Infineon Technologies xc16x | Renesas M16C
  118: Microchip Technology dsPIC30F Digital Signal Controller
  119: Freescale Communication Engine RISC core | Renesas M32C | 131: Altium TSK3000 core
  132: Freescale RS08 embedded processor | EM_SHARC | Cyan Technology eCOG2 microprocessor
  135: SUNPLUS S+Core | New Japan Radio (NJR) 24-bit DSP Processor
  137: Broadcom VideoCore III processor | Lattice Mico32 | Seiko Epson C17 family
  140: Texas Instruments TMS320C6000 DSP family | Texas Instruments TMS320C2000 DSP family
  142: Texas Instruments TMS320C55x DSP family
  160: STMicroelectronics 64bit VLIW Data Signal Processor | Cypress M8C microprocessor
  162: Renesas R32C series microprocessors | NXP Semiconductors TriMedia architecture family
  164: Qualcomm Hexagon | Intel 8051 and variants | STMicroelectronics STxP7x family
  167: Andes Technology compact code size embedded RISC processor family
  168: Cyan Technology eCOG1 microprocessor | Dallas Semiconductor MAXQ30 Core microcontrollers
  170: New Japan Radio (NJR) 16-bit DSP Processor | M2000 Reconfigurable RISC Microprocessor
  172: Cray Inc. NV2 vector architecture | Renesas RX
  174: Imagination Technologies Meta processor architecture
  175: MCST Elbrus general purpose hardware architecture | Cyan Technology eCOG16 family
  177: National Semiconductor CompactRISC 16-bit processor | Freescale Extended Time Processing Unit
  179: Infineon Technologies SLE9X core | EM_L10M | EM_K10M | 183: AArch64
  185: Atmel Corporation 32-bit microprocessor family | STMicroeletronics STM8 8-bit microcontroller
  187: Tilera TILE64 multicore architecture family | Tilera TILEPro multicore architecture family
  189: Xilinx MicroBlaze 32-bit RISC soft processor core | NVIDIA CUDA architecture
  191: Tilera TILE-Gx multicore architecture family | EM_CLOUDSHIELD | EM_COREA_1ST | EM_COREA_2ND
  195: EM_ARC_COMPACT2 | EM_OPEN8 | Renesas RL78 | Broadcom VideoCore V processor | EM_78KOR
  200: EM_56800EX | 224: EM_AMDGPU | 243: RISC-V | EM_LANAI | 247: EM_BPF
  251: NEC SX-Aurora Vector Engine | 258: LoongArch
`);

/** Returns the name of a machine in `llvm-readelf -h` of LLVM 19; null for one without a name. */
export function listedMachineName(eMachine: number): string | null {
  return MACHINES.get(eMachine) ?? null;
}

/** Returns the name of a machine; null for a number without a name. EM_SBPF is of Solana's sbpf. */
export function machineName(eMachine: number): string | null {
  return eMachine === EM.sbpf ? 'EM_SBPF' : listedMachineName(eMachine);
}
