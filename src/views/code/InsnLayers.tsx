import { callText } from '#analysis/code/helpers.ts';
import { sourceExpression } from '#analysis/code/source-expression.ts';
import type { SourceLine } from '#analysis/code/source-lines.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import type { FunctionRange } from '#analysis/objects/functions.ts';
import { relocationWord } from '#analysis/relocations/list.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { opcodeParts } from '#analysis/structure/opcode-parts.ts';
import { drawnName, hexText, signedHex } from '#bytes/text.ts';
import {
  type Insn,
  insnClass,
  isCall,
  isLdImm64,
  isLoadAcquire,
  jumpTarget,
} from '#formats/bpf/insn.ts';
import { OPCODE, SOURCE, sourceOf } from '#formats/bpf/opcodes.ts';
import type { CoreIndex, RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import { grouped } from '#ui/grouped.ts';
import { KeyValue } from '#ui/KeyValue.tsx';
import { BitRuler } from '#views/parts/BitRuler.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { InsnBytes, InsnText } from '#views/parts/InsnText.tsx';
import { Name } from '#views/parts/Name.tsx';
import { SelectButton, SourceButton } from '#views/parts/SelectButton.tsx';
import { Term, TermText } from '#views/parts/Term.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { type InsnCellProps, JumpButton, jumpLink } from './InsnCell.tsx';
import styles from './layers.module.css';
import { relocationText } from './listing-rows.ts';

type ElfLayerProps = {
  readonly model: ObjectModel;
  readonly reloc: RelocIndex;
};

/** Shows a relocation of the instruction. */
export function ElfLayer({ model, reloc }: ElfLayerProps) {
  const meaning = relocationMeaning(model, reloc);
  return (
    <DetailSection
      title={relocationWord(model)}
      tone="reloc-2"
      actions={
        <SelectButton selection={{ kind: 'relocation', reloc }} view="relocations">
          Show relocation
        </SelectButton>
      }
    >
      <p className={styles.elf}>{drawnName(relocationText(meaning))}</p>
      {meaning.numbers === '' ? null : (
        <p className={styles.numbers}>
          {meaning.formula}: {meaning.numbers}
        </p>
      )}
      <p className="soft break pretty">{drawnName(meaning.words)}</p>
    </DetailSection>
  );
}

type CoreLayerProps = {
  readonly model: ObjectModel;
  readonly core: CoreIndex;
  /** Number of the record among the instruction's records, from 1, and how many there are. */
  readonly place: { readonly number: number; readonly of: number };
};

/** Shows a CO-RE record of the instruction. */
export function CoreLayer({ model, core, place }: CoreLayerProps) {
  const { types } = model;
  const record = coreRecord(model, core);
  const path = types && walkAccess(types, record.root, record.accessStr, record.kind);
  return (
    <DetailSection
      title="CO-RE relocation"
      aside={place.of === 1 ? undefined : `${place.number} of ${place.of} at this instruction`}
      tone="reloc-3"
      actions={
        <SelectButton selection={{ kind: 'core', core, step: null }} view="core">
          Show CO-RE record
        </SelectButton>
      }
    >
      {types === null ? null : (
        <p className={styles.core}>{drawnName(coreRelocationText(types, record))}</p>
      )}
      {path === null ? null : (
        <p className={styles.numbers}>
          {drawnName(sourceExpression(model, record, path.expression))}
        </p>
      )}
      <p className="soft break pretty">
        {coreKind(record.kind)?.about ?? 'Unknown relocation kind.'}
      </p>
      {path?.error ? <p className="soft break pretty">{drawnName(path.error.message)}</p> : null}
      {place.number === 1 ? null : (
        <p className="muted pretty">llvm-objdump prints only the first record of an instruction.</p>
      )}
    </DetailSection>
  );
}

/** Shows the source line of the instruction. */
export function SourceLayer({ line }: { readonly line: SourceLine & { readonly exact: boolean } }) {
  const { file, text, column, exact } = line;
  return (
    <DetailSection
      title="Source"
      aside={exact ? undefined : 'from a preceding instruction'}
      actions={<SourceButton line={line} />}
    >
      <p className="small mono muted break">
        {drawnName(file)}:{line.line}
        {column === 0 ? '' : `:${column}`}
      </p>
      {text === '' ? (
        <p className="muted">No source text in BTF.</p>
      ) : (
        <p className={styles.source}>{drawnName(text.trim())}</p>
      )}
    </DetailSection>
  );
}

/** Shows the instruction as text, its jump target and the helper that it calls. */
export function MeaningLayer({ model, section, insn, codeLength }: InsnCellProps) {
  const link = jumpLink(model, section, insn, codeLength);
  const target = jumpTarget(insn);
  const leaves = target !== null && (target < 0 || target >= codeLength);
  const words = callText(insn);
  return (
    <DetailSection title="Instruction">
      <p className={styles.text}>
        <InsnText insn={insn} />
        {link === null ? null : <JumpButton section={section} link={link} />}
      </p>
      {words === null ? null : <p className="soft break pretty">{words}</p>}
      {leaves ? (
        <p className="soft break pretty">
          The jump target is instruction {target / 8}, which is not in this section.
        </p>
      ) : null}
      {insn.truncated ? (
        <p className="soft break pretty">The second half of this ld_imm64 is missing.</p>
      ) : null}
    </DetailSection>
  );
}

type FunctionLayerProps = {
  readonly model: ObjectModel;
  readonly func: FunctionRange;
  /** Offset of the instruction in the section, in bytes. */
  readonly insnOff: number;
};

/** Shows the function that contains the instruction. */
export function FunctionLayer({ model, func, insnOff }: FunctionLayerProps) {
  const slot = Math.floor((insnOff - func.start) / 8);
  const slots = Math.floor((func.end - func.start) / 8);
  const items = [
    { term: 'Name', value: <Name text={func.name} otherwise="(no name)" /> },
    { term: 'Section', value: <Name text={sectionName(model.sections, func.section)} /> },
    { term: 'Here', value: `insn ${grouped(slot)} of ${grouped(slots)}` },
    {
      term: 'Loaded',
      value: func.isProgram ? 'as a separate program' : 'with each program that calls it',
    },
  ];
  if (func.typeId !== null && model.types !== null) {
    items.push({
      term: 'Type',
      value: <TypeLink types={model.types} type={func.typeId} badge />,
    });
  }
  return (
    <DetailSection title="Function">
      <KeyValue items={items} />
    </DetailSection>
  );
}

type EncodingLayerProps = {
  readonly model: ObjectModel;
  readonly insn: Insn;
  readonly bytes: Uint8Array;
};

/** Shows the bytes of the instruction, the bits of its opcode, and its other fields. */
export function EncodingLayer({ model, insn, bytes }: EncodingLayerProps) {
  return (
    <DetailSection title="Encoding" aside={`${bytes.length} bytes, ${model.endian}-endian`}>
      <p className={styles.bytes}>
        <InsnBytes bytes={bytes} />
      </p>
      <OpcodeRuler opcode={insn.opcode} />
      <table className={styles.fields}>
        <caption className="visually-hidden">Fields after the opcode</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {encodingRows(insn).map(({ field, value, meaning }) => (
            <tr key={field}>
              <th scope="row" data-field={field}>
                {TERM_FIELDS.has(field) ? <TermText text={field} /> : field}
              </th>
              <td className={styles.value}>{value}</td>
              <td className="muted">{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </DetailSection>
  );
}

/** Fields with a glossary term. The terms explain the fields src_reg, "next imm" and imm64 too. */
const TERM_FIELDS: ReadonlySet<string> = new Set(['dst_reg', 'off', 'imm']);

/** Shows the bits of an opcode in their groups, highest bit first. */
function OpcodeRuler({ opcode }: { readonly opcode: number }) {
  return (
    <div className="grid gap-1">
      <span className="small mono soft">
        <Term id="opcode">code</Term> <b>{hexText(opcode)}</b>
      </span>
      <BitRuler
        label="Opcode bits"
        parts={opcodeParts(opcode).map(({ field, bits, name, about }) => ({
          field,
          length: bits.length,
          value: BigInt(`0b${bits}`),
          name: name || '?',
          about,
        }))}
      />
    </div>
  );
}

/** Field of an instruction other than the opcode. */
type EncodingRow = {
  /** Name of the field in the kernel's headers. */
  readonly field: 'dst_reg' | 'src_reg' | 'off' | 'imm' | 'next imm' | 'imm64';
  readonly value: string;
  /** What the number means; empty if it needs no explanation. */
  readonly meaning: string;
};

/** Returns the registers, off and imm. An ld_imm64 also has a second imm and the 64-bit value. */
export function encodingRows(insn: Insn): EncodingRow[] {
  const rows: EncodingRow[] = [
    { field: 'dst_reg', value: `${insn.dstReg}`, meaning: registerWords(insn.dstReg) },
    { field: 'src_reg', value: `${insn.srcReg}`, meaning: sourceWords(insn) },
    { field: 'off', value: number(insn.off), meaning: offWords(insn) },
    { field: 'imm', value: number(insn.imm), meaning: immWords(insn) },
  ];
  if (insn.length === 16) {
    rows.push({ field: 'next imm', value: number(insn.nextImm), meaning: 'the high half' });
    rows.push({ field: 'imm64', value: `0x${insn.imm64.toString(16)}`, meaning: 'both halves' });
  }
  return rows;
}

function registerWords(register: number): string {
  if (register === 10) return 'r10, the frame pointer';
  return register < 10 ? `r${register}` : 'no such register';
}

/** Meanings of `src_reg` in ld_imm64. Source: `BPF_PSEUDO_*` in include/uapi/linux/bpf.h. */
const LD_IMM64_SOURCES = [
  'a plain constant',
  'BPF_PSEUDO_MAP_FD: a map by file descriptor',
  'BPF_PSEUDO_MAP_VALUE: a value of a map',
  'BPF_PSEUDO_BTF_ID: a kernel variable by BTF id',
  'BPF_PSEUDO_FUNC: a BPF function',
  'BPF_PSEUDO_MAP_IDX: a map by index',
  'BPF_PSEUDO_MAP_IDX_VALUE: a value of a map by index',
] as const;

const CALL_SOURCES = [
  'a helper by number',
  'BPF_PSEUDO_CALL: a function of this program',
  'BPF_PSEUDO_KFUNC_CALL: a kernel function',
] as const;

function sourceWords(insn: Insn): string {
  const { srcReg } = insn;
  if (isLdImm64(insn)) return LD_IMM64_SOURCES[srcReg] ?? 'not known';
  if (isCall(insn)) return CALL_SOURCES[srcReg] ?? 'not known';
  switch (insnClass(insn)) {
    case 'ldx':
    case 'stx':
      return registerWords(srcReg);
    case 'ld':
    case 'st':
      return srcReg === 0 ? '' : 'unused';
    default:
      return sourceOf(insn.opcode) === SOURCE.x ? registerWords(srcReg) : '';
  }
}

function offWords(insn: Insn): string {
  switch (insnClass(insn)) {
    case 'ldx':
      return `bytes from r${insn.srcReg}`;
    case 'stx':
      return `bytes from r${isLoadAcquire(insn) ? insn.srcReg : insn.dstReg}`;
    case 'st':
      return `bytes from r${insn.dstReg}`;
    case 'jmp':
    case 'jmp32': {
      const target = insn.opcode === OPCODE.gotol || isCall(insn) ? null : jumpTarget(insn);
      return target === null ? '' : `slots to instruction ${target / 8}`;
    }
    default:
      return '';
  }
}

function immWords(insn: Insn): string {
  if (insn.length === 16) return 'the low half';
  const target = insn.opcode === OPCODE.gotol || isCall(insn) ? jumpTarget(insn) : null;
  return target === null ? '' : `slots to instruction ${target / 8}`;
}

/** Returns a number as `42 (0x2a)`, or only `7` if decimal and hex are the same. */
function number(value: number): string {
  if (value > -10 && value < 10) return `${value}`;
  return `${value} (${signedHex(value)})`;
}
