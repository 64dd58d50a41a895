/** Splits a declaration in C++, Rust, Go or Zig into links, keywords, numbers and comments. */
import type { TypeId } from '#model/ids.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import {
  type DeclarationPart,
  type DeclarationTargets,
  declarationTargets,
} from './declaration-targets.ts';

const KEYWORDS = new Set(
  (
    'class struct union enum const volatile typedef public protected private virtual ' +
    'static explicit constexpr alignas operator delete default ' +
    'fn pub mut dyn type func interface map chan var opaque'
  ).split(' '),
);

/** Maximum number of names that get links. */
const MAX_NAMES = 1000;

/** Returns the types that the declaration of `id` names, by their names without a keyword of C. */
export function sourceTargets(types: TypeTable, id: TypeId): DeclarationTargets {
  const targets = new Map<string, TypeId>();
  const own = nameOf(types, id);
  const add = (named: DeclarationTargets) => {
    for (const [spelling, type] of named) {
      const name = spelling.replace(/^(?:struct|union|enum) /, '');
      if (targets.has(name) || name === own || targets.size >= MAX_NAMES) continue;
      targets.set(name, type);
      // In a class, names of its scope are shorter.
      if (name.startsWith(`${own}::`)) targets.set(name.slice(own.length + 2), type);
      // The declaration of an enum of Rust has the members of its variants.
      if (name.startsWith(`${own}::`)) add(declarationTargets(types, type));
    }
  };
  add(declarationTargets(types, id));
  return targets;
}

/** Splits `text` into parts. The joined parts are the whole text. */
export function sourceParts(text: string, targets: DeclarationTargets): DeclarationPart[] {
  const names = [...targets.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const comments = String.raw`\/\/[^\n]*|\/\*[^]*?\*\/`;
  const named = names.length === 0 ? '(?!)' : `(?<![\\w:.])(?:${names.join('|')})(?![\\w:.])`;
  const words = String.raw`[A-Za-z_]\w*|\d\w*`;
  const pattern = new RegExp(`(${comments})|(${named})|(${words})`, 'g');
  const parts: DeclarationPart[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [token, comment, name] = match;
    const isNumber = /^\d/.test(token);
    const type = name === undefined ? null : (targets.get(name) ?? null);
    if (comment === undefined && type === null && !isNumber && !KEYWORDS.has(token)) continue;
    const role =
      comment !== undefined ? 'comment' : type !== null ? 'plain' : isNumber ? 'number' : 'keyword';
    if (match.index > end)
      parts.push({ text: text.slice(end, match.index), role: 'plain', type: null });
    parts.push({ text: token, role, type });
    end = match.index + token.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), role: 'plain', type: null });
  return parts;
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
