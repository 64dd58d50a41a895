/**
 * Shows code as fields: functions with BPF slots of eight bytes, or with Alpha words of four bytes.
 * A load of a 64-bit constant is two slots, so the division into slots does not depend on the
 * bytes. Source: BPF Instruction Set Architecture (RFC 9669), "Instruction encoding".
 */
import { canList } from '#analysis/code/code-listing.ts';
import type { FileStructure } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  paddingField,
  type StructureField,
} from '#analysis/fields/field.ts';
import { ALPHA_SOURCE, INSN_SOURCE } from '#analysis/fields/sources.ts';
import {
  type BitSpec,
  type FieldSpec,
  readNumber,
  structFields,
} from '#analysis/fields/struct-fields.ts';
import { placeOf, table } from '#analysis/fields/table.ts';
import { type FunctionRange, functionsOf } from '#analysis/objects/functions.ts';
import { type Endian, type Span, spanOf } from '#bytes/span.ts';
import { counted } from '#bytes/text.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import { OPCODE } from '#formats/bpf/opcodes.ts';
import type { SectionIndex } from '#model/ids.ts';
import { hasBpfCode, insnSlot, type ObjectModel } from '#model/object-model.ts';
import { opcodeParts } from './opcode-parts.ts';
import { keeper, type Partition, type Placed, partition, partitionFields } from './partition.ts';

const partitions = keeper<ObjectModel, Partition>();

/** A code section, and where its bytes begin in the file. */
type Code = {
  readonly structure: FileStructure;
  readonly section: SectionIndex;
  readonly start: number;
};

/** Returns the functions of a code section, without parts if the machine's code is not decoded. */
export function codeParts(structure: FileStructure, section: SectionIndex, span: Span): FieldList {
  const { model } = structure;
  const code: Code = { structure, section, start: span.start };
  const list = functionsOf(model);
  const cut = partitions(model, section, () => partition(span, functionsIn(list, section, span)));
  return partitionFields(
    cut,
    (row, at) => {
      const func = list[row];
      return func === undefined ? noFunction(code, at) : functionField(code, func, at);
    },
    (at) => noFunction(code, at),
  );
}

function* functionsIn(
  list: readonly FunctionRange[],
  section: SectionIndex,
  span: Span,
): Generator<Placed> {
  for (const [row, func] of list.entries()) {
    if (func.section !== section) continue;
    const end = Math.min(span.start + func.end, span.end);
    yield { row, start: span.start + func.start, end };
  }
}

function noFunction(code: Code, span: Span): StructureField {
  const isCode = canList(code.structure.model);
  return makeField(isCode ? 'part' : 'content', 'code', span, {
    meaning: 'In no function',
    parts: isCode ? () => slots(code, span) : null,
  });
}

function functionField(code: Code, func: FunctionRange, span: Span): StructureField {
  const { model } = code.structure;
  const name = func.name || '(no name)';
  const isCode = canList(model);
  return makeField('function', `${name}()`, span, {
    meaning: isCode
      ? counted(Math.floor((span.end - span.start) / insnSlot(model)), 'instruction slot')
      : 'Code of another machine, not decoded',
    selection:
      func.symbol !== null
        ? { kind: 'symbol', symbol: func.symbol }
        : { kind: 'insn', section: func.section, insnOff: func.start },
    parts: isCode ? () => slots(code, span) : null,
  });
}

/** Returns the slots in `span`. Slots are numbered from the start of the section. */
function slots(code: Code, span: Span): FieldList {
  const { model } = code.structure;
  const size = insnSlot(model);
  const slotAt = hasBpfCode(model) ? slotField : wordField;
  return table(
    span,
    size,
    Math.floor((span.end - span.start) / size),
    (_, at) => slotAt(code, at.start),
    (at) => paddingField(at, 'Too few bytes for an instruction'),
  );
}

function slotField(code: Code, start: number): StructureField {
  const { structure, section } = code;
  const { model, read } = structure;
  const insnOff = start - code.start;
  const span = spanOf(start, SLOT_SIZE);
  const isSecond = isSecondHalf(code, start);
  const opcode = isSecond ? 0 : (read(start, start + 1)?.[0] ?? null);
  const place = placeOf(structure, span, INSN_SOURCE);
  const index = Number.isInteger(insnOff / SLOT_SIZE) ? `${insnOff / SLOT_SIZE}` : `at ${insnOff}`;
  return makeField('insn', `insn ${index}`, span, {
    cType: 'struct bpf_insn',
    meaning: isSecond ? 'Second half of the load of a 64-bit constant' : opcodeWords(opcode),
    source: INSN_SOURCE,
    selection: { kind: 'insn', section, insnOff: isSecond ? insnOff - SLOT_SIZE : insnOff },
    parts: () => structFields(place, isSecond ? SECOND_HALF : insnFields(model.endian)),
  });
}

const WORD = 4;

/** Returns an Alpha instruction as a field: a word whose highest six bits are the opcode. */
function wordField(code: Code, start: number): StructureField {
  const { read, model } = code.structure;
  const insnOff = start - code.start;
  const span = spanOf(start, WORD);
  const word = readNumber(read, span, model.endian);
  return makeField('insn', `insn ${insnOff / WORD}`, span, {
    cType: 'unsigned',
    value: word === null ? null : `0x${word.toString(16).padStart(8, '0')}`,
    meaning: word === null ? '' : `opcode 0x${(word >> 26n).toString(16)}`,
    source: ALPHA_SOURCE,
    selection: { kind: 'insn', section: code.section, insnOff },
  });
}

/** Maximum load opcodes to count before a slot. Compilers write shorter sequences of loads. */
const MAX_RUN = 512;

/** Returns true for the second half of a load: directly after an odd number of load opcodes. */
function isSecondHalf(code: Code, start: number): boolean {
  let run = 0;
  for (let at = start - SLOT_SIZE; at >= code.start && run < MAX_RUN; at -= SLOT_SIZE) {
    if (code.structure.read(at, at + 1)?.[0] !== OPCODE.ldImm64) break;
    run += 1;
  }
  return run % 2 === 1;
}

/** Returns the names of the opcode's parts: `BPF_MOV | BPF_K | BPF_ALU64`. */
function opcodeWords(opcode: number | null): string {
  if (opcode === null) return '';
  return opcodeParts(opcode)
    .map(({ name }) => name || '?')
    .join(' | ');
}

function insnFields(endian: Endian): readonly FieldSpec[] {
  return [
    {
      name: 'code',
      cType: '__u8',
      offset: 0,
      size: 1,
      notation: 'hex',
      meaning: (value) => opcodeWords(Number(value)),
      bits: (value) =>
        opcodeParts(Number(value))
          .toReversed()
          .map(({ field, bits, name, about }) => ({
            name: field,
            length: bits.length,
            meaning: name === '' ? about : `${name}, ${about}`,
          })),
    },
    {
      name: '',
      label: 'registers',
      cType: '__u8',
      offset: 1,
      size: 1,
      notation: 'hex',
      meaning: (value) => registerWords(Number(value), endian),
      bits: (value) => registerBits(Number(value), endian),
    },
    { name: 'off', cType: '__s16', offset: 2, size: 2, notation: 'signed' },
    { name: 'imm', cType: '__s32', offset: 4, size: 4, notation: 'signed' },
  ];
}

/** Fields of the second slot of a 64-bit load. All fields except imm are reserved. */
const SECOND_HALF = insnFields('little').map(
  ({ bits: _, ...field }): FieldSpec => ({
    ...field,
    meaning: field.name === 'imm' ? () => 'upper half of the constant' : reserved,
  }),
);

function reserved(value: bigint): string {
  return value === 0n ? 'reserved' : 'reserved, must be 0';
}

/** Explains the register byte. Its low half is the destination if little-endian. */
function registerBits(value: number, endian: Endian): readonly BitSpec[] {
  const names = endian === 'little' ? ['dst_reg', 'src_reg'] : ['src_reg', 'dst_reg'];
  return names.map((name, i) => ({ name, length: 4, meaning: `r${(value >> (4 * i)) & 15}` }));
}

function registerWords(value: number, endian: Endian): string {
  const [dst, src] = endian === 'little' ? [value & 15, value >> 4] : [value >> 4, value & 15];
  return `dst r${dst}, src r${src}`;
}
