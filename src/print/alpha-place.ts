/** An Alpha instruction where it stands in a file, as `objdump -d` prints it there: addresses with the symbol that they lie in. */
import { functionAt } from '#analysis/code/functions.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isAlpha, type ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { alphaBranchTarget, alphaInsnText } from './alpha-insn.ts';

/** Where an instruction leads in this file. */
export type AlphaTarget = {
  readonly section: SectionIndex;
  /** Bytes from the start of the section. */
  readonly insnOff: number;
};

/** Text of a word of four bytes that may be an instruction; null where it lies in no code of a machine with such instructions. */
export function wordTextAt(
  model: ObjectModel,
  section: SectionIndex,
  byteOffset: number,
  word: number,
): string | null {
  const isInsn = isAlpha(model) && isCode(model.sections, section) && byteOffset % 4 === 0;
  return isInsn ? alphaTextAt(model, section, byteOffset, word) : null;
}

/** Text of `word` at `insnOff` bytes of `section`. Names in it are raw text. */
export function alphaTextAt(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
  word: number,
): string {
  const address = (model.sections.addr[section] ?? 0n) + BigInt(insnOff);
  return alphaInsnText(word, address, (at) => addressText(model, at))
    .replace('\t', ' ')
    .trimEnd();
}

/** Where a branch or a jump with a hint goes; null where it goes nowhere, or out of the code of the file. */
export function alphaTargetAt(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
  word: number,
): AlphaTarget | null {
  const address = (model.sections.addr[section] ?? 0n) + BigInt(insnOff);
  const target = alphaBranchTarget(word, address);
  return target === null ? null : codeAt(model, target);
}

function addressText(model: ObjectModel, address: bigint): string {
  const place = codeAt(model, address);
  const func = place === null ? null : functionAt(model, place.section, place.insnOff);
  if (place === null || func === null || func.symbol === null) return `0x${address.toString(16)}`;
  const plus = place.insnOff - func.start;
  return `${address.toString(16)} <${func.name}${plus === 0 ? '' : `+0x${plus.toString(16)}`}>`;
}

function codeAt({ sections }: ObjectModel, address: bigint): AlphaTarget | null {
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    const offset = address - (sections.addr[i] ?? 0n);
    const isInside = offset >= 0n && offset < BigInt(sections.byteLength[i] ?? 0);
    if (isInside && isCode(sections, section)) return { section, insnOff: Number(offset) };
  }
  return null;
}
