/** Finds the byte of a file, and the instructions, that a number can name: `0x1a4`, `52`. */
import { functionAt } from '#analysis/objects/functions.ts';
import { hasReadableCode } from '#analysis/objects/section-code.ts';
import { hexText } from '#bytes/text.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { hasBpfCode, insnSlot, type ObjectModel } from '#model/object-model.ts';
import { sectionAt, sectionName } from '#model/sections.ts';
import { type FindHit, hitOf } from './make-hit.ts';

/** Maximum number of sections whose instructions are listed. */
const MAX_SECTIONS = 8;

/**
 * Returns the byte at a file offset, and instructions of BPF code: for a hex number those at the
 * byte and at that offset in each section, for a decimal one those with that number.
 */
export function placeHits(
  model: ObjectModel,
  { at, isHex }: { readonly at: number; readonly isHex: boolean },
): FindHit[] {
  const hits: FindHit[] = [];
  const around = at < model.size ? sectionAt(model.sections, at) : null;
  if (at < model.size) {
    hits.push(
      hitOf('byte', `Byte ${hexText(at)}`, '', {
        facts: { place: around === null ? '' : sectionName(model.sections, around) },
        selection: { kind: 'bytes', start: at, end: at + 1 },
      }),
    );
  }
  if (!hasBpfCode(model)) return hits;
  const slot = insnSlot(model);
  if (isHex && around !== null && hasReadableCode(model.sections, around)) {
    hits.push(insnHit(model, around, at - (model.sections.fileOffset[around] ?? 0), ''));
  }
  const offset = isHex ? at : at * slot;
  for (let i = 1, listed = 0; i < model.sections.count && listed < MAX_SECTIONS; i++) {
    const section = sectionIndex(i);
    if (!hasReadableCode(model.sections, section)) continue;
    if (offset >= (model.sections.byteLength[i] ?? 0)) continue;
    hits.push(insnHit(model, section, offset, isHex ? `${hexText(at)} in the section` : ''));
    listed++;
  }
  return hits;
}

/** Returns the hit of the instruction that covers byte `offset` of a section. */
function insnHit(model: ObjectModel, section: SectionIndex, offset: number, word: string): FindHit {
  const slot = insnSlot(model);
  const number = Math.floor(offset / slot);
  const insnOff = number * slot;
  return hitOf('insn', `Instruction ${number} of ${sectionName(model.sections, section)}`, '', {
    facts: { place: functionAt(model, section, insnOff)?.name ?? '', word },
    selection: { kind: 'insn', section, insnOff },
  });
}
