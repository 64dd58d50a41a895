/** Reads the types of a file: without base, on the file's distilled base, or on a chosen base. */
import { append } from '#bytes/arrays.ts';
import type { Issue } from '#bytes/issue.ts';
import { kindName } from '#formats/btf/kinds.ts';
import type { HeaderBlock } from '#model/object-model.ts';
import type { DistilledMatch, SplitBase } from '#model/split-base.ts';
import { kindOf, lastId, nameOf, strLenOf, type TypeTable } from '#model/type-table.ts';
import { type BtfRegion, ingestBtf, ingestBtfOnChosen } from './btf.ts';
import type { IngestOptions } from './ingest-options.ts';
import { matchDistilled } from './match-distilled.ts';
import { type ChosenBase, refuseOutright } from './split-refusal.ts';
import { type Move, moveTable, moveTo } from './split-relocate.ts';

export type PlacedBtf = {
  readonly types: TypeTable;
  /** Types as stored in the file. `.BTF.ext` refers to the ids and strings of `stored`. */
  readonly stored: TypeTable;
  /** Mapping from `stored` to `types`; null if both are the same. */
  readonly move: Move | null;
  readonly header: HeaderBlock;
  readonly splitBase: SplitBase | null;
};

/** Reads a blob on `.BTF.base` and on the base in `options` if they fit. Throws `Malformed`. */
export function ingestPlacedBtf(
  region: BtfRegion,
  distilled: TypeTable | null,
  options: IngestOptions,
  issues: Issue[],
): PlacedBtf {
  const chosen: ChosenBase | null =
    options.base === undefined
      ? null
      : { types: options.base, name: options.baseName ?? 'the chosen base' };
  if (distilled !== null) return onDistilled(region, distilled, chosen, issues);
  const read =
    chosen === null
      ? { ...ingestBtf(region, null, issues), refusal: null }
      : ingestBtfOnChosen(region, chosen, issues);
  const { types, header, needs, refusal } = read;
  if (!types.split && chosen !== null)
    issues.push({
      severity: 'note',
      code: 'btf.base-not-needed',
      region: region.region,
      message: `This BTF is not split: ${chosen.name} is not used`,
      span: null,
    });
  const splitBase = types.split ? { needs, distilled: null, matches: [], refusal } : null;
  return { types, stored: types, move: null, header, splitBase };
}

/** Reads a blob on `.BTF.base`, then relocates it to the chosen base if all types match. */
function onDistilled(
  region: BtfRegion,
  distilled: TypeTable,
  chosen: ChosenBase | null,
  issues: Issue[],
): PlacedBtf {
  const issuesOfBlob: Issue[] = [];
  const { types: stored, header } = ingestBtf(region, distilled, issuesOfBlob);
  const stay = (matches: readonly DistilledMatch[], refusal: Issue | null): PlacedBtf => {
    append(issues, [...issuesOfBlob, ...(refusal === null ? [] : [refusal])]);
    const splitBase = { needs: null, distilled, matches, refusal };
    return { types: stored, stored, move: null, header, splitBase };
  };
  if (chosen === null) return stay([], null);
  const blob = { endian: stored.endian, region: region.region, span: null };
  const outright = refuseOutright(blob, chosen);
  if (outright !== null) return stay([], outright);
  const matches = matchDistilled(stored, chosen.types);
  const move = moveTo(stored, chosen.types, matches);
  const types = move && moveTable(stored, chosen.types, move);
  if (types === null) return stay(matches, unmatched(region, distilled, chosen, matches));
  append(
    issues,
    issuesOfBlob.filter(({ code }) => code !== 'btf.base-in-use'),
  );
  issues.push({
    severity: 'note',
    code: 'btf.base-in-use',
    region: region.region,
    message: `Split BTF, moved from its ${matches.length} distilled types to ${chosen.name} with ${lastId(chosen.types)} types and ${strLenOf(chosen.types)} bytes of strings`,
    span: null,
  });
  const splitBase = { needs: null, distilled, matches, refusal: null };
  return { types, stored, move, header, splitBase };
}

const MAX_NAMED = 3;

function unmatched(
  { region }: BtfRegion,
  distilled: TypeTable,
  { name }: ChosenBase,
  matches: readonly DistilledMatch[],
): Issue {
  const lost = matches.filter(({ outcome }) => outcome !== 'mapped');
  const named = lost
    .slice(0, MAX_NAMED)
    .map(({ id, reason }) => `${titleOf(distilled, id)}: ${reason}`);
  const more = lost.length > MAX_NAMED ? `; and ${lost.length - MAX_NAMED} more` : '';
  return {
    severity: 'warning',
    code: 'btf.base-does-not-fit',
    region,
    message:
      lost.length === 0
        ? `${name} does not fit: .BTF.base has names in use that are no type's`
        : `${name} does not fit: ${lost.length} of the ${matches.length} types of .BTF.base ${lost.length === 1 ? 'is' : 'are'} not in it. ${named.join('; ')}${more}`,
    span: null,
    expected: 'each type of .BTF.base exactly once',
    advice: 'The types are shown on .BTF.base, as the file has them.',
  };
}

function titleOf(t: TypeTable, id: DistilledMatch['id']): string {
  return `[${id}] ${kindName(kindOf(t, id))} ${nameOf(t, id) || '(anonymous)'}`;
}
