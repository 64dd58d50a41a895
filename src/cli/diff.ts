/** `btfscope diff`: what is different between two BTFs, or between two types of them. */
import { compareTables } from '#analysis/compare/compare-tables.ts';
import { compareTypes, loneType, pairGraphOf } from '#analysis/compare/compare-types.ts';
import { counterpartOf } from '#analysis/compare/match-types.ts';
import type { PairGraph } from '#analysis/compare/pair-graph.ts';
import { findTypeKey, formatTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import type { TypeId } from '#model/ids.ts';
import {
  comparisonData,
  comparisonText,
  typeComparisonData,
  typeComparisonText,
} from '#print/comparison.ts';
import {
  type Command,
  CommandFailure,
  type NodeIo,
  option,
  type Parsed,
  positional,
  switched,
} from './command.ts';
import { namedType, openBase, openTypes } from './open.ts';
import { printJson, printLines } from './output.ts';

export const diff: Command = {
  name: 'diff',
  positionals: ['A', 'B'],
  options: [
    { name: 'type', value: 'KIND:NAME', about: 'compare this type only, line by line' },
    { name: 'base', value: 'BASE', about: 'base BTF of A, if A is split BTF' },
    { name: 'base-b', value: 'BASE', about: 'base BTF of B (default: that of A)' },
    { name: 'json', value: null, about: 'print JSON' },
  ],
  about:
    'Differences between two BTF files: types added, removed, changed, or with a nested change.\nA is before, B is after.',
  run,
};

async function run(parsed: Parsed, io: NodeIo): Promise<void> {
  const baseA = await openBase(io, option(parsed, 'base'));
  const pathB = option(parsed, 'base-b');
  const baseB = pathB === null ? baseA : await openBase(io, pathB);
  const before = await openTypes(io, positional(parsed, 0), baseA);
  const after = await openTypes(io, positional(parsed, 1), baseB);
  const wanted = option(parsed, 'type');
  const isJson = switched(parsed, 'json');
  const tables = { a: before.types, b: after.types };
  if (wanted !== null) {
    const graph = pairGraphOf(tables.a, tables.b);
    const comparison = comparisonOf(graph, wanted);
    if (isJson) printJson(io, typeComparisonData(comparison, tables));
    else await printLines(io, typeComparisonText(comparison, tables));
    return;
  }
  const named = {
    whole: finished(compareTables(tables.a, tables.b)),
    tables,
    before: before.model.name,
    after: after.model.name,
  };
  if (isJson) printJson(io, comparisonData(named));
  else await printLines(io, comparisonText(named));
}

/** The type of both sides, or the one that only one side has. */
function comparisonOf(graph: PairGraph, wanted: string) {
  const { a, b } = graph.sides;
  const before = typeOrNull(() => namedType(a.types, wanted));
  if (before === null) return loneType(graph, 'b', namedType(b.types, wanted));
  const key = typeKeyOf(a.types, before);
  const isExact = wanted === formatTypeKey(key) && wanted.includes('~');
  const after = isExact ? findTypeKey(b.types, key) : counterpartOf(graph, before);
  return after === null ? loneType(graph, 'a', before) : compareTypes(graph, before, after);
}

function typeOrNull(find: () => TypeId): TypeId | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof CommandFailure) return null;
    throw error;
  }
}

function finished<T>(work: Generator<unknown, T, void>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
