/**
 * The kernel's first pass over what a record lists: members, enumerators, and
 * the variables of a DATASEC.
 *
 * Source: kernel/bpf/btf.c: btf_struct_check_meta, btf_enum_check_meta,
 * btf_enum64_check_meta, btf_datasec_check_meta. Of each item one broken rule is
 * reported, the first.
 */
import {
  BTF_ENUM,
  BTF_MEMBER,
  BTF_VAR_SECINFO,
  BtfKind,
  memberBitOffset,
} from '#formats/btf/kinds.ts';
import type { BlobTypes } from './blob-types.ts';
import { type KernelRule, META_RULES } from './kernel-rules.ts';
import { isSectionName } from './name-rules.ts';
import {
  isIdentifierAt,
  MAX_TYPE_ID,
  requireNameOrNone,
  requireNoKindFlag,
} from './record-rules.ts';
import type { Report } from './report.ts';

/** STRUCT and UNION with their members. */
export function checkComposite(r: BlobTypes, report: Report, id: number): void {
  const where = 'btf_struct_check_meta';
  requireNameOrNone(r, report, id, where);
  const isUnion = r.kind(id) === BtfKind.UNION;
  const flag = r.kindFlag(id);
  const size = r.sizeOrType(id);
  const vlen = r.vlen(id);
  const field = BTF_MEMBER.at;
  let lastOffset = 0;
  for (let index = 0, at = r.itemOffset(id, 0); index < vlen; index++, at += BTF_MEMBER.size) {
    const nameOff = r.u32(at + field.name_off);
    const type = r.u32(at + field.type);
    const bitOffset = memberBitOffset(r.u32(at + field.offset), flag);
    const broken = (rule: KernelRule, offset: number, what: string) => {
      const place = { typeId: id, blobOffset: at + offset, length: 4 };
      report.kernel(
        rule,
        where,
        place,
        () => `Member ${r.nameText(nameOff)} of ${r.label(id)} ${what}.`,
      );
    };
    if (!r.hasString(nameOff)) {
      broken(META_RULES.memberNameOffset, field.name_off, `has the name offset ${nameOff}`);
    } else if (nameOff !== 0 && !isIdentifierAt(r, nameOff)) {
      broken(META_RULES.identifier, field.name_off, 'has a name that is no identifier');
    } else if (type === 0 || type > MAX_TYPE_ID) {
      broken(META_RULES.typeId, field.type, `has type ${type}`);
    } else if ((isUnion && bitOffset !== 0) || lastOffset > bitOffset) {
      const after = isUnion ? '' : `, the one in front of it at bit ${lastOffset}`;
      broken(META_RULES.memberOrder, field.offset, `begins at bit ${bitOffset}${after}`);
    } else if (Math.ceil(bitOffset / 8) > size) {
      broken(
        META_RULES.memberOffset,
        field.offset,
        `begins at bit ${bitOffset}, beyond its ${size} bytes`,
      );
    }
    lastOffset = bitOffset;
  }
}

/** ENUM and ENUM64 with their enumerators. */
export function checkEnum(r: BlobTypes, report: Report, id: number): void {
  const wide = r.kind(id) === BtfKind.ENUM64;
  const where = wide ? 'btf_enum64_check_meta' : 'btf_enum_check_meta';
  const size = r.sizeOrType(id);
  if (![1, 2, 4, 8].includes(size)) {
    const forward = size === 0 && r.vlen(id) === 0 ? ', as clang writes a forward declaration' : '';
    const sentence = () => `${r.label(id)} has size ${size}${forward}.`;
    report.kernel(META_RULES.enumSize, where, r.place(id, 8), sentence);
  }
  requireNameOrNone(r, report, id, where);
  const vlen = r.vlen(id);
  for (let index = 0; index < vlen; index++) {
    const nameOff = r.item(id, index, BTF_ENUM.at.name_off);
    const place = () => r.itemPlace(id, index, BTF_ENUM.at.name_off);
    if (!r.hasString(nameOff)) {
      const sentence = () =>
        `Enumerator ${index} of ${r.label(id)} has the name offset ${nameOff}.`;
      report.kernel(META_RULES.nameOffset, where, place(), sentence);
    } else if (nameOff === 0 || !isIdentifierAt(r, nameOff)) {
      const name = () => r.nameText(nameOff);
      const sentence = () =>
        `Enumerator ${index}, ${name()}, of ${r.label(id)} has no identifier as its name.`;
      report.kernel(META_RULES.identifier, where, place(), sentence);
    }
  }
}

/** DATASEC with its variables. */
export function checkDatasec(r: BlobTypes, report: Report, id: number): void {
  const where = 'btf_datasec_check_meta';
  const size = r.sizeOrType(id);
  if (size === 0) {
    const sentence = () => `The size of ${r.label(id)} is 0, as compilers leave it.`;
    report.kernel(META_RULES.datasecSize, where, r.place(id, 8), sentence);
  }
  requireNoKindFlag(r, report, id, where);
  const name = r.string(r.nameOff(id));
  if (r.nameOff(id) === 0 || !isSectionName(name.bytes, name.start)) {
    const sentence = () => `The name of ${r.label(id)} is no section name.`;
    report.kernel(META_RULES.sectionName, where, r.place(id, 0), sentence);
  }
  // Against a size of 0 every variable would be wrong; that says nothing new.
  if (size !== 0) checkVariables(r, report, id, where, size);
}

function checkVariables(
  r: BlobTypes,
  report: Report,
  id: number,
  where: string,
  size: number,
): void {
  const vlen = r.vlen(id);
  const field = BTF_VAR_SECINFO.at;
  let lastEnd = 0;
  let sum = 0;
  let sound = true;
  for (let index = 0, at = r.itemOffset(id, 0); index < vlen; index++, at += BTF_VAR_SECINFO.size) {
    const type = r.u32(at + field.type);
    const offset = r.u32(at + field.offset);
    const length = r.u32(at + field.size);
    const broken = (rule: KernelRule, field: number, what: string) => {
      sound = false;
      const place = { typeId: id, blobOffset: at + field, length: 4 };
      report.kernel(
        rule,
        where,
        place,
        () => `Variable ${r.label(type)} in ${r.label(id)} ${what}.`,
      );
    };
    if (type === 0 || type > MAX_TYPE_ID) broken(META_RULES.typeId, 0, 'is not possible');
    else if (offset < lastEnd || offset >= size) {
      const from = offset < lastEnd ? `, the one in front of it ends at ${lastEnd}` : '';
      broken(META_RULES.varOffset, 4, `begins at ${offset} of ${size} bytes${from}`);
    } else if (length === 0 || length > size) {
      broken(META_RULES.varSize, 8, `has ${length} of ${size} bytes`);
    } else if (wrapped(offset + length) > size) {
      broken(META_RULES.varEnd, 8, `ends at ${offset + length} of ${size} bytes`);
    }
    lastEnd = wrapped(offset + length);
    sum += length;
  }
  if (sound && sum > size) {
    const sentence = () =>
      `The variables of ${r.label(id)} have ${sum} bytes together, it has ${size}.`;
    report.kernel(META_RULES.datasecSum, where, r.place(id, 8), sentence);
  }
}

/** The kernel adds in 32 bits here. */
function wrapped(value: number): number {
  return value >>> 0;
}
