/**
 * Members and parameters that are functions: `int (*name)(struct foo *, ...)`.
 *
 * In: a prototype and the name it is for. The rules: ftype__fprintf of pahole
 * 1.24. A parameter may be a pointer to a prototype again, to any depth.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { LOOP, MISSING, missingParameter, missingType, typeLoop } from './faults.ts';
import { HEAD_WORDS, PARAM_WORDS, type Records } from './records.ts';
import { padded } from './text.ts';
import { protoOf, type TypeNames } from './type-names.ts';

/** A list of parameters that is being written. */
type Frame = { readonly proto: number; index: number; any: boolean; variadic: boolean };

/**
 * Parameters in one declaration, however deep; what follows is cut. Where types
 * double with each level, or go in a circle, pahole writes until it crashes.
 */
const MAX_PARAMS = 1 << 16;

/** The type that is returned in `width` characters, the name and the parameters. */
export function prototypeText(
  records: Records,
  names: TypeNames,
  proto: number,
  name: string | null,
  isPointer: boolean,
  width: number,
): string {
  const returned = padded(names.of(records.refOf(proto)), width);
  return `${returned} (${isPointer ? '*' : ''}${name ?? ''})${paramsText(records, names, proto)}`;
}

function paramsText(records: Records, names: TypeNames, proto: number): string {
  const stack: Frame[] = [{ proto, index: 0, any: false, variadic: false }];
  let text = '(';
  let count = 0;
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.index >= records.vlen(frame.proto)) {
      text += !frame.any ? 'void)' : frame.variadic ? ', ...)' : ')';
      stack.pop();
      continue;
    }
    const at = records.start(frame.proto) + HEAD_WORDS + PARAM_WORDS * frame.index++;
    const type = records.words[at + 1] ?? 0;
    if (type === 0) {
      frame.variadic = true;
      continue;
    }
    if (frame.any) text += ', ';
    frame.any = true;
    const inner = protoOf(records, type);
    if (++count > MAX_PARAMS) {
      text += '...)';
      stack.pop();
    } else if (loops(records, type)) {
      // pahole ends the list where it stands.
      text += `${typeLoop(LOOP.parameterPointee, BtfKind.PTR, records.refOf(type))}\n`;
      stack.pop();
    } else if (inner === 0) {
      text += paramText(records, names, type, records.nameAt(at));
    } else {
      const returned = names.of(records.refOf(inner));
      const name = records.nameAt(at) ?? '';
      text += inner === type ? `inline ${returned} ${name}(` : `${returned} (*${name})(`;
      stack.push({ proto: inner, index: 0, any: false, variadic: false });
    }
  }
  return text;
}

/** A pointer to a type that refers to itself. */
function loops(records: Records, type: number): boolean {
  return records.kind(type) === BtfKind.PTR && records.refersToItself(records.refOf(type));
}

function paramText(records: Records, names: TypeNames, type: number, name: string | null): string {
  const kind = records.kind(type);
  const to = kind === BtfKind.PTR ? records.refOf(type) : 0;
  if (to !== 0 && records.kind(to) === 0) return missingType(MISSING.parameterPointee, to);
  const typeName = kind === 0 ? missingParameter(type) : names.of(type);
  return name === null ? typeName : `${typeName} ${name}`;
}
