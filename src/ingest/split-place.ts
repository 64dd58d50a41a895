/** Sets the first id and the first string offset of a blob: 1 and 0, or the values after a base. */
import { append } from '#bytes/arrays.ts';
import type { ByteReader } from '#bytes/byte-reader.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { hexText } from '#bytes/text.ts';
import type { BtfHeader } from '#formats/btf/header.ts';
import type { WalkStop } from '#formats/btf/walk.ts';
import { typeId } from '#model/ids.ts';
import type { BaseNeeds } from '#model/split-base.ts';
import { lastId, nameOffOf, refOf, strLenOf, type TypeTable } from '#model/type-table.ts';
import { faultsOf, type Guess, inferSplit, needsOf, standsAlone } from './infer-split.ts';
import { gatherEvidence, type SplitEvidence } from './split-evidence.ts';

/** `needs` is the inferred size of the base; null if there is no base or the file has it. */
export type Placed = { readonly types: TypeTable; readonly needs: BaseNeeds | null };

/**
 * Returns `alone`. For split BTF, sets the first id and string offset that follow the base.
 * Throws `Malformed` if nothing shows a base but the strings do not begin with NUL.
 */
export function placeWithoutBase(
  reader: ByteReader,
  header: BtfHeader,
  alone: TypeTable,
  stop: WalkStop | null,
  issues: Issue[],
): Placed {
  const startsWithNul = stringsStartWithNul(reader, header);
  if (startsWithNul && !isMostlyForeign(alone)) return { types: alone, needs: null };
  const evidence = gatherEvidence(alone, stop?.left ?? 0);
  // The base may have the layout for an unknown kind.
  const mayLackLayout = stop?.cause === 'no-layout';
  if (standsAlone(evidence) && !(mayLackLayout && !startsWithNul)) {
    if (startsWithNul) return { types: alone, needs: null };
    throw badStrings(reader, header);
  }
  const guess = inferSplit(evidence);
  const { firstId, strBase } = guess;
  issues.push({
    severity: 'warning',
    code: 'btf.base-missing',
    region: reader.region,
    message: `Split BTF: it refers to a base BTF that is not loaded. The base had ${typesText(firstId)} and ${bytesText(strBase)}`,
    span: reader.span(16, 8),
    advice: 'Types and names that belong to the base are not shown.',
  });
  return {
    types: { ...alone, firstId: firstId.value, strBase: strBase.value, split: true },
    needs: needsOf(guess),
  };
}

/** Returns true if the strings begin with NUL, as in BTF without a base. */
export function stringsStartWithNul(reader: ByteReader, { strings }: BtfHeader): boolean {
  return strings.end > strings.start && reader.u8(strings.start) === 0;
}

/** Returns `alone` with the base `base`. Ids and string offsets that do not fit become issues. */
export function placeOnBase(
  reader: ByteReader,
  header: BtfHeader,
  alone: TypeTable,
  stop: WalkStop | null,
  base: TypeTable,
  issues: Issue[],
): Placed {
  const firstId = lastId(base) + 1;
  const strBase = strLenOf(base);
  const evidence = gatherEvidence(alone, stop?.left ?? 0);
  issues.push({
    severity: 'note',
    code: 'btf.base-in-use',
    region: reader.region,
    message: `Split BTF, shown on a base of ${firstId - 1} types and ${strBase} bytes of strings`,
    span: reader.span(16, 8),
  });
  append(issues, outsideIssues(reader, header, evidence, firstId, strBase));
  const guess = inferSplit(evidence);
  const faults = faultsOf(evidence, firstId, strBase);
  const best = guess.firstId.faults + guess.strBase.faults;
  const isSure = guess.firstId.sure !== 'unknown' || guess.strBase.sure !== 'unknown';
  if (isSure && faults > 2 * best) {
    issues.push({
      severity: 'warning',
      code: 'btf.base-does-not-fit',
      region: reader.region,
      message: 'Probably the wrong base: ids and string offsets do not match it',
      span: reader.span(16, 8),
      expected: `a base of ${typesText(guess.firstId)} and ${bytesText(guess.strBase)}`,
      found: `${firstId - 1} types and ${strBase} bytes of strings`,
      advice: 'This cannot be verified. Open the base that the file was made against.',
    });
  }
  return { types: { ...alone, firstId, strBase, split: true, base }, needs: needsOf(guess) };
}

function outsideIssues(
  reader: ByteReader,
  header: BtfHeader,
  evidence: SplitEvidence,
  firstId: number,
  strBase: number,
): Issue[] {
  const issues: Issue[] = [];
  const idLimit = firstId + evidence.countLimit;
  const nameLimit = strBase + evidence.strLen;
  const ids = evidence.refs.filter((ref) => ref >= idLimit).length + evidence.damaged;
  const names = evidence.names.filter((name) => name >= nameLimit).length;
  if (ids > 0) {
    issues.push({
      severity: 'warning',
      code: 'btf.ids-outside-base',
      region: reader.region,
      message: `${ids} type ids in use exist neither in the base nor here`,
      span: reader.span(header.types.start, header.types.end - header.types.start),
      expected: `below ${idLimit}`,
    });
  }
  if (names > 0) {
    issues.push({
      severity: 'warning',
      code: 'btf.names-outside-base',
      region: reader.region,
      message: `${names} string offsets in use lie neither in the base nor here`,
      span: reader.span(header.strings.start, header.strings.end - header.strings.start),
      expected: `below ${nameLimit}`,
    });
  }
  return issues;
}

/** Number of types that are tested, evenly spread over the blob. */
const SAMPLES = 512;

/** Returns true if most names and some references are outside of the blob, as in split BTF. */
function isMostlyForeign(alone: TypeTable): boolean {
  const strLen = alone.strEnd - alone.strStart;
  let names = 0;
  let foreignNames = 0;
  let foreignRefs = 0;
  const step = Math.max(1, Math.floor(alone.count / SAMPLES));
  for (let id = 1; id <= alone.count; id += step) {
    const type = typeId(id);
    const name = nameOffOf(alone, type);
    if (name !== 0) names++;
    if (name >= strLen) foreignNames++;
    const ref = refOf(alone, type);
    if (ref !== null && ref > alone.count) foreignRefs++;
  }
  return foreignNames > 3 && foreignNames * 2 > names && foreignRefs > 3;
}

function badStrings(reader: ByteReader, { strings }: BtfHeader): Malformed {
  const isEmpty = strings.start === strings.end;
  return new Malformed({
    code: isEmpty ? 'btf.strings-empty' : 'btf.strings-start',
    region: reader.region,
    message: isEmpty
      ? 'The string section is empty'
      : 'The string section does not start with NUL: split BTF without its base?',
    span: isEmpty ? reader.span(20, 4) : reader.span(strings.start, 1),
    expected: '0x00',
    found: isEmpty ? 'no bytes' : hexText(reader.u8(strings.start), 2),
  });
}

function typesText({ value, sure }: Guess): string {
  const count = value - 1;
  if (count === 0) return 'an unknown number of types';
  return sure === 'unknown' ? `at least ${count} types` : `${count} types (${sure})`;
}

function bytesText({ value, sure }: Guess): string {
  return sure === 'unknown'
    ? `at least ${value} bytes of strings`
    : `${value} bytes of strings (${sure})`;
}
