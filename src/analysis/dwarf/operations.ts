/** Writes operations of location expressions: `DW_OP_fbreg -24`. */
import { hexText } from '#bytes/text.ts';
import { DW_OP } from '#formats/dwarf/constants.ts';
import type { DwarfOperation } from '#formats/dwarf/expressions.ts';

/** Operations of which there are 32, by the first and the last one. */
const SERIES = [
  { name: 'DW_OP_lit', first: DW_OP.lit0, last: DW_OP.lit31 },
  { name: 'DW_OP_reg', first: DW_OP.reg0, last: DW_OP.reg31 },
  { name: 'DW_OP_breg', first: DW_OP.breg0, last: DW_OP.breg31 },
] as const;

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(DW_OP).map(([name, code]) => [code, `DW_OP_${name}`]),
);

/** Returns an operation with its operands; addresses and unsigned offsets are hexadecimal. */
export function operationText({ code, operands }: DwarfOperation): string {
  const series = SERIES.find(({ first, last }) => code >= first && code <= last);
  const name =
    series === undefined
      ? (NAMES.get(code) ?? `DW_OP_${hexText(code)}`)
      : `${series.name}${code - series.first}`;
  const values = operands.map((operand) => (code === DW_OP.addr ? hexText(operand) : `${operand}`));
  return [name, ...values].join(' ');
}
