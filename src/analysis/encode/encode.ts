/**
 * Makes BTF of DWARF, as pahole 1.31 does.
 *
 * Source: pahole 1.31, dwarf_loader.c, `cus__load_module`; btf_encoder.c, `btf_encoder__new`,
 * `btf_encoder__encode_cu`, `btf_encoder__encode`. Deduplication: libbpf, btf.c, `btf__dedup`.
 */
import { type DedupedTypes, dedupTypes } from '#analysis/dedup/dedup.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import type { TypeTable } from '#model/type-table.ts';
import { ParameterAnalysis } from './analyze-parameters.ts';
import { argumentRegisters } from './argument-registers.ts';
import { Decisions } from './decisions.ts';
import {
  type ElfFunction,
  type EncodedSymbol,
  elfFunctions,
  type IdSection,
  markKfuncs,
} from './elf-functions.ts';
import { TypeEncoder } from './encode-types.ts';
import { VariableEncoder } from './encode-variables.ts';
import type { Feature } from './features.ts';
import { NameTable } from './name-table.ts';
import { hasUncertainLocation } from './packed-structs.ts';
import { ParameterLocations } from './parameter-locations.ts';
import { readUnits, type UnitSource } from './read-units.ts';
import { resolveResult, resolveTypes } from './resolve-unit.ts';
import { SavedFunctions } from './saved-functions.ts';
import type { EncodedSection } from './section-index.ts';
import { TypeBuffer } from './type-buffer.ts';
import { placeMembers } from './type-sizes.ts';
import type { FunctionTag, Unit } from './unit-tags.ts';

/** What an encoding takes from a file. */
export type EncodedFile = UnitSource & {
  /** Size of the file in bytes, which limits the work on it. */
  readonly size: number;
  readonly endian: Endian;
  /** `e_machine`. */
  readonly machine: number;
  readonly sections: readonly EncodedSection[];
  /** Symbols of `.symtab`; null if the file has none. */
  readonly symbols: readonly EncodedSymbol[] | null;
  /** The section `.BTF_ids`; null if the file has none. */
  readonly ids: IdSection | null;
};

export type EncodeOptions = {
  readonly features: ReadonlySet<Feature>;
  /** Base of a module's BTF. */
  readonly base: TypeTable | null;
  /** True if the decisions are to be kept. */
  readonly isReported: boolean;
};

export type Encoded = {
  /** Types before and after deduplication; null if the file has nothing that BTF describes. */
  readonly deduped: DedupedTypes | null;
  readonly decisions: Decisions;
  /** Entry of each type before deduplication, by id; null without a report. */
  readonly entries: readonly number[] | null;
};

/** Encodes a file. Throws `Malformed` if it is damaged, or if pahole would write nothing. */
export function encode(file: EncodedFile, options: EncodeOptions): Encoded {
  return new Encoder(file, options).run();
}

class Encoder {
  readonly #file: EncodedFile;
  readonly #features: ReadonlySet<Feature>;
  readonly #names: NameTable;
  readonly #decisions: Decisions;
  readonly #buffer: TypeBuffer;
  readonly #types: TypeEncoder;
  readonly #functions: ReadonlyMap<string, ElfFunction>;
  readonly #saved: SavedFunctions;
  readonly #variables: VariableEncoder;
  readonly #locations: ParameterLocations;

  constructor(file: EncodedFile, { features, base, isReported }: EncodeOptions) {
    const { endian, machine, size, sections, symbols, ids } = file;
    if (symbols === null) {
      throw new Malformed({
        code: 'encode.symbols',
        region: '.symtab',
        message: 'pahole 1.31 writes no BTF for this file: it has no .symtab',
        span: null,
        expected: 'a table of symbols',
        found: 'none, as strip leaves it',
      });
    }
    this.#file = file;
    this.#features = features;
    this.#names = new NameTable(size);
    this.#decisions = new Decisions(this.#names, isReported);
    this.#buffer = new TypeBuffer(this.#names, base ?? { ...NO_TYPES, endian }, isReported);
    this.#types = new TypeEncoder(this.#buffer, features, this.#decisions);
    this.#functions = elfFunctions(symbols);
    if (ids !== null && features.has('decl_tag_kfuncs')) markKfuncs(this.#functions, symbols, ids);
    this.#saved = new SavedFunctions(this.#buffer, features, this.#decisions);
    const parts = { sections, symbols };
    this.#variables = new VariableEncoder(this.#buffer, features, this.#decisions, parts);
    this.#locations = new ParameterLocations(size, argumentRegisters(machine).usesPairs);
  }

  run(): Encoded {
    const options = {
      names: this.#names,
      decisions: this.#decisions,
      hasDeclTags: this.#features.has('decl_tag'),
      hasTypeTags: this.#features.has('type_tag'),
    };
    for (const unit of readUnits(this.#file, options)) this.#encodeUnit(unit);
    this.#saved.write();
    this.#variables.writeSections();
    const isEmpty = this.#buffer.nextId === this.#buffer.firstOwn;
    const deduped = isEmpty ? null : this.#dedup();
    return { deduped, decisions: this.#decisions, entries: this.#buffer.entries };
  }

  #dedup(): DedupedTypes {
    try {
      return dedupTypes(this.#buffer.finish());
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      const { issue } = error;
      const message = issue.message.replace(
        'The files cannot be merged',
        'libbpf cannot deduplicate the types',
      );
      throw new Malformed({ ...issue, code: 'encode.dedup', region: '.BTF', message });
    }
  }

  #encodeUnit(unit: Unit): void {
    const registers = argumentRegisters(this.#file.machine);
    const { endian } = this.#file;
    for (const func of unit.functions) {
      if (unit.isClang) func.isSignatureChanged = isSignatureChanged(unit, func);
      for (const parameter of func.parameters) {
        this.#locations.decode(unit, parameter);
      }
    }
    resolveTypes(unit);
    const isTrueSignature = this.#features.has('true_signature');
    const analysis = new ParameterAnalysis(unit, registers, isTrueSignature);
    for (const func of unit.functions) {
      analysis.analyze(func);
      resolveResult(unit, func);
    }
    placeMembers(unit, this.#names, endian === 'little');
    const base = this.#types.encode(unit);
    for (const func of unit.functions) this.#encodeFunction(unit, func, base);
    this.#variables.encode(unit, base);
  }

  #encodeFunction(unit: Unit, func: FunctionTag, base: number): void {
    const { offset, name } = func;
    if (func.isDeclaration) {
      this.#decisions.functionLeftOut(offset, name, 'declaration');
      return;
    }
    const unnamed = func.parameters.findIndex((each) => each.name === 0);
    if (unnamed >= 0) {
      this.#decisions.functionLeftOut(offset, name, 'unnamed-parameter', `${unnamed + 1}`);
      return;
    }
    const elf = name === 0 ? undefined : this.#functions.get(this.#names.text(name));
    if (elf === undefined) {
      const reason = name === 0 ? 'no-name' : 'no-symbol';
      this.#decisions.functionLeftOut(offset, name, reason, func.isInlined ? 'inlined' : '');
      return;
    }
    const { count } = argumentRegisters(this.#file.machine);
    func.isUncertain = hasUncertainLocation(unit, func, count);
    this.#saved.save(func, elf, base);
  }
}

const NO_TYPES: Omit<TypeTable, 'endian'> = {
  blob: new Uint8Array(0),
  fileOffset: null,
  firstId: 1,
  count: 0,
  recordOff: new Uint32Array(1),
  strStart: 0,
  strEnd: 0,
  strBase: 0,
  pointerBytes: null,
  split: false,
  base: null,
};

/**
 * Returns true if clang changed how a function is called. Source: dwarf_loader.c,
 * `function__signature_changed`.
 */
function isSignatureChanged(unit: Unit, func: FunctionTag): boolean {
  if (func.isInlined) return false;
  if (func.origin === 0) return func.isNoCall;
  const origin = unit.tagAt.get(func.origin);
  return origin !== undefined && 'isNoCall' in origin && origin.isNoCall === true;
}
