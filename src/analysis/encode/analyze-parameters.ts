/**
 * Decides which parameters of a function are where a caller puts them.
 *
 * Source: pahole 1.31, dwarf_loader.c, `function__analyze_parameter_locations` and the functions
 * that it calls, `cu__resolve_func_ret_types_optimized`.
 */
import { DW_TAG } from '#formats/dwarf/constants.ts';
import type { ArgumentRegisters } from './argument-registers.ts';
import {
  type FunctionTag,
  MAX_CHAIN,
  type Parameter,
  UNKNOWN_REGISTER,
  type Unit,
} from './unit-tags.ts';

export class ParameterAnalysis {
  readonly #unit: Unit;
  readonly #registers: ArgumentRegisters;
  readonly #isTrueSignature: boolean;

  constructor(unit: Unit, registers: ArgumentRegisters, isTrueSignature: boolean) {
    this.#unit = unit;
    this.#registers = registers;
    this.#isTrueSignature = isTrueSignature;
  }

  /** Marks parameters that are optimised out or in other registers, and the function by them. */
  analyze(func: FunctionTag): void {
    const { parameters } = func;
    if (this.#unit.isClang && !func.isSignatureChanged) this.#matchRegisters(parameters);
    else this.#matchLocations(func);
    let isUnexpected = false;
    for (const each of parameters) {
      if (each.isOptimized || !each.hasLocation) func.hasOptimized = true;
      if (each.isUnexpected) isUnexpected = true;
    }
    // A struct may be in several registers, so that the registers after it are not known.
    if (isUnexpected && !parameters.some((each) => this.#isStruct(each))) func.hasUnexpected = true;
  }

  /** Marks parameters of a function that clang did not change. */
  #matchRegisters(parameters: readonly Parameter[]): void {
    const { count } = this.#registers;
    let next = 0;
    for (const each of parameters) {
      const slots = this.#slots(each);
      if (each.isInMemory) continue;
      if (next >= count) break;
      if (each.register !== UNKNOWN_REGISTER && !this.#isWithin(each, next, slots)) {
        each.isUnexpected = true;
      }
      next += slots;
    }
  }

  #isWithin({ register }: Parameter, first: number, slots: number): boolean {
    const end = Math.min(first + slots, this.#registers.count);
    for (let i = first; i < end; i++) if (register === this.#registers.numbers[i]) return true;
    return false;
  }

  #matchLocations({ parameters, isSignatureChanged }: FunctionTag): void {
    const isTrue = this.#isTrueSignature && isSignatureChanged;
    let next = 0;
    for (const [i, each] of parameters.entries()) {
      const slots = this.#slots(each);
      const place = { next, slots, following: parameters[i + 1] };
      next += each.hasLocation
        ? this.#located(each, place, isTrue)
        : this.#unlocated(each, place, isTrue);
    }
  }

  /** Marks a parameter that has a location. Returns the number of registers that it takes. */
  #located(each: Parameter, { next, slots, following }: Place, isTrueSignature: boolean): number {
    const { count, numbers } = this.#registers;
    const taken = each.isInMemory ? 1 : slots;
    if (isTrueSignature && each.isConstLocation) {
      each.isOptimized = true;
      return 0;
    }
    if (next >= count) return 0;
    if (isTrueSignature && each.isOnStack) {
      if (each.isInMemory) return 0;
      each.isUnexpected = true;
      return taken;
    }
    if (each.register === UNKNOWN_REGISTER) {
      if (isTrueSignature) each.isUnexpected = true;
      else each.isOptimized = true;
      return taken;
    }
    const expected = numbers[next];
    if (expected !== undefined && expected !== each.register) {
      each.isUnexpected = true;
      return taken;
    }
    if (!isTrueSignature || (each.firstFields === 0 && each.secondFields === 0)) return taken;
    if (each.firstFields !== 0 && each.secondFields !== 0) return slots;
    if (this.#preserves(following, next + slots)) {
      each.memberName = 0;
      return slots;
    }
    return this.#applyMember(each) ? 1 : taken;
  }

  /** Marks a parameter without a location. Returns the number of registers that it takes. */
  #unlocated(each: Parameter, { next, slots, following }: Place, isTrueSignature: boolean): number {
    const taken = each.isInMemory ? 1 : slots;
    if (each.hasConstValue && !this.#unit.isClang) {
      each.isOptimized = true;
      return taken;
    }
    if (!isTrueSignature) return taken;
    if (next < this.#registers.count && this.#preserves(following, next + slots)) return slots;
    each.isOptimized = true;
    return 0;
  }

  /** Returns the number of registers for a parameter. */
  #slots({ typeSize }: Parameter): number {
    const { addressSize } = this.#unit;
    if (!this.#registers.usesPairs || typeSize <= addressSize) return 1;
    return Math.max(1, Math.ceil(typeSize / addressSize));
  }

  /** Returns true if the next parameter is in the register `index`: the one before has its place. */
  #preserves(following: Parameter | undefined, index: number): boolean {
    if (following === undefined || following.register === UNKNOWN_REGISTER) return false;
    return index < this.#registers.count && following.register === this.#registers.numbers[index];
  }

  #applyMember(each: Parameter): boolean {
    if (each.memberName === 0 || each.memberTypeRef === 0) return false;
    const type = this.#unit.typeAt(each.memberTypeRef);
    if (type === undefined) return false;
    each.type = type.id;
    return true;
  }

  /** Returns true for a parameter of a struct, also by typedefs or const. */
  #isStruct({ type: id }: Parameter): boolean {
    let type = this.#unit.types[id] ?? null;
    for (let steps = MAX_CHAIN; steps > 0 && type !== null; steps--) {
      if (type.tag === DW_TAG.structure_type) return true;
      if (type.tag !== DW_TAG.const_type && type.tag !== DW_TAG.typedef) return false;
      type = this.#unit.types[type.type] ?? null;
    }
    return false;
  }
}

type Place = {
  readonly next: number;
  readonly slots: number;
  readonly following: Parameter | undefined;
};
