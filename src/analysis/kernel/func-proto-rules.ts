/**
 * The kernel's second pass over all types, with the rules for a FUNC_PROTO, and its third pass,
 * over type tags. Source: kernel/bpf/btf.c: btf_check_all_types, btf_func_proto_check,
 * btf_check_type_tags.
 */
import { BTF_PARAM, BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { isModifier, sizeOrTypeOf } from '#model/type-table.ts';
import { type BlobTypes, isSourceOnly, NO_TYPE } from './blob-types.ts';
import { checkLocProtoTypes, checkLocsecTypes } from './location-rules.ts';
import { isIdentifierAt } from './meta-record.ts';
import { Resolver } from './resolver.ts';
import { REFERENCE_RULES } from './rules.ts';
import type { Report } from './verdict.ts';

const PROTO_CHECK = 'btf_func_proto_check';

/** Checks the references of all types, in the order of ids. */
export function checkReferences(records: BlobTypes, report: Report): void {
  const resolver = new Resolver(records, report);
  for (let id = records.firstId; id < records.endId; id++) {
    resolver.resolve(id);
    const kind = records.kind(id);
    if (kind === BtfKind.FUNC_PROTO) checkProto(resolver, id);
    if (kind === BtfKind.LOC_PROTO) checkLocProtoTypes(records, id, report);
    if (kind === BtfKind.LOCSEC) checkLocsecTypes(records, id, report);
  }
}

function checkProto(resolver: Resolver, id: number): void {
  const { records, report } = resolver;
  const returned = records.sizeOrType(id);
  if (returned !== 0 && !comesToSize(resolver, returned)) {
    const sentence = () => `${records.label(id)} returns ${records.label(returned)}.`;
    report.kernel(REFERENCE_RULES.returnType, PROTO_CHECK, records.place(id, 8), sentence);
  }
  const last = records.vlen(id) - 1;
  const vararg = last >= 0 && argAt(records, id, last).type === 0;
  // The kernel checks the `...` of a variadic function before its other arguments.
  if (vararg && argAt(records, id, last).nameOff !== 0) {
    const place = records.itemPlace(id, last, BTF_PARAM.at.name_off);
    const sentence = () => `The last argument of ${records.label(id)} is void, but has a name.`;
    report.kernel(REFERENCE_RULES.arg, PROTO_CHECK, place, sentence);
  }
  for (let index = 0; index < (vararg ? last : last + 1); index++) checkArg(resolver, id, index);
}

function argAt(records: BlobTypes, id: number, index: number) {
  const { at } = BTF_PARAM;
  return {
    nameOff: records.item(id, index, at.name_off),
    type: records.item(id, index, at.type),
  };
}

function checkArg(resolver: Resolver, id: number, index: number): void {
  const { records, report } = resolver;
  const { nameOff, type } = argAt(records, id, index);
  const { at } = BTF_PARAM;
  const broken = (offset: number, what: string) => {
    const place = records.itemPlace(id, index, offset);
    const sentence = () => `Argument ${index + 1} of ${records.label(id)} ${what}.`;
    report.kernel(REFERENCE_RULES.arg, PROTO_CHECK, place, sentence);
  };
  if (nameOff !== 0 && !isIdentifierAt(records, nameOff)) {
    broken(at.name_off, 'has a name that is no identifier');
  }
  if (!comesToSize(resolver, type)) broken(at.type, `has the type ${records.label(type)}`);
}

/** Returns true if `id` resolves to a type with a size, or if this is undecided. */
function comesToSize(resolver: Resolver, id: number): boolean {
  const kind = resolver.records.kind(id);
  if (resolver.isBroken(id)) return true;
  if (kind === NO_TYPE || isSourceOnly(kind)) return false;
  resolver.resolve(id);
  return resolver.sizedOf(id) !== null;
}

const MAX_CHAIN = 32;
const TAG_CHECK = 'btf_check_type_tags';

/** Checks that type tags precede all other modifiers. Visits each part of a chain once. */
export function checkTypeTags(records: BlobTypes, report: Report): void {
  let good = records.firstId - 1;
  for (let id = records.firstId; id < records.endId; id++) {
    if (!isModifier(records.kind(id))) continue;
    checkChain(records, report, id, good);
    good = id;
  }
}

function checkChain(records: BlobTypes, report: Report, first: number, good: number): void {
  let id = first;
  let inTags = records.kind(id) === BtfKind.TYPE_TAG;
  for (let steps = 0; isModifier(records.kind(id)); steps++) {
    if (steps === MAX_CHAIN) {
      const sentence = () => `More than ${MAX_CHAIN} modifiers follow ${records.label(first)}.`;
      report.kernel(REFERENCE_RULES.tagChain, TAG_CHECK, records.place(first, 0, 12), sentence);
      return;
    }
    if (records.kind(id) !== BtfKind.TYPE_TAG) inTags = false;
    else if (!inTags) {
      const sentence = () =>
        `${records.label(id)} follows other modifiers, from ${records.label(first)} on.`;
      report.kernel(REFERENCE_RULES.tagOrder, TAG_CHECK, records.place(first, 8), sentence);
      return;
    }
    if (id <= good) return;
    id = nextOf(records, id);
  }
}

function nextOf(records: BlobTypes, id: number): number {
  if (id >= records.firstId) return records.sizeOrType(id);
  return records.base === null ? 0 : sizeOrTypeOf(records.base, typeId(id));
}
