/** Writes a type read from DWARF as the language of its unit declares it. */
import { type TypeId, VOID } from '#model/ids.ts';
import { hasType } from '#model/type-table.ts';
import { cppDeclaration } from './cpp.ts';
import { goDeclaration } from './go.ts';
import { rustDeclaration } from './rust.ts';
import { languageOf, type SourcedTypes } from './source-types.ts';
import { zigDeclaration } from './zig.ts';

const LANGUAGES: ReadonlyMap<string, (s: SourcedTypes, id: TypeId) => string | null> = new Map([
  ['C++', cppDeclaration],
  ['Rust', rustDeclaration],
  ['Go', goDeclaration],
  ['Zig', zigDeclaration],
]);

export type SourceDeclaration = {
  /** Display name of the language. */
  readonly language: string;
  /** Declaration, not escaped. */
  readonly text: string;
};

/** Returns the declaration of a type in the language of its unit; null for C and other languages. */
export function sourceDeclaration(s: SourcedTypes, id: TypeId): SourceDeclaration | null {
  if (id === VOID || !hasType(s.types, id)) return null;
  const language = languageOf(s, id);
  const text = LANGUAGES.get(language)?.(s, id) ?? null;
  return text === null ? null : { language, text };
}
