/**
 * The kernel's first pass over the items of a record: members, enumerators, variables of a DATASEC.
 * Only the first broken rule of an item is reported. Source: kernel/bpf/btf.c:
 * btf_struct_check_meta, btf_enum_check_meta, btf_enum64_check_meta, btf_datasec_check_meta.
 */
import {
  BTF_ENUM,
  BTF_MEMBER,
  BTF_VAR_SECINFO,
  BtfKind,
  memberBitOffset,
} from '#formats/btf/kinds.ts';
import { isIdentifierAt, MAX_TYPE_ID, type MetaRecord } from './meta-record.ts';
import { type KernelRule, META_RULES } from './rules.ts';

/** Checks a STRUCT or UNION with its members. */
export function checkComposite(m: MetaRecord): void {
  const { r, id } = m;
  m.nameOrNone();
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
      m.broken(rule, place, () => `Member ${r.nameText(nameOff)} of ${m.label} ${what}.`);
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
      const what = `begins at bit ${bitOffset}, beyond its ${size} bytes`;
      broken(META_RULES.memberOffset, field.offset, what);
    }
    lastOffset = bitOffset;
  }
}

/** Checks an ENUM or ENUM64 with its enumerators. */
export function checkEnum(m: MetaRecord): void {
  const { r, id } = m;
  const size = r.sizeOrType(id);
  if (![1, 2, 4, 8].includes(size)) {
    const forward = size === 0 && r.vlen(id) === 0 ? ', as clang writes a forward declaration' : '';
    const sentence = () => `${m.label} has size ${size}${forward}.`;
    m.broken(META_RULES.enumSize, 8, sentence);
  }
  m.nameOrNone();
  const vlen = r.vlen(id);
  for (let index = 0; index < vlen; index++) {
    const nameOff = r.item(id, index, BTF_ENUM.at.name_off);
    const place = () => r.itemPlace(id, index, BTF_ENUM.at.name_off);
    if (!r.hasString(nameOff)) {
      const sentence = () => `Enumerator ${index} of ${m.label} has the name offset ${nameOff}.`;
      m.broken(META_RULES.nameOffset, place(), sentence);
    } else if (nameOff === 0 || !isIdentifierAt(r, nameOff)) {
      const name = () => r.nameText(nameOff);
      const sentence = () =>
        `Enumerator ${index}, ${name()}, of ${m.label} has no identifier as its name.`;
      m.broken(META_RULES.identifier, place(), sentence);
    }
  }
}

/** Checks a DATASEC with its variables. */
export function checkDatasec(m: MetaRecord): void {
  const { r, id } = m;
  const size = r.sizeOrType(id);
  if (size === 0) {
    const sentence = () => `The size of ${m.label} is 0, as compilers leave it.`;
    m.broken(META_RULES.datasecSize, 8, sentence);
  }
  m.noKindFlag();
  m.sectionName();
  // A size of 0 is reported once: do not report each variable as outside of the section.
  if (size !== 0) checkVariables(m, size);
}

function checkVariables(m: MetaRecord, size: number): void {
  const { r, id } = m;
  const vlen = r.vlen(id);
  const field = BTF_VAR_SECINFO.at;
  let [last, lastEnd] = [0, 0];
  let sum = 0;
  let sound = true;
  for (let index = 0, at = r.itemOffset(id, 0); index < vlen; index++, at += BTF_VAR_SECINFO.size) {
    const type = r.u32(at + field.type);
    const offset = r.u32(at + field.offset);
    const length = r.u32(at + field.size);
    // The kernel computes the end in 32 bits.
    const end = (offset + length) >>> 0;
    const broken = (rule: KernelRule, field: number, what: string) => {
      sound = false;
      const place = { typeId: id, blobOffset: at + field, length: 4 };
      m.broken(rule, place, () => `Variable ${r.label(type)} in ${m.label} ${what}.`);
    };
    if (type === 0 || type > MAX_TYPE_ID) broken(META_RULES.typeId, 0, 'is not possible');
    else if (offset < lastEnd || offset >= size) {
      const rest = offset < lastEnd ? `, ${r.label(last)} in front of it ends at ${lastEnd}` : '';
      broken(META_RULES.varOffset, 4, `begins at ${offset} of ${size} bytes${rest}`);
    } else if (length === 0 || length > size) {
      broken(META_RULES.varSize, 8, `has ${length} of ${size} bytes`);
    } else if (end > size) {
      broken(META_RULES.varEnd, 8, `ends at ${offset + length} of ${size} bytes`);
    }
    [last, lastEnd] = [type, end];
    sum += length;
  }
  if (sound && sum > size) {
    const sentence = () =>
      `The variables of ${m.label} have ${sum} bytes together, it has ${size}.`;
    m.broken(META_RULES.datasecSum, 8, sentence);
  }
}
