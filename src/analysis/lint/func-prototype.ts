/** Writes the prototype of a FUNC as C, for messages. */
import { prototypeText } from '#analysis/atlas/prototype.ts';
import { declaratorText } from '#analysis/types/declarator.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { readParams } from '#model/type-items.ts';
import { sizeOrTypeOf, stringAt, type TypeTable } from '#model/type-table.ts';

/** Maximum number of parameters, and of characters of a name or type, in a text. */
const MAX_PARAMS = 16;
const MAX_NAME = 64;
const MAX_TYPE = 160;

/** Returns the declaration of `name` with the first `count` parameters of `proto`; not escaped. */
export function funcPrototype(
  t: TypeTable,
  proto: TypeId,
  name: string,
  count = Number.POSITIVE_INFINITY,
): string {
  const items = readParams(t, proto);
  const typeText = (type: TypeId) => declaratorText(t, type, '', MAX_TYPE);
  const params = Array.from({ length: Math.min(items.count, count, MAX_PARAMS) }, (_, i) => {
    const [type, param] = [items.type(i), stringAt(t, items.nameOff(i), MAX_NAME)];
    return { name: param, type: type === 0 && param === '' ? '' : typeText(type) };
  });
  return prototypeText(typeText(typeId(sizeOrTypeOf(t, proto))), name, params);
}
