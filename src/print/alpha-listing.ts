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
import { type RelocIndex, type SectionIndex, sectionIndex } from '#model/ids.ts';
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

/** An instruction, with the relocation entries that patch it. */
export type AlphaRow = {
  readonly section: SectionIndex;
  /** Name of the function, not escaped; null outside of functions. */
  readonly func: string | null;
  /** Offset in the section, and in the file. */
  readonly offset: number;
  readonly fileOffset: number;
  readonly address: bigint;
  readonly bytes: Uint8Array;
  /** Text as GNU objdump writes it, with raw names. */
  readonly text: string;
  readonly relocations: readonly RelocIndex[];
};

/** Yields some thousand lines at a time. Names are escaped. */
export async function* alphaListing(
  model: ObjectModel,
  source: ByteSource,
  options: AlphaListingOptions,
): AsyncGenerator<readonly string[]> {
  for (const section of codeSections(model)) {
    const bytes = await codeOf(model, source, section, options.layout);
    yield ['', visible(`Disassembly of section ${sectionName(model.sections, section)}:`)];
    yield* batched(sectionLines(model, section, bytes, options));
  }
}

/** Yields the instructions of all sections, some thousand at a time. */
export async function* alphaRows(
  model: ObjectModel,
  source: ByteSource,
  layout: RelocationLayout | null,
): AsyncGenerator<AlphaRow> {
  for (const section of codeSections(model)) {
    yield* sectionRows(model, section, await codeOf(model, source, section, layout), layout);
  }
}

function codeSections({ sections }: ObjectModel): SectionIndex[] {
  return Array.from({ length: sections.count }, (_, i) => sectionIndex(i)).filter(
    (index) => index > 0 && isCode(sections, index) && (sections.byteLength[index] ?? 0) > 0,
  );
}

/** Reads the bytes of a section, relocated to the addresses of `layout`. */
async function codeOf(
  model: ObjectModel,
  source: ByteSource,
  section: SectionIndex,
  layout: RelocationLayout | null,
): Promise<Uint8Array> {
  const start = model.sections.fileOffset[section] ?? 0;
  const stored = await source.read(start, start + (model.sections.byteLength[section] ?? 0));
  return layout === null ? stored : relocatedBytes(model, section, 0, stored, layout);
}

function* sectionRows(
  model: ObjectModel,
  section: SectionIndex,
  bytes: Uint8Array,
  layout: RelocationLayout | null,
): Generator<AlphaRow> {
  const name = sectionName(model.sections, section);
  const base = layout?.sections.get(name) ?? model.sections.addr[section] ?? 0n;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const slot = insnSlot(model);
  for (let offset = 0; offset + slot <= bytes.length; offset += slot) {
    const word = view.getUint32(offset, true);
    yield {
      section,
      func: functionAt(model, section, offset)?.name ?? null,
      offset,
      fileOffset: (model.sections.fileOffset[section] ?? 0) + offset,
      address: base + BigInt(offset),
      bytes: bytes.subarray(offset, offset + slot),
      text: alphaTextAt(model, section, offset, word, layout?.sections ?? null),
      relocations: [...relocationsTouching(model, section, offset, offset + slot)],
    };
  }
}

function* sectionLines(
  model: ObjectModel,
  section: SectionIndex,
  code: Uint8Array,
  { raw, layout }: AlphaListingOptions,
): Generator<string> {
  let before: string | null = null;
  for (const row of sectionRows(model, section, code, layout)) {
    const { bytes, text } = row;
    const func = row.func ?? sectionName(model.sections, section);
    const address = row.address.toString(16);
    if (func !== before) {
      yield* ['', visible(`${address.padStart(16, '0')} <${func}>:`)];
      before = func;
    }
    const digits = Array.from(bytes, (byte) => BYTE_DIGITS[byte]).join(' ');
    yield visible(`${address.padStart(8)}:  ${raw ? `${digits}  ` : ''}${text}`);
    for (const reloc of row.relocations) {
      const { typeName, symbolText } = relocationMeaning(model, reloc);
      yield visible(`            ${typeName}  ${symbolText}`.trimEnd());
    }
  }
}
