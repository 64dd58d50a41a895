/** Fields of the ELF header for display, and checks of the fields. */
import { type Issue, Malformed } from '#bytes/issue.ts';
import { spanOf } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { EM, ET, fileTypeConstant, fileTypeName, osAbiName } from '#formats/elf/constants.ts';
import {
  EI_NIDENT,
  type ElfHeader,
  type ElfHeaderFieldName,
  elfHeaderSize,
  elfHeaderSpan,
} from '#formats/elf/header.ts';
import { machineName } from '#formats/elf/machines.ts';
import { sectionHeaderSize } from '#formats/elf/records.ts';
import type { HeaderBlock, HeaderField } from '#model/object-model.ts';

const REGION = 'ELF header';

/** Returns true for BPF, and for 0, which old clang wrote as `e_machine`. */
export function isBpfMachine(eMachine: number): boolean {
  return eMachine === EM.bpf || eMachine === EM.none;
}

/** Throws `Malformed` if no size field matches the class: EI_CLASS or EI_DATA must be wrong. */
export function refuseAbsurdHeader(header: ElfHeader, fileSize: number): void {
  const { elfClass, endian, eEhsize, eShoff, eShentsize } = header;
  const hasOwnSize = eEhsize === elfHeaderSize(elfClass);
  const hasTable =
    eShoff > 0n && eShoff < BigInt(fileSize) && eShentsize === sectionHeaderSize(elfClass);
  if (hasOwnSize || hasTable) return;
  throw new Malformed({
    code: 'elf.header-absurd',
    region: REGION,
    message: `section headers make no sense when the file is read as ${elfClass}-bit ${endian}-endian`,
    span: elfHeaderSpan(elfClass, 'e_ehsize'),
    expected: `e_ehsize ${elfHeaderSize(elfClass)}, e_shentsize ${sectionHeaderSize(elfClass)}`,
    found: `e_ehsize ${eEhsize}, e_shoff ${hexText(eShoff)}, e_shentsize ${eShentsize}`,
    advice: 'EI_CLASS (byte 4) or EI_DATA (byte 5) is wrong.',
  });
}

/** Adds issues about the version, the machine and the file type. */
export function checkHeader(header: ElfHeader, issues: Issue[]): void {
  const { elfClass, eVersion, eMachine } = header;
  const identVersion = header.eIdent[6] ?? 0;
  if (identVersion !== 1 || eVersion !== 1) {
    const inIdent = identVersion !== 1;
    issues.push({
      severity: 'warning',
      code: 'elf.unknown-version',
      region: REGION,
      message: `unknown ELF version ${inIdent ? identVersion : eVersion}, read as version 1`,
      span: inIdent ? spanOf(6, 1) : elfHeaderSpan(elfClass, 'e_version'),
      expected: '1',
      found: `${inIdent ? identVersion : eVersion}`,
    });
  }
  const machine = machineIssue(eMachine);
  if (machine !== null) {
    issues.push({ region: REGION, span: elfHeaderSpan(elfClass, 'e_machine'), ...machine });
  }
  const type = fileTypeIssue(header);
  if (type !== null) {
    issues.push({ region: REGION, span: elfHeaderSpan(elfClass, 'e_type'), ...type });
  }
}

type Finding = Omit<Issue, 'region' | 'span'>;

function machineIssue(eMachine: number): Finding | null {
  if (eMachine === EM.bpf) return null;
  const expected = `${EM.bpf} (EM_BPF)`;
  const name = machineName(eMachine);
  if (eMachine === EM.none) {
    return {
      severity: 'warning',
      code: 'elf.machine-none',
      message: 'machine is none, code reads as BPF: old compilers did not set it',
      expected,
      found: '0 (EM_NONE)',
    };
  }
  if (name === null) {
    return {
      severity: 'warning',
      code: 'elf.unknown-machine',
      message: `unknown machine ${eMachine}`,
      expected,
      found: `${eMachine}`,
    };
  }
  const found = `${eMachine} (${name})`;
  if (eMachine === EM.sbpf) {
    return {
      severity: 'note',
      code: 'elf.sbpf',
      message: 'SBPF, of Solana programs: its code reads as BPF, no loader of BPF takes the file',
      expected,
      found,
      advice: 'SBPF from version 2 on encodes some instructions in another way than BPF.',
    };
  }
  return {
    severity: 'note',
    code: 'elf.not-bpf',
    message: `not BPF but ${name}: its code is not decoded`,
    expected,
    found,
  };
}

function fileTypeIssue({ eType, eMachine }: ElfHeader): Finding | null {
  if (eType === ET.rel) return null;
  const what = eType === ET.core ? 'a core dump, not a relocatable file' : 'not a relocatable file';
  const found = `${eType} (${fileTypeConstant(eType) ?? 'unknown'})`;
  return isBpfMachine(eMachine)
    ? {
        severity: 'warning',
        code: 'elf.not-relocatable',
        message: `${what}, as compilers make for BPF`,
        expected: `${ET.rel} (ET_REL)`,
        found,
      }
    : {
        severity: 'note',
        code: 'elf.file-type',
        message: `file type: ${fileTypeName(eType)}`,
        found,
      };
}

const IDENT = [
  'EI_MAG0',
  'EI_MAG1',
  'EI_MAG2',
  'EI_MAG3',
  'EI_CLASS',
  'EI_DATA',
  'EI_VERSION',
  'EI_OSABI',
  'EI_ABIVERSION',
] as const;

/** Meanings of `e_shnum` and `e_shstrndx`, which need the section headers. */
export type Resolved = {
  /** Number of sections that the header or section 0 declares. */
  readonly sectionCount: bigint;
  /** Name of the section that contains the section names; null if there is none. */
  readonly namesSection: string | null;
};

/** Returns all fields of the header. Each byte of `e_ident` is a field. */
export function headerBlock(header: ElfHeader, resolved: Resolved): HeaderBlock {
  const { elfClass } = header;
  const fields: HeaderField[] = Array.from({ length: EI_NIDENT }, (_, i) => identField(header, i));
  const add = (name: ElfHeaderFieldName, value: string, meaning = '') =>
    fields.push({ name, value, meaning, span: elfHeaderSpan(elfClass, name) });
  add('e_type', `${header.eType}`, fileTypeName(header.eType));
  add('e_machine', hexText(header.eMachine), machineName(header.eMachine) ?? 'unknown');
  add('e_version', `${header.eVersion}`, header.eVersion === 1 ? 'current' : 'unknown');
  add('e_entry', hexText(header.eEntry));
  add('e_phoff', hexText(header.ePhoff), header.ePhoff === 0n ? 'no program headers' : '');
  add('e_shoff', hexText(header.eShoff), header.eShoff === 0n ? 'no section headers' : '');
  add('e_flags', hexText(header.eFlags));
  add('e_ehsize', `${header.eEhsize}`, 'bytes of this header');
  add('e_phentsize', `${header.ePhentsize}`, 'bytes of a program header');
  add('e_phnum', `${header.ePhnum}`, 'program headers');
  add('e_shentsize', `${header.eShentsize}`, 'bytes of a section header');
  const elsewhere = header.eShnum === 0 && resolved.sectionCount > 0n;
  add(
    'e_shnum',
    `${header.eShnum}`,
    elsewhere ? `${resolved.sectionCount}, in sh_size of section 0` : 'section headers',
  );
  add('e_shstrndx', `${header.eShstrndx}`, resolved.namesSection ?? 'no section names');
  return { title: REGION, span: spanOf(0, elfHeaderSize(elfClass)), fields };
}

function identField(header: ElfHeader, index: number): HeaderField {
  const byte = header.eIdent[index] ?? 0;
  return {
    name: `e_ident[${IDENT[index] ?? index}]`,
    value: hexText(byte),
    meaning: identMeaning(header, index, byte),
    span: spanOf(index, 1),
  };
}

function identMeaning(header: ElfHeader, index: number, byte: number): string {
  switch (IDENT[index]) {
    case 'EI_MAG0':
      return 'magic number';
    case 'EI_MAG1':
    case 'EI_MAG2':
    case 'EI_MAG3':
      return `'${String.fromCharCode(byte)}'`;
    case 'EI_CLASS':
      return `ELF${header.elfClass}`;
    case 'EI_DATA':
      return `${header.endian}-endian`;
    case 'EI_VERSION':
      return byte === 1 ? 'current' : 'unknown';
    case 'EI_OSABI':
      return osAbiName(byte) ?? 'unknown';
    case 'EI_ABIVERSION':
      return '';
    default:
      return 'padding';
  }
}
