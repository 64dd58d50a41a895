/** Returns the text of a type before a declared name: `struct foo *`. Source: pahole, tag__name. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { HEAD_WORDS, PARAM_WORDS, type Records } from './records.ts';
import { LOOP, MISSING, missingName, missingParameter, missingType, typeLoop } from './text.ts';

/** Size of pahole's buffer for a name, without the NUL. */
const MAX_LENGTH = 127;
/** Size of the buffer in pahole's base_type__name, without the NUL. */
const MAX_BASE_LENGTH = 63;
/** Limit of parameters in a name: each takes at least three characters. */
const MAX_PARAMS = 48;

export class TypeNames {
  readonly #records: Records;
  /** Names by id minus the first id; undefined until they are composed. */
  readonly #names: (string | undefined)[];
  /** Parameter lists of prototypes, cut to the part that fits into a name. */
  readonly #params = new Map<number, string>();
  /** Types whose names need the names of other types to be composed first. */
  readonly #open = new Set<number>();

  constructor(records: Records) {
    this.#records = records;
    this.#names = new Array(records.last + 1 - records.first);
  }

  /** Returns the name of a type; `void` for a missing type. */
  of(id: number): string {
    if (this.#records.kind(id) === 0) return 'void';
    return this.#names[id - this.#records.first] ?? this.#make(id);
  }

  /** Composes the name of a type after the names that it contains. */
  #make(id: number): string {
    const next = this.#missingPart(id);
    return next === 0 ? this.#write(id) : this.#makeDeep(id, next);
  }

  #makeDeep(id: number, part: number): string {
    const stack = [id];
    const open = this.#open;
    open.add(id);
    for (let top: number | undefined = part; top !== undefined; ) {
      const next = this.#missingPart(top);
      if (next === 0) {
        this.#write(top);
        top = stack.pop();
      } else {
        stack.push(top);
        open.add(next);
        top = next;
      }
    }
    open.clear();
    return this.#known(id);
  }

  /** Returns a type whose name must be composed before that of `id`; 0 if there is none. */
  #missingPart(id: number): number {
    const records = this.#records;
    switch (records.kind(id)) {
      case BtfKind.PTR:
        return this.#ifMissing(this.#pointee(id));
      case BtfKind.ARRAY:
      case BtfKind.CONST:
      case BtfKind.VOLATILE:
      case BtfKind.RESTRICT:
      case BtfKind.TYPE_TAG:
        return this.#ifMissing(records.refOf(id));
      case BtfKind.FUNC_PROTO:
        return this.#ifMissing(records.refOf(id)) || this.#missingInParams(id);
      default:
        return 0;
    }
  }

  #missingInParams(id: number): number {
    const records = this.#records;
    const count = Math.min(records.vlen(id), MAX_PARAMS);
    const start = records.start(id) + HEAD_WORDS;
    for (let i = 0; i < count; i++) {
      const type = records.words[start + PARAM_WORDS * i + 1] ?? 0;
      const missing = this.#ifMissing(protoOf(records, type) || type);
      if (missing !== 0) return missing;
    }
    return 0;
  }

  /** Returns `id` if its name contains other names and is not composed yet; otherwise 0. */
  #ifMissing(id: number): number {
    if (!DERIVED.has(this.#records.kind(id)) || this.#open.has(id)) return 0;
    return this.#names[id - this.#records.first] === undefined ? id : 0;
  }

  /** Returns the type whose name a pointer contains: the target, or a pointer behind `const`. */
  #pointee(id: number): number {
    const records = this.#records;
    const to = records.refOf(id);
    if (!records.isConst(to)) return to;
    const next = records.refOf(to);
    return records.kind(next) === BtfKind.PTR ? next : to;
  }

  /** Composes a name from existing names. In a loop of types, a missing name is empty. */
  #write(id: number): string {
    const name = this.#text(id).slice(0, MAX_LENGTH);
    this.#names[id - this.#records.first] = name;
    return name;
  }

  /** Returns the name of a type, if it is composed or contains no other name. */
  #known(id: number): string {
    const kind = this.#records.kind(id);
    if (kind === 0) return 'void';
    if (DERIVED.has(kind)) return this.#names[id - this.#records.first] ?? '';
    return this.#text(id).slice(0, MAX_LENGTH);
  }

  #text(id: number): string {
    const records = this.#records;
    switch (records.kind(id)) {
      case BtfKind.INT:
        return records.name(id)?.slice(0, MAX_BASE_LENGTH) ?? 'nameless base type!';
      case BtfKind.FLOAT: {
        const name = records.name(id);
        if (records.unit !== null && name !== null) return name;
        return name === null ? 'nameless base type!' : `single ${name}`.slice(0, MAX_BASE_LENGTH);
      }
      case BtfKind.PTR:
        return this.#pointer(id);
      case BtfKind.CONST:
        return this.#modified(id, records.qualifier(id), ' ');
      case BtfKind.VOLATILE:
        return this.#modified(id, 'volatile ', ' ');
      case BtfKind.RESTRICT:
        return this.#modified(id, '', ' restrict ');
      case BtfKind.TYPE_TAG:
        return this.#modified(id, '', '');
      case BtfKind.ARRAY:
        return this.#array(id);
      case BtfKind.FUNC_PROTO: {
        const params = this.#paramsOf(id).slice(0, MAX_LENGTH);
        this.#params.set(id, params);
        return `${this.#known(records.refOf(id))} ()${params}`;
      }
      case BtfKind.TYPEDEF:
        return records.name(id) ?? '';
      default:
        return `${records.keyword(id)} ${records.name(id) ?? ''}`;
    }
  }

  #pointer(id: number): string {
    const records = this.#records;
    const to = records.refOf(id);
    if (to === 0) return 'void *';
    if (records.kind(to) === 0) return `${missingName(MISSING.pointee, to)} *`;
    if (records.refersToItself(to)) return typeLoop(LOOP.pointee, BtfKind.PTR, to);
    const pointee = this.#pointee(id);
    return this.#known(pointee) + (pointee === to ? ' *' : ' const *');
  }

  #modified(id: number, prefix: string, suffix: string): string {
    const records = this.#records;
    const type = records.refOf(id);
    if (records.kind(type) === 0 && type !== 0) return missingName(MISSING.modified, type);
    if (records.refersToItself(type)) return typeLoop(LOOP.modified, records.kind(id), type);
    return prefix + this.#known(type) + suffix;
  }

  #array(id: number): string {
    const records = this.#records;
    const type = records.refOf(id);
    if (records.kind(type) === 0) return missingName(MISSING.element, type);
    if (records.refersToItself(type)) return typeLoop(LOOP.element, BtfKind.ARRAY, type);
    return this.#known(type);
  }

  #paramsOf(id: number): string {
    const records = this.#records;
    const { words } = records;
    let at = records.start(id) + HEAD_WORDS;
    let text = '';
    let isVariadic = false;
    for (let i = 0; i < records.vlen(id) && text.length < MAX_LENGTH; i++, at += PARAM_WORDS) {
      const type = words[at + 1] ?? 0;
      if (type === 0) {
        isVariadic = true;
        continue;
      }
      text += text === '' ? '(' : ', ';
      const to = records.kind(type) === BtfKind.PTR ? records.refOf(type) : 0;
      if (records.refersToItself(to)) {
        return `${text}${typeLoop(LOOP.parameterPointee, BtfKind.PTR, to)}\n`;
      }
      text += this.#param(type, records.nameAt(at));
    }
    return text === '' ? '(void)' : text + (isVariadic ? ', ...)' : ')');
  }

  #param(type: number, name: string | null): string {
    const records = this.#records;
    const proto = protoOf(records, type);
    if (proto !== 0) {
      const returned = this.#known(records.refOf(proto));
      const params = this.#params.get(proto) ?? '';
      if (proto === type) return `inline ${returned} ${name ?? ''}${params}`;
      return `${returned} (*${name ?? ''})${params}`;
    }
    return paramText(records, type, name, (id) => this.#known(id));
  }
}

/** Returns the text of a parameter that is not a prototype. `nameOf` returns names of types. */
export function paramText(
  records: Records,
  type: number,
  name: string | null,
  nameOf: (id: number) => string,
): string {
  const kind = records.kind(type);
  const to = kind === BtfKind.PTR ? records.refOf(type) : 0;
  if (to !== 0 && records.kind(to) === 0) return missingType(MISSING.parameterPointee, to);
  const typeName = kind === 0 ? missingParameter(type) : nameOf(type);
  return name === null ? typeName : `${typeName} ${name}`;
}

/** Kinds whose names contain names of other types. */
const { PTR, ARRAY, CONST, VOLATILE, RESTRICT, FUNC_PROTO, TYPE_TAG } = BtfKind;
const DERIVED: ReadonlySet<number> = new Set([
  PTR,
  ARRAY,
  CONST,
  VOLATILE,
  RESTRICT,
  FUNC_PROTO,
  TYPE_TAG,
]);

/** Returns the prototype that a parameter's type is or points to; 0 for other types. */
export function protoOf(records: Records, type: number): number {
  const to = records.kind(type) === BtfKind.PTR ? records.refOf(type) : type;
  return records.kind(to) === BtfKind.FUNC_PROTO ? to : 0;
}
