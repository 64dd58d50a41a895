/**
 * Writes BTF for C types as clang 19 does: the same records with the same ids. The order is that in
 * which clang's BPF backend visits debug information: a struct before its members, a pointer before
 * its pointee, an array after its elements. The pointee of a pointer member is not visited. At the
 * end, such a pointer gets the struct with its pointee's name, or else a forward declaration.
 * Source: clang's output; tests compare it for every rule.
 */
import { MAX_TYPE_ID } from '#analysis/kernel/meta-record.ts';
import { roundUp } from '#analysis/layout/placement.ts';
import { addTo } from '#bytes/cache.ts';
import { BtfKind, IntEncoding, Linkage } from '#formats/btf/kinds.ts';
import type { BtfRecord } from '#formats/btf/write-records.ts';
import {
  type ArrayOf,
  type Basic,
  bare,
  type CType,
  type EnumType,
  enumShape,
  type Func,
  isComplete,
  type Layouts,
  type Pointer,
  type Qualified,
  type RecordType,
  type Typedef,
} from './c-types.ts';
import { END, Fault } from './cursor.ts';
import type {
  Declared,
  DeclaredFunction,
  DeclaredVariable,
  ModuleSymbol,
} from './declared-places.ts';
import { type ModuleItem, moduleOrder, sectionOf, Uses } from './module-order.ts';

/** Makes a record. Called when all records have ids, since it refers to other records by id. */
type Entry = () => BtfRecord;

/** Returns the records by id. Throws `Fault` for more than a kernel reads. */
export function emitBtf(declared: readonly Declared[], layouts: Layouts): readonly BtfRecord[] {
  return new Emitter(layouts).emit(declared);
}

const INDEX_TYPE: Basic = {
  kind: 'basic',
  name: '__ARRAY_SIZE_TYPE__',
  size: 4,
  encoding: 'unsigned',
};
const ENCODINGS = { signed: IntEncoding.SIGNED, unsigned: 0, bool: IntEncoding.BOOL } as const;

class Emitter {
  readonly #layouts: Layouts;
  readonly #entries: Entry[] = [];
  readonly #ids = new Map<CType, number>();
  /** Pointers whose pointees were not visited, by the struct or union they point to. */
  readonly #waiting = new Map<RecordType, { target: number; readonly tags: readonly string[] }[]>();
  /** Id of the first struct or union with each name. */
  readonly #records = new Map<string, number>();
  readonly #sections = new Map<string, { type: number; offset: number; size: number }[]>();
  readonly #functions = new Map<string, DeclaredFunction>();
  /** Symbols that have records. */
  #written: ReadonlySet<ModuleItem> = new Set();
  /** External functions and variables that have a record already. */
  readonly #called = new Set<DeclaredFunction>();
  /** Inlined functions whose mentions were followed, for this or an earlier symbol. */
  readonly #followed = new Set<DeclaredFunction>();
  #indexType = 0;
  /** Remaining steps of a visit, the next one last: recursion would follow the nesting of types. */
  readonly #steps: (() => void)[] = [];

  constructor(layouts: Layouts) {
    this.#layouts = layouts;
  }

  emit(declared: readonly Declared[]): readonly BtfRecord[] {
    const symbols = moduleOrder(declared);
    for (const item of declared) if (item.what === 'function') this.#functions.set(item.name, item);
    this.#written = new Set(symbols);
    const addVariable = this.#variableWriter(new Uses(declared));
    // Write maps before functions, then data, then unused types, which clang does not write at all.
    for (const item of symbols) if (isMap(item)) addVariable(item);
    for (const item of symbols) {
      if (!('what' in item) || item.what !== 'function' || !item.isDefined) continue;
      this.#addFunction(item);
      this.#addCalled(item);
    }
    for (const item of symbols) {
      if (!('what' in item)) this.#visit(item.type, false, false);
      else if (item.what === 'variable' && !isMap(item)) addVariable(item);
    }
    for (const item of declared) {
      // A type that is only declared has no record.
      const isWritten = item.what === 'type' && !item.isHeader && isComplete(item.type);
      if (isWritten) this.#visit(item.type, false, false);
    }
    for (const [name, secinfos] of [...this.#sections].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      this.#add(() => ({ kind: BtfKind.DATASEC, name, size: 0, secinfos }));
    }
    this.#settleWaiting();
    return this.#entries.map((entry) => entry());
  }

  /** Returns a function that writes a variable and places it after the others of its section. */
  #variableWriter(uses: Uses): (item: DeclaredVariable) => void {
    const ends = new Map<string, number>();
    return (item) => {
      const { name, type, isDefined, isStatic, isCommon } = item;
      if (isCommon && isDefined) return;
      const size = bare(type) === null ? 1 : this.#layouts.sizeWith(type, item.flexible);
      const section = sectionOf(item, uses, this.#layouts);
      // clang writes type 0 for a map that is not a struct.
      const isKnown = !section.startsWith('.maps') || this.#visitMap(type);
      if (isKnown) this.#visit(type, false, false);
      const linkage = isStatic ? Linkage.static : isDefined ? Linkage.global : Linkage.extern;
      const variable = { kind: BtfKind.VAR, name, linkage } as const;
      const id = this.#add(() => ({ ...variable, type: isKnown ? this.#idOf(type) : 0 }));
      if (isDefined) this.#addTags(item.declTags, id, -1);
      this.#addCalled(item);
      if (section === '') return;
      const align = Math.max(item.aligned, this.#layouts.alignOf(type));
      const at = roundUp(ends.get(section) ?? 0, align);
      if (isDefined) ends.set(section, at + size);
      // The linker sets the offsets of global variables; clang writes 0.
      addTo(this.#sections, section, { type: id, offset: isStatic ? at : 0, size });
    };
  }

  /** Writes the external functions that a symbol uses, directly or through inlined functions. */
  #addCalled({ mentions }: ModuleSymbol): void {
    const words = new Set(mentions);
    for (const word of words) {
      const callee = typeof word === 'string' ? this.#functions.get(word) : undefined;
      if (callee === undefined) continue;
      if (callee.mayInline && !this.#written.has(callee) && !this.#followed.has(callee)) {
        this.#followed.add(callee);
        for (const further of callee.mentions) words.add(further);
      }
      if (callee.isDefined || this.#called.has(callee)) continue;
      this.#called.add(callee);
      this.#addExtern(callee);
    }
  }

  /** Writes a function. Its FUNC_PROTO, with parameter names, follows the parameters' types. */
  #addFunction({ name, type: { returns }, params, declTags, isStatic }: DeclaredFunction): void {
    const parts = params.map((param) => param.type);
    for (const part of parts) this.#visit(part, false, false);
    const proto = this.#add(() => ({
      kind: BtfKind.FUNC_PROTO,
      type: this.#idOf(returns),
      params: params.map((param) => ({ name: param.name, type: this.#idOf(param.type) })),
    }));
    for (const part of [returns, ...parts]) this.#visit(part, false, false);
    const linkage = isStatic ? Linkage.static : Linkage.global;
    const id = this.#add(() => ({ kind: BtfKind.FUNC, name, type: proto, linkage }));
    for (const [i, param] of params.entries()) this.#addTags(param.declTags, id, i);
    this.#addTags(declTags, id, -1);
  }

  #addExtern({ name, type, params, declTags, section }: DeclaredFunction): void {
    const proto = this.#addProto(type);
    this.#run();
    const id = this.#add(() => ({
      kind: BtfKind.FUNC,
      name,
      type: proto,
      linkage: Linkage.extern,
    }));
    for (const [i, param] of params.entries()) this.#addTags(param.declTags, id, i);
    this.#addTags(declTags, id, -1);
    if (section !== null) addTo(this.#sections, section, { type: id, offset: 0, size: 0 });
  }

  #addTags(tags: readonly string[], id: number, componentIdx: number): void {
    for (const name of tags) {
      this.#add(() => ({ kind: BtfKind.DECL_TAG, name, type: id, componentIdx }));
    }
  }

  #settleWaiting(): void {
    for (const [record, pointers] of this.#waiting) {
      const target = this.#records.get(record.name) ?? this.#add(() => forwardOf(record));
      for (const pointer of pointers)
        pointer.target = this.#addTypeTags(pointer.tags, () => target);
    }
  }

  /** Writes a TYPE_TAG per tag, the last one outermost. Returns the outermost id. */
  #addTypeTags(tags: readonly string[], target: () => number): number {
    let id: number | null = null;
    for (const name of tags) {
      const inner = id;
      id = this.#add(() => ({ kind: BtfKind.TYPE_TAG, name, type: inner ?? target() }));
    }
    return id ?? target();
  }

  /** Writes a map's type after its members' pointees. Returns false if the type is not a struct. */
  #visitMap(type: CType): boolean {
    if (this.#ids.has(type)) return true;
    const derived: CType[] = [];
    let at: CType | undefined = type;
    for (; derivedBase(at) !== undefined; at = derivedBase(at) ?? null) derived.push(at);
    if (at?.kind !== 'record' || at.what !== 'struct' || at.members === null) return false;
    if (!this.#ids.has(at)) for (const { type: of } of at.members) this.#visit(of, false, false);
    this.#visit(at, false, false);
    for (const wrapper of derived.reverse()) this.#visit(wrapper, false, false);
    return true;
  }

  /**
   * Writes a type and the types it refers to. `checkPointer`: this is the type of a member, whose
   * pointees are not visited. `seenPointer`: a pointer lies between the member and this type.
   */
  #visit(type: CType, checkPointer: boolean, seenPointer: boolean): void {
    this.#plan(type, checkPointer, seenPointer);
    this.#run();
  }

  /** Makes the visit of a type the next step. */
  #plan(type: CType, checkPointer: boolean, seenPointer: boolean): void {
    this.#steps.push(() => this.#write(type, checkPointer, seenPointer));
  }

  #run(): void {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) step();
  }

  #write(type: CType, checkPointer: boolean, seenPointer: boolean): void {
    if (type === null) return;
    if (this.#ids.has(type)) {
      if (!checkPointer || !seenPointer) this.#visitFurther(type, checkPointer, seenPointer);
      return;
    }
    switch (type.kind) {
      case 'basic':
        this.#add(() => basicRecord(type), type);
        return;
      case 'record':
        if (type.members === null) this.#add(() => forwardOf(type), type);
        else this.#visitRecord(type);
        return;
      case 'enum':
        this.#visitEnum(type);
        return;
      case 'array':
        this.#visitArray(type);
        return;
      case 'func':
        this.#addProto(type);
        return;
      case 'atomic':
        return;
      default:
        this.#visitDerived(type, checkPointer, seenPointer);
    }
  }

  /** Follows references from a written type to the first type without a record, and visits it. */
  #visitFurther(type: CType, checkPointer: boolean, seenPointer: boolean): void {
    let at = type;
    let base = derivedBase(at);
    for (; base !== undefined && this.#ids.has(base); base = derivedBase(at)) at = base;
    if (base === undefined || base === null) return;
    const isPointee = checkPointer && at?.kind === 'pointer';
    if (!isPointee || !isCandidate(base)) this.#plan(base, checkPointer, seenPointer || isPointee);
  }

  #visitDerived(type: Derived, checkPointer: boolean, seenPointer: boolean): void {
    const passed = seenPointer || (checkPointer && type.kind === 'pointer');
    const base = derivedBase(type) ?? null;
    if (checkPointer && passed && isCandidate(base)) {
      const pointer = { target: 0, tags: type.kind === 'pointer' ? type.tags : [] };
      addTo(this.#waiting, base, pointer);
      this.#add(() => referenceTo(type, pointer.target), type);
      return;
    }
    if (type.kind === 'pointer' && type.tags.length > 0) {
      const tagged = this.#addTypeTags(type.tags, () => this.#idOf(base));
      this.#add(() => referenceTo(type, tagged), type);
    } else {
      const id = this.#add(() => referenceTo(type, this.#idOf(base)), type);
      if (type.kind === 'typedef') this.#addTags(type.declTags, id, -1);
    }
    this.#plan(base, checkPointer, passed);
  }

  #visitRecord(record: RecordType): void {
    const { members, size } = this.#layouts.layoutOf(record);
    const hasBits = members.some(({ bits }) => bits !== null);
    const id = this.#add(
      () => ({
        kind: record.what === 'struct' ? BtfKind.STRUCT : BtfKind.UNION,
        name: record.name,
        kindFlag: hasBits,
        size,
        members: members.map(({ name, type, bits, bitOffset }) => ({
          name,
          type: this.#idOf(type),
          bitOffset,
          ...(bits === null ? {} : { bitfieldSize: bits }),
        })),
      }),
      record,
    );
    if (!this.#records.has(record.name)) this.#records.set(record.name, id);
    this.#addTags(record.declTags, id, -1);
    for (const [i, { type, declTags }] of [...members.entries()].toReversed()) {
      if (declTags.length > 0) this.#steps.push(() => this.#addTags(declTags, id, i));
      this.#plan(type, true, false);
    }
  }

  #visitEnum(type: EnumType): void {
    const { signed, size, isNamed = false } = enumShape(type);
    // LLVM 19 takes a typedef for an integer without bits or a sign (BTFDebug::visitEnumType).
    const values = (type.values ?? []).map(({ name, value }) => ({
      name,
      value: isNamed ? BigInt.asUintN(32, value) : value,
    }));
    this.#add(
      () => ({
        kind: size === 8 && !isNamed ? BtfKind.ENUM64 : BtfKind.ENUM,
        name: type.name,
        kindFlag: signed && !isNamed,
        size,
        enumerators: values,
      }),
      type,
    );
  }

  /** Writes an element type, then a record per dimension, innermost first. The last is the array's. */
  #visitArray(array: ArrayOf): void {
    this.#steps.push(() => this.#addDimensions(array));
    this.#plan(array.of, false, false);
  }

  #addDimensions(array: ArrayOf): void {
    let inner: number | null = null;
    for (let i = array.dimensions.length - 1; i >= 0; i--) {
      const element: number | null = inner;
      const nelems = Math.max(0, array.dimensions[i] ?? 0);
      const entry: Entry = () => ({
        kind: BtfKind.ARRAY,
        elemType: element ?? this.#idOf(array.of),
        indexType: this.#indexType,
        nelems,
      });
      inner = i === 0 ? this.#add(entry, array) : this.#add(entry);
    }
    if (this.#indexType !== 0) return;
    this.#indexType = this.#add(() => basicRecord(INDEX_TYPE));
  }

  #addProto(type: Func): number {
    const { returns, params, varargs } = type;
    const id = this.#add(
      () => ({
        kind: BtfKind.FUNC_PROTO,
        type: this.#idOf(returns),
        params: [
          ...params.map((param) => ({ type: this.#idOf(param) })),
          ...(varargs ? [{ type: 0 }] : []),
        ],
      }),
      type,
    );
    for (const part of [...params].reverse()) this.#plan(part, false, false);
    this.#plan(returns, false, false);
    return id;
  }

  #add(entry: Entry, type?: CType): number {
    if (this.#entries.length >= MAX_TYPE_ID) {
      throw new Fault(`BTF cannot store this: more than ${MAX_TYPE_ID} types`, END);
    }
    this.#entries.push(entry);
    if (type !== undefined) this.#ids.set(type, this.#entries.length);
    return this.#entries.length;
  }

  #idOf(type: CType): number {
    return this.#ids.get(type) ?? 0;
  }
}

function basicRecord({ name, size, encoding }: Basic): BtfRecord {
  if (encoding === 'float') return { kind: BtfKind.FLOAT, name, size };
  const bits = { encoding: ENCODINGS[encoding], bitOffset: 0, bits: 8 * size };
  return { kind: BtfKind.INT, name, size, ...bits };
}

function forwardOf({ name, what }: RecordType): BtfRecord {
  return { kind: BtfKind.FWD, name, kindFlag: what === 'union' };
}

type Derived = Pointer | Qualified | Typedef;

/** Returns the type that a pointer, qualifier or typedef refers to, else undefined. */
function derivedBase(type: CType): CType | undefined {
  switch (type?.kind) {
    case 'pointer':
      return type.to;
    case 'qualified':
    case 'typedef':
      return type.of;
    default:
      return undefined;
  }
}

/** Returns true for a struct or union with name and members. */
function isCandidate(type: CType): type is RecordType {
  return type?.kind === 'record' && type.name !== '' && type.members !== null;
}

function referenceTo(type: Derived, target: number): BtfRecord {
  if (type.kind === 'pointer') return { kind: BtfKind.PTR, type: target };
  if (type.kind === 'typedef') return { kind: BtfKind.TYPEDEF, name: type.name, type: target };
  return { kind: QUALIFIER_KINDS[type.by], type: target };
}

const QUALIFIER_KINDS = {
  const: BtfKind.CONST,
  volatile: BtfKind.VOLATILE,
  restrict: BtfKind.RESTRICT,
} as const;

function isMap(item: ModuleItem): item is DeclaredVariable {
  return 'what' in item && item.what === 'variable' && item.section?.startsWith('.maps') === true;
}
