/** Lint of names ("BTF Type Format", section 2.2, `name_off` of each kind). */
import type { Finding } from '#bytes/issue.ts';
import { decodeName, stringEnd, visible } from '#bytes/text.ts';
import {
  BTF_ENUM,
  BTF_ENUM64,
  BTF_MEMBER,
  BTF_PARAM,
  BtfKind,
  isKnownKind,
  kindSpec,
} from '#formats/btf/kinds.ts';
import { strLenOf, type TypeTable } from '#model/type-table.ts';
import { type LintRecord, perRecord } from './type-subject.ts';

const { PTR, ARRAY, VOLATILE, CONST, RESTRICT, FUNC_PROTO, LOC_PARAM, LOC_PROTO } = BtfKind;
const { FWD, TYPEDEF, FUNC, VAR, INT, FLOAT, DATASEC, DECL_TAG, TYPE_TAG, LOCSEC } = BtfKind;
const NameIs = {
  /** Name of letters, digits, `_` and `.`, as compilers write names. */
  identifier: 1,
  empty: 2,
  /** Readable name that is no identifier: `unsigned int`, `Option<u32>`. */
  text: 3,
  /** Name with control characters, invisible characters or direction marks. */
  hidden: 4,
  /** Name whose bytes are not UTF-8. */
  notUtf8: 5,
  outside: 6,
  /** Name in the strings of the base, which are not checked here. */
  inBase: 7,
} as const;

/** Kinds whose name is empty, an identifier, or any text. Other kinds: identifier or no name. */
const NAMELESS: readonly number[] = [
  ...[PTR, ARRAY, VOLATILE, CONST, RESTRICT, FUNC_PROTO, LOC_PARAM, LOC_PROTO],
];
const IDENTIFIED: readonly number[] = [FWD, TYPEDEF, FUNC, VAR];
const TEXTS: readonly number[] = [INT, FLOAT, DATASEC, DECL_TAG, TYPE_TAG, LOCSEC];

/** What messages call a named item; the key is the form of the item. */
const ITEM_WORDS = new Map<unknown, string>([
  [BTF_MEMBER, 'member'],
  [BTF_ENUM, 'enumerator'],
  [BTF_ENUM64, 'enumerator'],
  [BTF_PARAM, 'argument'],
]);

export const findOddNames = perRecord((r) => {
  checkRecordName(r);
  const word = ITEM_WORDS.get(kindSpec(r.kind)?.item);
  if (word === undefined) return;
  const { records, names, vlen } = r;
  for (let n = 0; n < vlen; n++) {
    const at = r.item(n);
    const nameOff = records.u32(at);
    if (nameOff === 0 && word !== 'enumerator') continue;
    const what = names.of(nameOff);
    if (what === NameIs.identifier || what === NameIs.inBase) continue;
    if (what === NameIs.empty && nameOff === 0) {
      r.odd('btf.enumerator-unnamed', at, () => ({
        message: `${r.label} enumerator ${n}: has no name`,
      }));
    } else report(r, at, what, `${r.label} ${word} ${n}`);
  }
});

function checkRecordName(r: LintRecord): void {
  const { kind, kindName, names, start } = r;
  if (!isKnownKind(kind)) return;
  const nameOff = r.records.u32(start);
  if (nameOff === 0) {
    if (!IDENTIFIED.includes(kind) && !TEXTS.includes(kind)) return;
    r.odd(`btf.unnamed.${kindName}`, start, () => ({
      // Only a note for a FUNC: GCC for BPF omits the names of some functions.
      severity: kind === BtfKind.FUNC ? 'note' : 'warning',
      message: `${r.label}: ${kindName} without a name`,
    }));
    return;
  }
  const what = names.of(nameOff);
  if (NAMELESS.includes(kind)) {
    r.odd('btf.name-not-wanted', start, () => ({
      message: `${r.label}: name on ${kindName}, which has none`,
      expected: '0',
      found: what === NameIs.outside ? `${nameOff}` : names.text(nameOff),
    }));
    return;
  }
  if (what === NameIs.identifier || what === NameIs.inBase) return;
  if (what !== NameIs.text || !TEXTS.includes(kind)) report(r, start, what, r.label);
}

type Fault = Omit<Finding, 'span' | 'found'> & { readonly code: string; readonly words: string };

const FAULTS: Readonly<Record<number, Fault>> = {
  [NameIs.outside]: { code: 'btf.name-outside', words: 'name offset outside the strings' },
  [NameIs.empty]: {
    code: 'btf.name-empty',
    words: 'its name is an empty string, not offset 0',
    expected: '0',
  },
  [NameIs.hidden]: {
    code: 'btf.name-hidden-characters',
    words: 'name with invisible or bidirectional characters',
  },
  [NameIs.notUtf8]: {
    code: 'btf.name-not-utf8',
    words: 'name with bytes that are not UTF-8, shown as escapes',
  },
};

/** Fault of names from languages other than C, such as Rust's `Option<u32>`. */
const NOT_IDENTIFIER: Fault = {
  code: 'btf.name-not-identifier',
  severity: 'note',
  words: 'name that is not a C identifier',
  advice: 'The kernel rejects BTF with such names.',
};

/** Reports a wrong name; `at` is the offset of the field `name_off` in the blob. */
function report(r: LintRecord, at: number, what: number, label: string): void {
  const { records, names } = r;
  const { code, words, ...more } = FAULTS[what] ?? NOT_IDENTIFIER;
  const nameOff = records.u32(at);
  const isOffset = what === NameIs.outside || what === NameIs.empty;
  r.odd(code, at, () => ({
    message: `${label}: ${words}`,
    ...(what === NameIs.outside && { expected: `below ${strLenOf(records.types)}` }),
    found: isOffset ? `${nameOff}` : shortened(names.text(nameOff)),
    ...more,
  }));
}

function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name;
}

const strict = new TextDecoder('utf-8', { fatal: true });

export class NameCheck {
  readonly #types: TypeTable;
  readonly #classes: Uint8Array;

  constructor(types: TypeTable) {
    this.#types = types;
    this.#classes = new Uint8Array(types.strEnd - types.strStart);
  }

  /** Returns which of `NameIs` the string at `nameOff` is. */
  of(nameOff: number): number {
    const { strBase } = this.#types;
    if (nameOff < strBase) return NameIs.inBase;
    const at = nameOff - strBase;
    if (at >= this.#classes.length) return NameIs.outside;
    const known = this.#classes[at] ?? 0;
    if (known !== 0) return known;
    const nameClass = this.#classAt(at);
    this.#classes[at] = nameClass;
    return nameClass;
  }

  /** Returns the name at `nameOff` for a message; empty if it is outside of the strings. */
  text(nameOff: number): string {
    const { blob, strStart, strEnd, strBase } = this.#types;
    return nameOff < strBase
      ? ''
      : decodeName(blob.subarray(0, strEnd), strStart + nameOff - strBase);
  }

  #classAt(at: number): number {
    const { blob, strStart, strEnd } = this.#types;
    let i = strStart + at;
    if (i < strEnd && blob[i] === 0) return NameIs.empty;
    for (; i < strEnd; i++) {
      const byte = blob[i] ?? 0;
      if (byte === 0) return NameIs.identifier;
      if (!isNameByte(byte)) break;
    }
    if (i === strEnd) return NameIs.identifier;
    return this.#textClass(blob.subarray(0, strEnd), strStart + at);
  }

  #textClass(strings: Uint8Array, start: number): number {
    try {
      const name = strict.decode(strings.subarray(start, stringEnd(strings, start)));
      return visible(name) === name ? NameIs.text : NameIs.hidden;
    } catch {
      return NameIs.notUtf8;
    }
  }
}

/** Returns true for a byte of an identifier; does not exclude a digit at the start. */
function isNameByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f ||
    byte === 0x2e
  );
}
