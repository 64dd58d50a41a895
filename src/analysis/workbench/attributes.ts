/** `__attribute__((packed, aligned(8)))`, and the kernel's short words for it. */
import { readConstant } from './constants.ts';
import { type Cursor, Fault } from './cursor.ts';

/** `aligned` in bytes, 0 where nothing asks for it. */
export type Attributes = { readonly packed: boolean; readonly aligned: number };

const MAX_ALIGNMENT = 0x10000n;

/** Reads as many as come next. Throws `Fault` for one that is not known here. */
export function readAttributes(cursor: Cursor, names: ReadonlyMap<string, bigint>): Attributes {
  let packed = false;
  let aligned = 0;
  const add = (found: Attributes) => {
    packed ||= found.packed;
    aligned = Math.max(aligned, found.aligned);
  };
  for (;;) {
    if (cursor.take('__packed')) add({ packed: true, aligned: 0 });
    else if (cursor.take('__aligned')) {
      add({ packed: false, aligned: readAlignment(cursor, names) });
    } else if (cursor.take('__attribute__')) {
      cursor.expect('(');
      cursor.expect('(');
      do add(readAttribute(cursor, names));
      while (cursor.take(','));
      cursor.expect(')');
      cursor.expect(')');
    } else return { packed, aligned };
  }
}

function readAttribute(cursor: Cursor, names: ReadonlyMap<string, bigint>): Attributes {
  const word = cursor.next();
  switch (word.text.replace(/^__(.+)__$/, '$1')) {
    case 'packed':
      return { packed: true, aligned: 0 };
    case 'aligned':
      return { packed: false, aligned: readAlignment(cursor, names) };
    default:
      throw new Fault(`only packed and aligned are known here, not ${word.text}`, word);
  }
}

function readAlignment(cursor: Cursor, names: ReadonlyMap<string, bigint>): number {
  cursor.expect('(');
  const token = cursor.peek();
  const value = readConstant(cursor, names);
  cursor.expect(')');
  if (value < 1n || value > MAX_ALIGNMENT || (value & (value - 1n)) !== 0n) {
    throw new Fault(`an alignment is a power of two, up to ${MAX_ALIGNMENT}`, token);
  }
  return Number(value);
}
