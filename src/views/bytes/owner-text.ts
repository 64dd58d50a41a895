/** An owner as one line of the tree: its name, and beside it what it says. */
import type { ReadBytes, StructureField } from '#analysis/structure/field.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { insnText } from '#print/insn.ts';

export type OwnerText = {
  /** Fit to be drawn, like `said`. */
  readonly name: string;
  /** The value, the instruction, or what it means; empty where there is nothing to say. */
  readonly said: string;
};

/** The line of `owner`; `read` gives the bytes of an instruction. */
export function ownerText(owner: StructureField, read: ReadBytes, endian: Endian): OwnerText {
  const { label, value, meaning, kind } = owner;
  const said = kind === 'insn' ? (disassembled(owner, read, endian) ?? meaning) : meaning;
  const words = value === null ? said : said === '' ? `= ${value}` : `= ${value}  ${said}`;
  return { name: drawnName(label), said: drawnName(words) };
}

/** The second half of a constant is no instruction of its own: it says so itself. */
function disassembled(
  { span, meaning }: StructureField,
  read: ReadBytes,
  endian: Endian,
): string | null {
  const bytes = meaning.startsWith('BPF_') ? read(span.start, span.start + 16) : null;
  const insn = bytes === null ? null : decodeInsn(bytes, 0, endian);
  return insn === null ? null : insnText(insn, endian);
}
