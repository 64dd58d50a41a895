/** Tells where a member is in the kernels of an atlas. */
import type { historyCells, historyColumns } from '#analysis/atlas/history-grid.ts';
import { append } from '#bytes/arrays.ts';
import { drawnName } from '#bytes/text.ts';
import { shortText } from './history-cells.ts';

type Kernels = Parameters<typeof historyColumns>[0];

/**
 * Returns where member `name` is, kernels of the same offset together:
 * `pid: byte 40 in 5.10 to 6.6; byte 48 in 6.12 and 6.18`.
 */
export function memberStory(
  name: string,
  grid: {
    readonly kernels: Kernels;
    readonly columns: ReturnType<typeof historyColumns>;
    readonly cellAt: ReturnType<typeof historyCells>;
  },
): string {
  const { kernels, columns, cellAt } = grid;
  const runs: { readonly place: string; readonly names: string[] }[] = [];
  for (const [at, { kernels: own }] of columns.entries()) {
    const { item } = cellAt(name, at);
    const place = item === null ? 'not' : `byte ${shortText(item)}`;
    const names = own.map((kernel) => drawnName(kernels[kernel]?.version ?? ''));
    const last = runs.at(-1);
    if (last?.place === place) append(last.names, names);
    else runs.push({ place, names });
  }
  const told = runs.map(({ place, names }) => `${place} in ${spanText(names)}`);
  return `${drawnName(name)}: ${told.join('; ')}`;
}

function spanText(names: readonly string[]): string {
  const [first = '', second = ''] = names;
  if (names.length === 1) return first;
  return names.length === 2 ? `${first} and ${second}` : `${first} to ${names.at(-1)}`;
}
