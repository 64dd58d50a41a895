/** Paths that end at a field: at any member of a name, at any member of a type, at one field of a type. */
import { type AccessStep, walkAccess } from '#analysis/core/access-path.ts';
import { accessOfNames, type NamedAccess } from '#analysis/core/playground-names.ts';
import { stripped } from '#analysis/types/strip.ts';
import { BTF_TYPE_SIZE } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameMatcher } from '#model/names.ts';
import { isComposite } from '#model/type-items.ts';
import {
  isModifier,
  kindOf,
  ownerOf,
  recordBytes,
  sizeOrTypeOf,
  vlenOf,
} from '#model/type-table.ts';
import type { AskedNode } from './named-types.ts';
import type { Ending, MemberStep } from './path-goal.ts';
import { nameBytes, type PathIndex, stepWeight, typeOfNode } from './path-index.ts';
import { slotIds, slotOf } from './type-slots.ts';

/** `bpf_core_relo_kind` byte_off: how an access is walked. */
const FIELD_KIND = 0;

/** Every member of that name. */
export function membersNamed(index: PathIndex, name: string): Ending[] {
  const isNamed = nameMatcher(index.types, name);
  return name === '' ? [] : membersWhere(index, (nameOff) => nameOff !== 0 && isNamed(nameOff));
}

/** Every named member whose type is one of `ids`, straight or by typedefs and modifiers. */
export function membersOfTypes(index: PathIndex, ids: readonly TypeId[]): Ending[] {
  const means = meaning(index, new Set(ids));
  return membersWhere(index, (nameOff, type) => {
    const slot = nameOff === 0 ? -1 : slotOf(index.slots, type);
    return slot >= 0 && means[slot] === 1;
  });
}

type IsWanted = (nameOff: number, type: number) => boolean;

/** Reads the words in place: this looks at every member of a kernel. */
function membersWhere(index: PathIndex, isWanted: IsWanted): Ending[] {
  const { types } = index;
  const found: Ending[] = [];
  for (let node = 0; node < index.ids.length; node++) {
    const type = typeOfNode(index, node);
    if (!isComposite(kindOf(types, type))) continue;
    const bytes = recordBytes(types, type);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const little = (ownerOf(types, type) ?? types).endian === 'little';
    const vlen = vlenOf(types, type);
    for (let i = 0; i < vlen; i++) {
      const at = BTF_TYPE_SIZE + 12 * i;
      if (at + 12 > bytes.length) break;
      const nameOff = view.getUint32(at, little);
      if (isWanted(nameOff, view.getUint32(at + 4, little))) {
        const field = [{ type, index: i }];
        found.push(ending(node, field, stepWeight(0, nameBytes(types, nameOff))));
      }
    }
  }
  return found;
}

function ending(at: number, field: readonly MemberStep[], weight: number): Ending {
  return { at, field, weight, byPointer: false, container: null };
}

const UNSEEN = 2;

/** By slot: 1 for the types that are one of `ids` once typedefs and modifiers are taken off one by one. */
function meaning({ types, slots }: PathIndex, ids: ReadonlySet<TypeId>): Uint8Array {
  const means = new Uint8Array(slots.count).fill(UNSEEN);
  const chain: number[] = [];
  for (const first of slotIds(slots)) {
    let id = first;
    let slot = slotOf(slots, id);
    while (slot >= 0 && means[slot] === UNSEEN) {
      means[slot] = ids.has(id) ? 1 : 0;
      chain.push(slot);
      if (means[slot] === 1 || !isModifier(kindOf(types, id))) break;
      id = typeId(sizeOrTypeOf(types, id));
      slot = slotOf(slots, id);
    }
    const value = slot < 0 ? 0 : (means[slot] ?? 0);
    for (let at = chain.pop(); at !== undefined; at = chain.pop()) means[at] = value;
  }
  return means;
}

export type FieldOfType =
  | { readonly ok: true; readonly ending: Ending }
  /** Why the field is not there, and what may be meant. */
  | {
      readonly ok: false;
      readonly reason: 'no-field' | 'pointer' | 'element' | 'syntax';
      readonly word: string;
      readonly near: readonly string[];
    };

/** One field of a struct or union, as C writes it: `mm`, `thread.sp`; anonymous members are seen through. */
export function fieldOf(index: PathIndex, { node, type }: AskedNode, field: string): FieldOfType {
  const { types } = index;
  // The dot in front: without one a name before an index would be the name of a variable.
  const written = `.${field}`;
  const named = accessOfNames(types, type, written);
  if (!('accessStr' in named)) return notThere(named, written);
  const { steps } = walkAccess(types, type, named.accessStr, FIELD_KIND);
  const members: MemberStep[] = [];
  let weight = 0;
  for (const step of steps.slice(1)) {
    if (isElement(step)) return { ok: false, reason: 'element', word: field, near: [] };
    members.push({ type: stripped(types, step.container), index: step.index });
    weight += stepWeight(0, step.name.length);
  }
  return { ok: true, ending: ending(node, members, weight) };
}

function isElement(step: AccessStep): boolean {
  return step.means === 'array-element';
}

function notThere(
  named: Exclude<NamedAccess, { readonly accessStr: string }>,
  field: string,
): FieldOfType {
  const { start, length, fault, near } = named;
  const word = field.slice(start, start + length);
  const reason = fault === 'syntax' ? 'syntax' : fault === 'not-composite' ? 'pointer' : 'no-field';
  return { ok: false, reason, word, near };
}
