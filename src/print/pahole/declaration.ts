/**
 * Writes the part of a declaration before the name: `const char * name`. For a nameless composite,
 * writes only the text before its definition. Source: pahole, type__fprintf, array_type__fprintf
 * and union_decl__fprintf.
 */
import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { HEAD_WORDS, type Keyword, PARAM_WORDS, type Records } from './records.ts';
import {
  joined,
  LOOP,
  MISSING,
  missingType,
  NESTED_SPACING,
  orNull,
  padded,
  spaces,
  TYPE_SPACING,
  tabs,
  typeLoop,
} from './text.ts';
import { paramText, protoOf, type TypeNames } from './type-names.ts';

/** Longest name after `* `, in characters: the size of pahole's buffer. */
const MAX_POINTER_NAME = 255;

const ERROR = '<ERROR';

/** Parts of the text of a declaration. Each call of `declare` starts a new declaration. */
export class Declaration {
  /** Text up to the nested type, or all of the text before the name. */
  text = '';
  /** Number of characters that pahole ignores when it aligns the comment. */
  uncounted = 0;
  /**
   * Element counts of arrays, outermost first; of a vector, its negative size in bytes. They follow
   * the nested type and the name.
   */
  readonly bounds: number[] = [];
  /** Id of the nameless type whose definition is written inside; 0 = none. */
  nested = 0;
  /** Width of the nested type's column of member types, in characters. */
  nestedSpacing = 0;
  /** Space and declared name of the nested type; null after a `const` if pahole loses the name. */
  suffix: string | null = '';
  /** True if the nested type has its container's style and a summary, for example after `const`. */
  keepsStyle = false;
  /** True after a pointer: offsets of the nested type's members begin at 0. */
  isPointee = false;
  /** Start of the array's element type in `text`, after the array's modifiers. */
  #start = 0;
  readonly #records: Records;
  readonly #names: TypeNames;
  /** Results of `simple` with the default spacing, by id minus the first id. */
  readonly #simple: (string | undefined)[];

  constructor(records: Records, names: TypeNames) {
    this.#records = records;
    this.#names = names;
    this.#simple = new Array(records.last + 1 - records.first);
  }

  /** Returns the text before the name, with a space; empty for a type that needs `declare`. */
  simple(type: number, spacing: number): string {
    if (spacing !== TYPE_SPACING) return this.#simpleText(type, spacing);
    const index = type - this.#records.first;
    const known = this.#simple[index];
    if (known !== undefined) return known;
    const text = this.#simpleText(type, spacing);
    this.#simple[index] = text;
    return text;
  }

  #simpleText(type: number, spacing: number): string {
    const records = this.#records;
    switch (records.kind(type)) {
      case BtfKind.STRUCT:
      case BtfKind.UNION:
      case BtfKind.FWD:
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        return taggedText(records, type, spacing);
      case BtfKind.PTR: {
        const to = records.behindTags(records.refOf(type));
        if (to !== 0 && records.kind(to) === 0) return '';
        if (records.kind(to) === BtfKind.FUNC_PROTO || this.#isLoop(type, to)) return '';
        if (records.keyword(to) !== null && !records.isNamed(to)) return '';
        return this.#namedText(type, spacing);
      }
      case BtfKind.CONST:
      case BtfKind.ARRAY:
      case BtfKind.FUNC_PROTO:
      case BtfKind.TYPE_TAG:
        return '';
      default:
        return this.#namedText(type, spacing);
    }
  }

  /** Returns true if `to` refers to the target of pointer `id` (pahole: tag__has_type_loop). */
  #isLoop(id: number, to: number): boolean {
    const records = this.#records;
    const next = records.refOf(id);
    return to === next ? records.refersToItself(to) : records.refers(to, next);
  }

  #namedText(type: number, width: number): string {
    const name = this.#names.of(type);
    return joined(name, spaces(Math.abs(width) - name.length), ' ');
  }

  /** Declares `name` with the existing type `id`, padded to `spacing` characters. */
  declare(id: number, name: string | null, spacing: number): void {
    const records = this.#records;
    this.text = '';
    this.uncounted = 0;
    this.nested = 0;
    this.isPointee = false;
    this.#start = 0;
    if (this.bounds.length > 0) this.bounds.length = 0;
    switch (records.kind(id)) {
      case BtfKind.CONST:
      case BtfKind.ARRAY:
      case BtfKind.TYPE_TAG:
        this.#qualified(id, name, spacing);
        break;
      default:
        this.#plain(id, name, spacing, false);
    }
  }

  /** Writes any sequence of CONST, TYPE_TAG and ARRAY, and the type after it. */
  #qualified(id: number, name: string | null, spacing: number): void {
    const records = this.#records;
    const guard = new LoopGuard();
    let type = id;
    let width = spacing;
    let isForgotten = false;
    for (;;) {
      const kind = records.kind(type);
      let next = records.refOf(type);
      if (kind === BtfKind.CONST) {
        const qualifier = records.qualifier(type);
        this.text += qualifier;
        width -= qualifier.length;
        isForgotten = true;
        if (records.kind(next) === 0) {
          this.text += this.#namedText(type, width) + orNull(name);
          return;
        }
      } else if (kind === BtfKind.ARRAY) {
        if (records.kind(next) === 0) {
          this.text += missingType(MISSING.arrayElement, next);
          return;
        }
        const count = records.nelems(type);
        if (count === 0 && records.isConst(next)) next = records.refOf(next);
        const vectorSize = records.vectorSize(type);
        this.bounds.push(vectorSize === null ? count : -vectorSize);
        this.#start = this.text.length;
        isForgotten = false;
      } else if (kind === BtfKind.TYPE_TAG) {
        isForgotten = true;
      } else {
        this.#plain(type, name, width, isForgotten);
        return;
      }
      if (guard.cameRound(type)) {
        this.text += `${typeLoop(LOOP.memberPointee, kind, type)}\n`;
        return;
      }
      type = next;
    }
  }

  /** Writes a type that is not a qualifier or array; for a missing type, pahole's error text. */
  #plain(type: number, name: string | null, width: number, isForgotten: boolean): void {
    const records = this.#records;
    const kind = records.kind(type);
    if (kind === 0) {
      this.#missing(name, width);
    } else if (kind === BtfKind.FUNC_PROTO) {
      this.text += prototypeText(records, this.#names, type, name, false, width);
    } else if (records.keyword(type) !== null) {
      if (records.isNamed(type)) this.text += taggedText(records, type, width) + (name ?? '');
      else this.#nestNamed(type, width, name, isForgotten);
    } else if (kind === BtfKind.PTR) {
      this.#pointer(type, name, width);
    } else {
      this.text += this.#namedText(type, width) + orNull(name);
    }
  }

  #missing(name: string | null, width: number): void {
    this.uncounted = this.text.length - this.#start;
    this.text += `${padded(ERROR, width)}> ${orNull(name)}`;
  }

  #pointer(type: number, name: string | null, width: number): void {
    const records = this.#records;
    const to = records.behindTags(records.refOf(type));
    if (to !== 0 && records.kind(to) === 0) {
      this.#missing(name, width);
    } else if (this.#isLoop(type, to)) {
      this.text += `${typeLoop(LOOP.memberPointee, BtfKind.PTR, records.refOf(type))}\n`;
    } else if (records.kind(to) === BtfKind.FUNC_PROTO) {
      this.text += prototypeText(records, this.#names, to, name, true, width);
    } else if (records.keyword(to) !== null && !records.isNamed(to)) {
      this.isPointee = true;
      this.#nest(
        to,
        width - NESTED_SPACING,
        ` * ${orNull(name).slice(0, MAX_POINTER_NAME)}`,
        false,
      );
    } else {
      this.text += this.#namedText(type, width) + orNull(name);
    }
  }

  #nestNamed(type: number, width: number, name: string | null, isForgotten: boolean): void {
    const { dialect } = this.#records;
    const isNamed = dialect.namesConstUnions && this.#records.keyword(type) === 'union';
    const suffix = name === null ? '' : ` ${name}`;
    this.#nest(type, width, isForgotten && !isNamed ? null : suffix, isForgotten);
  }

  #nest(type: number, width: number, suffix: string | null, keepsStyle: boolean): void {
    this.nested = type;
    this.nestedSpacing = width - NESTED_SPACING;
    this.suffix = suffix;
    this.keepsStyle = keepsStyle;
  }
}

/** Returns keyword and tag of a type, padded to `width`; empty for a type without a tag. */
function taggedText(records: Records, type: number, width: number): string {
  const tag = records.name(type);
  return tag === null ? '' : keywordText(records.keyword(type) ?? 'struct', tag, width);
}

/** Returns keyword and tag, padded to `width`: `struct foo               `. */
export function keywordText(keyword: Keyword, tag: string, width: number): string {
  const room = Math.abs(width - keyword.length - 1);
  return joined(keyword, ' ', tag, spaces(room - tag.length), ' ');
}

/** Enumerations in declarations: `enum { A = 1, } name` (enumeration__fprintf of pahole). */

const INT_BYTES = 4;

/** Returns an ENUM or ENUM64 with `indent` tabs and `suffix`; for an empty enum, only its name. */
export function enumerationText(
  records: Records,
  id: number,
  indent: number,
  suffix: string,
): string {
  const { words } = records;
  const count = records.vlen(id);
  const name = records.name(id);
  const head = name === null ? 'enum' : `enum ${name}`;
  if (count === 0) return head;
  const isWide = records.kind(id) === BtfKind.ENUM64;
  const isSigned = records.dialect.hasSignedEnums && records.kindFlag(id);
  const step = isWide ? 3 : 2;
  const first = records.start(id) + HEAD_WORDS;
  const end = first + step * count;
  let width = 0;
  for (let at = first; at < end; at += step) {
    width = Math.max(width, records.nameAt(at)?.length ?? 0);
  }
  let text = `${head} {\n`;
  for (let at = first; at < end; at += step) {
    const low = words[at + 1] ?? 0;
    const high = isWide ? (words[at + 2] ?? 0) : isSigned ? low >> 31 : 0;
    const value = enumValue(low, high, isSigned);
    text += `${tabs(indent)}\t${padded(orNull(records.nameAt(at)), width)} = ${value},\n`;
  }
  const isPacked = records.size(id) !== 0 && records.size(id) !== INT_BYTES;
  return `${text}${tabs(indent)}}${isPacked ? ' __attribute__((__packed__))' : ''}${suffix}`;
}

/** Returns the 64-bit value of two words. `high` may be signed or unsigned. */
function enumValue(low: number, high: number, isSigned: boolean): number | bigint {
  if (high === 0) return low;
  const value = (BigInt(high) << 32n) | BigInt(low);
  return isSigned ? BigInt.asIntN(64, value) : value;
}

/** Members and parameters that are functions, `int (*name)(…)` (ftype__fprintf of pahole). */

type Frame = { readonly proto: number; index: number; any: boolean; variadic: boolean };

/** Limit of parameters in one declaration. In a loop of types, pahole writes until it crashes. */
const MAX_PARAMS = 1 << 16;
/** Limit of the text of all parameters: thousands may have the same name of a megabyte. */
const MAX_PARAMS_TEXT = 1 << 21;

/** Returns a function declaration: the return type in `width` characters, name and parameters. */
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
    if (++count > MAX_PARAMS || text.length > MAX_PARAMS_TEXT) {
      text += '...)';
      stack.pop();
    } else if (records.kind(type) === BtfKind.PTR && records.refersToItself(records.refOf(type))) {
      // pahole ends the list at a pointer to a type that refers to itself.
      text += `${typeLoop(LOOP.parameterPointee, BtfKind.PTR, records.refOf(type))}\n`;
      stack.pop();
    } else if (inner === 0) {
      text += paramText(records, type, records.nameAt(at), (id) => names.of(id));
    } else {
      const returned = names.of(records.refOf(inner));
      const name = records.nameAt(at) ?? '';
      text += inner === type ? `inline ${returned} ${name}(` : `${returned} (*${name})(`;
      stack.push({ proto: inner, index: 0, any: false, variadic: false });
    }
  }
  return text;
}
