/** What was checked to find no issue, in words and for this file. */
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import { countOf } from '#views/parts/number-text.ts';

export type Check = {
  readonly what: string;
  readonly how: string;
  /** Part of the closer inspection, which is done after the file is open. */
  readonly isCloser: boolean;
};

/** One line for each subject that the file has something of. */
export function checksOf(model: ObjectModel): Check[] {
  const checks: Check[] = [];
  const add = (count: number, what: string, how: string, isCloser = false) => {
    if (count > 0) checks.push({ what, how, isCloser });
  };
  const { sections, symbols, relocations, types, ext } = model;
  add(
    model.headers.length,
    countOf(model.headers.length, 'header'),
    'magic numbers, versions, sizes and offsets agree with the file',
  );
  add(
    sectionCount(sections),
    countOf(sectionCount(sections), 'section'),
    'inside the file, with a readable name',
  );
  add(symbols.count, countOf(symbols.count, 'symbol'), 'names and sections exist');
  add(
    relocations.count,
    countOf(relocations.count, 'relocation'),
    'the symbol exists, and the offset is inside its section',
  );
  add(
    types?.count ?? 0,
    countOf(types?.count ?? 0, 'type'),
    'records parse to the end; references, names, sizes and bit-fields are valid',
    true,
  );
  const lines = ext.func.count + ext.line.count;
  add(lines, countOf(lines, 'func_info and line_info record'), 'types and strings exist', true);
  add(
    ext.core.count,
    countOf(ext.core.count, 'CO-RE relocation'),
    'the access string is valid on its type and patches an existing instruction',
    true,
  );
  if (model.machine !== null && hasCode(model)) {
    add(1, 'BPF code', 'opcodes, registers and jump targets', true);
  }
  return checks;
}

const EM_NONE = 0;
const EM_BPF = 247;
const SHF_EXECINSTR = 4n;

function hasCode({ machine, sections }: ObjectModel): boolean {
  if (machine?.number !== EM_BPF && machine?.number !== EM_NONE) return false;
  return sections.flags.some(
    (flags, i) => (flags & SHF_EXECINSTR) !== 0n && (sections.byteLength[i] ?? 0) > 0,
  );
}
