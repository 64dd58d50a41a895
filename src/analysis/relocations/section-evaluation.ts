/**
 * Evaluates the entries of one relocation section: addend, terms, value, changed bytes, limits.
 * Entries that belong together (RISC-V and LoongArch ADD/SUB/SET, HI20 with LO12, the halves of MIPS,
 * the three types of a MIPS64 entry) are evaluated as one. Addresses come from a `LinkAddresses`.
 */

import { addTo } from '#bytes/cache.ts';
import { EM } from '#formats/elf/constants.ts';
import { evaluateFormula, formulaOf } from '#formats/elf/relocations/formula.ts';
import {
  fieldBytes,
  isWholeField,
  type RelocationField,
} from '#formats/elf/relocations/relocation-field.ts';
import type { RelocationType } from '#formats/elf/relocations/relocation-type.ts';
import { machineRelocations } from '#formats/elf/relocations/tables.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { lowerHalfType, ulebAt } from './addends.ts';
import { overflowOf, rangeOf } from './checks.ts';
import { encodeValue } from './encode.ts';
import {
  type EvaluatedRelocation,
  type LinkAddresses,
  type SecondPlace,
  SLOTS,
  type Slot,
} from './evaluated.ts';
import {
  type Entry,
  entriesOf,
  isAccumulating,
  isLocalSymbol,
  placeIn,
} from './relocation-entries.ts';
import type { RelocationRun } from './sections.ts';
import { TermValues } from './term-values.ts';

/** Evaluates the entries of one relocation section. `bytes` are those of the target section. */
export class SectionEvaluation {
  readonly #model: ObjectModel;
  readonly #addresses: LinkAddresses;
  readonly #bytes: Uint8Array;
  readonly #machine: number;
  readonly #target: number;
  readonly #entries: readonly Entry[];
  /** HI20 entries by offset. */
  readonly #high = new Map<bigint, Entry>();
  /** LO12 entries by the offset of their HI20 entry. */
  readonly #low = new Map<bigint, Entry[]>();
  readonly #results = new Map<Entry, EvaluatedRelocation>();

  constructor(model: ObjectModel, run: RelocationRun, bytes: Uint8Array, addresses: LinkAddresses) {
    this.#model = model;
    this.#addresses = addresses;
    this.#bytes = bytes;
    this.#machine = model.machine?.number ?? 0;
    this.#target = model.relocations.targetSection[run.first] ?? -1;
    this.#entries = entriesOf(model, run, bytes);
    for (const entry of this.#entries) {
      if (/HI20$/.test(entry.type?.name ?? '')) this.#high.set(entry.offset, entry);
      const label = this.#labelOf(entry);
      if (label !== null) addTo(this.#low, label, entry);
    }
  }

  /** Returns the result of entry `index`, counted from the first entry of the section. */
  resultAt(index: number): EvaluatedRelocation | null {
    const reloc = this.#entries[index]?.reloc;
    const offset = this.#entries[index]?.offset;
    let first = index;
    // A group begins at the first entry of its place.
    while (first > 0 && this.#entries[first - 1]?.offset === offset) first--;
    for (const result of this.results(first)) if (result.reloc === reloc) return result;
    return null;
  }

  /** Yields the results in the order of the entries, from entry `from` on. */
  *results(from = 0): Generator<EvaluatedRelocation> {
    const entries = this.#entries;
    for (let first = from; first < entries.length; ) {
      const group = this.#groupAt(first);
      if (group.length > 1) this.#applyGroup(group);
      const [start] = group;
      if (start === undefined) return;
      const end = group.length > 1 ? entries.indexOf(group.at(-1) ?? start, first) + 1 : first + 1;
      for (let i = first; i < end; i++) {
        const entry = entries[i];
        if (entry !== undefined) yield this.#resultOf(entry);
      }
      first = end;
    }
  }

  #at(entry: Entry): number {
    return placeIn(this.#bytes, entry);
  }

  /** Returns the entries from `first` on that are applied to one place, or only the first. */
  #groupAt(first: number): readonly Entry[] {
    const start = this.#entries[first];
    if (start === undefined) return [];
    const group = [start];
    if (!isAccumulating(start)) return group;
    for (let i = first + 1; i < this.#entries.length; i++) {
      const entry = this.#entries[i];
      if (entry === undefined || entry.offset !== start.offset) break;
      if (isAccumulating(entry)) group.push(entry);
    }
    return group;
  }

  /** Applies the entries of a group to a copy of the place, in order. */
  #applyGroup(group: readonly Entry[]): void {
    const [start] = group;
    if (start === undefined) return;
    const before = this.#placeBytes(start);
    const work = before?.slice() ?? null;
    const results = group.map((entry) => this.#evaluate(entry, work));
    const known = results.every(({ value }) => value !== null);
    const relocs = group.map(({ reloc }) => reloc);
    results.forEach((result, i) => {
      const entry = group[i];
      if (entry === undefined) return;
      this.#results.set(entry, {
        ...result,
        value: known && work !== null ? this.#stored(start, work) : null,
        before,
        after: known ? work : null,
        group: relocs,
        why: result.why || this.#whyOfGroup(known, work),
      });
    });
  }

  #whyOfGroup(isKnown: boolean, place: Uint8Array | null): string {
    if (!isKnown) return 'another entry of the group is unknown';
    return place === null ? OUTSIDE : '';
  }

  /** Returns the number in the place of a group: unsigned in fields below 32 bits and in ULEB128. */
  #stored(entry: Entry, place: Uint8Array): bigint | null {
    const { field } = entry;
    const value = this.#inPlace(entry, place);
    if (field === null || value === null || field.coding === 'uleb') return value;
    if (!isWholeField(field)) return BigInt.asUintN(SIX_BITS, value);
    const bits = 8 * fieldBytes(field);
    return bits < 32 ? value : BigInt.asIntN(bits, value);
  }

  #resultOf(entry: Entry): EvaluatedRelocation {
    const known = this.#results.get(entry);
    if (known !== undefined) return known;
    const plain = this.#evaluate(entry, null);
    const result = this.#withJoined(entry, plain) ?? plain;
    this.#results.set(entry, result);
    return result;
  }

  /** Returns the result with the address of a joined part, if only that gives the linked bytes. */
  #withJoined(entry: Entry, plain: EvaluatedRelocation): EvaluatedRelocation | null {
    const { symbol, addend, offset } = entry;
    if (symbol === null || plain.before === null || this.#target < 0) return null;
    const joined = this.#addresses.joinedSymbol(symbol, addend ?? 0n);
    if (joined === null) return null;
    const linked = this.#addresses.linkedBytes(this.#target, offset, plain.before.length);
    const isLinked = (after: Uint8Array | null) =>
      linked !== null && after?.every((byte, i) => byte === linked[i]) === true;
    if (isLinked(plain.after)) return null;
    entry.joined = joined;
    const result = this.#evaluate(entry, null);
    if (isLinked(result.after)) return result;
    entry.joined = null;
    return null;
  }

  #placeBytes(entry: Entry): Uint8Array | null {
    const { field, type } = entry;
    const at = this.#at(entry);
    if (at < 0) return null;
    if (type === null || type.kind === 'unknown') return this.#rawBytes(at);
    if (field === null) return null;
    const length =
      field.coding === 'uleb' ? (ulebAt(this.#bytes, at)?.length ?? 0) : fieldBytes(field);
    return length > 0 && at + length <= this.#bytes.length
      ? this.#bytes.slice(at, at + length)
      : null;
  }

  /** Returns the bytes at a place whose size is unknown; null if there are none. */
  #rawBytes(at: number): Uint8Array | null {
    const bytes = this.#bytes.slice(at, at + RAW_BYTES);
    return bytes.length === 0 ? null : bytes;
  }

  /** Evaluates an entry. With `work`, the bytes of a group's place, it reads and changes them. */
  #evaluate(entry: Entry, work: Uint8Array | null): EvaluatedRelocation {
    const { type, field, addend } = entry;
    const before = work ?? this.#placeBytes(entry);
    const terms: TermValues = new TermValues((term) => this.#termOf(entry, term, before, terms));
    const { formula, unwrapped, why } = this.#valueOf(entry, terms);
    const value = unwrapped === null ? null : this.#wrapped(unwrapped);
    const isWritten = type?.kind === 'value' && field !== null && value !== null;
    const after = isWritten && before !== null ? (work ?? before.slice()) : null;
    let second: SecondPlace | null = null;
    if (after !== null && isWritten) {
      const facts = this.#encodeFacts(entry, type, field, terms);
      if (field.coding === 'gpdisp') second = this.#encodePair(entry, value, facts);
      encodeValue(after, 0, value, { ...facts, second: -1 });
    }
    const place = terms.valueOf('P');
    const checked = {
      value: value ?? 0n,
      unwrapped: this.#is32Bit() ? (unwrapped ?? 0n) : (value ?? 0n),
      place,
      isUndefined: this.#isUndefined(entry),
    };
    return {
      reloc: entry.reloc,
      types: entry.types,
      type,
      formula,
      a: addend,
      s: terms.valueOf('S'),
      p: place,
      terms: terms.known(),
      value,
      field,
      endian: entry.endian,
      before,
      after,
      range: type?.kind === 'value' && field !== null ? rangeOf(type.check, field, place) : null,
      overflow: isWritten ? overflowOf(type, field, checked) : null,
      second,
      group: null,
      pair: entry.pair?.reloc ?? null,
      why: why === '' && isWritten && before === null ? OUTSIDE : why,
    };
  }

  #encodeFacts(entry: Entry, type: RelocationType, field: RelocationField, terms: TermValues) {
    const s = terms.valueOf('S');
    const p = terms.valueOf('P');
    const distance = s === null || p === null ? null : s + (entry.addend ?? 0n) - p;
    return {
      machine: this.#machine,
      type,
      field,
      endian: entry.endian,
      isThumb: this.#isThumb(entry),
      distance,
    };
  }

  #encodePair(
    entry: Entry,
    value: bigint,
    facts: Omit<Parameters<typeof encodeValue>[3], 'second'>,
  ): SecondPlace | null {
    const at = this.#at(entry);
    const distance = Number(BigInt.asIntN(32, entry.addend ?? 0n));
    const there = at + distance;
    if (at < 0 || there < 0 || there + 4 > this.#bytes.length || at + 4 > this.#bytes.length) {
      return null;
    }
    const start = Math.min(at, there);
    const both = this.#bytes.slice(start, Math.max(at, there) + 4);
    encodeValue(both, at - start, value, { ...facts, second: distance });
    return {
      offset: entry.offset + BigInt(distance),
      before: this.#bytes.slice(there, there + 4),
      after: both.slice(there - start, there - start + 4),
    };
  }

  /** Cuts a value to the address size of machines with 32 bits. */
  #wrapped(value: bigint): bigint {
    return BigInt.asIntN(this.#is32Bit() ? 32 : 64, value);
  }

  #is32Bit(): boolean {
    return this.#model.addressBits === 32 && this.#machine !== EM.x86_64;
  }

  #valueOf(entry: Entry, terms: TermValues): Valued {
    const { type, types } = entry;
    if (type === null) return { formula: '', unwrapped: null, why: this.#whyNoType() };
    if (type.kind === 'mark') return { formula: '', unwrapped: null, why: '' };
    if (type.formula === '') {
      const why = type.kind === 'dynamic' ? ONLY_DYNAMIC : 'the formula is unknown';
      return { formula: '', unwrapped: null, why };
    }
    const text = this.#formulaOf(entry, type);
    if (type.kind !== 'value')
      return { formula: text, unwrapped: null, why: REASONS[type.kind] ?? '' };
    if (types.filter(({ kind }) => kind !== 'mark').length > 1) return this.#composed(entry, terms);
    const formula = formulaOf(text);
    const unwrapped = evaluateFormula(formula, terms.valueOf);
    return { formula: text, unwrapped, why: unwrapped === null ? terms.why(formula) : '' };
  }

  #whyNoType(): string {
    const isMachine = machineRelocations(this.#machine) !== null;
    return isMachine ? 'the type is unknown' : 'the relocations of the machine are unknown';
  }

  /** Returns the formula of an entry. MIPS has a symbol of its own for the global pointer. */
  #formulaOf({ symbol }: Entry, { name, formula }: RelocationType): string {
    if (this.#machine !== EM.mips || symbol === null || formula !== 'S+A') return formula;
    if (symbolName(this.#model.symbols, symbol) !== '_gp_disp') return formula;
    const delta = GP_DISP[name];
    return delta === undefined ? formula : `GP-P+A${delta}`;
  }

  /** Evaluates the types of a MIPS64 entry: the result of each is the addend of the next. */
  #composed({ types }: Entry, terms: TermValues): Valued {
    let text = '';
    let value: bigint | null = null;
    for (const type of types) {
      if (type.kind !== 'value') continue;
      if (text === '') {
        text = type.formula;
        const formula = formulaOf(text);
        value = evaluateFormula(formula, terms.valueOf);
        if (value === null) return { formula: text, unwrapped: null, why: terms.why(formula) };
        continue;
      }
      // The second and third types have no symbol: S is 0.
      const addend = value;
      const next = formulaOf(type.formula);
      value = evaluateFormula(next, (term) =>
        term === 'A' ? addend : term === 'S' ? 0n : terms.valueOf(term),
      );
      if (value === null) return { formula: text, unwrapped: null, why: terms.why(next) };
      if (type.formula === 'S-A') text = `-(${text})`;
      else if (type.formula !== 'S+A') text = type.formula.replace('S+A', `(${text})`);
    }
    return { formula: text, unwrapped: value, why: '' };
  }

  #isThumb({ symbol }: Entry): boolean | null {
    if (this.#machine !== EM.arm || symbol === null) return null;
    const address = this.#addresses.symbol(symbol);
    const { symbols } = this.#model;
    const isFunction = symbolType(symbols, symbol) === SymbolType.FUNC;
    if (address === null) return null;
    return (address & 1n) === 1n ? true : isFunction ? false : null;
  }

  #isUndefined({ symbol }: Entry): boolean {
    if (symbol === null) return false;
    const { symbols } = this.#model;
    return symbols.section[symbol] === 0 && this.#addresses.symbol(symbol) === 0n;
  }

  /** Returns the value of a term of an entry's formula. */
  #termOf(entry: Entry, term: string, before: Uint8Array | null, terms: TermValues): bigint | null {
    const { symbol } = entry;
    switch (term) {
      case 'A':
        return entry.addend;
      case 'P':
        return this.#target < 0 ? null : this.#addresses.place(this.#target, entry.offset);
      case 'S':
        return this.#symbolAddress(entry);
      case 'T':
        return this.#isThumb(entry) === true ? 1n : 0n;
      case 'L':
        return this.#branchTarget(entry);
      case 'Z':
        return symbol === null ? 0n : this.#addresses.size(symbol);
      case 'V':
        return before === null ? null : this.#inPlace(entry, before);
      case 'O':
        return BigInt.asIntN(24, (this.#model.relocations.info[entry.reloc] ?? 0n) >> 8n);
      case 'PCHI':
        return this.#highValue(entry);
      case 'GP0':
        return this.#addresses.base(term, symbol);
      default:
        return SLOT_NAMES.has(term)
          ? this.#slotAddress(entry, term as Slot, terms)
          : this.#addresses.base(term, symbol);
    }
  }

  #symbolAddress({ symbol, type, joined }: Entry): bigint | null {
    if (symbol === null) return 0n;
    if (joined !== null) return joined;
    const address = this.#addresses.symbol(symbol);
    if (address === null) return null;
    if (this.#machine === EM.arm && symbolType(this.#model.symbols, symbol) === SymbolType.FUNC) {
      return address & ~1n;
    }
    const isTls = symbolType(this.#model.symbols, symbol) === SymbolType.TLS;
    if (!isTls || type === null || !/^S\+A$/.test(type.formula) || /TLS/.test(type.name))
      return address;
    // Outside TLS formulas the value of a TLS symbol is its offset in the TLS block.
    const start = this.#addresses.base('TLS', symbol);
    return start === null ? address : address - start;
  }

  /** Returns the target of a branch: the local entry point in PowerPC64, ELFv2. */
  #branchTarget(entry: Entry): bigint | null {
    const s = this.#symbolAddress(entry);
    const hasEntry = this.#machine === EM.ppc64 || this.#machine === EM.alpha;
    if (s === null || !hasEntry || entry.symbol === null) return s;
    return s + this.#addresses.localEntry(entry.symbol);
  }

  #inPlace({ field, endian }: Entry, before: Uint8Array): bigint | null {
    if (field === null) return null;
    if (field.coding === 'uleb') return ulebAt(before, 0)?.value ?? null;
    let value = 0n;
    const size = before.length;
    for (let i = 0; i < size; i++) {
      value = (value << 8n) | BigInt(before[endian === 'big' ? i : size - 1 - i] ?? 0);
    }
    return value;
  }

  /** Returns the offset of the label that a LO12 entry names; null for other entries. */
  #labelOf({ symbol, type }: Entry): bigint | null {
    if (type?.formula !== 'PCHI' || symbol === null) return null;
    const { symbols } = this.#model;
    return symbols.section[symbol] === this.#target ? (symbols.value[symbol] ?? null) : null;
  }

  /** Returns the value of the HI20 entry at the label that a LO12 entry names. */
  #highValue(entry: Entry): bigint | null {
    const high = this.#high.get(this.#labelOf(entry) ?? -1n);
    if (high === undefined) return null;
    entry.pair = high;
    return this.#resultOf(high).value;
  }

  #slotAddress(entry: Entry, slot: Slot, terms: TermValues): bigint | null {
    const { symbol, type } = entry;
    const score = (address: bigint): number => {
      if (type === null) return 0;
      const formula = formulaOf(this.#formulaOf(entry, type));
      const value = evaluateFormula(formula, (term) =>
        term === slot ? address : terms.valueOf(term),
      );
      if (value === null || !this.#isLinked(entry, value, terms)) return 0;
      const halves = (this.#low.get(entry.offset) ?? []).slice(0, MAX_HALVES);
      return 1 + halves.filter((half) => this.#isLinked(half, value, terms)).length;
    };
    const s = this.#symbolAddress(entry);
    const first = entry.types[0]?.number ?? -1;
    const isPaged =
      lowerHalfType(this.#machine, first, isLocalSymbol(this.#model, entry.symbol)) !== null;
    return this.#addresses.slot({ slot, symbol, s, a: entry.addend ?? 0n, isPaged, score });
  }

  /** Returns true if the place of an entry in the linked file has the bits of `value`. */
  #isLinked(entry: Entry, value: bigint, terms: TermValues): boolean {
    const { type, field } = entry;
    const place = this.#placeBytes(entry);
    if (type === null || field === null || this.#target < 0 || place === null) return false;
    const linked = this.#addresses.linkedBytes(this.#target, entry.offset, place.length);
    if (linked === null) return false;
    const facts = { ...this.#encodeFacts(entry, type, field, terms), second: -1 };
    encodeValue(place, 0, this.#wrapped(value), facts);
    return place.every((byte, i) => byte === linked[i]);
  }
}

/** Most LO12 entries of one label that choose among GOT entries. */
const MAX_HALVES = 64;

/** Bytes that are shown of a place whose size is unknown: those of the largest word. */
const RAW_BYTES = 8;

/** Width of the field of SET6 and SUB6. */
const SIX_BITS = 6;

type Valued = { readonly formula: string; readonly unwrapped: bigint | null; readonly why: string };

const OUTSIDE = 'the place is not inside the section';

const ONLY_DYNAMIC = 'only the dynamic linker applies it';

const REASONS: Readonly<Record<string, string>> = {
  dynamic: ONLY_DYNAMIC,
  stack: 'the value is on the stack of the expression',
};

/** What follows `GP-P+A` for the symbol `_gp_disp`; microMIPS addresses have bit 0 set. */
const GP_DISP: Readonly<Record<string, string>> = {
  R_MIPS_HI16: '',
  R_MIPS_LO16: '+4',
  R_MICROMIPS_HI16: '-1',
  R_MICROMIPS_LO16: '+3',
  R_MIPS16_HI16: '',
  R_MIPS16_LO16: '+4',
};

const SLOT_NAMES: ReadonlySet<string> = new Set(SLOTS);
