/**
 * Which bytes of the code belong to which function.
 *
 * STT_FUNC symbols say so; func_info does where a section has none of them, and
 * a section with neither counts as one function. What libbpf would load as a
 * program of its own follows its `prog_is_subprog`.
 */
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
import { buildPlaceIndex, type PlaceIndex, rowAtOrBefore, rowsBetween } from './place-index.ts';
import { symbolOffset } from './symbol-places.ts';

export type FunctionRange = {
  /** Raw text: escape it when drawn. */
  readonly name: string;
  readonly section: SectionIndex;
  /** Bytes from the start of the section. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** The symbol that says so; null where there is none. */
  readonly symbol: SymbolIndex | null;
  /** The FUNC that func_info names for `start`; null where it names none. */
  readonly typeId: TypeId | null;
  /** Would libbpf load it as a program of its own, and not as a part of others? */
  readonly isProgram: boolean;
  /** Is its symbol visible to other objects? */
  readonly global: boolean;
};

type Functions = {
  readonly list: readonly FunctionRange[];
  /** Rows are numbers in `list`. */
  readonly index: PlaceIndex;
};

const known = new WeakMap<ObjectModel, Functions>();

/** All functions, by section and by place. Computed once for a model. */
export function functionsOf(model: ObjectModel): readonly FunctionRange[] {
  return functionTable(model).list;
}

/** The function that holds the byte at `insnOff` (bytes in the section); null where none does. */
export function functionAt(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
): FunctionRange | null {
  const { list, index } = functionTable(model);
  const row = rowAtOrBefore(index, section, insnOff);
  const found = row === null ? undefined : list[row];
  return found !== undefined && insnOff < found.end ? found : null;
}

function functionTable(model: ObjectModel): Functions {
  let functions = known.get(model);
  if (functions === undefined) {
    functions = findFunctions(model);
    known.set(model, functions);
  }
  return functions;
}

type Start = {
  readonly start: number;
  readonly symbol: SymbolIndex | null;
  readonly type: TypeId | null;
};

function findFunctions(model: ObjectModel): Functions {
  const { sections, symbols } = model;
  const funcInfo = funcInfoIndex(model);
  const bySymbol = buildPlaceIndex(
    symbols.count,
    sections.count,
    (row) =>
      symbolType(symbols, symbolIndex(row)) === SymbolType.FUNC ? (symbols.section[row] ?? -1) : -1,
    (row) => symbolOffset(model, symbolIndex(row)),
  );
  const found: FunctionRange[] = [];
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    const size = sections.byteLength[i] ?? 0;
    if (size > 0 && isCode(sections, section)) {
      found.push(...rangesOf(model, section, size, startsIn(model, section, bySymbol, funcInfo)));
    }
  }
  const list = markPrograms(model, found);
  const index = buildPlaceIndex(
    list.length,
    sections.count,
    (row) => list[row]?.section ?? -1,
    (row) => list[row]?.start ?? 0,
  );
  return { list, index };
}

function funcInfoIndex(model: ObjectModel): PlaceIndex {
  const { func } = model.ext;
  return buildPlaceIndex(
    func.count,
    model.sections.count,
    (row) => func.section[row] ?? -1,
    (row) => func.insnOff[row] ?? 0,
  );
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

/** `starts` in order. A symbol without a size goes on to the next start. */
function rangesOf(
  model: ObjectModel,
  section: SectionIndex,
  size: number,
  starts: readonly Start[],
): FunctionRange[] {
  const ranges: FunctionRange[] = [];
  let next = size;
  let last = size;
  for (const { start, symbol, type } of starts.toReversed()) {
    if (start >= size) continue;
    // Another name for the same place ends where that one does.
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
      isProgram: false,
      global: symbol !== null && symbolBinding(model.symbols, symbol) !== 0,
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

/** All but those in `.text`, and one that stands alone in `.text`, as objects without SEC() have it. */
function markPrograms(model: ObjectModel, found: readonly FunctionRange[]): FunctionRange[] {
  const runs = isBpf(model);
  const alone = found.length === 1;
  return found.map((f) => ({
    ...f,
    isProgram: runs && (alone || !isNamed(model.sections, f.section, '.text')),
  }));
}
