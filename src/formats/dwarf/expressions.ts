/** Decodes location expressions to operations. Source: DWARF 5, section 7.7.1. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { hexText } from '#bytes/text.ts';
import { DW_OP } from './constants.ts';
import type { UnitFormat } from './forms.ts';
import { DwarfCursor } from './leb128.ts';

/** An operation and its operands. Blocks are left out; their size is the operand before them. */
export type DwarfOperation = {
  /** DW_OP. */
  readonly code: number;
  readonly operands: readonly bigint[];
  /** Offset of the operation in the expression. */
  readonly at: number;
};

/**
 * Operands by operation: `1`, `2`, `4`, `8` unsigned and `-1` … `-8` signed of so many bytes, `u`
 * and `s` LEB128, `a` an address, `o` an offset, `b` a block after its length in LEB128, `c` a
 * block after its length in a byte. Operations without a row have none.
 */
const OPERANDS: ReadonlyMap<number, string> = new Map([
  [DW_OP.addr, 'a'],
  [DW_OP.const1u, '1'],
  [DW_OP.const1s, '-1'],
  [DW_OP.const2u, '2'],
  [DW_OP.const2s, '-2'],
  [DW_OP.const4u, '4'],
  [DW_OP.const4s, '-4'],
  [DW_OP.const8u, '8'],
  [DW_OP.const8s, '-8'],
  [DW_OP.constu, 'u'],
  [DW_OP.consts, 's'],
  [DW_OP.pick, '1'],
  [DW_OP.plus_uconst, 'u'],
  [DW_OP.bra, '-2'],
  [DW_OP.skip, '-2'],
  [DW_OP.regx, 'u'],
  [DW_OP.fbreg, 's'],
  [DW_OP.bregx, 'u s'],
  [DW_OP.piece, 'u'],
  [DW_OP.deref_size, '1'],
  [DW_OP.xderef_size, '1'],
  [DW_OP.call2, '2'],
  [DW_OP.call4, '4'],
  [DW_OP.call_ref, 'o'],
  [DW_OP.bit_piece, 'u u'],
  [DW_OP.implicit_value, 'b'],
  [DW_OP.implicit_pointer, 'o s'],
  [DW_OP.addrx, 'u'],
  [DW_OP.constx, 'u'],
  [DW_OP.entry_value, 'b'],
  [DW_OP.const_type, 'u c'],
  [DW_OP.regval_type, 'u u'],
  [DW_OP.deref_type, '1 u'],
  [DW_OP.xderef_type, '1 u'],
  [DW_OP.convert, 'u'],
  [DW_OP.reinterpret, 'u'],
  [DW_OP.GNU_implicit_pointer, 'o s'],
  [DW_OP.GNU_entry_value, 'b'],
  [DW_OP.GNU_const_type, 'u c'],
  [DW_OP.GNU_regval_type, 'u u'],
  [DW_OP.GNU_deref_type, '1 u'],
  [DW_OP.GNU_convert, 'u'],
  [DW_OP.GNU_reinterpret, 'u'],
  [DW_OP.GNU_parameter_ref, '4'],
  [DW_OP.GNU_addr_index, 'u'],
  [DW_OP.GNU_const_index, 'u'],
  [DW_OP.GNU_variable_value, 'o'],
]);

/** Operations without operands outside of the ranges of registers and literals. */
const isPlain = (code: number): boolean =>
  code === DW_OP.deref ||
  (code >= DW_OP.dup && code <= DW_OP.reg31) ||
  (code >= DW_OP.nop && code <= DW_OP.stack_value) ||
  code === DW_OP.GNU_push_tls_address ||
  code === DW_OP.GNU_uninit;

/** Returns the operations of an expression. Throws `Malformed` for an unknown one. */
export function operationsOf(expression: ByteReader, format: UnitFormat): DwarfOperation[] {
  const cursor = new DwarfCursor(expression, 0);
  const operations: DwarfOperation[] = [];
  while (cursor.at < expression.length) {
    const at = cursor.at;
    const code = cursor.u8();
    const operands: bigint[] = [];
    const isBased = code >= DW_OP.breg0 && code <= DW_OP.breg31;
    const kinds = isBased ? 's' : OPERANDS.get(code);
    if (kinds === undefined && !isPlain(code)) {
      throw expression.malformed('dwarf.operation', `unknown operation ${hexText(code)}`, {
        at: [at, 1],
        expected: 'an operation of DWARF 2 to 5',
        found: hexText(code),
      });
    }
    for (const kind of kinds?.split(' ') ?? []) operands.push(readOperand(cursor, kind, format));
    operations.push({ code, operands, at });
  }
  return operations;
}

function readOperand(cursor: DwarfCursor, kind: string, format: UnitFormat): bigint {
  switch (kind) {
    case 'u':
      return cursor.bigUleb();
    case 's':
      return cursor.sleb();
    case 'a':
      return cursor.unsigned(format.addressSize);
    case 'o':
      return cursor.unsigned(format.version < 3 ? format.addressSize : format.offsetSize);
    case 'b':
    case 'c': {
      const length = kind === 'b' ? cursor.uleb() : cursor.u8();
      cursor.reader.require(cursor.at, length, 'a block');
      cursor.at += length;
      return BigInt(length);
    }
    default: {
      const size = Math.abs(Number(kind));
      const value = cursor.unsigned(size);
      return kind.startsWith('-') ? BigInt.asIntN(8 * size, value) : value;
    }
  }
}

/** Returns the DWARF number of the register that holds the value; null for another location. */
export function registerOf(operations: readonly DwarfOperation[]): number | null {
  const [first] = operations;
  if (first === undefined || operations.length > 1) return null;
  if (first.code >= DW_OP.reg0 && first.code <= DW_OP.reg31) return first.code - DW_OP.reg0;
  return first.code === DW_OP.regx ? Number(first.operands[0] ?? 0n) : null;
}
