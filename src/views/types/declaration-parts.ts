/** Code cut into parts: what leads to a type, what is a keyword, a number, a comment. */
import type { TypeId } from '#model/ids.ts';
import type { DeclarationForm } from '#store/texts.ts';
import type { DeclarationTargets } from './declaration-targets.ts';

export type DeclarationPart = {
  readonly text: string;
  readonly role: 'plain' | 'keyword' | 'number' | 'comment';
  /** The type that the text names, or null. */
  readonly type: TypeId | null;
};

const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"[^"]*"|(?:struct|union|enum)\s+[A-Za-z_]\w*|[A-Za-z_]\w*|\b(?:0x[\da-f]+|\d+)\w*|[^\sA-Za-z_\d]/g;

const C = new Set('struct union enum typedef const volatile restrict extern static'.split(' '));
const KEYWORDS: Readonly<Record<DeclarationForm, ReadonlySet<string>>> = {
  c: C,
  header: C,
  pahole: C,
  raw: new Set(),
  zig: new Set('pub const var extern packed struct union enum opaque align fn comptime'.split(' ')),
  rust: new Set('pub struct union type const static mut fn unsafe extern impl enum'.split(' ')),
  go: new Set('type struct const var'.split(' ')),
};

/** After these a name is that of a type; after any other token it is what is declared. */
const BEFORE_TYPE: ReadonlySet<string> = new Set([
  '',
  '{',
  ';',
  '(',
  ',',
  'typedef',
  'const',
  'volatile',
  'extern',
  'static',
]);

/** The parts of `text`, which together give it again. */
export function declarationParts(
  text: string,
  targets: DeclarationTargets,
  form: DeclarationForm = 'c',
): DeclarationPart[] {
  const keywords = KEYWORDS[form];
  const parts: DeclarationPart[] = [];
  let plainFrom = 0;
  let before = '';
  const add = (part: DeclarationPart, at: number) => {
    if (at > plainFrom) {
      parts.push({ text: text.slice(plainFrom, at), role: 'plain', type: null });
    }
    parts.push(part);
    plainFrom = at + part.text.length;
  };
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    if (token.startsWith('/*') || token.startsWith('//')) {
      add({ text: token, role: 'comment', type: null }, match.index);
      continue;
    }
    const type = typeNamed(token, before, targets);
    const [word = ''] = token.split(/\s/, 1);
    if (type !== null) add({ text: token, role: 'plain', type }, match.index);
    else if (keywords.has(word)) add({ text: word, role: 'keyword', type: null }, match.index);
    else if (/^\d/.test(token)) add({ text: token, role: 'number', type: null }, match.index);
    before = token;
  }
  if (plainFrom < text.length) {
    parts.push({ text: text.slice(plainFrom), role: 'plain', type: null });
  }
  return parts;
}

function typeNamed(token: string, before: string, targets: DeclarationTargets): TypeId | null {
  const hasKeyword = /\s/.test(token);
  if (!hasKeyword && !BEFORE_TYPE.has(before)) return null;
  return targets.get(token.replace(/\s+/, ' ')) ?? null;
}
