/** Enums: sizes that cannot be, values that do not fit, names that come twice. Source: "BTF Type Format", 2.2.6 and 2.2.19. */
import { counted } from '#bytes/text.ts';
import { BTF_ENUM, BtfKind } from '#formats/btf/kinds.ts';
import { type LintRecord, perRecord } from './type-subject.ts';

export const findOddEnums = perRecord((r) => {
  if (r.kind !== BtfKind.ENUM && r.kind !== BtfKind.ENUM64) return;
  checkSize(r);
  if (r.kind === BtfKind.ENUM) checkValues(r);
  checkTwice(r);
});

/** Size 0 with no enumerator is a forward declaration, as clang writes it. */
function checkSize(r: LintRecord): void {
  const size = r.sizeOrType;
  if ([1, 2, 4, 8].includes(size) || (size === 0 && r.vlen === 0)) return;
  r.odd('btf.enum-size', r.start + 8, () => ({
    message: `${r.label}: ${r.kindName} of size ${size}`,
    expected: '1, 2, 4 or 8',
    found: `${size}`,
  }));
}

/** Before kind_flag meant a sign, negative values stood without it: either reading may fit. */
function checkValues(r: LintRecord): void {
  const { records, names, sizeOrType: size, vlen } = r;
  if (size !== 1 && size !== 2) return;
  const [least, most] = [-(2 ** (8 * size - 1)), 2 ** (8 * size) - 1];
  for (let item = 0; item < vlen; item++) {
    const at = r.item(item);
    const value = records.u32(at + BTF_ENUM.at.val) | 0;
    if (value >= least && value <= most) continue;
    r.odd('btf.enum-value', at + BTF_ENUM.at.val, () => ({
      message: `${r.label} ${names.text(records.u32(at))}: value ${value} does not fit in ${counted(size, 'byte')}`,
      expected: `${least} to ${most}`,
      found: `${value}`,
    }));
  }
}

/** By name: a blob that was not deduplicated may hold the same string at two offsets. */
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
