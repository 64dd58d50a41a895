/** Shows variables of a data section as fields: found by symbol or DATASEC, decoded by BTF type. */
import type { FileStructure } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  paddingField,
  type StructureField,
} from '#analysis/fields/field.ts';
import { btf, gabi } from '#analysis/fields/sources.ts';
import { buildPlaceIndex, rowsBetween } from '#analysis/objects/place-index.ts';
import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { memoized } from '#bytes/cache.ts';
import type { Span } from '#bytes/span.ts';
import { type SectionIndex, type SymbolIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { typeSelection } from '#model/selection.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { type VarSecinfo, varSecinfosOf } from '#model/type-items.ts';
import { nameOf, refOf } from '#model/type-table.ts';
import { keeper, type Partition, type Placed, partition, partitionFields } from './partition.ts';
import { typedFacts } from './typed.ts';

type Section = {
  readonly partition: Partition;
  /** Variables of the section by name, from BTF. */
  readonly byName: ReadonlyMap<string, VarSecinfo>;
  readonly infos: readonly VarSecinfo[];
  /** True if rows are symbols, false if rows are indexes of `infos`. */
  readonly bySymbol: boolean;
};

const sections = keeper<ObjectModel, Section>();

/** Returns the variables of the section, or null if neither symbols nor a DATASEC describe it. */
export function variableParts(
  structure: FileStructure,
  section: SectionIndex,
  span: Span,
): FieldList | null {
  const { model } = structure;
  const known = sections(model, section, () => variablesOf(model, section, span));
  if (!known.partition.rows.some((row) => row >= 0)) return null;
  return partitionFields(
    known.partition,
    (row, at) => variableField(structure, known, row, at),
    (at) => paddingField(at, 'Between variables'),
  );
}

function variablesOf(model: ObjectModel, section: SectionIndex, span: Span): Section {
  const infos = infosOf(model, section);
  const byName = new Map<string, VarSecinfo>();
  for (const info of infos) {
    if (model.types !== null) byName.set(nameOf(model.types, info.type), info);
  }
  const bySymbol = partition(span, symbolsIn(model, section, span));
  if (bySymbol.rows.some((row) => row >= 0)) {
    return { partition: bySymbol, byName, infos, bySymbol: true };
  }
  return { partition: partition(span, infosIn(infos, span)), byName, infos, bySymbol: false };
}

function infosOf({ types, sections: table }: ObjectModel, section: SectionIndex) {
  const datasec = types === null ? undefined : datasecsOf(types).get(sectionName(table, section));
  return types === null || datasec === undefined ? [] : varSecinfosOf(types, datasec);
}

/** Finds the symbols of variables, indexed by section and offset. */
const variableIndex = memoized((model: ObjectModel) => {
  const { symbols } = model;
  return buildPlaceIndex(
    symbols.count,
    model.sections.count,
    (row) => (isVariable(model, symbolIndex(row)) ? (symbols.section[row] ?? -1) : -1),
    (row) => symbolOffset(model, symbolIndex(row)),
  );
});

function* symbolsIn(model: ObjectModel, section: SectionIndex, span: Span): Generator<Placed> {
  const { symbols } = model;
  for (const row of rowsBetween(variableIndex(model), section, 0, span.end - span.start)) {
    const start = span.start + symbolOffset(model, symbolIndex(row));
    yield { row, start, end: start + Number(symbols.size[row] ?? 0n) };
  }
}

/** Returns true for a symbol of type OBJECT or NOTYPE with a size and a section. */
function isVariable({ symbols }: ObjectModel, symbol: SymbolIndex): boolean {
  const type = symbolType(symbols, symbol);
  const isData = type === SymbolType.OBJECT || type === SymbolType.NOTYPE;
  return isData && (symbols.size[symbol] ?? 0n) > 0n && (symbols.section[symbol] ?? 0) > 0;
}

function infosIn(infos: readonly VarSecinfo[], span: Span): Placed[] {
  return infos
    .map(({ offset, size }, row) => ({
      row,
      start: span.start + offset,
      end: span.start + offset + size,
    }))
    .sort((a, b) => a.start - b.start || a.row - b.row);
}

function variableField(
  structure: FileStructure,
  known: Section,
  row: number,
  span: Span,
): StructureField {
  const { model } = structure;
  const { types } = model;
  const symbol = known.bySymbol ? symbolIndex(row) : null;
  const name = symbol === null ? '' : symbolName(model.symbols, symbol);
  const info = symbol === null ? known.infos[row] : known.byName.get(name);
  const label = name || (types === null || info === undefined ? '' : nameOf(types, info.type));
  const type = types === null || info === undefined ? null : refOf(types, info.type);
  return makeField('variable', label || '(no name)', span, {
    name: label,
    source: symbol === null ? btf('2.2.15 BTF_KIND_DATASEC') : gabi('Symbol Table'),
    selection:
      symbol !== null
        ? { kind: 'symbol', symbol }
        : info === undefined
          ? null
          : typeSelection(info.type),
    ...(types === null || type === null
      ? {}
      : typedFacts({ types, span, endian: model.endian, read: structure.read, depth: 0 }, type)),
  });
}
