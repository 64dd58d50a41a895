/** What a linker may make of a literal and its uses, in words and as instructions. */
import type { Rewriting } from '#analysis/objects/relocation-facts.ts';
import type { Layout } from './layout.ts';
import { type LiteralUse, literalUseOf } from './literal-use.ts';
import type { EntryRow } from './rows.ts';
import { tableFacts } from './table-facts.ts';

const WORDS: Readonly<Record<LiteralUse['kind'], string>> = {
  gp16: 'The datum lies within 16 bits of gp: the uses reach it from there, and the load is not needed.',
  gp32: 'The datum lies within 32 bits of gp: an ldah takes the place of the load, and memory is read once less.',
  branch:
    'The procedure is near enough for a branch: a bsr takes the place of the jump, and the load is not needed.',
  none: 'Nothing can be made shorter: the target is too far away under this layout, or one of the uses forbids it.',
};

/** The rewriting that the entry's group allows under `layout`; null where it is no literal, has no uses, or its target is not known. */
export function rewritingOf(row: EntryRow, layout: Layout): Rewriting | null {
  const { file, table, n } = row;
  const { groups, groupOf } = tableFacts(file, table);
  const group = groups[groupOf[n] ?? -1];
  if (group?.kind !== 'literal' || group.members.length < 2) return null;
  const use = literalUseOf(file, table, group, layout);
  if (use === null) return null;
  return {
    words: WORDS[use.kind],
    insns: use.rewrites.map(({ address, before, after }) => ({ address, before, after })),
  };
}
