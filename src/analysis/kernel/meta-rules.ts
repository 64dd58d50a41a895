/**
 * The kernel's first pass, over each record alone in the order of ids. The kernel stops at the
 * first broken rule; here all are reported, in the kernel's order. Source: kernel/bpf/btf.c:
 * btf_check_all_metas, btf_check_meta and the `…_check_meta` of each kind.
 */
import {
  BTF_ARRAY,
  BTF_TYPE_SIZE,
  BtfKind,
  IntEncoding,
  infoKind,
  intDataOf,
  kindName,
} from '#formats/btf/kinds.ts';
import type { BlobTypes } from './blob-types.ts';
import { checkComposite, checkDatasec, checkEnum } from './item-rules.ts';
import { checkLocParam, checkLocsec } from './location-rules.ts';
import { MAX_TYPE_ID, MetaRecord } from './meta-record.ts';
import { BLOB_RULES, type KernelRule, META_RULES } from './rules.ts';
import type { Report } from './verdict.ts';

/** First id that the kernel rejects: 0xffffe is valid in references, but no type may have it. */
const TOO_MANY_ID = MAX_TYPE_ID - 1;

/** Checks all readable records, and reports the first record that cannot be read. */
export function checkMetas(r: BlobTypes, report: Report): void {
  for (let id = r.firstId; id < r.endId; id++) {
    checkCommon(r, report, id);
    checkKind(r, report, id);
    if (id === TOO_MANY_ID && r.base === null) {
      const sentence = () => `${r.label(id)} is one type too many.`;
      report.kernel(BLOB_RULES.tooManyTypes, 'btf_add_type', r.place(id, 0, 12), sentence);
    }
  }
  checkStop(r, report);
}

/** Reports the record at which reading ended. */
function checkStop(r: BlobTypes, report: Report): void {
  if (r.stop === null) return;
  const { left, kind, length } = r.stop;
  const id = r.endId;
  if (left < BTF_TYPE_SIZE) {
    const sentence = () => `${left} bytes are left for type ${id}, which needs at least 12.`;
    report.kernel(META_RULES.metaLeft, 'btf_check_meta', r.place(id, 0, left), sentence);
    return;
  }
  checkCommon(r, report, id);
  if (kind === 0 || kind > r.kernel.kindMax || (r.info(id) & ~r.kernel.infoMask) !== 0) return;
  const needed = length - BTF_TYPE_SIZE;
  const sentence = () =>
    `Type ${id}, ${kindName(kind)}, needs ${needed} more bytes, but ${left - BTF_TYPE_SIZE} are left.`;
  report.kernel(META_RULES.metaLeft, metaFunction(kind), r.place(id, 0, 12), sentence);
}

function checkCommon(r: BlobTypes, report: Report, id: number): void {
  const info = r.info(id);
  const kind = infoKind(info);
  const where = 'btf_check_meta';
  if ((info & ~r.kernel.infoMask) !== 0) {
    const sentence = () => `info of type ${id} is 0x${info.toString(16)}.`;
    report.kernel(META_RULES.info, where, r.place(id, 4), sentence);
  } else if (kind === BtfKind.UNKN || kind > r.kernel.kindMax) {
    const sentence = () => `The kind of type ${id} is ${kind}.`;
    report.kernel(META_RULES.kind, where, r.kindPlace(id), sentence);
  }
  const nameOff = r.nameOff(id);
  if (!r.hasString(nameOff)) {
    const sentence = () => `The name offset of type ${id} is ${nameOff}.`;
    report.kernel(META_RULES.nameOffset, where, r.place(id, 0), sentence);
  }
}

/** Check for each kind. A kind that is not listed has one reference: see `checkRef`. */
const CHECKS: ReadonlyMap<number, (m: MetaRecord) => void> = new Map([
  [BtfKind.UNKN, () => undefined],
  [BtfKind.INT, checkInt],
  [BtfKind.ARRAY, checkArray],
  [BtfKind.STRUCT, checkComposite],
  [BtfKind.UNION, checkComposite],
  [BtfKind.ENUM, checkEnum],
  [BtfKind.ENUM64, checkEnum],
  [BtfKind.FWD, checkFwd],
  [BtfKind.FUNC, checkFunc],
  [BtfKind.FUNC_PROTO, checkProto],
  [BtfKind.VAR, checkVar],
  [BtfKind.DATASEC, checkDatasec],
  [BtfKind.FLOAT, checkFloat],
  [BtfKind.DECL_TAG, checkDeclTag],
  [BtfKind.LOC_PARAM, checkLocParam],
  [BtfKind.LOC_PROTO, checkProto],
  [BtfKind.LOCSEC, checkLocsec],
]);

function checkKind(r: BlobTypes, report: Report, id: number): void {
  const kind = infoKind(r.info(id));
  if (kind > r.kernel.kindMax) return;
  const check = CHECKS.get(kind) ?? checkRef;
  const where = check === checkRef ? 'btf_ref_type_check_meta' : metaFunction(kind);
  check(new MetaRecord(r, report, id, where));
}

function metaFunction(kind: number): string {
  const composite = kind === BtfKind.UNION ? 'struct' : kindName(kind).toLowerCase();
  return `btf_${composite}_check_meta`;
}

function checkInt(m: MetaRecord): void {
  const { r, id } = m;
  m.noVlen();
  m.noKindFlag();
  const data = r.fixed(id);
  const place = r.fixedPlace(id);
  if ((data & ~0x0fffffff) !== 0) {
    const hex = `0x${data.toString(16)}`;
    m.broken(META_RULES.intData, place, () => `The data word of ${m.label} is ${hex}.`);
  }
  const int = intDataOf(data);
  const bits = int.bits + int.bitOffset;
  const size = r.sizeOrType(id);
  const sentence = () =>
    `${m.label} has offset and width of ${bits} bits together, and ${size} bytes.`;
  if (bits > 128) m.broken(META_RULES.intBits, place, sentence);
  else if (Math.ceil(bits / 8) > size) m.broken(META_RULES.intSize, 8, sentence);
  const { encoding } = int;
  if (![0, ...Object.values<number>(IntEncoding)].includes(encoding)) {
    const both = encoding === 3 ? ': SIGNED and CHAR, as GCC writes it' : '';
    const wrong = () => `The encoding of ${m.label} is ${encoding}${both}.`;
    m.broken(META_RULES.encoding, place, wrong);
  }
}

/** Checks a PTR, TYPEDEF, CONST, VOLATILE, RESTRICT or TYPE_TAG. */
function checkRef(m: MetaRecord): void {
  const kind = m.r.kind(m.id);
  m.noVlen();
  if (kind !== BtfKind.TYPE_TAG) m.noKindFlag();
  m.typeId(false);
  if (kind === BtfKind.TYPEDEF) m.identifier();
  else if (kind === BtfKind.TYPE_TAG) m.text(META_RULES.tagText);
  else m.noName();
}

function checkFwd(m: MetaRecord): void {
  m.noVlen();
  const type = m.r.sizeOrType(m.id);
  if (type !== 0) m.broken(META_RULES.fwdType, 8, () => `The type word of ${m.label} is ${type}.`);
  m.identifier();
}

function checkArray(m: MetaRecord): void {
  const { r, id } = m;
  m.noName();
  m.noVlen();
  m.noKindFlag();
  const size = r.sizeOrType(id);
  if (size !== 0)
    m.broken(META_RULES.arraySize, 8, () => `The size word of ${m.label} is ${size}.`);
  const { at } = BTF_ARRAY;
  const check = (rule: KernelRule, offset: number, what: string) => {
    const type = r.fixed(id, offset);
    if (type !== 0 && type <= MAX_TYPE_ID) return;
    m.broken(rule, r.fixedPlace(id, offset), () => `The ${what} type of ${m.label} is ${type}.`);
  };
  check(META_RULES.arrayElem, at.type, 'element');
  check(META_RULES.arrayIndex, at.index_type, 'index');
}

/** Checks a FUNC_PROTO or LOC_PROTO. */
function checkProto(m: MetaRecord): void {
  m.noName();
  m.noKindFlag();
}

function checkFunc(m: MetaRecord): void {
  m.identifier();
  m.linkage(META_RULES.funcLinkage, m.r.vlenPlace(m.id), m.r.vlen(m.id));
  m.noKindFlag();
}

function checkVar(m: MetaRecord): void {
  m.noVlen();
  m.noKindFlag();
  m.identifier();
  m.typeId(true);
  m.linkage(META_RULES.varLinkage, m.r.fixedPlace(m.id), m.r.fixed(m.id));
}

function checkFloat(m: MetaRecord): void {
  m.noVlen();
  m.noKindFlag();
  const size = m.r.sizeOrType(m.id);
  const fits = [2, 4, 8, 12, 16].includes(size);
  if (!fits) m.broken(META_RULES.floatSize, 8, () => `${m.label} has ${size} bytes.`);
}

function checkDeclTag(m: MetaRecord): void {
  m.text(META_RULES.tagValue);
  m.noVlen();
  const component = m.r.fixed(m.id) | 0;
  const sentence = () => `component_idx of ${m.label} is ${component}.`;
  if (component < -1) m.broken(META_RULES.tagComponent, m.r.fixedPlace(m.id), sentence);
}
