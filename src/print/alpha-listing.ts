/**
 * Lists the code of an Alpha object: functions, words, instructions as GNU objdump writes them, and
 * below each instruction the relocation entries that patch it.
 */
import { functionAt } from '#analysis/objects/functions.ts';
import type { RelocationLayout } from '#analysis/objects/relocation-facts.ts';
import { relocationsTouching } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocatedBytes } from '#analysis/relocations/relocated-bytes.ts';
import type { ByteSource } from '#bytes/source.ts';
import { BYTE_DIGITS, visible } from '#bytes/text.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { alphaTextAt } from './alpha-insn.ts';
import { batched } from './disassembly.ts';

export type AlphaListingOptions = {
  /** True: prints the bytes of each instruction. */
  readonly raw: boolean;
  /** Addresses at which the code is shown, relocated; null for those of the file. */
  readonly layout: RelocationLayout | null;
};

/** Yields some thousand lines at a time. Names are escaped. */
export async function* alphaListing(
  model: ObjectModel,
  source: ByteSource,
  options: AlphaListingOptions,
): AsyncGenerator<readonly string[]> {
  for (let i = 1; i < model.sections.count; i++) {
    const section = sectionIndex(i);
    const start = model.sections.fileOffset[i] ?? 0;
    const length = model.sections.byteLength[i] ?? 0;
    if (!isCode(model.sections, section) || length === 0) continue;
    const stored = await source.read(start, start + length);
    const { layout } = options;
    const bytes = layout === null ? stored : relocatedBytes(model, section, 0, stored, layout);
    yield ['', visible(`Disassembly of section ${sectionName(model.sections, section)}:`)];
    yield* batched(sectionLines(model, section, bytes, options));
  }
}

function* sectionLines(
  model: ObjectModel,
  section: SectionIndex,
  bytes: Uint8Array,
  { raw, layout }: AlphaListingOptions,
): Generator<string> {
  const name = sectionName(model.sections, section);
  const base = layout?.sections.get(name) ?? model.sections.addr[section] ?? 0n;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const slot = insnSlot(model);
  const addressOf = (at: number) => (base + BigInt(at)).toString(16);
  let before: string | null = null;
  for (let at = 0; at + slot <= bytes.length; at += slot) {
    const func = functionAt(model, section, at)?.name ?? name;
    if (func !== before) {
      yield* ['', visible(`${addressOf(at).padStart(16, '0')} <${func}>:`)];
      before = func;
    }
    const word = view.getUint32(at, true);
    const digits = Array.from(bytes.subarray(at, at + slot), (byte) => BYTE_DIGITS[byte]).join(' ');
    const text = alphaTextAt(model, section, at, word, layout?.sections ?? null);
    yield visible(`${addressOf(at).padStart(8)}:  ${raw ? `${digits}  ` : ''}${text}`);
    for (const reloc of relocationsTouching(model, section, at, at + slot)) {
      const { typeName, symbolText } = relocationMeaning(model, reloc);
      yield visible(`            ${typeName}  ${symbolText}`.trimEnd());
    }
  }
}
