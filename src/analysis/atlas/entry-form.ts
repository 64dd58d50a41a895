/** A form of an entry: the definition of a name that some kernels share. */
import { gapsBetween, type StructGaps } from '#analysis/types/struct-layout.ts';
import type { FoundEntry } from '#formats/atlas/atlas-file.ts';
import { EntryKind, type EntryKindName, layoutId } from '#formats/atlas/entry.ts';
import { ENTRY_KINDS } from './atlas-names.ts';
import { enumeratorsOf, type LayoutMember, membersOf, paramsOf, prototypeOf } from './questions.ts';

export class EntryForm {
  readonly kind: number;
  /** Name of the type or function, not escaped. */
  readonly name: string;
  readonly #found: FoundEntry;
  readonly #variant: number;
  #members: readonly LayoutMember[] | null = null;
  #enumerators: ReturnType<typeof enumeratorsOf> | null = null;
  #params: ReturnType<typeof paramsOf> | null = null;
  #gaps: StructGaps | null = null;
  #layout: string | null = null;
  #prototype: string | null = null;

  constructor(found: FoundEntry, variant: number) {
    this.kind = found.entry.kind;
    this.name = found.text(found.entry.name);
    this.#found = found;
    this.#variant = variant;
  }

  get kindName(): EntryKindName | null {
    return ENTRY_KINDS.find((name) => EntryKind[name] === this.kind) ?? null;
  }

  get isComposite(): boolean {
    return this.kind === EntryKind.struct || this.kind === EntryKind.union;
  }

  /** Size of a type in bytes. */
  get size(): number {
    return this.#number(this.kind === EntryKind.typedef ? 1 : 0);
  }

  /** Returns true if the values of the enum are signed. */
  get isSigned(): boolean {
    return this.#number(1) === 1;
  }

  /** Target type of a typedef, or return type of a function. */
  get type(): string {
    return this.#found.text(this.#number(0));
  }

  /** Members of a struct or union. */
  get members(): readonly LayoutMember[] {
    this.#members ??= membersOf(this.#found, this.#variant);
    return this.#members;
  }

  get layout(): string {
    this.#layout ??= layoutId(this.size, this.members);
    return this.#layout;
  }

  /** Gaps of a struct: also those inside its anonymous members. */
  get gaps(): StructGaps {
    this.#gaps ??= gapsBetween(this.size, this.members);
    return this.#gaps;
  }

  get enumerators() {
    this.#enumerators ??= enumeratorsOf(this.#found, this.#variant);
    return this.#enumerators;
  }

  get params() {
    this.#params ??= paramsOf(this.#found, this.#variant);
    return this.#params;
  }

  get prototype(): string {
    this.#prototype ??= prototypeOf(this.#found, this.#variant);
    return this.#prototype;
  }

  #number(index: number): number {
    return this.#found.entry.variants[this.#variant]?.[index] ?? 0;
  }
}
