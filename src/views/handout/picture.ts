/**
 * The picture of a step, computed from the open file: what the tool shows there, cut
 * down to what fits beside a paragraph of a page. All texts are raw: escape them when drawn.
 */

import { selectionSpan } from '#analysis/code/selection.ts';
import type { ReadBytes } from '#analysis/fields/field.ts';
import type { Span } from '#bytes/span.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { type BarPart, layoutBar } from './bar-picture.ts';
import { insnLines, relocationLines } from './code-picture.ts';
import { coreFacts, fileFacts, relocationFacts } from './fact-picture.ts';
import { type HexExcerpt, hexExcerpt } from './hex-picture.ts';
import type { Line } from './lines.ts';
import { typeLines } from './type-picture.ts';

/** A term and what it is here. */
export type Fact = { readonly term: string; readonly value: string };

export type Picture = {
  readonly facts: readonly Fact[];
  /** Code: a declaration, or instructions. */
  readonly lines: readonly Line[];
  readonly bar: readonly BarPart[];
  readonly hex: HexExcerpt | null;
};

const EMPTY: Picture = { facts: [], lines: [], bar: [], hex: null };

/** What is drawn of `selection` as the view of that name shows it. `read` gives bytes of the file, or null while they come. */
export function pictureOf(
  model: ObjectModel,
  selection: Selection,
  view: string,
  read: ReadBytes,
): Picture {
  const hexOf = (span: Span | null) => (span === null ? null : hexExcerpt(model, span, read));
  switch (selection.kind) {
    case 'type': {
      const { types } = model;
      if (types === null) return { ...EMPTY, facts: fileFacts(model) };
      const isBytes = view === 'bytes';
      return {
        ...EMPTY,
        lines: typeLines(types, selection.type, selection.memberPath),
        bar: isBytes ? [] : layoutBar(types, selection.type, selection.memberPath),
        hex: isBytes ? hexOf(selectionSpan(model, selection)) : null,
      };
    }
    case 'relocation':
      return {
        ...EMPTY,
        facts: relocationFacts(model, selection.reloc),
        lines: insnLines(model, selection, read),
        hex: hexOf(selectionSpan(model, selection)),
      };
    case 'core':
      return {
        ...EMPTY,
        facts: coreFacts(model, selection.core),
        lines: insnLines(model, selection, read),
        hex: hexOf(selectionSpan(model, selection)),
      };
    case 'insn': {
      const span = selectionSpan(model, selection);
      return span === null
        ? { ...EMPTY, facts: fileFacts(model) }
        : { ...EMPTY, lines: insnLines(model, selection, read), hex: hexOf(span) };
    }
    case 'none':
      return view === 'relocations'
        ? { ...EMPTY, lines: relocationLines(model) }
        : { ...EMPTY, facts: fileFacts(model) };
    default: {
      const span = selectionSpan(model, selection);
      const lines = view === 'code' ? insnLines(model, selection, read) : [];
      const hex = lines.length > 0 ? null : hexOf(span);
      return { ...EMPTY, lines, hex, facts: hex || lines.length > 0 ? [] : fileFacts(model) };
    }
  }
}

/** Is there nothing to be seen? */
export function isEmptyPicture({ facts, lines, bar, hex }: Picture): boolean {
  return facts.length === 0 && lines.length === 0 && bar.length === 0 && hex === null;
}
