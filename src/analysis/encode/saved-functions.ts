/**
 * Chooses the functions that BTF describes, and writes them.
 *
 * Source: pahole 1.31, btf_encoder.c, `btf_encoder__save_func`, `saved_functions_combine`,
 * `types__match`, `btf_encoder__add_saved_funcs`, `btf_encoder__add_true_signature`,
 * `btf_encoder__add_func`, `btf_encoder__add_bpf_kfunc`.
 */
import { Malformed } from '#bytes/issue.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { Decisions, Reason } from './decisions.ts';
import { type ElfFunction, isChangedFunction } from './elf-functions.ts';
import type { Feature } from './features.ts';
import type { NameTable } from './name-table.ts';
import { refusal, type TypeBuffer } from './type-buffer.ts';
import type { Annotation, FunctionTag } from './unit-tags.ts';

/** Longest name of a parameter and longest text of a tag in bytes; the rest is cut. */
const MAX_NAME = 127;
/** Flags of kfuncs, as in the kernel's include/linux/btf.h. */
const KF = { fastcall: 1 << 12, arenaResult: 1 << 13, arenaFirst: 1 << 14, arenaSecond: 1 << 15 };
/** Pairs of types that are compared in all: types of a damaged file may lead to themselves. */
const MAX_PAIRS = 1 << 24;

type SavedParameter = { readonly name: number; type: number };

/** A function of one unit. Type ids are those of the buffer. */
type SavedFunction = {
  readonly elf: ElfFunction;
  readonly offset: number;
  readonly nameId: number;
  readonly address: bigint;
  /** Name of the symbol at the address, if it has a suffix; only for true signatures. */
  readonly suffixed: string | null;
  readonly parameters: readonly SavedParameter[];
  result: number;
  readonly annotations: readonly Annotation[];
  readonly hasOptimized: boolean;
  readonly isChanged: boolean;
  readonly isChangedSymbol: boolean;
  hasUnexpected: boolean;
  isInconsistent: boolean;
  isUncertain: boolean;
  isReordered: boolean;
};

export class SavedFunctions {
  readonly #buffer: TypeBuffer;
  readonly #names: NameTable;
  readonly #features: ReadonlySet<Feature>;
  readonly #decisions: Decisions;
  readonly #byElf = new Map<ElfFunction, SavedFunction[]>();
  #pairsLeft = MAX_PAIRS;

  constructor(buffer: TypeBuffer, features: ReadonlySet<Feature>, decisions: Decisions) {
    this.#buffer = buffer;
    this.#names = buffer.names;
    this.#features = features;
    this.#decisions = decisions;
  }

  /** Keeps a function of a unit whose types begin after `base`. */
  save(func: FunctionTag, elf: ElfFunction, base: number): void {
    const isTrue = this.#features.has('true_signature');
    const idOf = (id: number) => (id === 0 ? 0 : base + id);
    const parameters: SavedParameter[] = [];
    for (const each of func.parameters) {
      if (func.isReordered && (!each.hasLocation || each.isOptimized)) continue;
      if (isTrue && func.isSignatureChanged && each.isOptimized) continue;
      const isMember = isTrue && func.isSignatureChanged && each.memberName !== 0;
      const name = isMember ? this.#joined(each.name, each.memberName) : each.name;
      this.#buffer.noteName(name);
      parameters.push({ name, type: idOf(each.type) });
    }
    if (func.isVariadic) parameters.push({ name: 0, type: 0 });
    for (const { value } of func.annotations) this.#buffer.noteName(value);
    const { address } = func;
    const here = address === 0n ? [] : (elf.symbolsAt.get(address) ?? []);
    const saved: SavedFunction = {
      elf,
      offset: func.offset,
      nameId: func.name,
      address,
      suffixed: isTrue ? (here.find(({ name }) => name.includes('.'))?.name ?? null) : null,
      parameters,
      result: idOf(func.type),
      annotations: func.annotations,
      hasOptimized: func.hasOptimized,
      isChanged: func.isSignatureChanged,
      isChangedSymbol: here.some(({ name }) => isChangedFunction(name)),
      hasUnexpected: func.hasUnexpected,
      isInconsistent: false,
      isUncertain: func.isUncertain,
      isReordered: func.isReordered,
    };
    const known = this.#byElf.get(elf);
    if (known === undefined) this.#byElf.set(elf, [saved]);
    else known.push(saved);
  }

  /** Writes the functions, sorted by name. */
  write(): void {
    const groups = [...this.#byElf].sort(([a], [b]) => (a.name < b.name ? -1 : 1));
    for (const [, group] of groups) this.#writeGroup(group);
  }

  /** Writes one function of those with one name, or none. */
  #writeGroup(group: readonly SavedFunction[]): void {
    const [first, ...others] = group;
    if (first === undefined) return;
    let difference = '';
    for (const other of others) difference = this.#combine(first, other) || difference;
    const trusted = this.#features.has('true_signature') ? trustedSymbol(group) : undefined;
    const chosen = trusted ?? this.#canonical(first, group);
    const reason = trusted === undefined ? this.#reasonAgainst(first, chosen) : null;
    for (const each of group) {
      if (reason !== null) {
        const detail = reason === 'inconsistent-prototype' ? difference : '';
        this.#decisions.functionLeftOut(each.offset, each.nameId, reason, detail);
      } else if (each !== chosen) {
        const detail = `0x${chosen.offset.toString(16)}`;
        this.#decisions.functionLeftOut(each.offset, each.nameId, 'merged', detail);
      }
    }
    if (reason !== null) return;
    if (trusted !== undefined) this.#writeFunction(chosen);
    else if (chosen.elf.kfuncFlags !== null) this.#writeKfunc(chosen, chosen.elf.kfuncFlags);
    else this.#writeFunction(chosen);
  }

  /** Returns why the functions of a name are left out; null if they are not. */
  #reasonAgainst(first: SavedFunction, chosen: SavedFunction): Reason | null {
    if (first.elf.isAmbiguous) return 'ambiguous-address';
    if (this.#isCut(chosen)) return 'optimized-parameters';
    if (first.isReordered) return 'reordered-parameters';
    if (first.isUncertain) return 'uncertain-location';
    if (this.#features.has('consistent_func') && first.isInconsistent) {
      return 'inconsistent-prototype';
    }
    return first.hasUnexpected ? 'unexpected-register' : null;
  }

  /** Returns true for a function that lacks parameters because of an optimisation. */
  #isCut({ hasOptimized, isChanged, isChangedSymbol }: SavedFunction): boolean {
    const isTrue = this.#features.has('true_signature');
    return !isTrue && hasOptimized && (isChanged || isChangedSymbol);
  }

  /** Returns the function at the address of a symbol, if possible one with all parameters. */
  #canonical(first: SavedFunction, group: readonly SavedFunction[]): SavedFunction {
    if (group.length === 1) return first;
    const placed = group.filter(({ address }) => first.elf.symbolsAt.has(address));
    return placed.find((each) => !this.#isCut(each)) ?? placed[0] ?? first;
  }

  /** Shares the marks of two functions of one name. Returns how their prototypes differ. */
  #combine(a: SavedFunction, b: SavedFunction): string {
    const hasUnexpected = a.hasUnexpected || b.hasUnexpected;
    const isReordered = a.isReordered || b.isReordered;
    const isUncertain = a.isUncertain || b.isUncertain;
    let isInconsistent = a.isInconsistent || b.isInconsistent;
    let difference = '';
    if (!hasUnexpected && !isInconsistent && !isReordered) {
      difference = this.#difference(a, b);
      isInconsistent = difference !== '';
    }
    Object.assign(a, { hasUnexpected, isReordered, isUncertain, isInconsistent });
    Object.assign(b, { hasUnexpected, isReordered, isUncertain, isInconsistent });
    return difference;
  }

  /** Returns the first difference of two prototypes; empty if they are the same. */
  #difference(a: SavedFunction, b: SavedFunction): string {
    const at = `0x${a.offset.toString(16)} and 0x${b.offset.toString(16)}`;
    if (a.parameters.length !== b.parameters.length) {
      return `${a.parameters.length} and ${b.parameters.length} parameters at ${at}`;
    }
    if (!this.#sameType(a.result, b.result)) return `the result at ${at}`;
    const index = a.parameters.findIndex(
      ({ type }, i) => !this.#sameType(type, b.parameters[i]?.type ?? 0),
    );
    return index < 0 ? '' : `the type of parameter ${index + 1} at ${at}`;
  }

  /** Compares two types by name, through pointers and arrays; const counts only on both sides. */
  #sameType(first: number, second: number): boolean {
    const buffer = this.#buffer;
    const open = [first, second];
    while (open.length > 0) {
      this.#spendPair(first);
      let b = open.pop() ?? 0;
      let a = open.pop() ?? 0;
      if (a === b) continue;
      while (a !== 0 && b !== 0 && this.#comparedKind(a) !== this.#comparedKind(b)) {
        this.#spendPair(first);
        if (buffer.kind(a) === BtfKind.CONST) a = buffer.sizeOrType(a);
        else if (buffer.kind(b) === BtfKind.CONST) b = buffer.sizeOrType(b);
        else return false;
      }
      if (a === b) continue;
      if (a === 0 || b === 0) return false;
      switch (this.#comparedKind(a)) {
        case BtfKind.INT:
          if (buffer.extra(a, 0) !== buffer.extra(b, 0)) return false;
          if (buffer.sizeOrType(a) !== buffer.sizeOrType(b)) return false;
          if (buffer.nameOf(a) !== buffer.nameOf(b)) return false;
          break;
        case BtfKind.FLOAT:
          if (buffer.sizeOrType(a) !== buffer.sizeOrType(b)) return false;
          if (buffer.nameOf(a) !== buffer.nameOf(b)) return false;
          break;
        case BtfKind.TYPEDEF:
        case BtfKind.STRUCT:
        case BtfKind.UNION:
        case BtfKind.ENUM:
        case BtfKind.ENUM64:
          if (buffer.nameOf(a) !== buffer.nameOf(b)) return false;
          break;
        case BtfKind.PTR:
        case BtfKind.VOLATILE:
        case BtfKind.CONST:
        case BtfKind.RESTRICT:
        case BtfKind.TYPE_TAG:
          open.push(buffer.sizeOrType(a), buffer.sizeOrType(b));
          break;
        case BtfKind.ARRAY:
          if (buffer.extra(a, 2) !== buffer.extra(b, 2)) return false;
          open.push(buffer.extra(a, 0), buffer.extra(b, 0));
          break;
        case BtfKind.FUNC_PROTO: {
          const count = buffer.itemCount(a);
          if (count !== buffer.itemCount(b)) return false;
          open.push(buffer.sizeOrType(a), buffer.sizeOrType(b));
          for (let i = 0; i < count; i++) {
            open.push(buffer.extra(a, 2 * i + 1), buffer.extra(b, 2 * i + 1));
          }
          break;
        }
        default:
          return false;
      }
    }
    return true;
  }

  #spendPair(type: number): void {
    this.#pairsLeft -= 1;
    if (this.#pairsLeft >= 0) return;
    throw new Malformed({
      code: 'encode.comparisons',
      region: '.debug_info',
      message: 'Too many types would have to be compared to tell whether prototypes differ',
      span: null,
      expected: `at most ${MAX_PAIRS} comparisons`,
      found: `more, at type ${type}`,
    });
  }

  /** Returns the kind of a type; for a declaration that of the declared type. */
  #comparedKind(id: number): number {
    const kind = this.#buffer.kind(id);
    if (kind !== BtfKind.FWD) return kind;
    return this.#buffer.kindFlag(id) ? BtfKind.UNION : BtfKind.STRUCT;
  }

  #writeKfunc(func: SavedFunction, flags: number): void {
    const hasTags = this.#features.has('decl_tag_kfuncs');
    if (hasTags && this.#features.has('attributes')) this.#tagArena(func, flags);
    const id = this.#writeFunction(func);
    if (!hasTags || !this.#features.has('decl_tag')) return;
    this.#buffer.declTag(func.offset, this.#nameOf('bpf_kfunc'), id, -1);
    if ((flags & KF.fastcall) === 0) return;
    this.#buffer.declTag(func.offset, this.#nameOf('bpf_fastcall'), id, -1);
  }

  /** Gives pointers into an arena the attribute `address_space(1)`. */
  #tagArena(func: SavedFunction, flags: number): void {
    if ((flags & KF.arenaResult) !== 0) func.result = this.#inArena(func, func.result);
    for (const [i, flag] of [KF.arenaFirst, KF.arenaSecond].entries()) {
      if ((flags & flag) === 0) continue;
      const parameter = func.parameters[i];
      if (parameter === undefined) {
        throw refusal(func.offset, `kfunc ${func.elf.name} has no parameter ${i + 1} in an arena`);
      }
      parameter.type = this.#inArena(func, parameter.type);
    }
  }

  #inArena({ offset, elf }: SavedFunction, pointer: number): number {
    if (pointer === 0 || this.#buffer.kind(pointer) !== BtfKind.PTR) {
      throw refusal(offset, `kfunc ${elf.name} has an arena without a pointer`);
    }
    const name = this.#nameOf('address_space(1)');
    const target = this.#buffer.sizeOrType(pointer);
    const tagged = this.#buffer.reference(offset, BtfKind.TYPE_TAG, target, { name, flag: true });
    return this.#buffer.reference(offset, BtfKind.PTR, tagged);
  }

  /** Writes a function with its prototype and tags. Returns its id. */
  #writeFunction(func: SavedFunction): number {
    const buffer = this.#buffer;
    const { offset, elf, suffixed, annotations } = func;
    const prototype = buffer.prototype(offset, func.result);
    for (const { name, type } of func.parameters) buffer.parameter(this.#cut(name), type);
    const name = this.#nameOf(suffixed ?? elf.name);
    const id = buffer.reference(offset, BtfKind.FUNC, prototype, { name });
    for (const { value, component } of annotations) {
      buffer.declTag(offset, this.#cut(value), id, component);
    }
    return id;
  }

  /** Returns the id of a name with one character per byte. */
  #nameOf(name: string): number {
    return this.#names.idOfText(name);
  }

  #joined(first: number, second: number): number {
    return this.#nameOf(`${this.#names.text(first)}__${this.#names.text(second)}`);
  }

  #cut(name: number): number {
    const bytes = this.#names.bytesOf(name);
    return bytes.length <= MAX_NAME ? name : this.#names.idOf(bytes.slice(0, MAX_NAME));
  }
}

/** Returns the first function with a suffixed symbol whose parameters are where they should be. */
function trustedSymbol(group: readonly SavedFunction[]): SavedFunction | undefined {
  return group.find(
    ({ suffixed, hasUnexpected, isUncertain }) =>
      suffixed !== null && !hasUnexpected && !isUncertain,
  );
}
