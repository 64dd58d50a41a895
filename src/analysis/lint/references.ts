/**
 * References between types: to types that do not exist, to void where something
 * must be, and to kinds that cannot stand in that place.
 *
 * Source: "BTF Type Format", section 2.2, "type encoding requirement" of each
 * kind; what compilers really write is more, and is let pass.
 */
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { Collected } from './collected.ts';
import {
  type BlobRecords,
  eachReference,
  RECORDS_PER_STEP,
  type RefRole,
  type TypeSubject,
  typeLabel,
} from './type-subject.ts';

const LINKAGE_EXTERN = 2;
const DANGLING = 'btf.dangling-type';

export function* findOddReferences({ records, names, found }: TypeSubject): Generator<void> {
  for (let i = 0; i < records.count; i++) {
    eachReference(records, i, (id, offset, role, item) => {
      const place = () => placeOf(records, i, role, item, (off) => names.text(off));
      if (id === 0) checkVoid(records, i, offset, role, item, place, found);
      else if (!records.exists(id)) {
        found.add(DANGLING, () => ({
          message: `${place()}: type ${id} does not exist`,
          span: records.span(offset, 4),
          expected: `at most ${records.lastId}`,
          found: `${id}`,
        }));
      } else checkKind(records, i, id, offset, role, place, found);
    });
    if (records.kinds[i] === BtfKind.DECL_TAG) checkComponent(records, i, found);
    if (i % RECORDS_PER_STEP === 0) yield;
  }
  const dangling = found.countOf(DANGLING);
  if (dangling > 1) {
    found.add('btf.dangling-types', () => ({
      message: `${dangling} references to types that do not exist`,
      span: null,
      advice: 'Split BTF without its base, or BTF that was cut, looks like this.',
    }));
  }
}

/** `type [4] member next`: where the reference stands. */
function placeOf(
  records: BlobRecords,
  i: number,
  role: RefRole,
  item: number,
  nameAt: (nameOff: number) => string,
): string {
  const label = typeLabel(records, i);
  if (role === 'type') return `${label} ${kindName(records.kinds[i] ?? 0)}`;
  if (role !== 'member' && role !== 'argument') {
    return role === 'variable' ? `${label} variable ${item}` : `${label} ${role}`;
  }
  return `${label} ${role} ${nameAt(records.u32(records.itemStart(i, item))) || item}`;
}

function checkVoid(
  records: BlobRecords,
  i: number,
  offset: number,
  role: RefRole,
  item: number,
  place: () => string,
  found: Collected,
): void {
  if (!isOddVoid(records, i, role, item)) return;
  const label = typeLabel(records, i);
  const isVariable = role === 'type' && records.kinds[i] === BtfKind.VAR;
  found.add('btf.void', () => ({
    message: isVariable
      ? `${label}: variable of void`
      : role === 'element'
        ? `${label}: array of void`
        : `${place()}: void`,
    span: records.span(offset, 4),
    expected: 'a type that takes space',
    found: '0',
  }));
}

function isOddVoid(records: BlobRecords, i: number, role: RefRole, item: number): boolean {
  switch (role) {
    case 'result':
      return false;
    case 'argument':
      // Void in the last place, without a name, stands for variable arguments.
      return item !== records.vlen(i) - 1 || records.u32(records.itemStart(i, item)) !== 0;
    case 'type':
      switch (records.kinds[i]) {
        case BtfKind.VAR:
          return records.u32(records.tail(i)) !== LINKAGE_EXTERN;
        case BtfKind.FUNC:
        case BtfKind.DECL_TAG:
          return true;
        default:
          return false;
      }
    default:
      return true;
  }
}

function checkKind(
  records: BlobRecords,
  i: number,
  id: number,
  offset: number,
  role: RefRole,
  place: () => string,
  found: Collected,
): void {
  const kind = records.kindOf(id);
  if (kind < 0) return;
  if (kind > BtfKind.ENUM64) {
    found.add('btf.reference-to-unknown-kind', () => ({
      severity: 'note',
      message: `${place()}: refers to [${id}], a type of unknown kind ${kind}`,
      span: records.span(offset, 4),
      found: kindName(kind),
    }));
    return;
  }
  const wanted = wantedKinds(records.kinds[i] ?? 0, role);
  if (wanted === null ? !cannotBeReferred(kind, role) : wanted.kinds.includes(kind)) return;
  const isFunc = records.kinds[i] === BtfKind.FUNC;
  found.add('btf.reference-kind', () => ({
    message: isFunc
      ? `${typeLabel(records, i)}: function of a ${kindName(kind)}`
      : `${place()}: refers to [${id}], a ${kindName(kind)}`,
    span: records.span(offset, 4),
    expected: wanted?.words ?? 'a type that can stand there',
    found: kindName(kind),
  }));
}

type Wanted = { readonly kinds: readonly number[]; readonly words: string };

const FUNCTION: Wanted = { kinds: [BtfKind.FUNC_PROTO], words: 'a FUNC_PROTO' };
/** Extern functions stand in DATASECs as well: clang lists them in `.ksyms`. */
const VARIABLE: Wanted = { kinds: [BtfKind.VAR, BtfKind.FUNC], words: 'a VAR or FUNC' };
const TAGGED: Wanted = {
  kinds: [
    BtfKind.STRUCT,
    BtfKind.UNION,
    BtfKind.ENUM,
    BtfKind.ENUM64,
    BtfKind.FWD,
    BtfKind.TYPEDEF,
    BtfKind.FUNC,
    BtfKind.VAR,
  ],
  words: 'a struct, union, enum, typedef, function or variable',
};

function wantedKinds(kind: number, role: RefRole): Wanted | null {
  if (kind === BtfKind.FUNC) return FUNCTION;
  if (kind === BtfKind.DECL_TAG) return TAGGED;
  return role === 'variable' ? VARIABLE : null;
}

/** Variables, sections and tags are no types; functions and forward declarations take no space. */
function cannotBeReferred(kind: number, role: RefRole): boolean {
  switch (kind) {
    case BtfKind.VAR:
    case BtfKind.DATASEC:
    case BtfKind.DECL_TAG:
      return true;
    case BtfKind.FUNC:
    case BtfKind.FUNC_PROTO:
      return role !== 'type';
    case BtfKind.FWD:
      return role === 'member' || role === 'element';
    default:
      return false;
  }
}

function checkComponent(records: BlobRecords, i: number, found: Collected): void {
  const index = records.u32(records.tail(i)) | 0;
  if (index === -1) return;
  const target = records.sizeOrType(i);
  const limit = componentCount(records, target);
  if (limit === null || (index >= 0 && index < limit)) return;
  found.add('btf.component-index', () => ({
    message: `${typeLabel(records, i)}: tags component ${index} of [${target}], which has ${limit}`,
    span: records.span(records.tail(i), 4),
    expected: limit === 0 ? '-1' : `-1 to ${limit - 1}`,
    found: `${index}`,
  }));
}

/** Members, or arguments of a function; null where that cannot be told. */
function componentCount(records: BlobRecords, id: number): number | null {
  if (id < records.firstId || id > records.lastId) return null;
  const i = id - records.firstId;
  switch (records.kinds[i]) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return records.vlen(i);
    case BtfKind.FUNC:
      return records.kindOf(records.sizeOrType(i)) === BtfKind.FUNC_PROTO
        ? componentOfProto(records, records.sizeOrType(i))
        : null;
    default:
      return 0;
  }
}

function componentOfProto(records: BlobRecords, proto: number): number | null {
  return proto < records.firstId ? null : records.vlen(proto - records.firstId);
}
