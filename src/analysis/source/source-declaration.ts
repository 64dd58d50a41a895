/** Writes a type read from DWARF as the language of its unit declares it. */
import { type TypeId, VOID } from '#model/ids.ts';
import { hasType } from '#model/type-table.ts';
import { cppDeclaration } from './cpp.ts';
import { goDeclaration } from './go.ts';
import { rustDeclaration } from './rust.ts';
import { languageOf, type SourcedTypes } from './source-types.ts';
import { zigDeclaration } from './zig.ts';

const LANGUAGES = {
  'C++': cppDeclaration,
  Rust: rustDeclaration,
  Go: goDeclaration,
  Zig: zigDeclaration,
} as const;

export type SourceDeclaration = {
  /** Display name of the language. */
  readonly language: keyof typeof LANGUAGES;
  /** Declaration, not escaped. */
  readonly text: string;
};

/** Returns the declaration of a type in the language of its unit; null for C and other languages. */
export function sourceDeclaration(s: SourcedTypes, id: TypeId): SourceDeclaration | null {
  if (id === VOID || !hasType(s.types, id)) return null;
  const language = languageOf(s, id);
  if (!isDeclared(language)) return null;
  const text = LANGUAGES[language](s, id);
  return text === null ? null : { language, text };
}

function isDeclared(language: string): language is keyof typeof LANGUAGES {
  return Object.hasOwn(LANGUAGES, language);
}
