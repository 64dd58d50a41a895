/** Writes a few types in pahole's format, for tests of the format. */
import type { TypeTable } from '#model/type-table.ts';
import { gathered } from '#print/byte-text.ts';
import { type PaholeOptions, writePahole } from '#print/pahole/pahole.ts';
import { btfBlob } from './btf-blob.ts';
import { int, type Member, struct, type TypeRecord } from './btf-types.ts';
import { tableOf } from './type-table.ts';

/** Types 1 to 4 of each file. Type 2 sets the size of a pointer. */
const base: readonly TypeRecord[] = [
  int('int', 4, { encoding: 1 }),
  int('long int', 8, { encoding: 1 }),
  int('char', 1, { encoding: 1 }),
  int('short int', 2, { encoding: 1 }),
];
export const [INT, LONG, CHAR, SHORT] = [1, 2, 3, 4] as const;
/** Id of the first type after those of `base`. */
export const NEXT = 5;
/** Id of no type. */
export const NOWHERE = 999;

export function tableWith(types: readonly TypeRecord[]): TypeTable {
  return tableOf(btfBlob({ types: [...base, ...types] }).bytes);
}

/** Returns pahole's text of the types; each character is one byte. */
export function paholeText(options: PaholeOptions, types: readonly TypeRecord[]): string {
  const t = tableWith(types);
  const bytes = gathered((out) => {
    for (const _done of writePahole(t, out, options));
  });
  return new TextDecoder('latin1').decode(bytes);
}

/** Returns members, each made from a name, a type and a byte offset. */
export function at(
  ...members: readonly (readonly [name: string, type: number, offset: number])[]
): Member[] {
  return members.map(([name, type, offset]): Member => ({ name, type, bitOffset: 8 * offset }));
}

/** Returns the line that pahole writes for a struct member of the last type of `types`. */
export function paholeMember(options: PaholeOptions, types: readonly TypeRecord[]): string {
  const outer = struct('s', 8, at(['m', NEXT + types.length - 1, 0]));
  const text = paholeText(options, [...types, outer]);
  const start = text.lastIndexOf('struct s {\n') + 'struct s {\n'.length;
  return text.slice(start, text.lastIndexOf('\n\n\t/* size: '));
}
