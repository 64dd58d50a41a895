/**
 * The path of an access on one side, which libbpf calls a spec. `accessors` are the steps with a
 * meaning (named members, array indices), which are looked up in a target; `raw` are all indices,
 * also of anonymous members. Relocations of types have neither.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorAt, readEnumerators, readMembers } from '#model/type-items.ts';
import { kindOf, nameOf, skipModifiers, stringAt, type TypeTable } from '#model/type-table.ts';
import { kindWord } from './access-text.ts';
import { coreKind, coreKindName } from './core-kinds.ts';
import type { AccessPath, AccessStep } from './parse-spec.ts';

export type SpecAccessor = {
  /** The struct, union or enum of the named part; for an index the element's type. Stripped. */
  readonly type: TypeId;
  readonly index: number;
  /** Name of the member or enumerator; null for an index. */
  readonly nameOff: number | null;
};

export type Spec = {
  readonly types: TypeTable;
  readonly root: TypeId;
  /** `enum bpf_core_relo_kind`: that of the relocation, or another that is compared alike. */
  readonly kind: number;
  readonly accessors: readonly SpecAccessor[];
  readonly raw: readonly number[];
  /** Bits from the start of the first element, modulo 2^32 as libbpf counts. */
  readonly bitOffset: number;
};

/** The spec of the steps of a path, whole or as far as they go. */
export function localSpec(
  types: TypeTable,
  { root, kind, steps }: Pick<AccessPath, 'root' | 'kind' | 'steps'>,
): Spec {
  if (coreKind(kind)?.group === 'type') {
    return { types, root, kind, accessors: [], raw: [], bitOffset: 0 };
  }
  return {
    types,
    root,
    kind,
    accessors: steps.filter((s) => s.means !== 'anonymous-member').map((s) => accessor(types, s)),
    raw: steps.map((step) => step.index),
    bitOffset: Number(BigInt.asUintN(32, steps.at(-1)?.bitOffset ?? 0n)),
  };
}

function accessor(t: TypeTable, { means, container, type, index }: AccessStep): SpecAccessor {
  const holder = skipModifiers(t, container);
  switch (means) {
    case 'member':
      return { type: holder, index, nameOff: readMembers(t, holder).nameOff(index) };
    case 'enumerator':
      return { type: holder, index, nameOff: readEnumerators(t, holder).nameOff(index) };
    default:
      return { type: skipModifiers(t, type), index, nameOff: null };
  }
}

/** Bits of `index` elements of `size` bytes, modulo 2^32. */
export function elementBits(index: number, size: number): number {
  return (Math.imul(index, size) << 3) >>> 0;
}

/** A spec as libbpf's log writes it (`bpf_core_format_spec`). Names in it are raw text. */

/** libbpf formats into 256 bytes, the last of which is NUL. */
const LOG_LIMIT = 255;

/** `struct foo`, `enum <anon>`: a type as libbpf's log names it. */
export function namedType(t: TypeTable, id: TypeId): string {
  return `${kindWord(kindOf(t, id))} ${nameOf(t, id) || '<anon>'}`;
}

/** `struct foo.a.b[2] (0:1:2 @ offset 8)`, `enum e::VAL = 1`, `struct s`. */
export function specText(spec: Spec): string {
  const head = namedType(spec.types, spec.root);
  switch (coreKind(spec.kind)?.group) {
    case 'enum':
      return `${head}${enumeratorText(spec)}`;
    case 'field':
      return `${head}${fieldPath(spec)} (${fieldPlace(spec)})`;
    default:
      return head;
  }
}

/** A spec's text with its kind and id in front, cut as there: `<byte_off> [5] struct foo.a (0:0 @ offset 0)`. */
export function logLine(kind: number, root: TypeId, text: string): string {
  const line = `<${coreKindName(kind)}> [${root}] ${text}`;
  // No character takes more than three bytes for each of its UTF-16 codes.
  if (line.length * 3 <= LOG_LIMIT) return line;
  const bytes = new TextEncoder().encode(line);
  return bytes.length <= LOG_LIMIT ? line : new TextDecoder().decode(bytes.subarray(0, LOG_LIMIT));
}

/** libbpf names the first enumerator if there was no match. */
function enumeratorText({ types, root, raw }: Spec): string {
  const id = skipModifiers(types, root);
  const kind = kindOf(types, id);
  if (kind !== BtfKind.ENUM && kind !== BtfKind.ENUM64) return '';
  const enumerator = enumeratorAt(types, id, raw[0] ?? 0);
  return enumerator === null ? '' : `::${enumerator.name} = ${enumerator.value}`;
}

function fieldPath({ types, accessors }: Spec): string {
  let text = '';
  for (const [i, { nameOff, index }] of accessors.entries()) {
    if (nameOff !== null) text += `.${stringAt(types, nameOff)}`;
    else if (i > 0 || index > 0) text += `[${index}]`;
  }
  return text;
}

function fieldPlace({ raw, bitOffset }: Spec): string {
  const bit = bitOffset % 8;
  const byteOffset = Math.floor(bitOffset / 8);
  return `${raw.join(':')} @ offset ${byteOffset}${bit === 0 ? '' : `.${bit}`}`;
}
