/**
 * The file header (`struct filehdr`), the optional header (`struct aouthdr`) and the symbolic
 * header (`HDRR`) of an Alpha eCOFF object. Source: Tru64 UNIX Object File and Symbol Table Format,
 * chapters 2 and 5; GNU BFD.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { cStruct, type ValuesOf } from '#bytes/c-struct.ts';
import { lookupIn, namesOfBits, numberedNames } from '#bytes/text.ts';

/** Values of `f_magic`. */
export const ECOFF_MAGIC = {
  /** Magic number of an object or executable. */
  alpha: 0x183,
  /** Magic number of an object or executable of a BSD system. */
  alphaBsd: 0x185,
  /** Magic number of a compressed object: a header, then packed bytes. */
  alphaZ: 0x188,
} as const;

export const FILE_HEADER = cStruct({
  fMagic: 'x16',
  fNscns: 'u16 sections',
  fTimdat: 'u32',
  fSymptr: 'x64 symbolic header',
  fNsyms: 'u32 bytes of the symbolic header',
  fOpthdr: 'u16 bytes of the optional header',
  fFlags: 'x16',
});

export type FileHeader = ValuesOf<typeof FILE_HEADER>;

const MAGIC_NAMES = numberedNames('0x183: ALPHAMAGIC 0x185: ALPHAMAGICBSD 0x188: ALPHAMAGICZ');

const FLAG_NAMES = numberedNames(`F_*
  1: RELFLG EXEC 4: LNNO 8: LSYMS 0x80: AR16WR 0x100: AR32WR 0x200: AR32W 0x4000: NO_REORG
  0x8000: NO_REMOVE
`);

/** Kinds of sharing, by the two-bit number in the flags. */
const OBJECT_TYPES = ['none', 'F_NO_SHARED', 'F_SHARABLE', 'F_CALL_SHARED'] as const;

/** Reads the file header. Throws `Malformed` if it is truncated or has another magic number. */
export function readFileHeader(file: ByteReader): FileHeader {
  const r = file.slice(0, FILE_HEADER.size, 'file header');
  const header = FILE_HEADER.read(r);
  if (!MAGIC_NAMES.has(header.fMagic)) {
    throw r.malformed(
      'ecoff.bad-magic',
      'This is not an Alpha eCOFF object: its magic is another',
      { at: [0, 2], expected: '0x183, 0x185 or 0x188', found: `0x${header.fMagic.toString(16)}` },
    );
  }
  return header;
}

/** Returns the name of a magic number; null if it is not a number of Alpha eCOFF. */
export const magicName = lookupIn(MAGIC_NAMES);

/** Returns the names of the set flags, lowest bit first, without the bits of `objectType`. */
export function fileFlagNames(fFlags: number): readonly string[] {
  return namesOfBits(FLAG_NAMES, fFlags);
}

/** Returns the kind of sharing (bits 12 and 13 of the flags); `none` for a relocatable object. */
export function objectType(fFlags: number): (typeof OBJECT_TYPES)[number] {
  return OBJECT_TYPES[(fFlags >> 12) & 3] ?? 'none';
}

export const OPTIONAL_HEADER = cStruct({
  magic: 'x16',
  /** Version: the high byte is the major version, the low byte the minor version. */
  vstamp: 'x16',
  bldrev: 'u16',
  padcell: 'u16',
  tsize: 'x64 bytes of text',
  dsize: 'x64 bytes of data',
  bsize: 'x64 bytes of bss',
  entry: 'x64 where it starts to run',
  textStart: 'x64',
  dataStart: 'x64',
  bssStart: 'x64',
  gprmask: 'x32 integer registers in use',
  fprmask: 'x32 floating registers in use',
  gpValue: 'x64 the gp that displacements count from',
});

export type OptionalHeader = ValuesOf<typeof OPTIONAL_HEADER>;

/** Reads the optional header. Throws `Malformed` if the file or the declared size is too small. */
export function readOptionalHeader(file: ByteReader, fOpthdr: number): OptionalHeader {
  const r = file.slice(FILE_HEADER.size, fOpthdr, 'optional header');
  r.require(0, OPTIONAL_HEADER.size, 'the optional header');
  return OPTIONAL_HEADER.read(r);
}

/** Returns `OMAGIC` (relocatable), `NMAGIC` or `ZMAGIC`; null for other numbers. */
export const optionalMagicName = lookupIn(numberedNames('0o407: OMAGIC NMAGIC 0o413: ZMAGIC'));

const SYMBOLIC_MAGIC = 0x1992;

/** Fields of the symbolic header. All fields `cb…Offset` are file offsets. */
export const SYMBOLIC_HEADER = cStruct(
  {
    magic: 'x16',
    vstamp: 'x16',
    ilineMax: 'i32',
    idnMax: 'i32',
    ipdMax: 'i32',
    isymMax: 'i32 local symbols',
    ioptMax: 'i32',
    iauxMax: 'i32',
    issMax: 'i32 bytes of local strings',
    issExtMax: 'i32 bytes of external strings',
    ifdMax: 'i32 file descriptors',
    crfd: 'i32',
    iextMax: 'i32 external symbols',
    cbLine: 'x64 bytes',
    cbLineOffset: 'x64 file offset',
    cbDnOffset: 'x64 file offset',
    cbPdOffset: 'x64 file offset',
    cbSymOffset: 'x64 file offset',
    cbOptOffset: 'x64 file offset',
    cbAuxOffset: 'x64 file offset',
    cbSsOffset: 'x64 file offset',
    cbSsExtOffset: 'x64 file offset',
    cbFdOffset: 'x64 file offset',
    cbRfdOffset: 'x64 file offset',
    cbExtOffset: 'x64 file offset',
  },
  (key) => key,
);

export type SymbolicHeader = ValuesOf<typeof SYMBOLIC_HEADER> & { readonly fileOffset: number };

/** Reads the symbolic header. Throws `Malformed` for a wrong position or magic number. */
export function readSymbolicHeader(file: ByteReader, { fSymptr }: FileHeader): SymbolicHeader {
  const r = regionAt(file, fSymptr, BigInt(SYMBOLIC_HEADER.size), 'symbolic header');
  const header = SYMBOLIC_HEADER.read(r);
  if (header.magic !== SYMBOLIC_MAGIC) {
    throw r.malformed('ecoff.bad-symbolic-magic', 'The symbolic header has another magic number', {
      at: [0, 2],
      expected: '0x1992',
      found: `0x${header.magic.toString(16)}`,
    });
  }
  return { ...header, fileOffset: r.fileOffset };
}

/** Returns the `length` bytes at `fileOffset`. Throws `Malformed` if the file ends earlier. */
export function regionAt(
  file: ByteReader,
  fileOffset: bigint,
  length: bigint,
  region: string,
): ByteReader {
  const size = BigInt(file.length);
  if (fileOffset + length <= size) return file.slice(Number(fileOffset), Number(length), region);
  const start = fileOffset < size ? Number(fileOffset) : file.length;
  throw file.malformed('bytes.out-of-bounds', `${region} runs past the end of the file`, {
    at: [start, file.length - start],
    expected: `${length} bytes at offset ${fileOffset}`,
    found: `a file of ${file.length} bytes`,
  });
}

/** Returns the number of complete records in the file at `fileOffset`, at most `count`. */
export function wholeRecordsAt(
  file: ByteReader,
  fileOffset: bigint,
  count: bigint,
  recordSize: number,
): number {
  const size = BigInt(file.length);
  if (fileOffset >= size) return 0;
  const available = (size - fileOffset) / BigInt(recordSize);
  return Number(available < count ? available : count);
}
