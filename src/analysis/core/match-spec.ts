/** Compares a candidate with the local spec, as libbpf's `bpf_core_spec_match` does. */
import { decodeText } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { nameBytes } from '#model/names.ts';
import { readEnumerators } from '#model/type-items.ts';
import { arrayData, kindOf, skipModifiers, type TypeTable, vlenOf } from '#model/type-table.ts';
import { Errno, MAX_INDICES } from './access-string.ts';
import { coreKind } from './core-kinds.ts';
import { essentialLength, startsAlike } from './essential-name.ts';
import { matchMember, type SpecInProgress } from './match-member.ts';
import { elementBits, type Spec, type SpecAccessor } from './spec.ts';
import { boundedSize } from './spec-value.ts';
import type { MatchFault, Miss, Recorder, Verdict } from './trace.ts';
import { typesAreCompatible, typesMatch } from './types-match.ts';

const MATCH: Verdict = { outcome: 'match' };
const missed = (miss: Miss): Verdict => ({ outcome: 'miss', miss });
const fault = (kind: MatchFault['fault'], errno: number): Verdict => ({
  outcome: 'fault',
  fault: kind,
  errno,
});

/** Returns the spec of candidate `root` in `types`, and the result of its comparison. */
export function matchSpec(
  local: Spec,
  types: TypeTable,
  root: TypeId,
  recorder: Recorder,
): { readonly spec: Spec; readonly verdict: Verdict } {
  const growing: SpecInProgress = { accessors: [], raw: [], bitOffset: 0 };
  const verdict = verdictOf(local, types, root, growing, recorder);
  return { spec: { types, root, kind: local.kind, ...growing }, verdict };
}

function verdictOf(
  local: Spec,
  types: TypeTable,
  root: TypeId,
  spec: SpecInProgress,
  recorder: Recorder,
): Verdict {
  switch (coreKind(local.kind)?.group) {
    case 'type':
      return coreKind(local.kind)?.name === 'type_matches'
        ? typesMatch(local.types, local.root, types, root, recorder)
        : typesAreCompatible(local.types, local.root, types, root, recorder);
    case 'enum':
      return matchEnumerator(local, types, root, spec, recorder);
    case 'field':
      return matchField(local, types, root, spec, recorder);
    default:
      return fault('kind', Errno.EINVAL);
  }
}

/** Finds the first enumerator with the same name apart from flavours. Values may differ. */
function matchEnumerator(
  local: Spec,
  types: TypeTable,
  root: TypeId,
  spec: SpecInProgress,
  { detail, work }: Recorder,
): Verdict {
  const type = skipModifiers(types, root);
  const kind = kindOf(types, type);
  if (kind !== BtfKind.ENUM && kind !== BtfKind.ENUM64) return missed({ why: 'not-enum', type });
  const name = nameBytes(local.types, local.accessors[0]?.nameOff ?? 0);
  const length = essentialLength(name, 0, name.length);
  const text = decodeText(name);
  const enumerators = readEnumerators(types, type);
  for (let index = 0; index < enumerators.count; index++) {
    const tooMuch = work.spend(1);
    if (tooMuch !== null) return { outcome: 'fault', ...tooMuch };
    const nameOff = enumerators.nameOff(index);
    const other = nameBytes(types, nameOff);
    if (!startsAlike(name, other, length)) continue;
    if (essentialLength(other, 0, other.length) !== length) continue;
    spec.accessors.push({ type, index, nameOff });
    spec.raw.push(index);
    detail?.({ step: 'enumerator', type, name: text, index });
    return MATCH;
  }
  detail?.({ step: 'enumerator', type, name: text, index: null });
  return missed({ why: 'no-enumerator', type, name: text });
}

function matchField(
  local: Spec,
  types: TypeTable,
  root: TypeId,
  spec: SpecInProgress,
  recorder: Recorder,
): Verdict {
  let at = root;
  for (const [i, accessor] of local.accessors.entries()) {
    if (accessor.nameOff !== null) {
      const found = matchMember(local.types, accessor, types, at, spec, recorder);
      if (found.outcome !== 'match') return found;
      at = found.type;
      continue;
    }
    let type = skipModifiers(types, at);
    if (i > 0) {
      const element = matchElement(types, type, accessor.index, spec, recorder);
      if (typeof element !== 'number') return element;
      type = element;
    }
    if (spec.raw.length === MAX_INDICES) return fault('too-deep', Errno.E2BIG);
    spec.accessors.push({ type, index: accessor.index, nameOff: null });
    spec.raw.push(accessor.index);
    // libbpf stores the size in a signed int: sizes from 2 GiB on look like error numbers.
    const size = boundedSize(types, type) | 0;
    if (size < 0) return fault('no-size', size);
    const bitOffset = elementBits(accessor.index, size);
    spec.bitOffset = (spec.bitOffset + bitOffset) >>> 0;
    recorder.detail?.({ step: 'element', type, index: accessor.index, byteSize: size, bitOffset });
    at = type;
  }
  return MATCH;
}

/** Returns the element type of `array`, or the reason why it has no such element. */
function matchElement(
  types: TypeTable,
  array: TypeId,
  index: number,
  { accessors }: SpecInProgress,
  { detail }: Recorder,
): TypeId | Verdict {
  if (kindOf(types, array) !== BtfKind.ARRAY) {
    return missed({ why: 'not-array', type: array, index });
  }
  const { nelems, elemType } = arrayData(types, array);
  const flexible = nelems === 0 && isLastMember(types, accessors.at(-1));
  const fits = flexible || index < nelems;
  detail?.({ step: 'bounds', type: array, index, nelems, flexible, fits });
  return fits
    ? skipModifiers(types, elemType)
    : missed({ why: 'outside', type: array, index, nelems });
}

/** Returns true if the accessor is the final member of a struct, where an array may be flexible. */
function isLastMember(types: TypeTable, accessor: SpecAccessor | undefined): boolean {
  return (
    accessor !== undefined &&
    accessor.nameOff !== null &&
    accessor.index === vlenOf(types, accessor.type) - 1
  );
}
