/**
 * Names: outside the strings, of strange characters, where none belongs, or
 * missing where one does.
 *
 * Source: "BTF Type Format", section 2.2, `name_off` of each kind.
 */
import type { Finding } from '#bytes/issue.ts';
import {
  BTF_ENUM,
  BTF_ENUM64,
  BTF_MEMBER,
  BTF_PARAM,
  BtfKind,
  isKnownKind,
  kindSpec,
} from '#formats/btf/kinds.ts';
import { strLenOf } from '#model/type-table.ts';
import { NameIs } from './name-check.ts';
import { type LintRecord, perRecord } from './type-subject.ts';

const { PTR, ARRAY, VOLATILE, CONST, RESTRICT, FUNC_PROTO } = BtfKind;
const {
  FWD,
  TYPEDEF,
  FUNC,
  VAR,
  INT,
  FLOAT,
  DATASEC,
  DECL_TAG,
  TYPE_TAG,
  LOC_PARAM,
  LOC_PROTO,
  LOCSEC,
} = BtfKind;
/** Kinds by their names: none, an identifier, or any text; for all others the name is optional. */
const NAMELESS = new Set<number>([
  ...[PTR, ARRAY, VOLATILE, CONST, RESTRICT, FUNC_PROTO, LOC_PARAM, LOC_PROTO],
]);
const IDENTIFIED = new Set<number>([FWD, TYPEDEF, FUNC, VAR]);
const TEXTS = new Set<number>([INT, FLOAT, DATASEC, DECL_TAG, TYPE_TAG, LOCSEC]);

/** The named part of each sort of item. */
const ITEM_WORDS = new Map<unknown, string>([
  [BTF_MEMBER, 'member'],
  [BTF_ENUM, 'enumerator'],
  [BTF_ENUM64, 'enumerator'],
  [BTF_PARAM, 'argument'],
]);

export const findOddNames = perRecord((r) => {
  checkOwn(r);
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

function checkOwn(r: LintRecord): void {
  const { kind, kindName, names, start } = r;
  if (!isKnownKind(kind)) return;
  const nameOff = r.records.u32(start);
  if (nameOff === 0) {
    if (!IDENTIFIED.has(kind) && !TEXTS.has(kind)) return;
    r.odd(`btf.unnamed.${kindName}`, start, () => ({
      // GCC for BPF leaves the names of some functions out.
      severity: kind === BtfKind.FUNC ? 'note' : 'warning',
      message: `${r.label}: ${kindName} without a name`,
    }));
    return;
  }
  const what = names.of(nameOff);
  if (NAMELESS.has(kind)) {
    r.odd('btf.name-not-wanted', start, () => ({
      message: `${r.label}: name on ${kindName}, which has none`,
      expected: '0',
      found: what === NameIs.outside ? `${nameOff}` : names.text(nameOff),
    }));
    return;
  }
  if (what === NameIs.identifier || what === NameIs.inBase) return;
  if (what !== NameIs.text || !TEXTS.has(kind)) report(r, start, what, r.label);
}

type Fault = Omit<Finding, 'span' | 'found'> & { readonly code: string; readonly words: string };

/** Faults by the class of the name. */
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

/** Other languages than C have such names: Rust writes `Option<u32>`. */
const NOT_IDENTIFIER: Fault = {
  code: 'btf.name-not-identifier',
  severity: 'note',
  words: 'name that is not a C identifier',
  advice: 'The kernel rejects BTF with such names.',
};

/** Reports a wrong name, whose offset is at `at` of the blob. */
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
