/** Writes the file header as `llvm-readelf -h` of LLVM 19 (ELFDumper.cpp, `printFileHeaders`). */
import { numberedPhrases } from '#bytes/text.ts';
import { EM, osAbiName, SHN } from '#formats/elf/constants.ts';
import type { ElfHeader } from '#formats/elf/header.ts';
import { listedMachineName } from '#formats/elf/machines.ts';
import type { ObjectModel } from '#model/object-model.ts';

type Field = readonly [column: number, text: string];

/** Returns a line: a field at each column, after a space (`formatted_raw_ostream::PadToColumn`). */
export function line(fields: readonly Field[]): string {
  let text = '';
  let width = 0;
  for (const [column, field] of fields) {
    if (column > 0) {
      const blanks = Math.max(column - width, 1);
      text += ' '.repeat(blanks);
      width += blanks;
    }
    text += field;
    width += widthOf(field);
  }
  return text;
}

/** Characters without a width, and characters of two columns, as in `columnWidthUTF8`. */
const NO_COLUMN = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}]/gu;
const TWO_COLUMNS =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uff01-\uff60]/gu;

function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  const seen = text.replace(NO_COLUMN, '');
  return Array.from(seen).length + (seen.match(TWO_COLUMNS)?.length ?? 0);
}

export function hex(value: number | bigint, digits = 1): string {
  return value.toString(16).padStart(digits, '0');
}

const FILE_TYPES = [
  'NONE (none)',
  'REL (Relocatable file)',
  'EXEC (Executable file)',
  'DYN (Shared object file)',
  'CORE (Core file)',
];

/** Formats a number in hexadecimal with capitals, as the tool prints some fields. */
function capitalHex(value: number | bigint): string {
  return `0x${value.toString(16).toUpperCase()}`;
}

function fileTypeText(eType: number): string {
  const known = FILE_TYPES[eType];
  if (known !== undefined) return known;
  if (eType >= 0xff00) return `Processor Specific: (${hex(eType)})`;
  return eType >= 0xfe00 ? `OS Specific: (${hex(eType)})` : `<unknown>: ${hex(eType)}`;
}

/** Flags in `e_flags` of a machine: single bits, and numbers in the fields of `masks`. */
type HeaderFlags = {
  readonly masks: readonly number[];
  readonly names: ReadonlyMap<number, string>;
};

/** Flags in `e_flags` by `e_machine`, in the order of the tool's output. */
const HEADER_FLAGS: ReadonlyMap<number, HeaderFlags> = new Map([
  [
    EM.mips,
    {
      masks: [0xf0000000, 0xf000, 0xff0000],
      names: numberedPhrases(`
        1: noreorder | pic | 4: cpic | 0x20: abi2 | 0x100: 32bitmode | 0x200: fp64 | 0x400: nan2008
        0x1000: o32 | 0x2000: o64 | 0x3000: eabi32 | 0x4000: eabi64
        0x810000: 3900 | 0x820000: 4010 | 0x830000: 4100 | 0x850000: 4650 | 0x870000: 4120
        0x880000: 4111 | 0x8a0000: sb1 | 0x8b0000: octeon | 0x8c0000: xlr | 0x8d0000: octeon2
        0x8e0000: octeon3 | 0x910000: 5400 | 0x920000: 5900 | 0x980000: 5500 | 0x990000: 9000
        0xa00000: loongson-2e | 0xa10000: loongson-2f | 0xa20000: loongson-3a
        0x2000000: micromips | 0x4000000: mips16 | 0x8000000: mdmx
        0x10000000: mips2 | 0x20000000: mips3 | 0x30000000: mips4 | 0x40000000: mips5
        0x50000000: mips32 | 0x60000000: mips64 | 0x70000000: mips32r2 | 0x80000000: mips64r2
        0x90000000: mips32r6 | 0xa0000000: mips64r6
      `),
    },
  ],
  [
    EM.riscv,
    {
      masks: [],
      names: numberedPhrases(`
        1: RVC | single-float ABI | 4: double-float ABI | 6: quad-float ABI | 8: RVE | 16: TSO
      `),
    },
  ],
  [
    EM.loongarch,
    {
      masks: [7, 0xc0],
      names: numberedPhrases('1: SOFT-FLOAT | SINGLE-FLOAT | DOUBLE-FLOAT | 0x40: OBJ-v1'),
    },
  ],
]);

function headerFlagsText({ eFlags, eMachine }: ElfHeader): string {
  const { masks, names } = HEADER_FLAGS.get(eMachine) ?? { masks: [], names: new Map() };
  const texts = [capitalHex(eFlags)];
  for (const [value, name] of names) {
    const mask = masks.find((field) => (field & value) !== 0) ?? value;
    if ((eFlags & mask) >>> 0 === value) texts.push(name);
  }
  return texts.join(', ');
}

const ARM_OS_ABIS = numberedPhrases('65: ARM FDPIC | 97: ARM');

function osAbiText({ eIdent, eMachine }: ElfHeader): string {
  const osAbi = eIdent[7] ?? 0;
  // OS ABI numbers from 64 on have a meaning per machine.
  const ofMachine = eMachine === EM.arm && osAbi >= 64;
  const name = ofMachine ? ARM_OS_ABIS.get(osAbi) : osAbiName(osAbi);
  return name ?? hex(osAbi);
}

/** Returns the lines of `-h`. `isCorrupt`: no number can be read from section header 0. */
export function fileHeader(
  header: ElfHeader,
  { sections }: ObjectModel,
  isCorrupt: boolean,
): readonly string[] {
  const { elfClass, endian, eIdent, eShnum, eShstrndx } = header;
  const inFirst = (stored: number, value: bigint | number | undefined, none: string) => {
    if (isCorrupt) return '<?>';
    return sections.count === 0 ? none : `${stored} (${value ?? 0})`;
  };
  const rows: readonly (readonly [string, string])[] = [
    ['Class:', `ELF${elfClass}`],
    ['Data:', `2's complement, ${endian} endian`],
    [
      'Version:',
      `${capitalHex(eIdent[6] ?? 0).slice(2)}${header.eVersion === 1 ? ' (current)' : ''}`,
    ],
    ['OS/ABI:', osAbiText(header)],
    ['ABI Version:', `${eIdent[8] ?? 0}`],
    ['Type:', fileTypeText(header.eType)],
    ['Machine:', listedMachineName(header.eMachine) ?? hex(header.eMachine)],
    ['Version:', capitalHex(header.eVersion)],
    ['Entry point address:', capitalHex(header.eEntry)],
    ['Start of program headers:', `${header.ePhoff} (bytes into file)`],
    ['Start of section headers:', `${header.eShoff} (bytes into file)`],
    ['Flags:', headerFlagsText(header)],
    ['Size of this header:', `${header.eEhsize} (bytes)`],
    ['Size of program headers:', `${header.ePhentsize} (bytes)`],
    ['Number of program headers:', `${header.ePhnum}`],
    ['Size of section headers:', `${header.eShentsize} (bytes)`],
    [
      'Number of section headers:',
      eShnum === 0 ? inFirst(0, sections.declaredSize[0], '0') : `${eShnum}`,
    ],
    [
      'Section header string table index:',
      eShstrndx === SHN.xindex
        ? inFirst(eShstrndx, sections.link[0], '65535 (corrupt: out of range)')
        : `${eShstrndx}`,
    ],
  ];
  return [
    'ELF Header:',
    `  Magic:   ${Array.from(eIdent, (byte) => hex(byte, 2)).join(' ')}`,
    ...rows.map(([label, value]) =>
      line([
        [2, label],
        [37, value],
      ]),
    ),
  ];
}
