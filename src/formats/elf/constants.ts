/** Numbers of ELF and their names in llvm-readelf 19. Source: System V gABI chapter 4. */
import { hexText, lookupIn, numberedNames, numberedPhrases } from '#bytes/text.ts';

export const ET = { none: 0, rel: 1, exec: 2, dyn: 3, core: 4 } as const;

export const EM = {
  none: 0,
  sparc: 2,
  i386: 3,
  m68k: 4,
  mips: 8,
  sparc32plus: 18,
  ppc: 20,
  ppc64: 21,
  s390: 22,
  arm: 40,
  superh: 42,
  sparcv9: 43,
  x86_64: 62,
  aarch64: 183,
  riscv: 243,
  bpf: 247,
  loongarch: 258,
  sbpf: 263,
  /** Unofficial number that the kernel has for Alpha ELF files (include/uapi/linux/elf-em.h). */
  alpha: 0x9026,
} as const;

export const SHT = {
  null: 0,
  progbits: 1,
  symtab: 2,
  strtab: 3,
  rela: 4,
  note: 7,
  nobits: 8,
  rel: 9,
  dynsym: 11,
  group: 17,
  symtabShndx: 18,
  relr: 19,
  crel: 0x40000014,
  androidRel: 0x60000001,
  androidRela: 0x60000002,
  androidRelr: 0x6fffff00,
  verdef: 0x6ffffffd,
  verneed: 0x6ffffffe,
  versym: 0x6fffffff,
} as const;

export const SHF = {
  write: 1n,
  alloc: 2n,
  execinstr: 4n,
  infoLink: 0x40n,
  tls: 0x400n,
  compressed: 0x800n,
} as const;

/** Symbol bindings: the high four bits of `st_info`. */
export const STB = { local: 0, global: 1, weak: 2 } as const;

export const SHN = {
  undef: 0,
  loreserve: 0xff00,
  abs: 0xfff1,
  common: 0xfff2,
  xindex: 0xffff,
} as const;

/** Returns a word for `e_type`, for display. */
export function fileTypeName(eType: number): string {
  const known = ['none', 'relocatable', 'executable', 'shared object', 'core dump'][eType];
  if (known !== undefined) return known;
  if (eType >= 0xff00) return `processor-specific ${hexText(eType)}`;
  if (eType >= 0xfe00) return `system-specific ${hexText(eType)}`;
  return `unknown ${hexText(eType)}`;
}

/** Returns the name of `e_type` in elf.h; null for a number without a name. */
export function fileTypeConstant(eType: number): string | null {
  return ['ET_NONE', 'ET_REL', 'ET_EXEC', 'ET_DYN', 'ET_CORE'][eType] ?? null;
}

/** Returns `EI_OSABI` in words; null for a number without a name. */
export const osAbiName = lookupIn(
  numberedPhrases(`
  UNIX - System V | UNIX - HP-UX | UNIX - NetBSD | UNIX - GNU | GNU/Hurd | 6: UNIX - Solaris
  UNIX - AIX | UNIX - IRIX | UNIX - FreeBSD | UNIX - TRU64 | Novell - Modesto | UNIX - OpenBSD
  VMS - OpenVMS | HP - Non-Stop Kernel | AROS | FenixOS | CloudABI | 51: NVIDIA - CUDA | 255: Standalone App
`),
);

const SYMBOL_TYPES = numberedNames('NOTYPE OBJECT FUNC SECTION FILE COMMON TLS 10: IFUNC');

/** Returns the name of a symbol type without `STT_`. `type` is the low four bits of `st_info`. */
export function symbolTypeName(type: number): string {
  const known = SYMBOL_TYPES.get(type);
  if (known !== undefined) return known;
  if (type >= 13) return `<processor specific>: ${type}`;
  return type >= 10 ? `<OS specific>: ${type}` : `<unknown>: ${type}`;
}

const SYMBOL_BINDINGS = numberedNames('LOCAL GLOBAL WEAK 10: UNIQUE');

/** Returns the name of a binding (high four bits of `st_info`) without `STB_`, or a number. */
export function symbolBindingName(binding: number): string {
  return SYMBOL_BINDINGS.get(binding) ?? binding.toString(16);
}

/** Name of bit 0x80 of `st_other`, for each `e_machine` that defines the bit. */
const OTHER_BITS: ReadonlyMap<number, string> = new Map([
  [EM.aarch64, 'VARIANT_PCS'],
  [EM.riscv, 'VARIANT_CC'],
]);

/** Returns the visibility in `st_other` without `STV_`, then names or numbers of the other bits. */
export function symbolVisibilityName(other: number, machine: number = EM.bpf): string {
  const visibility = ['DEFAULT', 'INTERNAL', 'HIDDEN', 'PROTECTED'][other & 3] ?? '';
  const rest = other & ~3;
  const name = OTHER_BITS.get(machine);
  if (rest === 0 || (name !== undefined && rest < 0x80)) return visibility;
  if (name === undefined) return `${visibility} [<other: ${hexText(other)}>]`;
  return `${visibility} [${name}${rest === 0x80 ? '' : ` | ${(rest & 0x7f).toString(16)}`}]`;
}

/** Returns the name of a reserved `st_shndx` (`UND`, `ABS`, `COM`); null for section indexes. */
export function reservedSectionName(shndx: number): string | null {
  if (shndx === SHN.undef) return 'UND';
  if (shndx === SHN.abs) return 'ABS';
  if (shndx === SHN.common) return 'COM';
  if (shndx < SHN.loreserve || shndx === SHN.xindex) return null;
  if (shndx < 0xff20) return `PRC[${hexText(shndx)}]`;
  return shndx < 0xff40 ? `OS[${hexText(shndx)}]` : `RSV[${hexText(shndx)}]`;
}
