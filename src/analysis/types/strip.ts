/** Types without their typedefs and modifiers, as every step of a CO-RE access sees them. */
import { type TypeId, typeId } from '#model/ids.ts';
import { isModifier, kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { LoopGuard } from './loop-guard.ts';

/**
 * What `id` stands for. As `skipModifiers` of the model, but a loop of typedefs is
 * noticed within a few rounds of it: a file may ask for this a million times.
 */
export function stripped(t: TypeTable, id: TypeId): TypeId {
  const guard = new LoopGuard();
  let at = id;
  while (isModifier(kindOf(t, at))) {
    if (guard.cameRound(at)) return typeId(0);
    at = typeId(sizeOrTypeOf(t, at));
  }
  return at;
}
