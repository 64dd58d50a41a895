/** Path of an access: named members and array indices in `accessors`, all indices in `raw`. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorAt, readEnumerators, readMembers } from '#model/type-items.ts';
import { kindOf, nameOf, skipModifiers, stringAt, type TypeTable } from '#model/type-table.ts';
import { kindWord } from './access-text.ts';
import { coreKind, coreKindName } from './core-kinds.ts';
import type { AccessPath, AccessStep } from './parse-spec.ts';

export type SpecAccessor = {
  /** Type that contains the named part, without modifiers; for an array index the element type. */
  readonly type: TypeId;
  readonly index: number;
  /** `name_off` of the member or enumerator; null for an array index. */
  readonly nameOff: number | null;
};

export type Spec = {
  readonly types: TypeTable;
  readonly root: TypeId;
  /** Kind of the relocation, or a kind with the same rules. */
  readonly kind: number;
  readonly accessors: readonly SpecAccessor[];
  readonly raw: readonly number[];
  /** Bits from the start of the first element, modulo 2^32 as in libbpf. */
  readonly bitOffset: number;
};

/** Returns the spec for the steps of a local path. */
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

/** Returns the size of `index` elements in bits, modulo 2^32; `size` is in bytes. */
export function elementBits(index: number, size: number): number {
  return (Math.imul(index, size) << 3) >>> 0;
}

/** Maximum bytes of a log line: libbpf's buffer has 256 bytes including NUL. */
const MAX_LOG_BYTES = 255;

/** Returns a type's name as in libbpf's log: `struct foo`, `enum <anon>`. */
export function namedType(t: TypeTable, id: TypeId): string {
  return `${kindWord(kindOf(t, id))} ${nameOf(t, id) || '<anon>'}`;
}

/** Returns a spec's text as `bpf_core_format_spec`: `struct foo.a.b[2] (0:1:2 @ offset 8)`. */
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

/** Returns a log line, cut to 255 bytes: `<byte_off> [5] struct foo.a (0:0 @ offset 0)`. */
export function logLine(kind: number, root: TypeId, text: string): string {
  const line = `<${coreKindName(kind)}> [${root}] ${text}`;
  // UTF-8 takes at most three bytes per UTF-16 code unit.
  if (line.length * 3 <= MAX_LOG_BYTES) return line;
  const bytes = new TextEncoder().encode(line);
  return bytes.length <= MAX_LOG_BYTES
    ? line
    : new TextDecoder().decode(bytes.subarray(0, MAX_LOG_BYTES));
}

/** Returns an enumerator's text; if none matched, the first enumerator's, as in libbpf. */
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
