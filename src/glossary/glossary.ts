/** All cards, in the order in which somebody would learn the field. */
import { ALPHA_CARDS } from './cards-alpha.ts';
import { ALPHA_LINKING_CARDS } from './cards-alpha-linking.ts';
import { ALPHA_NOTATION_CARDS } from './cards-alpha-notation.ts';
import { API_CARDS } from './cards-api.ts';
import { BTF_HEADER_CARDS } from './cards-btf-header.ts';
import { BTF_TYPE_CARDS } from './cards-btf-type.ts';
import { CORE_CARDS } from './cards-core.ts';
import { CORE_KIND_CARDS } from './cards-core-kinds.ts';
import { ELF_CARDS } from './cards-elf.ts';
import { ERRATA_CARDS } from './cards-errata.ts';
import { EXT_CARDS } from './cards-ext.ts';
import { GENERAL_CARDS } from './cards-general.ts';
import { GENERATION_CARDS } from './cards-generation.ts';
import { INSTRUCTION_CARDS } from './cards-instructions.ts';
import { ITEM_CARDS } from './cards-items.ts';
import { KIND_CARDS } from './cards-kinds.ts';
import { PROGRAM_CARDS } from './cards-programs.ts';
import { RELOCATION_CARDS } from './cards-relocations.ts';
import { SPLIT_CARDS } from './cards-split.ts';
import type { TermCard, TermGroup } from './term.ts';
import type { TermId } from './term-names.ts';

export const GLOSSARY: readonly TermGroup[] = [
  { title: 'BTF as a whole', cards: BTF_HEADER_CARDS },
  { title: 'Records of types', cards: BTF_TYPE_CARDS },
  { title: 'Kinds', cards: KIND_CARDS },
  { title: 'Members and other items', cards: ITEM_CARDS },
  { title: 'In general', cards: GENERAL_CARDS },
  { title: '.BTF.ext', cards: EXT_CARDS },
  { title: 'CO-RE', cards: CORE_CARDS },
  { title: 'What CO-RE asks', cards: CORE_KIND_CARDS },
  { title: 'ELF', cards: ELF_CARDS },
  { title: 'ELF relocations', cards: RELOCATION_CARDS },
  { title: 'Instructions', cards: INSTRUCTION_CARDS },
  { title: 'Programs, maps and data', cards: PROGRAM_CARDS },
  { title: 'Kernel API', cards: API_CARDS },
  { title: 'Split BTF', cards: SPLIT_CARDS },
  { title: 'How BTF is made, and what it was', cards: GENERATION_CARDS },
  { title: 'Alpha eCOFF', cards: ALPHA_CARDS },
  { title: 'Alpha eCOFF: notation of formulas', cards: ALPHA_NOTATION_CARDS },
  { title: 'Alpha eCOFF: linking', cards: ALPHA_LINKING_CARDS },
  { title: 'Where a document is out of date or errs', cards: ERRATA_CARDS },
];

const BY_ID: ReadonlyMap<TermId, TermCard> = new Map(
  GLOSSARY.flatMap(({ cards }) => cards.map((card) => [card.id, card])),
);

/** The card of a term. A test holds that each has one. */
export function cardOf(id: TermId): TermCard | null {
  return BY_ID.get(id) ?? null;
}
