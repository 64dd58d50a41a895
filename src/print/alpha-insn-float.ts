/**
 * The floating-point operates of the Alpha. Their function of 11 bits is an
 * operation (bits 0-5), a rounding mode (6-7) and a trap mode (8-10), and the
 * mnemonic spells all three: `addt/suic`. Which triples exist is a property of
 * the operation's family.
 *
 * Source: Alpha Architecture Handbook, appendix C, "IEEE" and "VAX
 * Floating-Point Instructions", and what GNU objdump 2.40 names.
 */
import { byCode, OPCODE, ZERO_REGISTER } from './alpha-insn-tables.ts';

/** A family: the letters of each trap mode that it has, and the rounding modes. */
type Family = {
  readonly traps: Modes;
  readonly roundings: Modes;
};

type Modes = Readonly<Record<number, string>>;
const ALL_ROUNDINGS: Modes = { 0: 'c', 1: 'm', 2: '', 3: 'd' };
const VAX_ROUNDINGS: Modes = { 0: 'c', 2: '' };
const NORMAL_ROUNDING: Modes = { 2: '' };

const family = (roundings: Modes, traps: Modes): Family => ({ traps, roundings });
const IEEE = family(ALL_ROUNDINGS, { 0: '', 1: 'u', 5: 'su', 7: 'sui' });
const IEEE_TO_INTEGER = family(ALL_ROUNDINGS, { 0: '', 1: 'v', 5: 'sv', 7: 'svi' });
const IEEE_FROM_INTEGER = family(ALL_ROUNDINGS, { 0: '', 7: 'sui' });
const IEEE_COMPARE = family(NORMAL_ROUNDING, { 0: '', 5: 'su' });
const IEEE_WIDEN = family(NORMAL_ROUNDING, { 2: '', 6: 's' });
const VAX = family(VAX_ROUNDINGS, { 0: '', 1: 'u', 4: 's', 5: 'su' });
const VAX_TO_INTEGER = family(VAX_ROUNDINGS, { 0: '', 1: 'v', 4: 's', 5: 'sv' });
const VAX_FROM_INTEGER = family(VAX_ROUNDINGS, { 0: '' });
const VAX_COMPARE = family(NORMAL_ROUNDING, { 0: '', 4: 's' });

type Operation = {
  readonly code: number;
  readonly name: string;
  readonly family: Family;
  /** `one`: the first register must be `$f31` and is not shown. */
  readonly sources: 'one' | 'two';
};

/** Operations of one family by their codes. */
function operations(sources: 'one' | 'two', of: Family, table: string): Operation[] {
  return Array.from(byCode(table), ([code, name]) => ({ code, name, family: of, sources }));
}

const OPERATIONS = new Map<number, readonly Operation[]>([
  [
    OPCODE.floatFromInteger,
    [
      ...operations('one', VAX, '0a sqrtf  2a sqrtg'),
      ...operations('one', IEEE, '0b sqrts  2b sqrtt'),
    ],
  ],
  [
    OPCODE.vaxFloat,
    [
      ...operations('two', VAX, '00 addf  01 subf  02 mulf  03 divf'),
      ...operations('two', VAX, '20 addg  21 subg  22 mulg  23 divg'),
      ...operations('one', VAX, '1e cvtdg  2c cvtgf  2d cvtgd'),
      ...operations('two', VAX_COMPARE, '25 cmpgeq  26 cmpglt  27 cmpgle'),
      ...operations('one', VAX_TO_INTEGER, '2f cvtgq'),
      ...operations('one', VAX_FROM_INTEGER, '3c cvtqf  3e cvtqg'),
    ],
  ],
  [
    OPCODE.ieeeFloat,
    [
      ...operations('two', IEEE, '00 adds  01 subs  02 muls  03 divs'),
      ...operations('two', IEEE, '20 addt  21 subt  22 mult  23 divt'),
      ...operations('two', IEEE_COMPARE, '24 cmptun  25 cmpteq  26 cmptlt  27 cmptle'),
      // The trap modes that cvtts leaves free say that the same operation widens.
      ...operations('one', IEEE, '2c cvtts'),
      ...operations('one', IEEE_WIDEN, '2c cvtst'),
      ...operations('one', IEEE_TO_INTEGER, '2f cvttq'),
      ...operations('one', IEEE_FROM_INTEGER, '3c cvtqs  3e cvtqt'),
    ],
  ],
]);

/** `sub` with `$f31` as first source, under these full functions, is called `neg`. */
const NEGATIONS = new Map<number, ReadonlySet<number>>([
  [OPCODE.vaxFloat, new Set([0x081, 0x0a1, 0x481, 0x4a1])],
  [OPCODE.ieeeFloat, new Set([0x081, 0x0a1, 0x581, 0x5a1, 0x781, 0x7a1])],
]);

/** Opcode 0x17 takes no modes: by its whole function. */
const PLAIN_TWO = byCode(`
  020 cpys  021 cpysn  022 cpyse  02a fcmoveq  02b fcmovne  02c fcmovlt  02d fcmovge
  02e fcmovle  02f fcmovgt
`);
const PLAIN_ONE = byCode('010 cvtlq  030 cvtql  130 cvtql/v  530 cvtql/sv');
const CONTROL = byCode('024 mt_fpcr  025 mf_fpcr');

/**
 * Text of a floating-point operate (opcodes 0x14 to 0x17 with floating
 * registers), from its function and register numbers; null where the tool has
 * no name for it.
 */
export function floatOperateText(
  opcode: number,
  fn: number,
  fa: number,
  fb: number,
  fc: number,
): string | null {
  if (opcode === OPCODE.anyFloat) return plainText(fn, fa, fb, fc);
  for (const operation of OPERATIONS.get(opcode) ?? []) {
    if (operation.code !== (fn & 0x3f)) continue;
    const trap = operation.family.traps[fn >> 8];
    const rounding = operation.family.roundings[(fn >> 6) & 3];
    if (trap === undefined || rounding === undefined) continue;
    const modes = trap + rounding;
    const suffix = modes === '' ? '' : `/${modes}`;
    if (operation.sources === 'one') {
      return fa === ZERO_REGISTER ? `${operation.name}${suffix}\t$f${fb},$f${fc}` : null;
    }
    if (fa === ZERO_REGISTER && NEGATIONS.get(opcode)?.has(fn)) {
      return `${operation.name.replace('sub', 'neg')}${suffix}\t$f${fb},$f${fc}`;
    }
    return `${operation.name}${suffix}\t$f${fa},$f${fb},$f${fc}`;
  }
  return null;
}

function plainText(fn: number, fa: number, fb: number, fc: number): string | null {
  const name = PLAIN_TWO.get(fn);
  if (name === 'cpys') return copySignText(fa, fb, fc);
  if (name === 'cpysn' && fa === fb) return `fneg\t$f${fa},$f${fc}`;
  if (name !== undefined) return `${name}\t$f${fa},$f${fb},$f${fc}`;
  const conversion = PLAIN_ONE.get(fn);
  if (conversion !== undefined) {
    return fa === ZERO_REGISTER ? `${conversion}\t$f${fb},$f${fc}` : null;
  }
  const control = CONTROL.get(fn);
  // The three fields must name one register.
  return control !== undefined && fa === fb && fb === fc ? `${control}\t$f${fa}` : null;
}

function copySignText(fa: number, fb: number, fc: number): string {
  if (fa === ZERO_REGISTER && fb === ZERO_REGISTER) {
    return fc === ZERO_REGISTER ? 'fnop\t' : `fclr\t$f${fc}`;
  }
  if (fa === fb) return `fmov\t$f${fa},$f${fc}`;
  if (fa === ZERO_REGISTER) return `fabs\t$f${fb},$f${fc}`;
  return `cpys\t$f${fa},$f${fb},$f${fc}`;
}
