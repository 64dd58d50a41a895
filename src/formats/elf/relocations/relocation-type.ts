/** Types of relocation table entries, and the parser of the tables' text. */
import { parseField, type RelocationField } from './relocation-field.ts';

/**
 * Limits of a value. `s` signed, `u` unsigned, `x` either of the two, `m` magnitude, of so many
 * bits; `jump` the 256 MiB region of the next instruction; `rest` what is left after a group
 * relocation must be encodable; `unwrapped` signed, where an address of 32 bits has no sign.
 */
export type RelocationCheck = {
  readonly rule: 's' | 'u' | 'x' | 'm' | 'jump' | 'rest' | 'unwrapped' | 'none';
  readonly bits: number;
  readonly multipleOf: number;
};

/** What a linker does with a value outside its check, by linker. */
export type LinkerCheck = RelocationCheck | 'stub' | 'unsupported';

export type Linker = 'ld' | 'lld';

export const LINKERS: readonly Linker[] = ['ld', 'lld'];

export type RelocationType = {
  readonly number: number;
  /** Name in GNU binutils 2.40: `R_X86_64_PC32`. */
  readonly name: string;
  /** Name that llvm-readelf 19 prints; null where it prints `Unknown`. */
  readonly llvmName: string | null;
  /**
   * `value`: the linker writes the formula's value. `mark`: the entry has no value. `dynamic`: only
   * the dynamic linker applies the entry. `stack`: the entry changes a stack of values.
   * `unknown`: the table has only the name.
   */
  readonly kind: 'value' | 'mark' | 'dynamic' | 'stack' | 'unknown';
  /** Formula without spaces: `S+A-P`; empty if there is none. */
  readonly formula: string;
  /** Changed bits; null for marks and unknown types. */
  readonly field: RelocationField | null;
  /** Check that the supplement states. */
  readonly check: RelocationCheck;
  readonly byLinker: Readonly<Record<Linker, LinkerCheck>>;
};

/** A machine's table as it is written in its file. */
export type MachineRelocations = {
  /** Values of `e_machine`. */
  readonly machines: readonly number[];
  /** Start of all names that do not begin with `=`. */
  readonly prefix: string;
  /** Document and sources of the formulas. */
  readonly source: string;
  /** Byte order of instructions; null if it is that of the file. */
  readonly insnEndian: 'little' | null;
  /**
   * One type per line: number, name, formula, field, check, and the checks of the linkers that
   * differ (`ld:`, `lld:`). A name ends with `~` if llvm-readelf does not have it, or with `|` and
   * the name in llvm-readelf. Without a formula: `mark`, `dyn`, or nothing if it is not known.
   */
  readonly types: string;
  /** What linkers do instead of the formula, by names of types without the prefix. */
  readonly relaxations: readonly (readonly [types: RegExp, words: string])[];
};

const NO_CHECK: RelocationCheck = { rule: 'none', bits: 0, multipleOf: 1 };

/** Parses a table's text. Returns the types by number. */
export function parseTypes(table: MachineRelocations): ReadonlyMap<number, RelocationType> {
  const types = new Map<number, RelocationType>();
  for (const line of table.types.trim().split('\n')) {
    const type = parseType(line.trim().split(' '), table.prefix);
    types.set(type.number, type);
  }
  return types;
}

function parseType(words: readonly string[], prefix: string): RelocationType {
  const [number = '', named = '', ...rest] = words;
  const full = (word: string) => (word.startsWith('=') ? word.slice(1) : prefix + word);
  const [own = '', other] = named.replace(/~$/, '').split('|');
  const name = full(own);
  const llvmName = named.endsWith('~') ? null : other === undefined ? name : full(other);
  return { number: Number(number), name, llvmName, ...parseRule(rest) };
}

type Rule = Omit<RelocationType, 'number' | 'name' | 'llvmName'>;

function parseRule(words: readonly string[]): Rule {
  const [first = '', second] = words;
  if (second === undefined) {
    const kind = KINDS[first] ?? 'unknown';
    return { ...BLANK, kind };
  }
  if (second === 'stack') return { ...BLANK, kind: 'stack', formula: first };
  const isDynamic = words.at(-1) === 'dyn';
  const stated = words[2];
  const check = stated === undefined || isDynamic ? NO_CHECK : parseCheck(stated);
  const byLinker = { ld: check as LinkerCheck, lld: check as LinkerCheck };
  for (const word of words.slice(3)) {
    const [linker = '', rule = ''] = word.split(':');
    if (linker === 'ld' || linker === 'lld') byLinker[linker] = parseLinkerCheck(rule);
  }
  const kind = isDynamic ? 'dynamic' : first === 'pop' ? 'stack' : 'value';
  return { kind, formula: first, field: parseField(second), check, byLinker };
}

const KINDS: Readonly<Record<string, RelocationType['kind']>> = { mark: 'mark', dyn: 'dynamic' };

const BLANK: Rule = {
  kind: 'unknown',
  formula: '',
  field: null,
  check: NO_CHECK,
  byLinker: { ld: NO_CHECK, lld: NO_CHECK },
};

function parseLinkerCheck(text: string): LinkerCheck {
  if (text === 'stub') return 'stub';
  return text === 'no' ? 'unsupported' : parseCheck(text);
}

function parseCheck(text: string): RelocationCheck {
  const [rule = '', multiple = '1'] = text.split('/');
  const multipleOf = Number(multiple);
  const [, letters = '', bits = '0'] = /^([a-z]+)(\d*)$/.exec(rule) ?? [];
  const known = RULES[letters] ?? 'none';
  return { rule: known, bits: Number(bits), multipleOf };
}

const RULES: Readonly<Record<string, RelocationCheck['rule']>> = {
  s: 's',
  u: 'u',
  x: 'x',
  m: 'm',
  jump: 'jump',
  group: 'rest',
  raw: 'unwrapped',
};
