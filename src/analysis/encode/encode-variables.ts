/**
 * Chooses the variables that BTF describes, and writes them and their sections.
 *
 * Source: pahole 1.31, btf_encoder.c, `btf_encoder__encode_cu_variables`, `filter_variable_name`, `btf_name_valid`, `btf_encoder__add_datasec`.
 */
import { Linkage } from '#formats/btf/kinds.ts';
import type { Decisions, Reason } from './decisions.ts';
import type { EncodedSymbol } from './elf-functions.ts';
import type { Feature } from './features.ts';
import type { NameTable } from './name-table.ts';
import { type EncodedSection, SectionIndex } from './section-index.ts';
import { refusal, type TypeBuffer } from './type-buffer.ts';
import { typeSize } from './type-sizes.ts';
import { type Unit, VariableTag } from './unit-tags.ts';

const STT_OBJECT = 1;
const PERCPU = '.data..percpu';
/** Beginnings of names that the kernel's macros make up. */
const GENERATED =
  /^(?:__UNIQUE_ID|__tpstrtab_|__exitcall_|__gendwarfksyms_ptr_|__func_stack_frame_non_standard_)/;
/** Names that the kernel takes: at most 128 characters. */
const VALID = /^[A-Za-z_.][A-Za-z0-9_.]{0,127}$/;
const MAX_U32 = 0xffffffff;

type Placed = { readonly type: number; readonly offset: number; readonly size: number };

export class VariableEncoder {
  readonly #buffer: TypeBuffer;
  readonly #names: NameTable;
  readonly #features: ReadonlySet<Feature>;
  readonly #decisions: Decisions;
  readonly #sections: readonly EncodedSection[];
  readonly #index: SectionIndex;
  /** Names of data symbols by section. */
  readonly #symbols = new Map<number, Set<string>>();
  readonly #placed = new Map<number, Placed[]>();

  constructor(
    buffer: TypeBuffer,
    features: ReadonlySet<Feature>,
    decisions: Decisions,
    file: {
      readonly sections: readonly EncodedSection[];
      readonly symbols: readonly EncodedSymbol[];
    },
  ) {
    this.#buffer = buffer;
    this.#names = buffer.names;
    this.#features = features;
    this.#decisions = decisions;
    this.#sections = file.sections;
    this.#index = new SectionIndex(file.sections);
    for (const { name, type, section } of file.symbols) {
      if (type !== STT_OBJECT) continue;
      const names = this.#symbols.get(section);
      if (names === undefined) this.#symbols.set(section, new Set([name]));
      else names.add(name);
    }
  }

  /** Writes the variables of a unit, whose types begin after `base`. */
  encode(unit: Unit, base: number): void {
    if (!this.#features.has('var') && !this.#features.has('global_var')) return;
    const isForced = this.#features.has('encode_force');
    let isEnded = false;
    for (const variable of unit.variables) {
      const reason = isEnded ? 'after-void' : this.#encodeOne(unit, variable, base);
      if (reason === null) continue;
      if (reason === 'void' && !isForced) isEnded = true;
      const { name } = declarationOf(unit, variable);
      const detail = reason === 'section' ? this.#sectionName(variable.address) : '';
      this.#decisions.variableLeftOut(variable.offset, name, reason, detail);
    }
  }

  #sectionName(address: bigint): string {
    return this.#sections[this.#index.at(address)]?.name ?? '';
  }

  /** Writes a variable. Returns why it is left out; null if it is not. */
  #encodeOne(unit: Unit, variable: VariableTag, base: number): Reason | null {
    const declared = declarationOf(unit, variable);
    if (variable.isDeclaration && declared === variable) return 'declaration';
    if (!variable.isTopLevel) return 'not-top-level';
    if (variable.isArtificial) return 'artificial';
    if (variable.scope !== 'global') return 'no-address';
    const index = this.#index.at(variable.address);
    const section = this.#sections[index];
    if (index === 0 || section === undefined || !this.#isIncluded(section)) return 'section';
    const offset = Number(variable.address - section.address);
    if (declared.name === 0) return 'no-name';
    const name = this.#names.text(declared.name);
    if (GENERATED.test(name)) return 'generated-name';
    if (offset === 0 && this.#symbols.get(index)?.has(name) !== true) return 'not-in-symtab';
    if (!VALID.test(name)) {
      if (this.#features.has('encode_force')) return 'invalid-name';
      throw refusal(
        variable.offset,
        `BTF cannot have a variable of the name ${this.#names.shown(declared.name)}; encode_force leaves it out`,
      );
    }
    if (declared.type === 0) return 'void';
    const size = typeSize(unit, declared.type) ?? 0;
    if (size === 0 || size > MAX_U32 || offset > MAX_U32) return 'size';
    const linkage = declared.isExternal ? Linkage.global : Linkage.static;
    const type = base + declared.type;
    const id = this.#buffer.variable(variable.offset, declared.name, type, linkage);
    for (const { value, component } of declared.annotations) {
      this.#buffer.declTag(variable.offset, value, id, component);
    }
    const placed = this.#placed.get(index);
    if (placed === undefined) this.#placed.set(index, [{ type: id, offset, size }]);
    else placed.push({ type: id, offset, size });
    return null;
  }

  #isIncluded({ name }: EncodedSection): boolean {
    return this.#features.has('global_var') || (this.#features.has('var') && name === PERCPU);
  }

  /** Writes the sections of all variables, after everything else. */
  writeSections(): void {
    for (const [index, { name }] of this.#sections.entries()) {
      const placed = this.#placed.get(index);
      if (placed === undefined || name === '') continue;
      placed.sort((a, b) => a.offset - b.offset);
      const last = placed.at(-1);
      const size = last === undefined ? 0 : (last.offset + last.size) >>> 0;
      this.#buffer.section(this.#names.idOfText(name), size);
      for (const each of placed) this.#buffer.placedVariable(each.type, each.offset, each.size);
    }
  }
}

/** Returns the declaration that a variable completes; the variable if there is none. */
function declarationOf(unit: Unit, variable: VariableTag): VariableTag {
  const declared = unit.tagAt.get(variable.specification);
  return declared instanceof VariableTag ? declared : variable;
}
