/** Plans a type's declarations: types that it contains, then types behind pointers. */
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
  /** `alias` is a second name for a type, `variable` a variable of the type. */
  | { readonly form: 'alias' | 'variable'; readonly shape: Shape };

export type Named = {
  readonly id: TypeId;
  /** Name, not escaped and not unique. Unnamed types are named after typedefs and members. */
  readonly name: string;
  /** Title of the declaration in C, not escaped. */
  readonly title: string;
  readonly declaration: Declaration;
};

export type DeclarationPlan = {
  /** Structs and unions that occur only behind pointers. */
  readonly pointees: readonly Named[];
  readonly declarations: readonly Named[];
  /** By id of a type that is not declared: the id of the equal type that is declared. */
  readonly sameAs: ReadonlyMap<TypeId, TypeId>;
};

/** Limit of typedefs and arrays in a chain: a longer chain is a loop. */
const MAX_STEPS = 1000;

/** Returns the plan for `id`. It is empty for types without data, such as void and functions. */
export function declarationPlan(t: TypeTable, id: TypeId): DeclarationPlan {
  const plan = new Planner(t);
  plan.root(id);
  return plan.finish();
}

const { INT, FLOAT, PTR, ARRAY } = BtfKind;
const PLAIN: ReadonlySet<number> = new Set([INT, FLOAT, PTR, ARRAY]);

/** Limit of a name in characters, after which it is no longer extended. */
const MAX_PREFIX = 60;

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

  /** Plans `name` for type `id`: an alias or a variable of type `type`. */
  #nameFor(id: TypeId, type: TypeId, name: string, form: 'alias' | 'variable'): void {
    const t = this.#t;
    const contained = containedIn(t, type);
    if (contained !== null)
      this.#collect(
        contained.id,
        nameOf(t, contained.id) || contained.typedefName || `${name}_value`,
      );
    // Skip the typedef of an unnamed struct: the struct already has the typedef's name.
    if (
      contained !== null &&
      contained.id !== id &&
      this.#done.at(-1)?.name === name &&
      form === 'alias'
    )
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
      const namesakeId = byName.get(name);
      if (namesakeId !== undefined) {
        sameAs.set(id, namesakeId);
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

  /** Plans `root` and all contained types, depth first. Not recursive: nesting has no limit. */
  #collect(root: TypeId, name: string): void {
    const t = this.#t;
    const visited = new Set<TypeId>();
    const stack: Frame[] = [];
    const enter = (id: TypeId, as: string) => {
      visited.add(id);
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
      const contained = containedIn(t, member.type);
      if (contained === null || visited.has(contained.id)) continue;
      enter(
        contained.id,
        nameOf(t, contained.id) ||
          contained.typedefName ||
          composedName(frame.name, part, contained.id),
      );
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

function composedName(parent: string, part: string, id: TypeId): string {
  return parent.length > MAX_PREFIX ? `type${id}` : `${parent}_${part}`;
}

/** Returns the struct, union or enum of a value or array, and the typedef nearest to it. */
function containedIn(
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

/** Returns true for an ENUM or ENUM64 of 1, 2, 4 or 8 bytes. */
function isPlainEnum(t: TypeTable, id: TypeId): boolean {
  return isEnum(kindOf(t, id)) && [1, 2, 4, 8].includes(sizeOrTypeOf(t, id));
}
