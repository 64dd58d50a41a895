/** Names of source languages. */
import { hexText } from '#bytes/text.ts';
import { DW_LANG } from './constants.ts';

/** Display names by DW_LANG. Languages without a row are shown by their number. */
const LANGUAGES: ReadonlyMap<number, string> = new Map([
  ...[DW_LANG.C89, DW_LANG.C, DW_LANG.C99, DW_LANG.C11, DW_LANG.C17, DW_LANG.C23].map(
    (language) => [language, 'C'] as const,
  ),
  ...[
    DW_LANG.C_plus_plus,
    DW_LANG.C_plus_plus_03,
    DW_LANG.C_plus_plus_11,
    DW_LANG.C_plus_plus_14,
    DW_LANG.C_plus_plus_17,
    DW_LANG.C_plus_plus_20,
    DW_LANG.C_plus_plus_23,
  ].map((language) => [language, 'C++'] as const),
  [DW_LANG.Go, 'Go'],
  [DW_LANG.Rust, 'Rust'],
  [DW_LANG.Zig, 'Zig'],
  [DW_LANG.Mips_Assembler, 'assembly'],
]);

/** Returns the name of a language: `C` for C99; `language 0x3f` for a number without a name. */
export function languageName(language: number): string {
  return LANGUAGES.get(language) ?? `language ${hexText(language)}`;
}
