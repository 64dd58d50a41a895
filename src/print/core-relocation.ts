/**
 * A CO-RE record as `llvm-objdump -dr` of LLVM 19 writes it under its
 * instruction, behind the word CO-RE: `<byte_off> [2] struct foo::a.b[1] (0:0:1:1)`.
 *
 * It looks less closely than libbpf: elements outside of their array and the
 * index -1 are written down as they are. Where a string cannot be followed the
 * tool and we use different words.
 */
import { coreKind, coreKindName } from '#analysis/core/core-kinds.ts';
import { stripped } from '#analysis/types/strip.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorAt, isComposite, memberAt } from '#model/type-items.ts';
import {
  arrayData,
  kindFlagOf,
  kindOf,
  nameOf,
  refOf,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';

export type CoreRelocation = {
  /** `enum bpf_core_relo_kind`. */
  readonly kind: number;
  readonly root: TypeId;
  readonly accessStr: string;
};

type Text = { readonly text: string } | { readonly fault: string };

/** The text. Never throws; names in it are raw text. */
export function coreRelocationText(t: TypeTable, record: CoreRelocation): string {
  const { kind, root, accessStr } = record;
  const head = `<${coreKindName(kind)}> [${root}]`;
  const path = pathText(t, record);
  return 'fault' in path
    ? `${head} '${accessStr}' <${path.fault}>`
    : `${head} ${rootText(t, root)}${path.text}`;
}

function pathText(t: TypeTable, { kind, root, accessStr }: CoreRelocation): Text {
  const indices = /^\d+(:\d+)*$/.test(accessStr) ? accessStr.split(':').map(Number) : [];
  const [first] = indices;
  if (first === undefined) return { fault: 'the access string is not a list of numbers' };
  switch (coreKind(kind)?.group) {
    case 'type':
      return { text: '' };
    case 'enum': {
      const id = stripped(t, root);
      const enumerator = enumeratorAt(t, id, first);
      if (enumerator === null) return { fault: `there is no enumerator ${first}` };
      return { text: `::${enumerator.name} = ${valueText(t, id, enumerator.value)}` };
    }
    case 'field':
      return fieldText(t, root, indices, accessStr);
    default:
      return { fault: `there is no relocation kind ${kind}` };
  }
}

/** The tool extends the sign of 32-bit values even where the enum has none, and then reads them as unsigned. */
function valueText(t: TypeTable, id: TypeId, value: bigint): string {
  const isNarrow = kindOf(t, id) === BtfKind.ENUM && !kindFlagOf(t, id);
  return `${isNarrow ? BigInt.asUintN(64, BigInt.asIntN(32, value)) : value}`;
}

function fieldText(
  t: TypeTable,
  root: TypeId,
  [first = 0, ...rest]: readonly number[],
  accessStr: string,
): Text {
  let text = first === 0 ? '' : `[${first}]`;
  let at = stripped(t, root);
  for (const index of rest) {
    const kind = kindOf(t, at);
    if (isComposite(kind)) {
      const member = memberAt(t, at, index);
      if (member === null) {
        return { fault: `there is no member ${index}: [${at}] has ${vlenOf(t, at)}` };
      }
      text += `${text === '' ? '' : '.'}${member.name || `<anon ${index}>`}`;
      at = stripped(t, member.type);
    } else if (kind === BtfKind.ARRAY) {
      text += `[${index}]`;
      at = stripped(t, arrayData(t, at).elemType);
    } else {
      return { fault: `index ${index} does not apply: [${at}] is ${kindWord(kind)}` };
    }
  }
  return { text: `::${text} (${accessStr})` };
}

/** `const struct foo`, `typedef foo_t`, `struct <anon 54>`. */
function rootText(t: TypeTable, root: TypeId): string {
  let words = '';
  let at = root;
  for (let steps = 0; steps < MAX_MODIFIERS; steps++) {
    const word = MODIFIER_WORDS.get(kindOf(t, at));
    const next = refOf(t, at);
    if (word === undefined || next === null) break;
    words += word;
    at = next;
  }
  return `${words}${kindWord(kindOf(t, at))} ${nameOf(t, at) || `<anon ${at}>`}`;
}

const MAX_MODIFIERS = 32;

const MODIFIER_WORDS = new Map<number, string>([
  [BtfKind.CONST, 'const '],
  [BtfKind.VOLATILE, 'volatile '],
  [BtfKind.RESTRICT, 'restrict '],
  [BtfKind.TYPE_TAG, ''],
]);

/** The tool writes both kinds of enum alike. */
function kindWord(kind: number): string {
  if (kind === 0) return 'void';
  return kind === BtfKind.ENUM64 ? 'enum' : kindName(kind).toLowerCase();
}
