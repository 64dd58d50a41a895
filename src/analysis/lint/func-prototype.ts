/** Writes the prototype of a FUNC as C, for messages. */
import { prototypeText } from '#analysis/atlas/prototype.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { paramsOf } from '#model/type-items.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

/** Maximum number of parameters in a text. */
const MAX_PARAMS = 16;

/** Returns the declaration of `name` with the first `count` parameters of `proto`; not escaped. */
export function funcPrototype(
  t: TypeTable,
  proto: TypeId,
  name: string,
  count = Number.POSITIVE_INFINITY,
): string {
  const params = paramsOf(t, proto).slice(0, Math.min(count, MAX_PARAMS));
  return prototypeText(
    typeExpression(t, typeId(sizeOrTypeOf(t, proto))),
    name,
    params.map((param) => ({
      name: param.name,
      type: param.type === 0 && param.name === '' ? '' : typeExpression(t, param.type),
    })),
  );
}
