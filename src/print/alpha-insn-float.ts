/**
 * The floating-point operates of the Alpha. Their function of 11 bits is an
 * operation (bits 0-5), a rounding mode (6-7) and a trap mode (8-10), and the
 * mnemonic spells all three: `addt/suic`. Which triples exist is a property of
 * the operation's family.
 *
 * Source: Alpha Architecture Handbook, appendix C, "IEEE" and "VAX
 * Floating-Point Instructions", and what GNU objdump 2.40 names.
 */
import { OPCODE, ZERO_REGISTER } from './alpha-insn-tables.ts';

/** A family: the letters of each trap mode that it has, and the rounding modes. */
type Family = {
  readonly traps: ReadonlyMap<number, string>;
  readonly roundings: ReadonlyMap<number, string>;
};

const ALL_ROUNDINGS = new Map([
  [0, 'c'],
  [1, 'm'],
  [2, ''],
  [3, 'd'],
]);
const VAX_ROUNDINGS = new Map([
  [0, 'c'],
  [2, ''],
]);
const NORMAL_ROUNDING = new Map([[2, '']]);

const IEEE: Family = {
  traps: new Map([
    [0, ''],
    [1, 'u'],
    [5, 'su'],
    [7, 'sui'],
  ]),
  roundings: ALL_ROUNDINGS,
};
const IEEE_TO_INTEGER: Family = {
  traps: new Map([
    [0, ''],
    [1, 'v'],
    [5, 'sv'],
    [7, 'svi'],
  ]),
  roundings: ALL_ROUNDINGS,
};
const IEEE_FROM_INTEGER: Family = {
  traps: new Map([
    [0, ''],
    [7, 'sui'],
  ]),
  roundings: ALL_ROUNDINGS,
};
const IEEE_COMPARE: Family = {
  traps: new Map([
    [0, ''],
    [5, 'su'],
  ]),
  roundings: NORMAL_ROUNDING,
};
const IEEE_WIDEN: Family = {
  traps: new Map([
    [2, ''],
    [6, 's'],
  ]),
  roundings: NORMAL_ROUNDING,
};
const VAX: Family = {
  traps: new Map([
    [0, ''],
    [1, 'u'],
    [4, 's'],
    [5, 'su'],
  ]),
  roundings: VAX_ROUNDINGS,
};
const VAX_TO_INTEGER: Family = {
  traps: new Map([
    [0, ''],
    [1, 'v'],
    [4, 's'],
    [5, 'sv'],
  ]),
  roundings: VAX_ROUNDINGS,
};
const VAX_FROM_INTEGER: Family = { traps: new Map([[0, '']]), roundings: VAX_ROUNDINGS };
const VAX_COMPARE: Family = {
  traps: new Map([
    [0, ''],
    [4, 's'],
  ]),
  roundings: NORMAL_ROUNDING,
};

type Operation = {
  readonly name: string;
  readonly family: Family;
  /** `one`: the first register must be `$f31` and is not shown. */
  readonly sources: 'one' | 'two';
};

function two(name: string, family: Family): Operation {
  return { name, family, sources: 'two' };
}

function one(name: string, family: Family): Operation {
  return { name, family, sources: 'one' };
}

const ROOTS = new Map<number, readonly Operation[]>([
  [0x0a, [one('sqrtf', VAX)]],
  [0x0b, [one('sqrts', IEEE)]],
  [0x2a, [one('sqrtg', VAX)]],
  [0x2b, [one('sqrtt', IEEE)]],
]);

const VAX_OPERATIONS = new Map<number, readonly Operation[]>([
  [0x00, [two('addf', VAX)]],
  [0x01, [two('subf', VAX)]],
  [0x02, [two('mulf', VAX)]],
  [0x03, [two('divf', VAX)]],
  [0x1e, [one('cvtdg', VAX)]],
  [0x20, [two('addg', VAX)]],
  [0x21, [two('subg', VAX)]],
  [0x22, [two('mulg', VAX)]],
  [0x23, [two('divg', VAX)]],
  [0x25, [two('cmpgeq', VAX_COMPARE)]],
  [0x26, [two('cmpglt', VAX_COMPARE)]],
  [0x27, [two('cmpgle', VAX_COMPARE)]],
  [0x2c, [one('cvtgf', VAX)]],
  [0x2d, [one('cvtgd', VAX)]],
  [0x2f, [one('cvtgq', VAX_TO_INTEGER)]],
  [0x3c, [one('cvtqf', VAX_FROM_INTEGER)]],
  [0x3e, [one('cvtqg', VAX_FROM_INTEGER)]],
]);

const IEEE_OPERATIONS = new Map<number, readonly Operation[]>([
  [0x00, [two('adds', IEEE)]],
  [0x01, [two('subs', IEEE)]],
  [0x02, [two('muls', IEEE)]],
  [0x03, [two('divs', IEEE)]],
  [0x20, [two('addt', IEEE)]],
  [0x21, [two('subt', IEEE)]],
  [0x22, [two('mult', IEEE)]],
  [0x23, [two('divt', IEEE)]],
  [0x24, [two('cmptun', IEEE_COMPARE)]],
  [0x25, [two('cmpteq', IEEE_COMPARE)]],
  [0x26, [two('cmptlt', IEEE_COMPARE)]],
  [0x27, [two('cmptle', IEEE_COMPARE)]],
  // The trap modes that cvtts leaves free say that the same operation widens.
  [0x2c, [one('cvtts', IEEE), one('cvtst', IEEE_WIDEN)]],
  [0x2f, [one('cvttq', IEEE_TO_INTEGER)]],
  [0x3c, [one('cvtqs', IEEE_FROM_INTEGER)]],
  [0x3e, [one('cvtqt', IEEE_FROM_INTEGER)]],
]);

const OPERATIONS = new Map<number, ReadonlyMap<number, readonly Operation[]>>([
  [OPCODE.floatFromInteger, ROOTS],
  [OPCODE.vaxFloat, VAX_OPERATIONS],
  [OPCODE.ieeeFloat, IEEE_OPERATIONS],
]);

/** `sub` with `$f31` as first source, under these full functions, is called `neg`. */
const NEGATIONS = new Map<number, ReadonlySet<number>>([
  [OPCODE.vaxFloat, new Set([0x081, 0x0a1, 0x481, 0x4a1])],
  [OPCODE.ieeeFloat, new Set([0x081, 0x0a1, 0x581, 0x5a1, 0x781, 0x7a1])],
]);

/** Opcode 0x17 takes no modes: by its whole function. */
const PLAIN_TWO = new Map<number, string>([
  [0x020, 'cpys'],
  [0x021, 'cpysn'],
  [0x022, 'cpyse'],
  [0x02a, 'fcmoveq'],
  [0x02b, 'fcmovne'],
  [0x02c, 'fcmovlt'],
  [0x02d, 'fcmovge'],
  [0x02e, 'fcmovle'],
  [0x02f, 'fcmovgt'],
]);
const PLAIN_ONE = new Map<number, string>([
  [0x010, 'cvtlq'],
  [0x030, 'cvtql'],
  [0x130, 'cvtql/v'],
  [0x530, 'cvtql/sv'],
]);
const CONTROL = new Map<number, string>([
  [0x024, 'mt_fpcr'],
  [0x025, 'mf_fpcr'],
]);

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
  for (const operation of OPERATIONS.get(opcode)?.get(fn & 0x3f) ?? []) {
    const trap = operation.family.traps.get(fn >> 8);
    const rounding = operation.family.roundings.get((fn >> 6) & 3);
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
