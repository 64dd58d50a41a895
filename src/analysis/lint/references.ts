/** Lint of references: "BTF Type Format", section 2.2, "type encoding requirement" of each kind. */
import { BtfKind, isKnownKind, kindName, type ReferenceRole } from '#formats/btf/kinds.ts';
import { isComposite } from '#model/type-items.ts';
import { type BlobRecords, type LintRecord, perRecord, type TypeSubject } from './type-subject.ts';

const LINKAGE_EXTERN = 2;
const DANGLING = 'btf.dangling-type';

export function* findOddReferences(subject: TypeSubject): Generator<void> {
  yield* perRecord(checkRecord)(subject);
  const dangling = subject.issues.countOf(DANGLING);
  if (dangling <= 1) return;
  subject.issues.add('btf.dangling-types', () => ({
    message: `${dangling} references to types that do not exist`,
    span: null,
    advice: 'Typical of split BTF without its base and of truncated BTF.',
  }));
}

/** Name of each role of a reference, for messages. */
const ROLE_TEXT = {
  type: 'type',
  target: 'type',
  element: 'element',
  index: 'index',
  member: 'member',
  param: 'argument',
  return: 'result',
  var: 'variable',
  location: 'location',
  function: 'function',
  locations: 'locations',
} as const satisfies Readonly<Record<ReferenceRole, string>>;

type Ref = {
  readonly id: number;
  /** Offset of the reference in the blob. */
  readonly at: number;
  readonly role: (typeof ROLE_TEXT)[ReferenceRole];
  /** Index of the item with the reference; -1 if it is not in an item. */
  readonly item: number;
};

function checkRecord(r: LintRecord): void {
  const { records } = r;
  records.eachReference(r.i, (id, at, role, item) => {
    const ref = { id, at, role: ROLE_TEXT[role], item };
    // Ids of types in the base are not checked if the base is missing.
    if (id === 0) checkVoid(r, ref);
    else if (id <= records.lastId) checkKind(r, ref);
    else {
      r.odd(DANGLING, at, () => ({
        message: `${placeOf(r, ref)}: type ${id} does not exist`,
        expected: `at most ${records.lastId}`,
        found: `${id}`,
      }));
    }
  });
  if (r.kind === BtfKind.DECL_TAG) checkComponent(r);
}

/** Returns the name of a reference for a message: `type [4] member next`. */
function placeOf(r: LintRecord, { role, item }: Ref): string {
  switch (role) {
    case 'type':
      return `${r.label} ${r.kindName}`;
    case 'member':
    case 'argument':
      return `${r.label} ${role} ${r.names.text(r.records.u32(r.item(item))) || item}`;
    case 'variable':
      return `${r.label} variable ${item}`;
    default:
      return `${r.label} ${role}`;
  }
}

function checkVoid(r: LintRecord, ref: Ref): void {
  if (!isOddVoid(r, ref)) return;
  const what = () => {
    if (ref.role === 'type' && r.kind === BtfKind.VAR) return `${r.label}: variable of void`;
    return ref.role === 'element' ? `${r.label}: array of void` : `${placeOf(r, ref)}: void`;
  };
  r.odd('btf.void', ref.at, () => ({
    message: what(),
    expected: 'a type that takes space',
    found: '0',
  }));
}

function isOddVoid(r: LintRecord, { role, item }: Ref): boolean {
  switch (role) {
    case 'result':
    case 'location':
      return false;
    case 'argument':
      // Void without a name as the last argument stands for variable arguments.
      return item !== r.vlen - 1 || r.records.u32(r.item(item)) !== 0;
    case 'type':
      if (r.kind === BtfKind.VAR) return r.records.u32(r.tail) !== LINKAGE_EXTERN;
      return r.kind === BtfKind.FUNC || r.kind === BtfKind.DECL_TAG;
    default:
      return true;
  }
}

function checkKind(r: LintRecord, ref: Ref): void {
  const { id, at, role } = ref;
  const kind = r.records.kindOf(id);
  if (kind < 0) return;
  if (!isKnownKind(kind)) {
    r.odd('btf.reference-to-unknown-kind', at, () => ({
      severity: 'note',
      message: `${placeOf(r, ref)}: refers to [${id}], a type of unknown kind ${kind}`,
      found: kindName(kind),
    }));
    return;
  }
  const wanted = wantedKinds(r.kind, role);
  if (wanted === null ? !cannotBeReferred(kind, role) : wanted.kinds.includes(kind)) return;
  r.odd('btf.reference-kind', at, () => ({
    message:
      r.kind === BtfKind.FUNC
        ? `${r.label}: function of a ${kindName(kind)}`
        : `${placeOf(r, ref)}: refers to [${id}], a ${kindName(kind)}`,
    expected: wanted?.words ?? 'a type that is allowed there',
    found: kindName(kind),
  }));
}

type Wanted = { readonly kinds: readonly number[]; readonly words: string };

const { STRUCT, UNION, ENUM, ENUM64, FWD, TYPEDEF, FUNC, VAR } = BtfKind;
const FUNCTION: Wanted = { kinds: [BtfKind.FUNC_PROTO], words: 'a FUNC_PROTO' };
/** FUNC is valid, too: clang lists extern functions in the DATASEC `.ksyms`. */
const VARIABLE: Wanted = { kinds: [VAR, FUNC], words: 'a VAR or FUNC' };
const TAGGED: Wanted = {
  kinds: [STRUCT, UNION, ENUM, ENUM64, FWD, TYPEDEF, FUNC, VAR],
  words: 'a struct, union, enum, typedef, function or variable',
};

const WANTED: ReadonlyMap<Ref['role'], Wanted> = new Map([
  ['variable', VARIABLE],
  ['location', { kinds: [BtfKind.LOC_PARAM], words: 'a LOC_PARAM' }],
  ['function', { kinds: [FUNC], words: 'a FUNC' }],
  ['locations', { kinds: [BtfKind.LOC_PROTO], words: 'a LOC_PROTO' }],
]);

function wantedKinds(kind: number, role: Ref['role']): Wanted | null {
  if (kind === BtfKind.FUNC) return FUNCTION;
  if (kind === BtfKind.DECL_TAG) return TAGGED;
  return WANTED.get(role) ?? null;
}

/** Returns true if a kind is not a type, or is a type without a size where one is needed. */
function cannotBeReferred(kind: number, role: Ref['role']): boolean {
  switch (kind) {
    case BtfKind.VAR:
    case BtfKind.DATASEC:
    case BtfKind.DECL_TAG:
    case BtfKind.LOC_PARAM:
    case BtfKind.LOC_PROTO:
    case BtfKind.LOCSEC:
      return true;
    case BtfKind.FUNC:
    case BtfKind.FUNC_PROTO:
      return role !== 'type';
    default:
      return kind === BtfKind.FWD && (role === 'member' || role === 'element');
  }
}

function checkComponent(r: LintRecord): void {
  const index = r.records.u32(r.tail) | 0;
  const limit = index === -1 ? null : componentCount(r.records, r.sizeOrType);
  if (limit === null || (index >= 0 && index < limit)) return;
  r.odd('btf.component-index', r.tail, () => ({
    message: `${r.label}: tags component ${index} of [${r.sizeOrType}], which has ${limit}`,
    expected: limit === 0 ? '-1' : `-1 to ${limit - 1}`,
    found: `${index}`,
  }));
}

/** Returns the number of members of a type, or of arguments of a function; null if unknown. */
function componentCount(records: BlobRecords, id: number): number | null {
  if (id < records.firstId || id > records.lastId) return null;
  const i = id - records.firstId;
  const kind = records.kinds[i] ?? 0;
  if (isComposite(kind)) return records.vlen(i);
  if (kind !== BtfKind.FUNC) return 0;
  const proto = records.sizeOrType(i);
  const isOwn = proto >= records.firstId && records.kindOf(proto) === BtfKind.FUNC_PROTO;
  return isOwn ? records.vlen(proto - records.firstId) : null;
}
