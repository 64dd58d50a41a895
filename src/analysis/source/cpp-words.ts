/** Words and names of declarations in C++. */
import { hexText } from '#bytes/text.ts';
import { PART_FLAGS } from '#model/class-parts.ts';

const SPECIFIERS: readonly (readonly [flag: number, word: string])[] = [
  [PART_FLAGS.static, 'static '],
  [PART_FLAGS.virtual, 'virtual '],
  [PART_FLAGS.explicit, 'explicit '],
  [PART_FLAGS.constexpr, 'constexpr '],
];

const BODIES: readonly (readonly [flag: number, text: string])[] = [
  [PART_FLAGS.pure, ' = 0'],
  [PART_FLAGS.deleted, ' = delete'],
  [PART_FLAGS.defaulted, ' = default'],
];

/** Returns the words before the declaration of a part of a class: `static `. */
export function specifiers(flags: number): string {
  return SPECIFIERS.map(([flag, word]) => ((flags & flag) === 0 ? '' : word)).join('');
}

/** Returns what a method has in place of a body: ` = 0`. */
export function bodyText(flags: number): string {
  return BODIES.map(([flag, text]) => ((flags & flag) === 0 ? '' : text)).join('');
}

/** Bit of the encoding of an INT. */
export const BOOL = 4;

/** Returns the number whose bits are `value`; the bits of a size without a form in C++. */
export function realText(value: bigint, size: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, value);
  if (size === 8) return `${view.getFloat64(0)}`;
  // Nine digits tell all numbers of four bytes apart.
  return size === 4 ? `${Number(view.getFloat32(4).toPrecision(9))}f` : hexText(value);
}

/** Names of conversions, whose result is their name: `operator bool`. */
export const CONVERSION = /^operator (?!new\b|delete\b|co_await\b)/;

/** Returns a name without the arguments of its templates: `std::vector` for `std::vector<int>`. */
export function withoutArguments(name: string): string {
  let text = '';
  let depth = 0;
  for (const character of name) {
    if (character === '<') depth += 1;
    else if (character === '>') depth -= 1;
    else if (depth === 0) text += character;
  }
  return text;
}

/** Returns the text after a space; nothing for an empty text. */
export function spaced(text: string): string {
  return text === '' ? '' : ` ${text}`;
}
