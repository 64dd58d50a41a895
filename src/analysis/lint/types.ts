/** Lint of types: for each subject, one pass over all records. */
import { locationFault } from '#analysis/types/locations.ts';
import { append } from '#bytes/arrays.ts';
import { type Issue, IssueCollector } from '#bytes/issue.ts';
import { counted } from '#bytes/text.ts';
import {
  BTF_ARRAY,
  BTF_ENUM,
  BTF_LOC_SITE,
  BTF_VAR_SECINFO,
  BtfKind,
  intDataOf,
  isKnownKind,
  kindSpec,
} from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOf, sizeOrTypeOf, type TypeTable, vlenOf } from '#model/type-table.ts';
import { findCycles } from './cycles.ts';
import { findOddMembers } from './members.ts';
import { findOddNames, NameCheck } from './names.ts';
import { findOddReferences } from './references.ts';
import { BlobRecords, type LintRecord, perRecord, TypeSizes } from './type-subject.ts';

/** Returns the issues of types. `region` is `.BTF` or the file's name. Yields between steps. */
export function* typeFindings(types: TypeTable, region: string): Generator<void, Issue[]> {
  const records = new BlobRecords(types);
  yield;
  const sizes = new TypeSizes(types);
  const names = new NameCheck(types);
  yield;
  const issues: Issue[] = [];
  for (const pass of [
    findOddReferences,
    findCycles,
    findOddNames,
    findOddScalars,
    findOddMembers,
    findOddEnums,
  ]) {
    const collector = new IssueCollector(region);
    yield* pass({ records, sizes, names, issues: collector });
    append(issues, collector.issues());
  }
  return issues;
}

/** Finds enums with wrong sizes, values or names ("BTF Type Format", 2.2.6 and 2.2.19). */
const findOddEnums = perRecord((r) => {
  if (r.kind !== BtfKind.ENUM && r.kind !== BtfKind.ENUM64) return;
  checkSize(r);
  if (r.kind === BtfKind.ENUM) checkValues(r);
  checkTwice(r);
});

/** Checks the size of an enum. Size 0 without enumerators is valid: clang's forward declaration. */
function checkSize(r: LintRecord): void {
  const size = r.sizeOrType;
  if ([1, 2, 4, 8].includes(size) || (size === 0 && r.vlen === 0)) return;
  r.odd('btf.enum-size', r.start + 8, () => ({
    message: `${r.label}: ${r.kindName} of size ${size}`,
    expected: '1, 2, 4 or 8',
    found: `${size}`,
  }));
}

/** Checks enum values. Both signs are valid: old BTF has negative values without kind_flag. */
function checkValues(r: LintRecord): void {
  const { records, names, sizeOrType: size, vlen } = r;
  if (size !== 1 && size !== 2) return;
  const [min, max] = [-(2 ** (8 * size - 1)), 2 ** (8 * size) - 1];
  for (let item = 0; item < vlen; item++) {
    const at = r.item(item);
    const value = records.u32(at + BTF_ENUM.at.val) | 0;
    if (value >= min && value <= max) continue;
    r.odd('btf.enum-value', at + BTF_ENUM.at.val, () => ({
      message: `${r.label} ${names.text(records.u32(at))}: value ${value} does not fit in ${counted(size, 'byte')}`,
      expected: `${min} to ${max}`,
      found: `${value}`,
    }));
  }
}

/** Finds enumerators of equal name. Compares text: BTF without dedup may store a name twice. */
function checkTwice(r: LintRecord): void {
  const { records, names, vlen } = r;
  const seen = new Set<number | string>();
  const { strBase } = records.types;
  for (let item = 0; item < vlen; item++) {
    const at = r.item(item);
    const nameOff = records.u32(at);
    const name = nameOff < strBase ? nameOff : names.text(nameOff);
    if (name !== '' && seen.has(name)) {
      const shown = () => names.text(nameOff) || item;
      r.odd('btf.enumerator-twice', at, () => ({
        message: `${r.label}: enumerator ${shown()} twice`,
      }));
    }
    seen.add(name);
  }
}

const LINKAGE_EXTERN = 2;

/** Rules for each kind ("BTF Type Format", section 2.2), with the limits of the kernel. */
const CHECKS: ReadonlyMap<number, (r: LintRecord) => void> = new Map([
  [BtfKind.FUNC, (r: LintRecord) => checkLinkage(r, r.vlen, r.start + 4)],
  [BtfKind.VAR, (r: LintRecord) => checkLinkage(r, r.records.u32(r.tail), r.tail)],
  [BtfKind.INT, checkInt],
  [BtfKind.FLOAT, checkFloat],
  [BtfKind.ARRAY, checkArray],
  [BtfKind.DATASEC, checkDatasec],
  [BtfKind.LOC_PARAM, checkLocation],
  [BtfKind.LOCSEC, checkSites],
]);

const findOddScalars = perRecord((r) => {
  CHECKS.get(r.kind)?.(r);
  checkUnused(r);
});

function checkLinkage(r: LintRecord, linkage: number, at: number): void {
  if (linkage <= LINKAGE_EXTERN) return;
  r.odd('btf.linkage', at, () => ({
    message: `${r.label}: linkage ${linkage}`,
    expected: '0 (static), 1 (global) or 2 (extern)',
    found: `${linkage}`,
  }));
}

function checkInt(r: LintRecord): void {
  const { bits, bitOffset } = intDataOf(r.records.u32(r.tail));
  const size = r.sizeOrType;
  if (bits + bitOffset <= size * 8 && bits + bitOffset <= 128 && bits > 0) return;
  r.odd('btf.int-bits', r.tail, () => ({
    message: `${r.label}: INT of ${bits} bits from bit ${bitOffset} in ${size} bytes`,
    expected: `1 to ${Math.min(128, size * 8)} bits`,
    found: `${bits} from bit ${bitOffset}`,
  }));
}

function checkFloat(r: LintRecord): void {
  const size = r.sizeOrType;
  const allowed = [2, 4, 8, 12, 16];
  if (allowed.includes(size)) return;
  r.odd('btf.size.FLOAT', r.start + 8, () => ({
    message: `${r.label}: FLOAT of size ${size}`,
    expected: allowed.join(', '),
    found: `${size}`,
  }));
}

function checkArray(r: LintRecord): void {
  const size = r.sizes.of(r.records.firstId + r.i);
  if (!(size >= 2 ** 32)) return;
  const nelems = r.tail + BTF_ARRAY.at.nelems;
  r.odd('btf.array-size', nelems, () => ({
    message: `${r.label}: size past ${size >= 2 ** 64 ? '2^64' : '2^32'}`,
    expected: 'less than 4 GiB, as libbpf and the kernel count',
    found: `${r.records.u32(nelems)} elements`,
  }));
}

/**
 * Finds variables that end after their section, or begin before the end of another. Skips size 0,
 * which compilers leave open.
 */
function checkDatasec(r: LintRecord): void {
  const { records, vlen, sizeOrType: size } = r;
  if (size === 0) return;
  const field = BTF_VAR_SECINFO.at;
  let [last, lastEnd] = [-1, 0];
  for (let item = 0; item < vlen; item++) {
    const at = r.item(item);
    const offset = records.u32(at + field.offset);
    const end = offset + records.u32(at + field.size);
    if (offset < lastEnd) reportOverlap(r, last, item);
    if (end > lastEnd) [last, lastEnd] = [item, end];
    if (end <= size) continue;
    const tell = () => ({
      message: `${r.label} variable ${item}: past the end of the section`,
      expected: `an end of at most ${size}`,
      found: `${end}`,
    });
    r.odd('btf.datasec-item', at + field.offset, tell, 8);
  }
}

/** Reports that variable `item` of a DATASEC begins before the end of variable `before`. */
function reportOverlap(r: LintRecord, before: number, item: number): void {
  const { records } = r;
  const field = BTF_VAR_SECINFO.at;
  const place = (n: number) => {
    const at = r.item(n);
    const id = typeId(records.u32(at + field.type));
    const offset = records.u32(at + field.offset);
    const name = nameOf(records.types, id, MAX_NAME_BYTES);
    return {
      label: `[${id}] ${name}`,
      bytes: `${offset} to ${offset + records.u32(at + field.size)}`,
    };
  };
  r.odd('btf.datasec-overlap', r.item(item) + field.offset, () => {
    const [one, other] = [place(before), place(item)];
    return {
      message: `${r.label}: the variables ${one.label} and ${other.label} overlap`,
      expected: 'each variable after the end of the one before it',
      found: `bytes ${one.bytes} and ${other.bytes} of ${nameOf(records.types, typeId(records.firstId + r.i), MAX_NAME_BYTES)}`,
      advice: 'The kernel rejects the BTF: EINVAL, "Invalid offset".',
    };
  });
}

const MAX_NAME_BYTES = 512;

/** Checks size, flags and number of words of a LOC_PARAM, like bpf-next. */
function checkLocation(r: LintRecord): void {
  const { sizeOrType: size, vlen } = r;
  const flags = r.records.u32(r.tail);
  if (size === 0 || size > 16) {
    r.odd('btf.size.LOC_PARAM', r.start + 8, () => ({
      message: `${r.label}: location of a parameter of ${counted(size, 'byte')}`,
      expected: '1 to 16',
      found: `${size}`,
    }));
  }
  const fault = locationFault(flags, size, vlen);
  const hex = `0x${flags.toString(16)}`;
  if (fault === 'flags') {
    r.odd('btf.location-flags', r.tail, () => ({
      message: `${r.label}: no location has the flags ${hex}`,
      expected: 'CONST, CONST ADDR, REG, REG DEREF, REG OFFSET or REG DEREF OFFSET',
      found: hex,
    }));
  } else if (fault === 'vlen') {
    r.odd('btf.location-words', r.start + 4, () => ({
      message: `${r.label}: ${counted(vlen, 'word')} for the flags ${hex} and ${counted(size, 'byte')}`,
      expected: 'as many words as the flags and the size ask for',
      found: `${vlen}`,
    }));
  }
}

/** Checks that each site has as many locations as its function has arguments. */
function checkSites(r: LintRecord): void {
  const { records, vlen } = r;
  const { types } = records;
  for (let item = 0; item < vlen; item++) {
    const at = r.item(item);
    const func = typeId(records.u32(at + BTF_LOC_SITE.at.func));
    const locations = typeId(records.u32(at + BTF_LOC_SITE.at.loc_proto));
    if (kindOf(types, func) !== BtfKind.FUNC) continue;
    const proto = typeId(sizeOrTypeOf(types, func));
    const isWhole =
      kindOf(types, proto) === BtfKind.FUNC_PROTO && kindOf(types, locations) === BtfKind.LOC_PROTO;
    const [wanted, found] = [vlenOf(types, proto), vlenOf(types, locations)];
    if (!isWhole || wanted === found) continue;
    r.odd('btf.location-count', at + BTF_LOC_SITE.at.loc_proto, () => ({
      message: `${r.label} site ${item + 1}: ${counted(found, 'location')} for ${counted(wanted, 'argument')}`,
      expected: `${wanted}`,
      found: `${found}`,
    }));
  }
}

const { STRUCT, UNION, ENUM, ENUM64, FWD, TYPE_TAG, DECL_TAG } = BtfKind;
const FLAGGED: readonly number[] = [STRUCT, UNION, ENUM, ENUM64, FWD, TYPE_TAG, DECL_TAG];

/** Finds fields that are not 0 although their kind does not use them. */
function checkUnused(r: LintRecord): void {
  const { kind, kindName, vlen, sizeOrType: size } = r;
  if (!isKnownKind(kind)) return;
  if (vlen !== 0 && kindSpec(kind)?.vlen === 'unused') {
    r.odd('btf.vlen-not-wanted', r.start + 4, () => ({
      message: `${r.label}: vlen ${vlen} on ${kindName}, which has no items`,
      expected: '0',
      found: `${vlen}`,
    }));
  }
  if (r.kindFlag && !FLAGGED.includes(kind)) {
    r.odd('btf.kind-flag-not-wanted', r.start + 4, () => ({
      message: `${r.label}: kind_flag on ${kindName}, where it has no meaning`,
      expected: '0',
      found: '1',
    }));
  }
  if (kindSpec(kind)?.third === 'unused' && size !== 0) {
    r.odd(`btf.size-not-wanted.${kindName}`, r.start + 8, () => ({
      // Only a note for a FWD: GCC for BPF writes a number into the unused field.
      severity: kind === BtfKind.FWD ? 'note' : 'warning',
      message: `${r.label}: size ${size} on ${kindName}, which has none`,
      expected: '0',
      found: `${size}`,
    }));
  }
}
