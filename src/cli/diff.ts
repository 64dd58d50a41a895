/** `btfscope diff`: prints the differences between two BTFs, or between two types. */
import { compareTables } from '#analysis/compare/compare-tables.ts';
import { compareTypes, loneType, pairGraphOf } from '#analysis/compare/compare-types.ts';
import { counterpartOf } from '#analysis/compare/match-types.ts';
import type { PairGraph } from '#analysis/compare/pair-graph.ts';
import { findTypeKey, formatTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { finish, type Progress, type Steps } from '#bytes/long-work.ts';
import type { TypeId } from '#model/ids.ts';
import {
  comparisonData,
  comparisonText,
  typeComparisonData,
  typeComparisonText,
} from '#print/comparison.ts';
import { type Call, type Command, CommandFailure, flag, valued } from './command.ts';
import { namedType, openBase, openTypes } from './open.ts';

export const diff: Command = {
  name: 'diff',
  positionals: ['A', 'B'],
  options: [
    valued('type', 'KIND:NAME', 'compare this type only, line by line'),
    valued('base', 'BASE', 'base BTF of A, if A is split BTF'),
    valued('base-b', 'BASE', 'base BTF of B (default: that of A)'),
    flag('json', 'print JSON'),
  ],
  more: ['A is before, B is after.'],
  run,
};

async function run(call: Call): Promise<void> {
  const baseA = await openBase(call.io, call.all('base'));
  const pathsB = call.all('base-b');
  const baseB = pathsB.length === 0 ? baseA : await openBase(call.io, pathsB);
  const before = await openTypes(call.io, call.positional(0), baseA);
  const after = await openTypes(call.io, call.positional(1), baseB);
  const wanted = call.option('type');
  const tables = { a: before.types, b: after.types };
  if (wanted !== null) {
    const graph = pairGraphOf(tables.a, tables.b);
    const comparison = comparisonOf(graph, wanted);
    return await call.print(
      () => typeComparisonData(comparison, tables),
      () => typeComparisonText(comparison, tables),
    );
  }
  const named = {
    whole: finish(shown(call, compareTables(tables.a, tables.b))),
    tables,
    before: before.model.name,
    after: after.model.name,
  };
  await call.print(
    () => comparisonData(named),
    () => comparisonText(named),
  );
}

/** Runs `work`, and shows its progress on a terminal. */
function* shown<T>(call: Call, work: Generator<Progress, T, void>): Steps<T> {
  for (let next = work.next(); ; next = work.next()) {
    if (next.done === true) return next.value;
    const { step, done, total } = next.value;
    call.io.progress(total === 0 ? step : `${step}: ${done} of ${total}`);
    yield;
  }
}

/** Compares a type of both files. A type that only one file has counts as added or removed. */
function comparisonOf(graph: PairGraph, wanted: string) {
  const { a, b } = graph.sides;
  const before = typeOrNull(() => namedType(a.types, wanted));
  if (before === null) return loneType(graph, 'b', namedType(b.types, wanted));
  const key = typeKeyOf(a.types, before);
  const isExact = wanted === formatTypeKey(key) && wanted.includes('~');
  const after = isExact ? findTypeKey(b.types, key) : counterpartOf(graph, before);
  return after === null
    ? loneType(graph, 'a', before)
    : compareTypes(graph, before, after, { hasHoles: true });
}

function typeOrNull(find: () => TypeId): TypeId | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof CommandFailure) return null;
    throw error;
  }
}
