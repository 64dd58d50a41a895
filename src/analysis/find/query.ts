/** Parses the text in the command palette. A text without a special form is a name to find. */

const SCOPE_WORDS = [
  ...(['type', 'struct', 'union', 'enum', 'typedef', 'func', 'var', 'member'] as const),
  ...(['enumerator', 'section', 'symbol', 'string', 'core'] as const),
] as const;

/** Kind of name to search. `any`: types, members, enumerators, sections and symbols. */
export type Scope = 'any' | (typeof SCOPE_WORDS)[number];

const SIZE_OPS = ['=', '<', '<=', '>', '>='] as const;

export type SizeTest = {
  readonly op: (typeof SIZE_OPS)[number];
  readonly bytes: number;
};

/** Type name in lower case; `isPointer`: a pointer to the type with the name. */
export type AskedType = { readonly name: string; readonly isPointer: boolean };

/** Part of a prototype that has a type: a parameter, or the result. */
export type AskedPrototype = { readonly part: 'takes' | 'returns'; readonly type: AskedType };

export type FindQuery =
  | { readonly form: 'none' }
  /** Names that match `needle`; if `needle` is empty, all names in the scope. */
  | {
      readonly form: 'names';
      readonly scope: Scope;
      readonly needle: string;
      readonly size: SizeTest | null;
    }
  /** Members by path from a type's name: `task_struct.se.vruntime`; type `*` is any type. */
  | {
      readonly form: 'members';
      readonly owner: string;
      /** Member names of the path, at least one. Only the final name may be empty or partial. */
      readonly path: readonly string[];
      /** Complete text of the query, which may also be the name of a section or symbol. */
      readonly text: string;
    }
  /** Members that have a type: `member-type:spinlock_t`. */
  | { readonly form: 'member-type'; readonly type: AskedType }
  /** Functions with a parameter or a result of a type: `takes:sock`, `returns:bool`. */
  | { readonly form: 'prototype'; readonly prototype: AskedPrototype }
  | { readonly form: 'id'; readonly id: number }
  /** Members that cover the byte at `byteOffset` of the type named `owner`. */
  | { readonly form: 'offset'; readonly byteOffset: number; readonly owner: string }
  /**
   * Enumerators with a value. `id` is set if the number may also be a type id. `place` is set if it
   * may also be a byte of the file or an instruction.
   */
  | {
      readonly form: 'value';
      readonly value: bigint;
      readonly id: number | null;
      readonly place: { readonly at: number; readonly isHex: boolean } | null;
    };

/** Maximum length of a query in characters; the rest is ignored. */
const MAX_LENGTH = 256;

const SCOPES: ReadonlyMap<string, Scope> = new Map<string, Scope>([
  ...SCOPE_WORDS.map((word) => [word, word] as const),
  ['function', 'func'],
  ['field', 'member'],
]);

/** Words that set the scope without a colon, also alone: `struct sk_buff`, `struct`. */
const C_WORDS: ReadonlySet<string> = new Set(['struct', 'union', 'enum', 'typedef', 'func']);

const NUMBER = String.raw`0x[0-9a-f]{1,16}|\d{1,19}`;
const ID = /^(?:#\s*(\d{1,10})|\[\s*(\d{1,10})\s*\])$/;
const VALUE = new RegExp(String.raw`^(value\s*[:=]\s*)?(-?)(${NUMBER})$`, 'i');
const OFFSET_IN = new RegExp(
  String.raw`^\+?\s*(${NUMBER})\s+in\s+(?:struct\s+|union\s+)?(\S+)$`,
  'i',
);
const NAME_PLUS = new RegExp(
  String.raw`^(?:struct\s+|union\s+)?([^\s+]+)\s*\+\s*(${NUMBER})$`,
  'i',
);
const SIZE = new RegExp(String.raw`(^|\s)size\s*(:|=|<=|>=|<|>)\s*(${NUMBER})(k?)(?=\s|$)`, 'i');

const ASKED =
  /^\s*member-type\s*:\s*(?:const\s+)?(?:struct\s+|union\s+|enum\s+)?([^\s*]*)\s*(\*?)\s*$/i;

/** Returns the type in the query `member-type: NAME`; null for other queries. */
export function askedMemberType(text: string): AskedType | null {
  const [, name, star] = ASKED.exec(text) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), isPointer: star === '*' };
}

const ASKED_PROTOTYPE =
  /^\s*(takes|returns)\s*:\s*(?:const\s+)?(?:struct\s+|union\s+|enum\s+)?([^\s*]*)\s*(\*?)\s*$/i;

/** Returns the type in `takes: NAME` or `returns: NAME`; null for other queries. */
export function askedPrototype(text: string): AskedPrototype | null {
  const [, part, name, star] = ASKED_PROTOTYPE.exec(text) ?? [];
  if (part === undefined || name === undefined) return null;
  return {
    part: part.toLowerCase() === 'takes' ? 'takes' : 'returns',
    type: { name: name.toLowerCase(), isPointer: star === '*' },
  };
}

/** Parses a query; ignores the text after 256 characters. */
export function parseQuery(typed: string): FindQuery {
  const text = typed.slice(0, MAX_LENGTH).trim();
  if (text === '') return { form: 'none' };
  const type = askedMemberType(text);
  if (type !== null) return { form: 'member-type', type };
  const prototype = askedPrototype(text);
  if (prototype !== null) return { form: 'prototype', prototype };
  return numberQuery(text) ?? offsetQuery(text) ?? nameQuery(text);
}

function numberQuery(text: string): FindQuery | null {
  const [, hash, bracket] = ID.exec(text) ?? [];
  const digits = hash ?? bracket;
  if (digits !== undefined) return { form: 'id', id: Number(digits) };
  const [, word = '', sign = '', number] = VALUE.exec(text) ?? [];
  if (number === undefined) return null;
  const value = BigInt(number.toLowerCase());
  const mayBeId = word === '' && sign === '' && /^\d{1,10}$/.test(number);
  return {
    form: 'value',
    value: sign === '' ? value : -value,
    id: mayBeId ? Number(number) : null,
    place:
      word === '' && sign === '' && value <= BigInt(Number.MAX_SAFE_INTEGER)
        ? { at: Number(value), isHex: /^0x/i.test(number) }
        : null,
  };
}

function offsetQuery(text: string): FindQuery | null {
  const [, number, owner] = OFFSET_IN.exec(text) ?? [];
  const [, ownerBefore, numberBehind] = NAME_PLUS.exec(text) ?? [];
  const name = owner ?? ownerBefore;
  const digits = number ?? numberBehind;
  if (name === undefined || digits === undefined) return null;
  return { form: 'offset', byteOffset: Number(digits), owner: name };
}

function nameQuery(text: string): FindQuery {
  const size = sizeTest(text);
  const { scope, rest } = scopeOf(size === null ? text : text.replace(SIZE, ' ').trim());
  const needle = rest.replace(/\s+/g, ' ').trim();
  const isOfTypes = scope === 'any' || scope === 'type' || scope === 'struct' || scope === 'union';
  if (size === null && (isOfTypes || scope === 'member')) {
    const members = memberQuery(needle);
    if (members !== null) return members;
  }
  return { form: 'names', scope, needle, size };
}

function sizeTest(text: string): SizeTest | null {
  const [, , sign, number, kilo = ''] = SIZE.exec(text) ?? [];
  if (number === undefined) return null;
  const bytes = Number(number) * (kilo === '' ? 1 : 1024);
  return { op: SIZE_OPS.find((op) => op === sign) ?? '=', bytes };
}

function scopeOf(text: string): { readonly scope: Scope; readonly rest: string } {
  const [, word = '', mark = '', rest = ''] = /^([a-z]+)(\s*:|\s+|$)(.*)$/is.exec(text) ?? [];
  const scope = SCOPES.get(word.toLowerCase());
  const narrows = mark.includes(':') || C_WORDS.has(word.toLowerCase());
  return scope !== undefined && narrows ? { scope, rest } : { scope: 'any', rest: text };
}

function memberQuery(text: string): FindQuery | null {
  const [owner = '', ...path] = text.split(/\s*(?:->|\.)\s*/);
  const last = path.length - 1;
  // Text without a dot, or with an empty name before the final one (`a..b`), is no member path.
  if (path.length === 0 || path.some((part, i) => part === '' && i < last)) return null;
  if (owner === '' && path[last] === '') return null;
  return { form: 'members', owner: owner === '' ? '*' : owner, path, text };
}
