/** What became of the functions, variables and types of a file, for reports. */
import { tagName } from '#formats/dwarf/constants.ts';
import type { NameTable } from './name-table.ts';

/** Why a function, variable or type is not in the BTF, or is in it in another form. */
export type Reason =
  | 'declaration'
  | 'no-name'
  | 'unnamed-parameter'
  | 'no-symbol'
  | 'unexpected-register'
  | 'inconsistent-prototype'
  | 'uncertain-location'
  | 'reordered-parameters'
  | 'optimized-parameters'
  | 'ambiguous-address'
  | 'merged'
  | 'not-top-level'
  | 'artificial'
  | 'no-address'
  | 'section'
  | 'generated-name'
  | 'not-in-symtab'
  | 'invalid-name'
  | 'void'
  | 'after-void'
  | 'size'
  | 'unspecified'
  | 'unsupported'
  | 'integer-size';

export type Decision = {
  readonly subject: 'function' | 'variable' | 'type' | 'entry';
  readonly name: string;
  /** Offset of the entry in `.debug_info`. */
  readonly offset: number;
  readonly reason: Reason;
  /** The difference, section or entry that decided; empty if the reason says all. */
  readonly detail: string;
};

/** Most decisions that are kept. A kernel has some hundred thousand functions without a symbol. */
const MAX_DECISIONS = 1 << 20;

export class Decisions {
  readonly list: Decision[] = [];
  readonly isKept: boolean;
  readonly #names: NameTable;

  /** `isKept`: false if nobody asks for the decisions. */
  constructor(names: NameTable, isKept: boolean) {
    this.#names = names;
    this.isKept = isKept;
  }

  functionLeftOut(offset: number, name: number, reason: Reason, detail = ''): void {
    this.#add('function', offset, name, reason, detail);
  }

  variableLeftOut(offset: number, name: number, reason: Reason, detail = ''): void {
    this.#add('variable', offset, name, reason, detail);
  }

  typeLeftOut(offset: number, name: number, reason: Reason): void {
    this.#add('type', offset, name, reason, '');
  }

  /** An entry, with all below it, that pahole does not read. */
  entryLeftOut(offset: number, tag: number): void {
    if (this.isKept) this.#add('entry', offset, 0, 'unsupported', tagName(tag));
  }

  #add(
    subject: Decision['subject'],
    offset: number,
    name: number,
    reason: Reason,
    detail: string,
  ): void {
    if (!this.isKept || this.list.length >= MAX_DECISIONS) return;
    this.list.push({ subject, name: this.#names.shown(name), offset, reason, detail });
  }
}
