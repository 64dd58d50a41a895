/** `btfscope info`: prints the type of a file, and what the file contains. */
import { sectionTypeText } from '#analysis/formats/section-text.ts';
import { mapTypeName, shortMapType } from '#analysis/kernel/map-types.ts';
import { definedMaps } from '#analysis/libbpf/defined-maps.ts';
import { objectMaps } from '#analysis/libbpf/object-maps.ts';
import { ProgramRows } from '#analysis/libbpf/programs.ts';
import { issuesOf } from '#analysis/lint/all-issues.ts';
import { kindHistogram } from '#analysis/types/type-census.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { readDataSections, type SectionBytes } from '#analysis/values/object-data.ts';
import { append } from '#bytes/arrays.ts';
import type { Issue } from '#bytes/issue.ts';
import { counted, integerOf, visible } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { compilerOf, type DwarfFacts, dwarfTitle } from '#model/dwarf.ts';
import { sectionIndex, type TypeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
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
  const maps = isBpf(model) ? mapFacts(model, await readDataSections(model, source)) : [];
  const facts = factsOf(model, maps, [...issues, ...origin]);
  await call.print(
    () => facts,
    () => words(facts, model.dwarf),
  );
}

type Facts = ReturnType<typeof factsOf>;

function factsOf(model: ObjectModel, maps: readonly MapFacts[], issues: readonly Issue[]) {
  return {
    ...headerFacts(model),
    programs: programFacts(model),
    maps,
    sections: sectionFacts(model),
    symbols: model.symbols.count,
    relocations: model.relocations.count,
    types: model.types === null ? null : typesOf(model.types),
    dwarf: model.dwarf === null ? null : dwarfFacts(model.dwarf),
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

/** Returns the programs, then the subprograms, with the number of their 8-byte slots. */
function programFacts(model: ObjectModel) {
  const rows = new ProgramRows(model);
  return Array.from({ length: rows.length }, (_, i) => rows.at(i)).flatMap((row) => {
    if (row === undefined) return [];
    const { func, sectionName: section, kind, attachTo, insnCount, coreCount } = row;
    return [
      {
        name: func.name,
        section,
        is_program: func.isProgram,
        type: kind === '' ? null : kind,
        attach_to: attachTo === '' ? null : attachTo,
        slots: insnCount,
        core_relocations: coreCount,
      },
    ];
  });
}

type MapFacts = ReturnType<typeof mapFacts>[number];

/** Returns the maps that libbpf creates for the definitions and the data sections of an object. */
function mapFacts(model: ObjectModel, sectionBytes: SectionBytes) {
  const typeText = (type: TypeId | null) =>
    model.types === null || type === null ? null : typeExpression(model.types, type);
  return [
    ...definedMaps(model, sectionBytes).map(
      ({ name, mapTypeName: type, key, value, maxEntries }) => ({
        name,
        type,
        key: typeText(key.type),
        key_size: key.byteSize,
        value: typeText(value.type),
        value_size: value.byteSize,
        max_entries: maxEntries === null ? null : integerOf(maxEntries),
      }),
    ),
    ...objectMaps(model)
      .filter(({ section }) => section !== '.maps')
      .map(({ name, section, type, keySize, valueSize, maxEntries, structOps }) => ({
        name: structOps === null ? section : name,
        type: mapTypeName(type),
        key: null,
        key_size: keySize,
        value: typeText(structOps?.variable.type ?? null),
        value_size: valueSize,
        max_entries: maxEntries === null ? null : integerOf(maxEntries),
      })),
  ];
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

function dwarfFacts(dwarf: DwarfFacts) {
  return {
    version: dwarf.version,
    languages: dwarf.languages,
    producer: dwarf.producer,
    units: dwarf.unitCount,
    has_types: dwarf.dieOffset !== null,
  };
}

function words(facts: Facts, dwarf: DwarfFacts | null): readonly string[] {
  const { types } = facts;
  const machine = facts.machine === null ? '' : `, ${facts.machine}`;
  const lines = [
    `${visible(facts.name)}: ${facts.format.toUpperCase()}${machine}, ${facts.endian}-endian, ${facts.address_bits}-bit, ${facts.size} bytes`,
  ];
  if (facts.containers.length > 0) lines.push(`unpacked from ${facts.containers.join(', ')}`);
  append(lines, [...programLines(facts.programs), ...mapLines(facts.maps)]);
  if (types === null) lines.push(dwarf === null ? 'no BTF' : `no BTF; ${dwarfTitle(dwarf)}`);
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
  if (types !== null && dwarf !== null) {
    const title = dwarfTitle(dwarf);
    const compiler = visible(compilerOf(dwarf));
    const by = compiler === '' ? '' : `, ${compiler}`;
    lines.push(
      dwarf.dieOffset === null ? `types from BTF; ${title} too${by}` : `types from ${title}${by}`,
    );
  }
  append(lines, [
    `${counted(facts.sections.length, 'section')}, ${counted(facts.symbols, 'symbol')}, ${counted(facts.relocations, 'relocation')}`,
    `${facts.func_info} func_info, ${facts.line_info} line_info, ${counted(facts.core_relocations, 'CO-RE relocation')}`,
    ...issueLines(facts.issues),
  ]);
  return lines;
}

function* programLines(programs: Facts['programs']): Generator<string> {
  const own = programs.filter((program) => program.is_program);
  const rest = programs.length - own.length;
  if (programs.length > 0) {
    const subprograms = rest === 0 ? '' : `, ${counted(rest, 'subprogram')}`;
    yield `${counted(own.length, 'program')}${subprograms}`;
  }
  for (const { name, section, type, slots, core_relocations: core } of own) {
    const records = core === 0 ? '' : `, ${counted(core, 'CO-RE relocation')}`;
    yield visible(
      `  ${name}: ${type ?? 'unknown type'} in ${section}, ${counted(slots, 'slot')}${records}`,
    );
  }
}

function* mapLines(maps: Facts['maps']): Generator<string> {
  if (maps.length > 0) yield counted(maps.length, 'map');
  for (const { name, type, max_entries, ...map } of maps) {
    const part = (what: string, text: string | null, size: number | null) => {
      if (text !== null) return `${what} ${text}`;
      return size === null ? '' : `${what} ${counted(size, 'byte')}`;
    };
    const facts = [
      shortMapType(type),
      part('key', map.key, map.key_size),
      part('value', map.value, map.value_size),
      max_entries === null ? '' : `max_entries ${max_entries}`,
    ];
    yield visible(`  ${name}: ${facts.filter((fact) => fact !== '').join(', ')}`);
  }
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
