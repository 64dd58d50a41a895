/** Enums: sizes that cannot be, values that do not fit, names that come twice. Source: "BTF Type Format", 2.2.6 and 2.2.19. */
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { RECORDS_PER_STEP, type TypeSubject, typeLabel } from './type-subject.ts';

export function* findOddEnums(subject: TypeSubject): Generator<void> {
  const { records } = subject;
  let work = 0;
  for (let i = 0; i < records.count; i++) {
    const kind = records.kinds[i];
    if (kind !== BtfKind.ENUM && kind !== BtfKind.ENUM64) continue;
    checkSize(subject, i);
    if (kind === BtfKind.ENUM) checkValues(subject, i);
    checkTwice(subject, i);
    work += 1 + records.vlen(i);
    if (work > RECORDS_PER_STEP) {
      work = 0;
      yield;
    }
  }
}

/** Size 0 with no enumerator is a forward declaration, as clang writes it. */
function checkSize({ records, found }: TypeSubject, i: number): void {
  const size = records.sizeOrType(i);
  if (size === 1 || size === 2 || size === 4 || size === 8) return;
  if (size === 0 && records.vlen(i) === 0) return;
  found.add('btf.enum-size', () => ({
    message: `${typeLabel(records, i)}: ${kindName(records.kinds[i] ?? 0)} of size ${size}`,
    span: records.span(records.start(i) + 8, 4),
    expected: '1, 2, 4 or 8',
    found: `${size}`,
  }));
}

/** Before kind_flag meant a sign, negative values stood without it: either reading may fit. */
function checkValues({ records, names, found }: TypeSubject, i: number): void {
  const size = records.sizeOrType(i);
  if (size !== 1 && size !== 2) return;
  const vlen = records.vlen(i);
  for (let item = 0; item < vlen; item++) {
    const at = records.itemStart(i, item);
    const value = records.u32(at + 4) | 0;
    if (value >= -(2 ** (8 * size - 1)) && value < 2 ** (8 * size)) continue;
    found.add('btf.enum-value', () => ({
      message: `${typeLabel(records, i)} ${names.text(records.u32(at))}: value ${value} does not fit in ${size} ${size === 1 ? 'byte' : 'bytes'}`,
      span: records.span(at + 4, 4),
      expected: `${-(2 ** (8 * size - 1))} to ${2 ** (8 * size) - 1}`,
      found: `${value}`,
    }));
  }
}

/** By name: a blob that was not deduplicated may hold the same string at two offsets. */
function checkTwice({ records, names, found }: TypeSubject, i: number): void {
  const vlen = records.vlen(i);
  const seen = new Set<number | string>();
  const { strBase } = records.types;
  for (let item = 0; item < vlen; item++) {
    const at = records.itemStart(i, item);
    const nameOff = records.u32(at);
    const name = nameOff < strBase ? nameOff : names.text(nameOff);
    if (name === '' || !seen.has(name)) {
      seen.add(name);
      continue;
    }
    found.add('btf.enumerator-twice', () => ({
      message: `${typeLabel(records, i)}: enumerator ${names.text(nameOff) || item} twice`,
      span: records.span(at, 4),
    }));
  }
}
