/** The text of an instruction in parts that are coloured apart. */

export type InsnToken = {
  readonly kind: 'register' | 'number' | 'word' | 'type' | 'plain';
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly start: number;
};

const PARTS =
  /(?<register>\b[rw]\d+\b)|(?<number>[+-]?0x[0-9a-f]+\b)|(?<type>\b[us](?:8|16|32|64)\b)|(?<word>[a-z_]\w+)|(?<plain>[^a-z0-9_+-]+|.)/gsu;

/** Splits what `insnText` gives; the texts of the parts joined are the text again. */
export function insnTokens(text: string): InsnToken[] {
  const tokens: InsnToken[] = [];
  for (const { 0: part, index, groups = {} } of text.matchAll(PARTS)) {
    tokens.push({ kind: kindOf(groups), text: part, start: index });
  }
  return tokens;
}

const KINDS = ['register', 'number', 'type', 'word'] as const;

function kindOf(groups: { readonly [name: string]: string | undefined }): InsnToken['kind'] {
  return KINDS.find((kind) => groups[kind] !== undefined) ?? 'plain';
}
