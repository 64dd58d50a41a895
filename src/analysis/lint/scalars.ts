/**
 * What single records say of themselves: linkage, sizes of integers, arrays that
 * are too large, flags and counts on kinds that have none.
 *
 * Source: "BTF Type Format", section 2.2; limits as the kernel checks them.
 */
import {
  BTF_ARRAY,
  BTF_TYPE_SIZE,
  BTF_VAR_SECINFO,
  BtfKind,
  intDataOf,
  kindName,
  kindSpec,
} from '#formats/btf/kinds.ts';
import type { Collected } from './collected.ts';
import {
  type BlobRecords,
  RECORDS_PER_STEP,
  type TypeSizes,
  type TypeSubject,
  typeLabel,
} from './type-subject.ts';

const LINKAGE_EXTERN = 2;

export function* findOddScalars({ records, sizes, found }: TypeSubject): Generator<void> {
  for (let i = 0; i < records.count; i++) {
    const kind = records.kinds[i] ?? 0;
    switch (kind) {
      case BtfKind.FUNC:
        checkLinkage(records, i, records.vlen(i), 4, found);
        break;
      case BtfKind.VAR:
        checkLinkage(records, i, records.u32(records.tail(i)), BTF_TYPE_SIZE, found);
        break;
      case BtfKind.INT:
        checkInt(records, i, found);
        break;
      case BtfKind.FLOAT:
        checkSize(records, i, [2, 4, 8, 12, 16], found);
        break;
      case BtfKind.ARRAY:
        checkArray(records, i, sizes, found);
        break;
      case BtfKind.DATASEC:
        checkDatasec(records, i, found);
        break;
    }
    checkUnused(records, i, kind, found);
    if (i % RECORDS_PER_STEP === 0) yield;
  }
}

function checkLinkage(
  records: BlobRecords,
  i: number,
  linkage: number,
  fieldOffset: number,
  found: Collected,
): void {
  if (linkage <= LINKAGE_EXTERN) return;
  found.add('btf.linkage', () => ({
    message: `${typeLabel(records, i)}: linkage ${linkage}`,
    span: records.span(records.start(i) + fieldOffset, 4),
    expected: '0 (static), 1 (global) or 2 (extern)',
    found: `${linkage}`,
  }));
}

function checkInt(records: BlobRecords, i: number, found: Collected): void {
  const { bits, bitOffset } = intDataOf(records.u32(records.tail(i)));
  const size = records.sizeOrType(i);
  if (bits + bitOffset <= size * 8 && bits + bitOffset <= 128 && bits > 0) return;
  found.add('btf.int-bits', () => ({
    message: `${typeLabel(records, i)}: INT of ${bits} bits from bit ${bitOffset} in ${size} bytes`,
    span: records.span(records.tail(i), 4),
    expected: `1 to ${Math.min(128, size * 8)} bits`,
    found: `${bits} from bit ${bitOffset}`,
  }));
}

function checkSize(
  records: BlobRecords,
  i: number,
  allowed: readonly number[],
  found: Collected,
): void {
  const size = records.sizeOrType(i);
  if (allowed.includes(size)) return;
  const kind = kindName(records.kinds[i] ?? 0);
  found.add(`btf.size.${kind}`, () => ({
    message: `${typeLabel(records, i)}: ${kind} of size ${size}`,
    span: records.span(records.start(i) + 8, 4),
    expected: allowed.join(', '),
    found: `${size}`,
  }));
}

function checkArray(records: BlobRecords, i: number, sizes: TypeSizes, found: Collected): void {
  const size = sizes.of(records.firstId + i);
  if (!(size >= 2 ** 32)) return;
  const past = size >= 2 ** 64 ? '2^64' : '2^32';
  found.add('btf.array-size', () => ({
    message: `${typeLabel(records, i)}: size past ${past}`,
    span: records.span(records.tail(i) + BTF_ARRAY.at.nelems, 4),
    expected: 'less than 4 GiB, as libbpf and the kernel count',
    found: `${records.u32(records.tail(i) + BTF_ARRAY.at.nelems)} elements`,
  }));
}

/** Variables that reach past the end of their section. Compilers leave its size 0, and then nothing can be said. */
function checkDatasec(records: BlobRecords, i: number, found: Collected): void {
  const size = records.sizeOrType(i);
  if (size === 0) return;
  const vlen = records.vlen(i);
  for (let item = 0; item < vlen; item++) {
    const at = records.itemStart(i, item);
    const { offset, size: length } = BTF_VAR_SECINFO.at;
    const end = records.u32(at + offset) + records.u32(at + length);
    if (end <= size) continue;
    found.add('btf.datasec-item', () => ({
      message: `${typeLabel(records, i)} variable ${item}: past the end of the section`,
      span: records.span(at + offset, 8),
      expected: `an end of at most ${size}`,
      found: `${end}`,
    }));
  }
}

/** Fields that mean nothing for the kind and should be 0. */
function checkUnused(records: BlobRecords, i: number, kind: number, found: Collected): void {
  if (kind === 0 || kind > BtfKind.ENUM64) return;
  const start = records.start(i);
  if (records.vlen(i) !== 0 && kindSpec(kind)?.vlen === 'unused') {
    found.add('btf.vlen-not-wanted', () => ({
      message: `${typeLabel(records, i)}: vlen ${records.vlen(i)} on ${kindName(kind)}, which has no items`,
      span: records.span(start + 4, 4),
      expected: '0',
      found: `${records.vlen(i)}`,
    }));
  }
  if (records.kindFlag(i) && !hasKindFlag(kind)) {
    found.add('btf.kind-flag-not-wanted', () => ({
      message: `${typeLabel(records, i)}: kind_flag on ${kindName(kind)}, where it means nothing`,
      span: records.span(start + 4, 4),
      expected: '0',
      found: '1',
    }));
  }
  if ((kind === BtfKind.FWD || kind === BtfKind.ARRAY) && records.sizeOrType(i) !== 0) {
    found.add(`btf.size-not-wanted.${kindName(kind)}`, () => ({
      // GCC for BPF writes what the forward declaration is of.
      severity: kind === BtfKind.FWD ? 'note' : 'warning',
      message: `${typeLabel(records, i)}: size ${records.sizeOrType(i)} on ${kindName(kind)}, which has none`,
      span: records.span(start + 8, 4),
      expected: '0',
      found: `${records.sizeOrType(i)}`,
    }));
  }
}

function hasKindFlag(kind: number): boolean {
  switch (kind) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
    case BtfKind.FWD:
    case BtfKind.TYPE_TAG:
    case BtfKind.DECL_TAG:
      return true;
    default:
      return false;
  }
}
