/** How large pahole takes a pointer to be. */
import { pointerSize } from '#analysis/types/sizes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

const WORDS: ReadonlySet<string> = new Set(['long', 'int', 'unsigned']);

/**
 * Bytes of a pointer, as the libbpf that pahole uses tells it. In a file of bare
 * BTF in which no INT is some `long`, that is 0, and so pahole prints it. In an
 * object the ELF header tells: 8 for BPF.
 */
export function addressSize(t: TypeTable): number {
  const isBareFile = t.fileOffset === 0;
  return isBareFile && !hasLong(t) ? 0 : pointerSize(t);
}

function hasLong(t: TypeTable): boolean {
  for (let table: TypeTable | null = t; table !== null; table = table.base) {
    for (let i = 0; i < table.count; i++) {
      const id = typeId(table.firstId + i);
      if (kindOf(table, id) !== BtfKind.INT) continue;
      const size = sizeOrTypeOf(table, id);
      if ((size === 4 || size === 8) && isLong(nameOf(table, id))) return true;
    }
  }
  return false;
}

/** `long`, and at most one `int` and one `unsigned`, in any order. */
function isLong(name: string): boolean {
  const words = name.split(' ');
  return (
    words.includes('long') && words.every((word, i) => WORDS.has(word) && words.indexOf(word) === i)
  );
}
