/** `btfscope info`: prints the type of a file, and what the file contains. */
import { sectionTypeText } from '#analysis/formats/section-text.ts';
import { issuesOf } from '#analysis/lint/all-issues.ts';
import { kindHistogram } from '#analysis/types/type-census.ts';
import { append } from '#bytes/arrays.ts';
import type { Issue } from '#bytes/issue.ts';
import { counted, visible } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount, sectionName } from '#model/sections.ts';
import type { TypeTable } from '#model/type-table.ts';
import { BASE, type Call, type Command, flag } from './command.ts';
import { openFile } from './open.ts';

export const info: Command = {
  name: 'info',
  positionals: ['FILE'],
  options: [BASE, flag('json', 'print JSON')],
  run,
};

async function run(call: Call): Promise<void> {
  const { model, source } = await openFile(call);
  const { issues, origin } = await issuesOf(model, source);
  const facts = factsOf(model, [...issues, ...origin]);
  await call.print(
    () => facts,
    () => words(facts),
  );
}

type Facts = ReturnType<typeof factsOf>;

function factsOf(model: ObjectModel, issues: readonly Issue[]) {
  return {
    ...headerFacts(model),
    sections: sectionFacts(model),
    symbols: model.symbols.count,
    relocations: model.relocations.count,
    types: model.types === null ? null : typesOf(model.types),
    func_info: model.ext.func.count,
    line_info: model.ext.line.count,
    core_relocations: model.ext.core.count,
    issues: issues.map(({ severity, code, message, region, span }) => ({
      severity,
      code,
      region,
      message,
      file_offset: span?.start ?? null,
    })),
  };
}

/** Returns the facts of a file's headers as JSON data. */
export function headerFacts(model: ObjectModel) {
  return {
    name: model.name,
    format: model.format,
    size: model.size,
    containers: model.containers,
    endian: model.endian,
    address_bits: model.addressBits,
    machine: model.machine?.name ?? null,
    file_type: model.fileType === '' ? null : model.fileType,
  };
}

/** Returns the facts of all sections as JSON data. */
export function sectionFacts(model: ObjectModel) {
  const { sections } = model;
  const count = sectionCount(sections);
  const first = sections.count - count;
  return Array.from({ length: count }, (_, i) => ({
    index: first + i,
    name: sectionName(sections, sectionIndex(first + i)),
    type: sectionTypeText(model, sectionIndex(first + i)).type,
    file_offset: sections.fileOffset[first + i] ?? 0,
    size: sections.byteLength[first + i] ?? 0,
  }));
}

function typesOf(t: TypeTable) {
  return {
    count: t.count,
    first_id: t.firstId,
    split: t.split,
    base_at_hand: t.base !== null,
    base_types: t.firstId - 1,
    base_string_bytes: t.strBase,
    blob_bytes: t.blob.length,
    string_bytes: t.strEnd - t.strStart,
    kinds: Object.fromEntries(kindHistogram(t).map(({ kind, count }) => [kindName(kind), count])),
  };
}

function words(facts: Facts): readonly string[] {
  const { types } = facts;
  const machine = facts.machine === null ? '' : `, ${facts.machine}`;
  const lines = [
    `${visible(facts.name)}: ${facts.format.toUpperCase()}${machine}, ${facts.endian}-endian, ${facts.address_bits}-bit, ${facts.size} bytes`,
  ];
  if (facts.containers.length > 0) lines.push(`unpacked from ${facts.containers.join(', ')}`);
  if (types === null) lines.push('no BTF');
  else {
    lines.push(
      `${counted(types.count, 'type')} (${kindWords(types.kinds)}), ${counted(types.string_bytes, 'byte')} of strings`,
    );
    if (types.split) {
      const at = types.base_at_hand ? 'on a base of' : 'needs a base of';
      lines.push(
        `split: ${at} ${counted(types.base_types, 'type')} and ${counted(types.base_string_bytes, 'byte')} of strings`,
      );
    }
  }
  append(lines, [
    `${counted(facts.sections.length, 'section')}, ${counted(facts.symbols, 'symbol')}, ${counted(facts.relocations, 'relocation')}`,
    `${facts.func_info} func_info, ${facts.line_info} line_info, ${counted(facts.core_relocations, 'CO-RE relocation')}`,
    ...issueLines(facts.issues),
  ]);
  return lines;
}

/** Maximum lines of notes with one code: a kernel has hundreds of equal names. */
const MAX_NOTES = 3;

function issueLines(issues: Facts['issues']): readonly string[] {
  const lines: string[] = [];
  const notes = new Map<string, number>();
  let left = 0;
  for (const { severity, code, message } of issues) {
    const count = (notes.get(code) ?? 0) + 1;
    notes.set(code, count);
    if (severity === 'note' && count > MAX_NOTES) left++;
    else lines.push(`${severity}: ${visible(message)}`);
  }
  return left === 0 ? lines : [...lines, `and ${counted(left, 'more note')}, see btfscope check`];
}

function kindWords(kinds: Readonly<Record<string, number>>): string {
  return Object.entries(kinds)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}
