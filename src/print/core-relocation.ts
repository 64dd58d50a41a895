/**
 * Writes a CO-RE record as `llvm-objdump -dr` of LLVM 19 does: `<byte_off> [2] struct foo::a.b[1]
 * (0:0:1:1)`. Source: llvm/lib/DebugInfo/BTF/BTFParser.cpp, `BTFParser::symbolize`. It checks less
 * than libbpf: array indexes may be out of range, indexes are modulo 2^32.
 */
import { endOfDigits } from '#analysis/core/access-string.ts';
import { coreKind, coreKindName } from '#analysis/core/core-kinds.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { enumeratorAt, isComposite, memberAt } from '#model/type-items.ts';
import {
  arrayData,
  hasType,
  kindFlagOf,
  kindOf,
  nameOf,
  refOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';

export type CoreRelocation = {
  /** A number of `enum bpf_core_relo_kind`. */
  readonly kind: number;
  readonly root: TypeId;
  readonly accessStr: string;
};

type Text = { readonly text: string } | { readonly fault: string };
type Spec = { readonly indices: readonly number[] } | { readonly fault: string };

/** Returns the text of a record. Never throws. Names are not escaped. */
export function coreRelocationText(t: TypeTable, record: CoreRelocation): string {
  return recordText(record, symbolized(t, record));
}

/** Returns `coreRelocationText` for many records: it caches texts of accesses. */
export function coreRelocationTexts(t: TypeTable): (record: CoreRelocation) => string {
  const paths = new Map<string, Text>();
  return (record) => {
    const { kind, root, accessStr } = record;
    const key = `${root} ${coreKind(kind)?.group ?? kind} ${accessStr}`;
    return recordText(
      record,
      getOrCreate(paths, key, () => symbolized(t, record)),
    );
  };
}

function recordText({ kind, root, accessStr }: CoreRelocation, path: Text): string {
  const head = `<${coreKindName(kind)}> [${root}]`;
  return 'fault' in path ? `${head} '${accessStr}' <${path.fault}>` : `${head}${path.text}`;
}

/** Returns the text, or an error for the first invalid part: string, root, kind, or index. */
function symbolized(t: TypeTable, { kind, root, accessStr }: CoreRelocation): Text {
  const spec = parsed(accessStr);
  if ('fault' in spec) return spec;
  const name = rootText(t, root);
  if ('fault' in name) return name;
  const path = pathText(t, name.at, kind, spec.indices, accessStr);
  return 'fault' in path ? path : { text: name.text + path.text };
}

const U64_MAX = 0xffffffffffffffffn;

/** Parses numbers below 2^64 between colons. As in llvm-objdump, results are modulo 2^32. */
function parsed(accessStr: string): Spec {
  const indices: number[] = [];
  for (let at = 0; at < accessStr.length; at++) {
    const end = endOfDigits(accessStr, at);
    const index = indexOfDigits(accessStr.slice(at, end));
    if (index === null) return { fault: 'spec string is not a number' };
    indices.push(index);
    if (end < accessStr.length && accessStr[end] !== ':') {
      return { fault: `unexpected spec string delimiter: '${accessStr[end]}'` };
    }
    at = end;
  }
  return { indices };
}

/** Returns the number; null if the text is not a number below 2^64. */
function indexOfDigits(digits: string): number | null {
  if (digits.length > 0 && digits.length < 10) return Number(digits);
  // Numbers with more than 20 digits are valid only with leading zeros.
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant === '' || significant.length > 20 || BigInt(significant) > U64_MAX) return null;
  return Number(BigInt.asUintN(32, BigInt(significant)));
}

const MAX_MODIFIERS = 32;

/** Returns the text for the root type: ` const struct foo`, ` fwd union u`, ` <anon 54>`. */
function rootText(
  t: TypeTable,
  root: TypeId,
): { readonly text: string; readonly at: TypeId } | { readonly fault: string } {
  if (isMissing(t, root)) return { fault: `unknown type id: ${root | 0}` };
  let text = '';
  let at = root;
  for (let steps = 0; ; steps++) {
    const word = modifierText(t, at);
    if (word === null) break;
    if (steps >= MAX_MODIFIERS) return { fault: 'modifiers chain is too long' };
    text += word;
    at = refOf(t, at) ?? VOID;
    if (isMissing(t, at)) return { fault: `unknown type id: ${at | 0} in modifiers chain` };
  }
  return { text: `${text}${at === VOID ? ' void' : namedText(t, at)}`, at };
}

function isMissing(t: TypeTable, id: TypeId): boolean {
  return id !== VOID && !hasType(t, id);
}

const MODIFIER_WORDS = new Map<number, string>([
  [BtfKind.CONST, ' const'],
  [BtfKind.VOLATILE, ' volatile'],
  [BtfKind.RESTRICT, ' restrict'],
]);

function modifierText(t: TypeTable, id: TypeId): string | null {
  const kind = kindOf(t, id);
  return kind === BtfKind.TYPE_TAG
    ? ` type_tag("${nameOf(t, id)}")`
    : (MODIFIER_WORDS.get(kind) ?? null);
}

/** Words by kind. ENUM and ENUM64 have the same word, other kinds none. */
const KIND_WORDS = new Map<number, string>([
  [BtfKind.TYPEDEF, ' typedef'],
  [BtfKind.STRUCT, ' struct'],
  [BtfKind.UNION, ' union'],
  [BtfKind.ENUM, ' enum'],
  [BtfKind.ENUM64, ' enum'],
]);

function namedText(t: TypeTable, id: TypeId): string {
  const kind = kindOf(t, id);
  const forward = kindFlagOf(t, id) ? ' fwd union' : ' fwd struct';
  const word = kind === BtfKind.FWD ? forward : (KIND_WORDS.get(kind) ?? '');
  return `${word} ${orAnon(nameOf(t, id), id)}`;
}

function orAnon(name: string, index: number): string {
  return name || `<anon ${index}>`;
}

function pathText(
  t: TypeTable,
  root: TypeId,
  kind: number,
  indices: readonly number[],
  accessStr: string,
): Text {
  switch (coreKind(kind)?.group) {
    case 'type':
      return indices.length === 1 && indices[0] === 0
        ? { text: '' }
        : { fault: "unexpected type-based relocation spec: should be '0'" };
    case 'enum':
      return enumText(t, root, indices);
    case 'field':
      return fieldText(t, root, indices, accessStr);
    default:
      return { fault: `unknown relocation kind: ${kind | 0}` };
  }
}

function enumText(t: TypeTable, root: TypeId, [index, ...more]: readonly number[]): Text {
  if (index === undefined || more.length > 0) {
    return { fault: 'unexpected enumval relocation spec size' };
  }
  const id = skipModifiers(t, root);
  const kind = kindOf(t, id);
  if (kind !== BtfKind.ENUM && kind !== BtfKind.ENUM64) {
    return { fault: `unexpected type kind for enum relocation: ${kind}` };
  }
  const enumerator = enumeratorAt(t, id, index);
  if (enumerator === null) return { fault: `bad value index: ${index | 0}` };
  return {
    text: `::${orAnon(enumerator.name, index)} = ${valueText(t, id, enumerator.value)}`,
  };
}

/** Returns an enum value. The tool sign-extends 32-bit values, even in unsigned enums. */
function valueText(t: TypeTable, id: TypeId, value: bigint): string {
  const isNarrow = kindOf(t, id) === BtfKind.ENUM && !kindFlagOf(t, id);
  return `${isNarrow ? BigInt.asUintN(64, BigInt.asIntN(32, value)) : value}`;
}

function fieldText(
  t: TypeTable,
  root: TypeId,
  [first, ...rest]: readonly number[],
  accessStr: string,
): Text {
  if (first === undefined) return { fault: 'field spec too short' };
  let text = first === 0 ? '' : `[${first}]`;
  let at = root;
  for (const [i, index] of rest.entries()) {
    const part = i + 1;
    at = skipModifiers(t, at);
    const kind = kindOf(t, at);
    const inside = isComposite(kind) ? memberAt(t, at, index) : null;
    if (isComposite(kind) && inside === null) {
      return { fault: `member index ${index | 0} for spec sub-string ${part} is out of range` };
    }
    if (inside !== null) {
      text += `${part === 1 && first === 0 ? '' : '.'}${orAnon(inside.name, index)}`;
      at = inside.type;
    } else if (kind === BtfKind.ARRAY) {
      text += `[${index}]`;
      at = typeId(arrayData(t, at).elemType);
    } else {
      return { fault: `unexpected type kind ${kind} for spec sub-string ${part}` };
    }
    if (isMissing(t, at)) {
      const what = inside === null ? 'element' : 'member';
      return { fault: `unknown ${what} type id ${at | 0} for spec sub-string ${part}` };
    }
  }
  return { text: `::${text} (${accessStr})` };
}
