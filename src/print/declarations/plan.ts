/**
 * What has to be declared for one type, in an order in which everything stands
 * before what holds it: the structs, unions and enums that it holds by value, each
 * once, and the structs and unions that are only pointed at as opaque ones.
 */
import { typeExpression } from '#analysis/types/type-name.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import {
  type Enumerator,
  enumeratorsOf,
  isComposite,
  isEnum,
  memberAt,
} from '#model/type-items.ts';
import {
  arrayData,
  isModifier,
  kindFlagOf,
  kindOf,
  nameOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';
import { type FieldList, fieldsOf } from './fields.ts';
import { type Shape, shapeOf } from './shape.ts';

export type Declaration =
  | ({ readonly form: 'struct' | 'union'; readonly byteSize: number } & FieldList)
  | {
      readonly form: 'enum';
      readonly byteSize: number;
      readonly signed: boolean;
      readonly values: readonly Enumerator[];
    }
  | { readonly form: 'opaque' }
  /** Another name for a type, or a variable of it. */
  | { readonly form: 'alias' | 'variable'; readonly shape: Shape };

export type Named = {
  readonly id: TypeId;
  /** Raw text; made from those of typedefs and members where the type has none. Not unique. */
  readonly name: string;
  /** C, raw text. */
  readonly title: string;
  readonly declaration: Declaration;
};

export type DeclarationPlan = {
  /** Structs and unions that are only pointed at. */
  readonly pointees: readonly Named[];
  readonly declarations: readonly Named[];
  /** Which declaration a shape's id stands for, where it is not that of the id itself. */
  readonly sameAs: ReadonlyMap<TypeId, TypeId>;
};

/** More typedefs and arrays than these in a row are a loop. */
const MAX_STEPS = 1000;

/** The plan for `id`; no declarations for what is no data: void, functions, sections, tags. */
export function declarationPlan(t: TypeTable, id: TypeId): DeclarationPlan {
  const plan = new Planner(t);
  plan.root(id);
  return plan.finish();
}

const { INT, FLOAT, PTR, ARRAY } = BtfKind;
const PLAIN: ReadonlySet<number> = new Set([INT, FLOAT, PTR, ARRAY]);

/** Names that were made longer than this are not made longer still. */
const MAX_MADE_NAME = 60;

type Frame = {
  readonly id: TypeId;
  readonly name: string;
  index: number;
  anonymous: number;
};

class Planner {
  readonly #t: TypeTable;
  readonly #declared = new Map<TypeId, { readonly byteSize: number; readonly align: number }>();
  readonly #pointees = new Set<TypeId>();
  readonly #done: Named[] = [];

  constructor(t: TypeTable) {
    this.#t = t;
  }

  root(id: TypeId): void {
    const t = this.#t;
    const kind = kindOf(t, id);
    const name = nameOf(t, id) || `type${id}`;
    if (isComposite(kind) || isEnum(kind)) this.#collect(id, name);
    else if (kind === BtfKind.FWD) this.#add(id, name, { form: 'opaque' });
    else if (kind === BtfKind.VAR) {
      this.#nameFor(id, typeId(sizeOrTypeOf(t, id)), name, 'variable');
    } else if (isModifier(kind) || PLAIN.has(kind)) this.#nameFor(id, id, name, 'alias');
  }

  /** Declares `name`, for type `id`, as something of type `type`. */
  #nameFor(id: TypeId, type: TypeId, name: string, form: 'alias' | 'variable'): void {
    const t = this.#t;
    const held = heldBy(t, type);
    if (held !== null)
      this.#collect(held.id, nameOf(t, held.id) || held.typedefName || `${name}_value`);
    // The typedef of a struct without a name has given it its own.
    if (held !== null && held.id !== id && this.#done.at(-1)?.name === name && form === 'alias')
      return;
    const shape = shapeOf(t, type, this.#declared, this.#pointees);
    const hasSize = shape.form !== 'bytes' || shape.count > 0;
    if (hasSize) this.#add(id, name, { form, shape });
  }

  finish(): DeclarationPlan {
    const t = this.#t;
    const byName = new Map<string, TypeId>();
    for (const { id, name, declaration } of this.#done) {
      if (declaration.form === 'struct' || declaration.form === 'union') byName.set(name, id);
    }
    const sameAs = new Map<TypeId, TypeId>();
    const pointees: Named[] = [];
    for (const id of this.#pointees) {
      if (this.#declared.has(id)) continue;
      const name = nameOf(t, id);
      const other = byName.get(name);
      if (other !== undefined) {
        sameAs.set(id, other);
        continue;
      }
      byName.set(name, id);
      pointees.push({ id, name, title: typeExpression(t, id), declaration: { form: 'opaque' } });
    }
    return { pointees, declarations: this.#done, sameAs };
  }

  #add(id: TypeId, name: string, declaration: Declaration): void {
    this.#done.push({ id, name, title: typeExpression(this.#t, id), declaration });
  }

  /** Declares `root` and all that it holds. Depth first on a stack of its own: the file decides how deep it goes. */
  #collect(root: TypeId, name: string): void {
    const t = this.#t;
    const met = new Set<TypeId>();
    const stack: Frame[] = [];
    const enter = (id: TypeId, as: string) => {
      met.add(id);
      stack.push({ id, name: as, index: 0, anonymous: 0 });
    };
    enter(root, name);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const member = memberAt(t, frame.id, frame.index);
      if (member === null) {
        this.#declare(frame.id, frame.name);
        stack.pop();
        continue;
      }
      frame.index++;
      const part = member.name || `anon${frame.anonymous++}`;
      const held = heldBy(t, member.type);
      if (held === null || met.has(held.id)) continue;
      enter(held.id, nameOf(t, held.id) || held.typedefName || madeName(frame.name, part, held.id));
    }
  }

  #declare(id: TypeId, name: string): void {
    const t = this.#t;
    const kind = kindOf(t, id);
    const byteSize = sizeOrTypeOf(t, id);
    if (isComposite(kind)) {
      const list = fieldsOf(t, id, this.#declared, this.#pointees);
      this.#declared.set(id, { byteSize, align: list.align });
      this.#add(id, name, { form: kind === BtfKind.UNION ? 'union' : 'struct', byteSize, ...list });
    } else {
      const signed = kindFlagOf(t, id);
      this.#declared.set(id, { byteSize, align: byteSize });
      this.#add(id, name, { form: 'enum', byteSize, signed, values: enumeratorsOf(t, id) });
    }
  }
}

function madeName(parent: string, part: string, id: TypeId): string {
  return parent.length > MAX_MADE_NAME ? `type${id}` : `${parent}_${part}`;
}

/** The struct, union or enum that a value of type `id` is or is an array of, and the last typedef on the way to it. */
function heldBy(
  t: TypeTable,
  id: TypeId,
): { readonly id: TypeId; readonly typedefName: string } | null {
  let typedefName = '';
  let at = id;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const kind = kindOf(t, at);
    if (kind === ARRAY) {
      typedefName = '';
      at = arrayData(t, at).elemType;
    } else if (isModifier(kind)) {
      if (kind === BtfKind.TYPEDEF) typedefName = nameOf(t, at);
      at = typeId(sizeOrTypeOf(t, at));
    } else {
      return isComposite(kind) || isPlainEnum(t, at) ? { id: at, typedefName } : null;
    }
  }
  return null;
}

/** An ENUM or ENUM64 of a size that numbers have. */
function isPlainEnum(t: TypeTable, id: TypeId): boolean {
  return isEnum(kindOf(t, id)) && [1, 2, 4, 8].includes(sizeOrTypeOf(t, id));
}
