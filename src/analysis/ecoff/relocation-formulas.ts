/** Formulas by entry type: Tru64 UNIX Object File Specification, 4.3.4, and GNU ld 2.40. */
import { signedHex } from '#bytes/text.ts';
import type { Relocation } from '#formats/ecoff/relocations.ts';
import { LITUSE, R } from '#formats/ecoff/relocations.ts';
import type { Outcome } from './relocate.ts';
import { type Reading, TERMS, UNSUPPORTED } from './results.ts';

export type Formula = {
  /** Formula in the document; null if the document has none. */
  readonly document: string | null;
  /** Formula of GNU ld; null if it equals the document's formula. */
  readonly ld: string | null;
  /** Formula that keeps a program correct; null if it equals the document's formula. */
  readonly meant: string | null;
  /** Reason why the formulas differ, with the correct formula; null if they are equal. */
  readonly reason: string | null;
  /** Restriction that the document puts on the result; null if there is none. */
  readonly restriction: string | null;
};

const LOCAL = '(new_scn_addr - old_scn_addr)';
const SYMBOL = 'EXTR.asym.value';
const NEW_ADDRESS = '(r_vaddr - this_old_scn_addr + this_new_scn_addr)';

const BLANK: Formula = {
  document: null,
  ld: null,
  meant: null,
  reason: null,
  restriction: null,
};

/** Returns the formula of a local or external entry, for a partial link if `isPartial`. Never throws. */
export function formulaOf(entry: Relocation, isPartial = false): Formula {
  const tracked = entry.rExtern ? SYMBOL : LOCAL;
  switch (entry.rType) {
    case R.reflong:
      return direct(tracked, 'int', 'The result must fit 32 bits. The value may be unaligned.');
    case R.refquad:
      return direct(tracked, 'long', 'The value may be unaligned.');
    case R.gprel32:
      return gprel32(entry);
    case R.literal:
      return literal(null, null);
    case R.tlsLiteral:
      return literal(UNSUPPORTED, 'GNU ld 2.40 supports no type above 16.');
    case R.lituse:
      return literalUse(entry.rSymndx);
    case R.gpdisp:
      return GPDISP;
    case R.braddr:
    case R.hint:
      return branch(entry);
    case R.srel16:
    case R.srel32:
    case R.srel64:
      return selfRelative(entry, isPartial);
    case R.gpvalue:
      return {
        ...BLANK,
        document: 'GP = aouthdr.gp_value + r_symndx',
        restriction: 'Must be local.',
      };
    case R.gprelhigh:
      return {
        ...BLANK,
        restriction:
          'At least one GPRELLOW must follow, which computes it. The document demands the unsigned 32-bit range; an ldah extends the sign, so the result must fit 32 bits with its sign.',
      };
    case R.tlsHigh:
      return { ...BLANK, restriction: 'A TLS_LOW must follow, which computes it.' };
    case R.gprellow:
      return gprelLow(entry);
    case R.tlsLow:
      return {
        ...BLANK,
        document: `displacement + ${tracked}`,
        ld: UNSUPPORTED,
        reason: 'GNU ld 2.40 supports no type above 16.',
        restriction: 'The result must fit 32 bits.',
      };
    default:
      return stackFormula(entry);
  }
}

function direct(tracked: string, cast: string, restriction: string | null): Formula {
  return { ...BLANK, document: `${tracked} + (${cast})[r_vaddr]`, restriction };
}

function gprel32(entry: Relocation): Formula {
  const restriction = 'The signed result must fit 32 bits.';
  if (!entry.rExtern) {
    return {
      ...BLANK,
      document: `${LOCAL} + old_GP - GP + SEXT((int)[r_vaddr])`,
      restriction,
    };
  }
  return {
    ...BLANK,
    document: `${SYMBOL} - GP + SEXT((int)[r_vaddr])`,
    ld: `${SYMBOL} - GP + SEXT((int)[r_vaddr]) + old_GP`,
    reason:
      'GNU as stores the addend less old_GP, and GNU ld adds it again. The document requires the plain addend.',
    restriction,
  };
}

function literal(ld: string | null, reason: string | null): Formula {
  return {
    ...BLANK,
    document: `${LOCAL} + (SEXT((short)[r_vaddr]) + old_GP) - GP`,
    ld,
    reason,
    restriction: 'The result must fit 16 bits. Must be local, to .lita.',
  };
}

const USE_RULE =
  'Must follow a LITERAL or another LITUSE directly. new_lit is the relocated literal. Read from -O1 on.';

/** Returns the condition for rewriting the use of a literal. The entry itself patches no bytes. */
function literalUse(subtype: number): Formula {
  switch (subtype) {
    case LITUSE.base:
      return {
        ...BLANK,
        document: 'disp = new_lit + lituse_disp - GP',
        restriction: `${USE_RULE} r_vaddr is aligned to a byte: any address is right. disp is used where it fits 16 bits, or 32 bits if the literal has one LITUSE.`,
      };
    case LITUSE.jsr:
      return {
        ...BLANK,
        document: '(prologue_size + new_lit - this_new_addr + 4) / 4',
        restriction: `${USE_RULE} The result must fit the 21 bits of a branch. A branch counts from the next instruction, so that 4 is to be subtracted, not added.`,
      };
    default:
      return { ...BLANK, restriction: USE_RULE };
  }
}

const GPDISP_MEANT =
  '(GP - old_GP) + (this_old_scn_addr - this_new_scn_addr) + 65536 * high_disp + low_disp';

const GPDISP: Formula = {
  document:
    '(old_GP - GP) + (this_old_scn_addr - this_new_scn_addr) + 65536 * high_disp + low_disp',
  ld: GPDISP_MEANT,
  meant: GPDISP_MEANT,
  reason:
    'The document swaps the two gp values: the pair adds up to gp less the address of the code, which grows with the new gp. GNU ld is right, but requires the ldah to come first.',
  restriction: 'Must be local, and name an lda and an ldah. The result must fit 32 bits.',
};

function branch(entry: Relocation): Formula {
  const isHint = entry.rType === R.hint;
  const restriction = isHint
    ? 'The target must be aligned to 4 bytes. A result that is too large is truncated silently.'
    : 'The target must be aligned to 4 bytes. The signed result must fit 21 bits.';
  const oneTooFar =
    'The document omits that a branch counts from the next instruction: its formula is one instruction too far.';
  if (!entry.rExtern) {
    const meant = `(${LOCAL} + displacement * 4 + r_vaddr - ${NEW_ADDRESS}) / 4`;
    return {
      document: `(${LOCAL} + displacement * 4 + r_vaddr + 4 - ${NEW_ADDRESS}) / 4`,
      ld: meant,
      meant,
      reason: oneTooFar,
      restriction,
    };
  }
  const meant = `(${SYMBOL} + displacement * 4 - (${NEW_ADDRESS} + 4)) / 4`;
  return {
    document: `(${SYMBOL} + displacement * 4 - ${NEW_ADDRESS}) / 4`,
    ld: isHint ? `displacement + (${SYMBOL} - this_new_scn_addr) / 4` : meant,
    meant,
    reason: isHint
      ? `${oneTooFar} GNU ld expects the field to hold the entry's own distance already, which Tru64 tools leave 0; a wrong hint costs time only.`
      : oneTooFar,
    restriction,
  };
}

function selfRelative(entry: Relocation, isPartial: boolean): Formula {
  const bits = entry.rType === R.srel16 ? 16 : 32;
  const restriction = entry.rType === R.srel64 ? null : `The result must fit ${bits} bits.`;
  if (!entry.rExtern) {
    return { ...BLANK, document: `${LOCAL} + [r_vaddr] + r_vaddr - ${NEW_ADDRESS}`, restriction };
  }
  const origin = isPartial ? '' : ' - this_old_scn_addr';
  return {
    ...BLANK,
    document: `${SYMBOL} - ${NEW_ADDRESS}`,
    ld: `${SYMBOL} - ${NEW_ADDRESS} - 4${origin} + [r_vaddr]`,
    reason:
      'GNU ld counts from the end of the field and subtracts the old section address twice (a partial link does not). The document is right.',
    restriction,
  };
}

function gprelLow(entry: Relocation): Formula {
  const tracked = entry.rExtern ? SYMBOL : LOCAL;
  return {
    document: `displacement + ${tracked} + (old_GP - GP)`,
    ld: UNSUPPORTED,
    meant: entry.rExtern ? `displacement + ${tracked} - GP` : null,
    reason: entry.rExtern
      ? 'GNU ld 2.40 supports no type above 16. The document adds old_GP also to a symbol, which is right only where the displacement was stored less old_GP.'
      : 'GNU ld 2.40 supports no type above 16.',
    restriction:
      'All low halves of one high half hold the same displacement. The result must fit 32 bits.',
  };
}

function stackFormula(entry: Relocation): Formula {
  const operand = entry.rExtern ? SYMBOL : `${LOCAL} + r_vaddr`;
  switch (entry.rType) {
    case R.opPush:
      return {
        ...BLANK,
        document: `stack[++tos] = ${operand}`,
        restriction: 'The stack holds at most 20 values.',
      };
    case R.opPsub:
      return {
        ...BLANK,
        document: `stack[tos] = stack[tos] - (${operand})`,
        restriction: 'The stack must not be empty.',
      };
    case R.opPrshift:
      return {
        ...BLANK,
        document: `stack[tos] = stack[tos] >> (${operand})`,
        restriction: 'The stack must not be empty.',
      };
    case R.opStore:
      return {
        ...BLANK,
        document: 'bits r_offset to r_offset + r_size - 1 of [r_vaddr] = stack[tos--]',
        ld: entry.rSize === 0 ? 'nothing is stored' : null,
        reason:
          entry.rSize === 0
            ? 'Six bits cannot hold 64, so 0 means the whole quadword. GNU ld reads it as no bits.'
            : null,
        restriction:
          'The stack must not be empty. Must be local. r_symndx is the section of r_vaddr. Bit 0 is the lowest in little-endian objects, the highest in big-endian ones.',
      };
    default:
      return BLANK;
  }
}

/** Returns a formula with its numbers and result: `(0x120001000 - 0x0) + 0x30 = 0x120001030`. */
export function numbersText(formula: string, outcome: Outcome, reading: Reading): string {
  const { terms } = outcome;
  const result = outcome.results?.[reading] ?? null;
  if (terms === null || result === null || formula === '') return '';
  const put = (text: string, { written, of }: (typeof TERMS)[number]) =>
    text.replace(written, numberText(of(terms)));
  return `${TERMS.reduce(put, formula)} = ${resultText(terms.rType, result)}`;
}

/** Returns the text of a result: decimal for a number of instructions, else signed hex. */
export function resultText(rType: number, value: bigint): string {
  return rType === R.braddr || rType === R.hint ? `${value}` : signedHex(value);
}

/** Returns a number's text. Negative numbers are in parentheses, since they follow an operator. */
function numberText(value: bigint): string {
  if (value < 0n) return `(${signedHex(value)})`;
  return signedHex(value);
}
