/**
 * The file header of an Alpha eCOFF object (`struct filehdr`), at offset 0.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, chapter
 * 2 (file header); magic numbers also as GNU BFD accepts them.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';

export const FILE_HEADER_SIZE = 24;

/** `f_magic`. */
export const ECOFF_MAGIC = {
  /** An object or an executable. */
  alpha: 0x183,
  /** The same as BSD systems write it. */
  alphaBsd: 0x185,
  /** A compressed object: a header, then the packed bytes. */
  alphaZ: 0x188,
} as const;

export type FileHeader = {
  readonly fMagic: number;
  readonly fNscns: number;
  readonly fTimdat: number;
  /** File offset of the symbolic header; 0 = stripped. */
  readonly fSymptr: bigint;
  /** Size in bytes of the symbolic header, not a number of symbols. */
  readonly fNsyms: number;
  /** Size in bytes of the optional header. */
  readonly fOpthdr: number;
  readonly fFlags: number;
};

const MAGIC_NAMES = new Map<number, string>([
  [ECOFF_MAGIC.alpha, 'ALPHAMAGIC'],
  [ECOFF_MAGIC.alphaBsd, 'ALPHAMAGICBSD'],
  [ECOFF_MAGIC.alphaZ, 'ALPHAMAGICZ'],
]);

const FLAG_NAMES: readonly (readonly [number, string])[] = [
  [0x0001, 'F_RELFLG'],
  [0x0002, 'F_EXEC'],
  [0x0004, 'F_LNNO'],
  [0x0008, 'F_LSYMS'],
  [0x0080, 'F_AR16WR'],
  [0x0100, 'F_AR32WR'],
  [0x0200, 'F_AR32W'],
  [0x4000, 'F_NO_REORG'],
  [0x8000, 'F_NO_REMOVE'],
];

/** Two bits of the flags that are a number: what may be shared. */
const OBJECT_TYPES = ['none', 'F_NO_SHARED', 'F_SHARABLE', 'F_CALL_SHARED'] as const;

/** Reads the header at the start of the file. Throws `Malformed` where it is cut short or the magic is another. */
export function readFileHeader(file: ByteReader): FileHeader {
  const r = file.slice(0, FILE_HEADER_SIZE, 'file header');
  const fMagic = r.u16(0);
  if (!MAGIC_NAMES.has(fMagic)) {
    throw new Malformed({
      code: 'ecoff.bad-magic',
      region: r.region,
      message: 'This is not an Alpha eCOFF object: its magic is another',
      span: r.span(0, 2),
      expected: '0x183, 0x185 or 0x188',
      found: `0x${fMagic.toString(16)}`,
    });
  }
  return {
    fMagic,
    fNscns: r.u16(2),
    fTimdat: r.u32(4),
    fSymptr: r.u64(8),
    fNsyms: r.u32(16),
    fOpthdr: r.u16(20),
    fFlags: r.u16(22),
  };
}

/** The name of a magic number; null for one that is not of Alpha eCOFF. */
export function magicName(fMagic: number): string | null {
  return MAGIC_NAMES.get(fMagic) ?? null;
}

/** Names of the flag bits that are set, lowest first. The two sharing bits are `objectType`. */
export function fileFlagNames(fFlags: number): readonly string[] {
  return FLAG_NAMES.flatMap(([bit, name]) => ((fFlags & bit) === 0 ? [] : [name]));
}

/** What bits 12 and 13 of the flags say of sharing; `none` in a relocatable object. */
export function objectType(fFlags: number): (typeof OBJECT_TYPES)[number] {
  return OBJECT_TYPES[(fFlags >> 12) & 3] ?? 'none';
}
