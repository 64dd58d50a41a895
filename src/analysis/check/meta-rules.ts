/**
 * The kernel's first pass: each record by itself, in the order of ids.
 *
 * Source: kernel/bpf/btf.c: btf_check_all_metas, btf_check_meta and the
 * `…_check_meta` of each kind, in whose order the rules of a record stand here.
 * The kernel stops at the first; here all that is wrong is reported.
 */
import {
  BTF_ARRAY,
  BTF_KIND_MAX,
  BTF_TYPE_SIZE,
  BtfKind,
  infoKind,
  intDataOf,
  kindName,
} from '#formats/btf/kinds.ts';
import type { BlobTypes } from './blob-types.ts';
import { checkComposite, checkDatasec, checkEnum } from './item-rules.ts';
import { BLOB_RULES, META_RULES } from './kernel-rules.ts';
import {
  isEmptyName,
  MAX_TYPE_ID,
  requireIdentifier,
  requireNoKindFlag,
  requireNoName,
  requireNoVlen,
  requireTypeId,
} from './record-rules.ts';
import type { Report } from './report.ts';

const INFO_MASK = 0x9f00ffff;
/** The kernel keeps one place free below its highest id, 0xfffff. */
const TOO_MANY_ID = MAX_TYPE_ID - 1;

/** Runs the pass over all records that can be read, and reports the one that cannot. */
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

/** The record that could not be stepped over. */
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
  if (kind === 0 || kind > BTF_KIND_MAX || (r.info(id) & ~INFO_MASK) !== 0) return;
  const needed = length - BTF_TYPE_SIZE;
  const there = left - BTF_TYPE_SIZE;
  const sentence = () =>
    `Type ${id}, ${kindName(kind)}, needs ${needed} more bytes, but ${there} are left.`;
  report.kernel(META_RULES.metaLeft, metaFunction(kind), r.place(id, 0, 12), sentence);
}

function checkCommon(r: BlobTypes, report: Report, id: number): void {
  const info = r.info(id);
  const kind = infoKind(info);
  const where = 'btf_check_meta';
  if ((info & ~INFO_MASK) !== 0) {
    const sentence = () => `info of type ${id} is 0x${info.toString(16)}.`;
    report.kernel(META_RULES.info, where, r.place(id, 4), sentence);
  } else if (kind === BtfKind.UNKN || kind > BTF_KIND_MAX) {
    report.kernel(
      META_RULES.kind,
      where,
      r.kindPlace(id),
      () => `The kind of type ${id} is ${kind}.`,
    );
  }
  const nameOff = r.nameOff(id);
  if (!r.hasString(nameOff)) {
    const sentence = () => `The name offset of type ${id} is ${nameOff}.`;
    report.kernel(META_RULES.nameOffset, where, r.place(id, 0), sentence);
  }
}

function checkKind(r: BlobTypes, report: Report, id: number): void {
  const kind = infoKind(r.info(id));
  switch (kind) {
    case BtfKind.INT:
      checkInt(r, report, id);
      break;
    case BtfKind.ARRAY:
      checkArray(r, report, id);
      break;
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      checkComposite(r, report, id);
      break;
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      checkEnum(r, report, id);
      break;
    case BtfKind.FWD:
      checkFwd(r, report, id);
      break;
    case BtfKind.FUNC:
      checkFunc(r, report, id);
      break;
    case BtfKind.FUNC_PROTO:
      checkFuncProto(r, report, id);
      break;
    case BtfKind.VAR:
      checkVar(r, report, id);
      break;
    case BtfKind.DATASEC:
      checkDatasec(r, report, id);
      break;
    case BtfKind.FLOAT:
      checkFloat(r, report, id);
      break;
    case BtfKind.DECL_TAG:
      checkDeclTag(r, report, id);
      break;
    case BtfKind.UNKN:
      return;
    default:
      if (kind <= BTF_KIND_MAX) checkRef(r, report, id, kind);
  }
}

function metaFunction(kind: number): string {
  const composite = kind === BtfKind.UNION ? 'struct' : kindName(kind).toLowerCase();
  return `btf_${composite}_check_meta`;
}

function checkInt(r: BlobTypes, report: Report, id: number): void {
  const where = 'btf_int_check_meta';
  requireNoVlen(r, report, id, where);
  requireNoKindFlag(r, report, id, where);
  const data = r.fixed(id);
  const place = r.fixedPlace(id);
  const hex = `0x${data.toString(16)}`;
  if ((data & ~0x0fffffff) !== 0) {
    report.kernel(
      META_RULES.intData,
      where,
      place,
      () => `The data word of ${r.label(id)} is ${hex}.`,
    );
  }
  const int = intDataOf(data);
  const bits = int.bits + int.bitOffset;
  const size = r.sizeOrType(id);
  const sentence = () =>
    `${r.label(id)} has offset and width of ${bits} bits together, and ${size} bytes.`;
  if (bits > 128) report.kernel(META_RULES.intBits, where, place, sentence);
  else if (Math.ceil(bits / 8) > size) {
    report.kernel(META_RULES.intSize, where, r.place(id, 8), sentence);
  }
  const { encoding } = int;
  if (encoding !== 0 && encoding !== 1 && encoding !== 2 && encoding !== 4) {
    const both = encoding === 3 ? ': SIGNED and CHAR, as GCC writes it' : '';
    report.kernel(
      META_RULES.encoding,
      where,
      place,
      () => `The encoding of ${r.label(id)} is ${encoding}${both}.`,
    );
  }
}

/** PTR, TYPEDEF, CONST, VOLATILE, RESTRICT, TYPE_TAG. */
function checkRef(r: BlobTypes, report: Report, id: number, kind: number): void {
  const where = 'btf_ref_type_check_meta';
  requireNoVlen(r, report, id, where);
  if (kind !== BtfKind.TYPE_TAG) requireNoKindFlag(r, report, id, where);
  requireTypeId(r, report, id, where, false);
  if (kind === BtfKind.TYPEDEF) requireIdentifier(r, report, id, where);
  else if (kind !== BtfKind.TYPE_TAG) requireNoName(r, report, id, where);
  else if (isEmptyName(r, id)) {
    report.kernel(META_RULES.tagText, where, r.place(id, 0), () => `${r.label(id)} has no text.`);
  }
}

function checkFwd(r: BlobTypes, report: Report, id: number): void {
  const where = 'btf_fwd_check_meta';
  requireNoVlen(r, report, id, where);
  const type = r.sizeOrType(id);
  if (type !== 0) {
    const sentence = () => `The type word of ${r.label(id)} is ${type}.`;
    report.kernel(META_RULES.fwdType, where, r.place(id, 8), sentence);
  }
  requireIdentifier(r, report, id, where);
}

function checkArray(r: BlobTypes, report: Report, id: number): void {
  const where = 'btf_array_check_meta';
  requireNoName(r, report, id, where);
  requireNoVlen(r, report, id, where);
  requireNoKindFlag(r, report, id, where);
  const size = r.sizeOrType(id);
  if (size !== 0) {
    const sentence = () => `The size word of ${r.label(id)} is ${size}.`;
    report.kernel(META_RULES.arraySize, where, r.place(id, 8), sentence);
  }
  const { at } = BTF_ARRAY;
  const elem = r.fixed(id, at.type);
  if (elem === 0 || elem > MAX_TYPE_ID) {
    const sentence = () => `The element type of ${r.label(id)} is ${elem}.`;
    report.kernel(META_RULES.arrayElem, where, r.fixedPlace(id, at.type), sentence);
  }
  const index = r.fixed(id, at.index_type);
  if (index === 0 || index > MAX_TYPE_ID) {
    const sentence = () => `The index type of ${r.label(id)} is ${index}.`;
    report.kernel(META_RULES.arrayIndex, where, r.fixedPlace(id, at.index_type), sentence);
  }
}

function checkFuncProto(r: BlobTypes, report: Report, id: number): void {
  const where = 'btf_func_proto_check_meta';
  requireNoName(r, report, id, where);
  requireNoKindFlag(r, report, id, where);
}

function checkFunc(r: BlobTypes, report: Report, id: number): void {
  const where = 'btf_func_check_meta';
  requireIdentifier(r, report, id, where);
  const linkage = r.vlen(id);
  if (linkage > 1) {
    const sentence = () => `The linkage of ${r.label(id)} is ${linkageText(linkage)}.`;
    report.kernel(META_RULES.funcLinkage, where, r.vlenPlace(id), sentence);
  }
  requireNoKindFlag(r, report, id, where);
}

function checkVar(r: BlobTypes, report: Report, id: number): void {
  const where = 'btf_var_check_meta';
  requireNoVlen(r, report, id, where);
  requireNoKindFlag(r, report, id, where);
  requireIdentifier(r, report, id, where);
  requireTypeId(r, report, id, where, true);
  const linkage = r.fixed(id);
  if (linkage > 1) {
    const sentence = () => `The linkage of ${r.label(id)} is ${linkageText(linkage)}.`;
    report.kernel(META_RULES.varLinkage, where, r.fixedPlace(id), sentence);
  }
}

function checkFloat(r: BlobTypes, report: Report, id: number): void {
  const where = 'btf_float_check_meta';
  requireNoVlen(r, report, id, where);
  requireNoKindFlag(r, report, id, where);
  const size = r.sizeOrType(id);
  if (![2, 4, 8, 12, 16].includes(size)) {
    const sentence = () => `${r.label(id)} has ${size} bytes.`;
    report.kernel(META_RULES.floatSize, where, r.place(id, 8), sentence);
  }
}

function checkDeclTag(r: BlobTypes, report: Report, id: number): void {
  const where = 'btf_decl_tag_check_meta';
  if (isEmptyName(r, id)) {
    report.kernel(META_RULES.tagValue, where, r.place(id, 0), () => `${r.label(id)} has no text.`);
  }
  requireNoVlen(r, report, id, where);
  const component = r.fixed(id) | 0;
  if (component < -1) {
    const sentence = () => `component_idx of ${r.label(id)} is ${component}.`;
    report.kernel(META_RULES.tagComponent, where, r.fixedPlace(id), sentence);
  }
}

function linkageText(linkage: number): string {
  return linkage === 2 ? '2, extern' : `${linkage}`;
}
