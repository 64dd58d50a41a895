/**
 * What single records say of themselves: linkage, sizes of integers, arrays that
 * are too large, flags and counts on kinds that have none.
 *
 * Source: "BTF Type Format", section 2.2; limits as the kernel checks them.
 */
import { BTF_ARRAY, BTF_VAR_SECINFO, BtfKind, intDataOf, kindSpec } from '#formats/btf/kinds.ts';
import { type LintRecord, perRecord } from './type-subject.ts';

const LINKAGE_EXTERN = 2;

const CHECKS: ReadonlyMap<number, (r: LintRecord) => void> = new Map([
  [BtfKind.FUNC, (r: LintRecord) => checkLinkage(r, r.vlen, r.start + 4)],
  [BtfKind.VAR, (r: LintRecord) => checkLinkage(r, r.records.u32(r.tail), r.tail)],
  [BtfKind.INT, checkInt],
  [BtfKind.FLOAT, checkFloat],
  [BtfKind.ARRAY, checkArray],
  [BtfKind.DATASEC, checkDatasec],
]);

export const findOddScalars = perRecord((r) => {
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

/** Variables that reach past the end of their section. Compilers leave its size 0, and then nothing can be said. */
function checkDatasec(r: LintRecord): void {
  const { records, vlen, sizeOrType: size } = r;
  if (size === 0) return;
  const field = BTF_VAR_SECINFO.at;
  for (let item = 0; item < vlen; item++) {
    const at = r.item(item);
    const end = records.u32(at + field.offset) + records.u32(at + field.size);
    if (end <= size) continue;
    const tell = () => ({
      message: `${r.label} variable ${item}: past the end of the section`,
      expected: `an end of at most ${size}`,
      found: `${end}`,
    });
    r.odd('btf.datasec-item', at + field.offset, tell, 8);
  }
}

const { STRUCT, UNION, ENUM, ENUM64, FWD, TYPE_TAG, DECL_TAG } = BtfKind;
const FLAGGED: ReadonlySet<number> = new Set([
  ...[STRUCT, UNION, ENUM, ENUM64, FWD, TYPE_TAG, DECL_TAG],
]);

/** Fields that mean nothing for the kind and should be 0. */
function checkUnused(r: LintRecord): void {
  const { kind, kindName, vlen, sizeOrType: size } = r;
  if (kind === 0 || kind > BtfKind.ENUM64) return;
  if (vlen !== 0 && kindSpec(kind)?.vlen === 'unused') {
    r.odd('btf.vlen-not-wanted', r.start + 4, () => ({
      message: `${r.label}: vlen ${vlen} on ${kindName}, which has no items`,
      expected: '0',
      found: `${vlen}`,
    }));
  }
  if (r.kindFlag && !FLAGGED.has(kind)) {
    r.odd('btf.kind-flag-not-wanted', r.start + 4, () => ({
      message: `${r.label}: kind_flag on ${kindName}, where it means nothing`,
      expected: '0',
      found: '1',
    }));
  }
  if ((kind === BtfKind.FWD || kind === BtfKind.ARRAY) && size !== 0) {
    r.odd(`btf.size-not-wanted.${kindName}`, r.start + 8, () => ({
      // GCC for BPF writes what the forward declaration is of.
      severity: kind === BtfKind.FWD ? 'note' : 'warning',
      message: `${r.label}: size ${size} on ${kindName}, which has none`,
      expected: '0',
      found: `${size}`,
    }));
  }
}
