/**
 * Finds functions as ranges of code bytes. STT_FUNC symbols define the functions. A section without
 * STT_FUNC symbols uses func_info instead; a section without both is one function. Programs and
 * subprograms are distinguished as in libbpf's `prog_is_subprog`.
 */
import { Derived, isRest, type Run, type Steps } from '#bytes/long-work.ts';
import { STB } from '#formats/elf/constants.ts';
import {
  type SectionIndex,
  type SymbolIndex,
  sectionIndex,
  symbolIndex,
  type TypeId,
  typeId,
} from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isCode, isNamed, sectionName } from '#model/sections.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';
import { nameOf } from '#model/type-table.ts';
import {
  type PlaceIndex,
  placeIndexSteps,
  recordIndexSteps,
  rowAtOrBefore,
  rowsBetween,
} from './place-index.ts';
import { symbolOffset } from './symbol-places.ts';

export type FunctionRange = {
  /** Name of the function, not escaped. */
  readonly name: string;
  readonly section: SectionIndex;
  /** Start of the function, in bytes from the start of the section. */
  readonly start: number;
  /** End of the function, exclusive. */
  readonly end: number;
  /** Symbol of the function; null if no symbol defines the function. */
  readonly symbol: SymbolIndex | null;
  /** FUNC of the func_info record at `start`; null if func_info has no record at `start`. */
  readonly typeId: TypeId | null;
  /** True if libbpf loads the function as a program, false for a subprogram. */
  readonly isProgram: boolean;
  /** True if the symbol is visible to other objects. */
  readonly global: boolean;
};

/** All functions of a model; `list` is the result of `functionsOf`. */
type FunctionTable = {
  readonly list: readonly FunctionRange[];
  /** Index of `list` by section and offset. */
  readonly index: PlaceIndex;
};

const tables = new Derived(findFunctions);

/** Returns all functions, ordered by section, then by offset. Computed once per model. */
export function functionsOf(model: ObjectModel): readonly FunctionRange[] {
  return tables.of(model).list;
}

/** Returns the computation of `functionsOf` in resumable steps: 400,000 functions take a second. */
export function functionsRun(model: ObjectModel): Run<FunctionTable> {
  return tables.runOf(model);
}

/** Returns the functions of a section, ordered by offset. */
export function functionsIn(model: ObjectModel, section: SectionIndex): FunctionRange[] {
  const { list, index } = tables.of(model);
  const rows = rowsBetween(index, section, 0, Number.POSITIVE_INFINITY);
  return Array.from(rows, (row) => list[row]).filter((func) => func !== undefined);
}

/** Returns the function that contains byte `insnOff` of the section, or null. */
export function functionAt(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
): FunctionRange | null {
  const { list, index } = tables.of(model);
  const row = rowAtOrBefore(index, section, insnOff);
  const func = row === null ? undefined : list[row];
  return func !== undefined && insnOff < func.end ? func : null;
}

type Start = {
  readonly start: number;
  readonly symbol: SymbolIndex | null;
  readonly type: TypeId | null;
};

function* findFunctions(model: ObjectModel): Steps<FunctionTable> {
  const { sections, symbols } = model;
  const funcInfo = yield* recordIndexSteps(model.ext.func, sections.count);
  const bySymbol = yield* placeIndexSteps(
    symbols.count,
    sections.count,
    (row) =>
      symbolType(symbols, symbolIndex(row)) === SymbolType.FUNC ? (symbols.section[row] ?? -1) : -1,
    (row) => symbolOffset(model, symbolIndex(row)),
  );
  const list: FunctionRange[] = [];
  for (let i = 1; i < sections.count; i++) {
    if (isRest(i)) yield;
    const section = sectionIndex(i);
    const size = sections.byteLength[i] ?? 0;
    if (size > 0 && isCode(sections, section)) {
      const starts = startsIn(model, section, bySymbol, funcInfo);
      for (const range of rangesOf(model, section, size, starts)) list.push(range);
    }
  }
  const index = yield* placeIndexSteps(
    list.length,
    sections.count,
    (row) => list[row]?.section ?? -1,
    (row) => list[row]?.start ?? 0,
  );
  return { list, index };
}

function startsIn(
  model: ObjectModel,
  section: SectionIndex,
  bySymbol: PlaceIndex,
  funcInfo: PlaceIndex,
): Start[] {
  const { func } = model.ext;
  const starts: Start[] = [];
  for (const row of rowsBetween(bySymbol, section, 0, Infinity)) {
    const start = symbolOffset(model, symbolIndex(row));
    const [info] = rowsBetween(funcInfo, section, start, start + 1);
    starts.push({
      start,
      symbol: symbolIndex(row),
      type: info === undefined ? null : typeId(func.typeId[info] ?? 0),
    });
  }
  if (starts.length > 0) return starts;
  for (const row of rowsBetween(funcInfo, section, 0, Infinity)) {
    const start = func.insnOff[row] ?? 0;
    starts.push({ start, symbol: null, type: typeId(func.typeId[row] ?? 0) });
  }
  return starts.length > 0 ? starts : [{ start: 0, symbol: null, type: null }];
}

/** Returns the functions that begin at `starts` (ascending). Symbols without a size end at the next start. */
function rangesOf(
  model: ObjectModel,
  section: SectionIndex,
  size: number,
  starts: readonly Start[],
): FunctionRange[] {
  const ranges: FunctionRange[] = [];
  const isEntry = isBpf(model) && !isNamed(model.sections, section, '.text');
  let next = size;
  let last = size;
  for (const { start, symbol, type } of starts.toReversed()) {
    if (start >= size) continue;
    // Two symbols with the same start have the same end.
    if (start !== last) next = last;
    last = start;
    const declared = symbol === null ? 0 : Number(model.symbols.size[symbol] ?? 0n);
    ranges.push({
      name: functionName(model, section, symbol, type),
      section,
      start,
      end: declared > 0 ? Math.min(start + declared, size) : next,
      symbol,
      typeId: type,
      isProgram: isEntry && symbol !== null,
      global: symbol !== null && symbolBinding(model.symbols, symbol) !== STB.local,
    });
  }
  return ranges.reverse();
}

function functionName(
  model: ObjectModel,
  section: SectionIndex,
  symbol: SymbolIndex | null,
  type: TypeId | null,
): string {
  if (symbol !== null) return symbolName(model.symbols, symbol);
  const named = type === null || model.types === null ? '' : nameOf(model.types, type);
  return named || sectionName(model.sections, section);
}
