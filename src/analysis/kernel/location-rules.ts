/**
 * The kernel's rules for the location kinds LOC_PARAM, LOC_PROTO and LOCSEC. The order of sites,
 * registers and offsets is not checked. Source: kernel/bpf/btf.c of bpf-next with commit a3df1140
 * (September 2026), which was read, but not run.
 */
import { locationFault } from '#analysis/types/locations.ts';
import { BTF_LOC_PROTO_PARAM, BTF_LOC_SITE, BtfKind } from '#formats/btf/kinds.ts';
import type { BlobTypes } from './blob-types.ts';
import { MAX_TYPE_ID, type MetaRecord } from './meta-record.ts';
import { type KernelRule, LOCATION_RULES } from './rules.ts';
import type { Report } from './verdict.ts';

const MAX_PARAM_SIZE = 16;

/** Checks a LOC_PARAM, but not its references. */
export function checkLocParam(m: MetaRecord): void {
  const { r, id } = m;
  m.noName();
  const size = r.sizeOrType(id);
  if (size === 0 || size > MAX_PARAM_SIZE) {
    m.broken(LOCATION_RULES.size, 8, () => `${m.label} describes ${size} bytes.`);
  }
  m.noKindFlag();
  const vlen = r.vlen(id);
  const flags = r.fixed(id);
  const fault = vlen === 0 ? 'vlen' : locationFault(flags, size, vlen);
  const hex = `0x${flags.toString(16)}`;
  if (fault === 'flags') {
    m.broken(LOCATION_RULES.flags, r.fixedPlace(id), () => `The flags of ${m.label} are ${hex}.`);
  } else if (fault === 'vlen') {
    const sentence = () => `${m.label} has vlen ${vlen}, flags ${hex} and size ${size}.`;
    m.broken(LOCATION_RULES.vlen, r.vlenPlace(id), sentence);
  }
}

/** Checks a LOCSEC, but not its references. */
export function checkLocsec(m: MetaRecord): void {
  const { r, id } = m;
  m.noKindFlag();
  m.sectionName();
  const vlen = r.vlen(id);
  for (let index = 0; index < vlen; index++) {
    const [func, proto] = siteOf(r, id, index);
    const wrong = func === 0 || func > MAX_TYPE_ID ? 'func' : 'loc_proto';
    if (wrong === 'loc_proto' && proto !== 0 && proto <= MAX_TYPE_ID) continue;
    const rule = wrong === 'func' ? LOCATION_RULES.func : LOCATION_RULES.proto;
    const named = wrong === 'func' ? func : proto;
    const place = r.itemPlace(id, index, BTF_LOC_SITE.at[wrong]);
    m.broken(rule, place, () => `Site ${index + 1} of ${m.label} has ${wrong} ${named}.`);
  }
}

function siteOf(r: BlobTypes, id: number, index: number): readonly [func: number, proto: number] {
  const { at } = BTF_LOC_SITE;
  return [r.item(id, index, at.func), r.item(id, index, at.loc_proto)];
}

/** Checks the references of a LOC_PROTO. */
export function checkLocProtoTypes(r: BlobTypes, id: number, report: Report): void {
  const where = 'btf_loc_proto_resolve';
  checkTypeWord(r, id, report, LOCATION_RULES.protoType, where);
  const vlen = r.vlen(id);
  for (let index = 0; index < vlen; index++) {
    const param = r.item(id, index, BTF_LOC_PROTO_PARAM.at.type);
    if (param === 0 || r.isUnread(param) || r.kind(param) === BtfKind.LOC_PARAM) continue;
    const place = r.itemPlace(id, index, BTF_LOC_PROTO_PARAM.at.type);
    const sentence = () => `Entry ${index + 1} of ${r.label(id)} is ${r.label(param)}.`;
    report.kernel(LOCATION_RULES.protoParam, where, place, sentence);
  }
}

/** Checks that the third word of the record (size or type) is 0. */
function checkTypeWord(r: BlobTypes, id: number, report: Report, rule: KernelRule, where: string) {
  const type = r.sizeOrType(id);
  const sentence = () => `The type word of ${r.label(id)} is ${type}.`;
  if (type !== 0) report.kernel(rule, where, r.place(id, 8), sentence);
}

/** Checks the references of a LOCSEC. */
export function checkLocsecTypes(r: BlobTypes, id: number, report: Report): void {
  const where = 'btf_locsec_resolve';
  checkTypeWord(r, id, report, LOCATION_RULES.sectionType, where);
  const vlen = r.vlen(id);
  for (let index = 0; index < vlen; index++) {
    const [func, locations] = siteOf(r, id, index);
    if (r.isUnread(func) || r.isUnread(locations)) continue;
    const site = () => `Site ${index + 1} of ${r.label(id)}`;
    const proto = r.kind(func) === BtfKind.FUNC ? r.sizeOrType(func) : 0;
    if (r.kind(proto) !== BtfKind.FUNC_PROTO) {
      const place = r.itemPlace(id, index, BTF_LOC_SITE.at.func);
      const sentence = () => `The function of ${site()} is ${r.label(func)}.`;
      report.kernel(LOCATION_RULES.siteFunc, where, place, sentence);
      continue;
    }
    const place = r.itemPlace(id, index, BTF_LOC_SITE.at.loc_proto);
    if (r.kind(locations) !== BtfKind.LOC_PROTO) {
      const sentence = () => `The locations of ${site()} are ${r.label(locations)}.`;
      report.kernel(LOCATION_RULES.siteProto, where, place, sentence);
      continue;
    }
    const [args, params] = [r.vlen(proto), r.vlen(locations)];
    if (args === params) continue;
    const sentence = () => `${site()}: ${params} locations for ${args} arguments.`;
    report.kernel(LOCATION_RULES.siteLength, where, place, sentence);
  }
}
