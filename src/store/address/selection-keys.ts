/** Selections as parameters of the address: names and offsets, since type ids change per build. */
import { findTypeKey, formatTypeKey, parseTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import {
  coreIndex,
  relocIndex,
  type SectionIndex,
  sectionIndex,
  symbolIndex,
  type TypeId,
  typeId,
} from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type SectionTable, sectionAt, sectionName } from '#model/sections.ts';
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import { symbolName } from '#model/symbols.ts';
import { memberAt, memberCount, membersOf } from '#model/type-items.ts';
import { skipModifiers, type TypeTable } from '#model/type-table.ts';
import { decodeKey, encodeKey, splitOnce } from '#store/page/percent.ts';

/** Parameters of a selection, by key, in the order of the address; values are percent-encoded. */
export type SelectionParams = ReadonlyMap<string, string>;

/** Parses selection parameters such as `type=struct:s&member=a`. */
export function parseParams(text: string): SelectionParams {
  const params = new Map<string, string>();
  for (const part of text.split('&')) {
    const [key, value = ''] = splitOnce(part, '=');
    if (key !== '') params.set(key, value);
  }
  return params;
}

export function formatParams(params: SelectionParams): string {
  return [...params].map(([key, value]) => `${key}=${value}`).join('&');
}

/** Returns the selection of an address. If the model lacks the place, `problem` says so. */
export function resolveSelection(
  model: ObjectModel,
  params: SelectionParams,
): { readonly selection: Selection; readonly problem: string | null } {
  for (const [key, value] of params) {
    const resolve = RESOLVERS[key];
    if (resolve === undefined) continue;
    const selection = resolve(model, value, params);
    return selection === null
      ? {
          selection: NO_SELECTION,
          problem: `This file has no ${WORDS[key] ?? key} ${decodeKey(value)}`,
        }
      : { selection, problem: null };
  }
  return { selection: NO_SELECTION, problem: null };
}

const WORDS: Readonly<Record<string, string>> = {
  type: 'type',
  reloc: 'relocation',
  core: 'CO-RE relocation at',
  insn: 'instruction at',
  bytes: 'bytes',
};

export function selectionParams(model: ObjectModel, selection: Selection): SelectionParams {
  return new Map(namesOf(model, selection));
}

/** Returns a selection as parameters: `type=struct:s&member=a`. Empty if nothing is selected. */
export function formatSelection(model: ObjectModel, selection: Selection): string {
  return formatParams(selectionParams(model, selection));
}

type Param = readonly [key: string, value: string];

function namesOf(model: ObjectModel, selection: Selection): readonly Param[] {
  switch (selection.kind) {
    case 'none':
      return [];
    case 'type':
      return formatType(model.types, selection.type, selection.memberPath);
    case 'bytes':
      return [['bytes', formatBytes(model.sections, selection.start, selection.end)]];
    case 'section':
      return [['section', sectionKey(model.sections, selection.section)]];
    case 'symbol':
      return [['symbol', ordinalKey(selection.symbol, symbolNames(model))]];
    case 'relocation': {
      const section = model.relocations.relSection[selection.reloc] ?? 0;
      const at = model.relocations.offset[selection.reloc] ?? 0n;
      const twin = twins(relocationsAt(model, section, at), selection.reloc);
      return [['reloc', `${place(model, section, at)}${twin}`]];
    }
    case 'core': {
      const step: readonly Param[] = selection.step === null ? [] : [['step', `${selection.step}`]];
      const { section, insnOff } = model.ext.core;
      const at = insnOff[selection.core] ?? 0;
      const twin = twins(coresAt(model, section[selection.core] ?? -1, at), selection.core);
      return [['core', `${place(model, section[selection.core] ?? -1, at)}${twin}`], ...step];
    }
    case 'insn':
      return [['insn', place(model, selection.section, selection.insnOff)]];
  }
}

type Resolver = (model: ObjectModel, value: string, params: SelectionParams) => Selection | null;

const RESOLVERS: Readonly<Record<string, Resolver>> = {
  type(model, value, params) {
    const key = parseTypeKey(value);
    const type = key && model.types && findTypeKey(model.types, key);
    if (type === null || model.types === null) return null;
    return {
      kind: 'type',
      type,
      memberPath: parseMemberPath(model.types, type, params.get('member') ?? ''),
    };
  },
  bytes(model, value) {
    const match = /^(.*)@(0x[0-9a-f]+|\d+)-(0x[0-9a-f]+|\d+)$/i.exec(value);
    const section = match?.[1] ? findSection(model.sections, match[1]) : null;
    if (!match || (match[1] && section === null)) return null;
    const base = section === null ? 0 : (model.sections.fileOffset[section] ?? 0);
    const start = base + Number(match[2]);
    const end = Math.min(model.size, base + Number(match[3]));
    return start < end ? { kind: 'bytes', start, end } : null;
  },
  section(model, value) {
    const section = findSection(model.sections, value);
    return section === null ? null : { kind: 'section', section };
  },
  symbol(model, value) {
    const found = indexOfKey(value, model.symbols.count, symbolNames(model));
    return found === null ? null : { kind: 'symbol', symbol: symbolIndex(found) };
  },
  reloc(model, value) {
    const at = parsePlace(model.sections, value);
    const found = at && relocationsAt(model, at.section, BigInt(at.offset))[at.ordinal];
    return found == null ? null : { kind: 'relocation', reloc: relocIndex(found) };
  },
  core(model, value, params) {
    const at = parsePlace(model.sections, value);
    const found = at && coresAt(model, at.section, at.offset)[at.ordinal];
    if (found == null) return null;
    const step = params.get('step') ?? '';
    return {
      kind: 'core',
      core: coreIndex(found),
      step: /^\d{1,3}$/.test(step) ? Number(step) : null,
    };
  },
  insn(model, value) {
    const at = parsePlace(model.sections, value);
    return at && { kind: 'insn', section: at.section, insnOff: at.offset };
  },
};

function formatType(
  types: TypeTable | null,
  type: TypeId,
  memberPath: readonly number[],
): readonly Param[] {
  if (types === null) return [];
  const key: Param = ['type', formatTypeKey(typeKeyOf(types, type))];
  if (memberPath.length === 0) return [key];
  const parts: string[] = [];
  let at = skipModifiers(types, type);
  for (const index of memberPath) {
    const member = memberAt(types, at, index);
    const alone =
      member !== null &&
      member.name !== '' &&
      membersOf(types, at).find((m) => m.name === member.name)?.index === index;
    parts.push(alone ? encodeKey(member.name) : `~${index}`);
    at = skipModifiers(types, member?.type ?? typeId(0));
  }
  return [key, ['member', parts.join('/')]];
}

/** Parses a member path; `~INDEX` is an unnamed or repeated member. Stops at an unknown member. */
function parseMemberPath(types: TypeTable, type: TypeId, text: string): number[] {
  const path: number[] = [];
  let at = skipModifiers(types, type);
  for (const part of text === '' ? [] : text.split('/')) {
    const index = /^~\d{1,8}$/.test(part)
      ? Number(part.slice(1))
      : (membersOf(types, at).find((m) => m.name === decodeKey(part))?.index ?? -1);
    if (index < 0 || index >= memberCount(types, at)) break;
    path.push(index);
    at = skipModifiers(types, memberAt(types, at, index)?.type ?? typeId(0));
  }
  return path;
}

function formatBytes(sections: SectionTable, start: number, end: number): string {
  const section = sectionAt(sections, start);
  const base = section === null ? 0 : (sections.fileOffset[section] ?? 0);
  const name = section === null ? '' : sectionKey(sections, section);
  return `${name}@0x${(start - base).toString(16)}-0x${(end - base).toString(16)}`;
}

function place(model: ObjectModel, section: number, offset: number | bigint): string {
  return `${section < 0 ? '' : sectionKey(model.sections, sectionIndex(section))}@0x${offset.toString(16)}`;
}

function parsePlace(
  sections: SectionTable,
  value: string,
): { section: SectionIndex; offset: number; ordinal: number } | null {
  const match = /^(.*)@(0x[0-9a-f]+|\d+)(?:~(\d+))?$/i.exec(value);
  const section = match ? findSection(sections, match[1] ?? '') : null;
  return match === null || section === null
    ? null
    : { section, offset: Number(match[2]), ordinal: Number(match[3] ?? 0) };
}

/** Returns an item's name as a key, percent-encoded; `.text~1` for the second `.text`. */
function ordinalKey(index: number, nameAt: (i: number) => string): string {
  const name = nameAt(index);
  let ordinal = 0;
  for (let i = 0; i < index; i++) if (nameAt(i) === name) ordinal++;
  return `${encodeKey(name)}${ordinal > 0 ? `~${ordinal}` : ''}`;
}

/** Returns the index that an `ordinalKey` names, from 0 to `count - 1`; null if there is none. */
function indexOfKey(key: string, count: number, nameAt: (i: number) => string): number | null {
  const [, encoded = key, ordinal = '0'] = /^(.*)~(\d+)$/s.exec(key) ?? [];
  const name = decodeKey(encoded);
  let left = Number(ordinal);
  for (let i = 0; i < count; i++) if (nameAt(i) === name && left-- === 0) return i;
  return null;
}

function sectionKey(sections: SectionTable, index: SectionIndex): string {
  return ordinalKey(index, (i) => sectionName(sections, sectionIndex(i)));
}

function findSection(sections: SectionTable, key: string): SectionIndex | null {
  const index = indexOfKey(key, sections.count, (i) => sectionName(sections, sectionIndex(i)));
  return index === null ? null : sectionIndex(index);
}

function symbolNames({ symbols }: ObjectModel) {
  return (i: number) => symbolName(symbols, symbolIndex(i));
}

function relocationsAt(model: ObjectModel, section: number, offset: bigint): number[] {
  const { count, relSection, offset: offsets } = model.relocations;
  return indicesWhere(count, (i) => relSection[i] === section && offsets[i] === offset);
}

function coresAt(model: ObjectModel, section: number, insnOff: number): number[] {
  const { core } = model.ext;
  return indicesWhere(
    core.count,
    (i) => core.section[i] === section && core.insnOff[i] === insnOff,
  );
}

function indicesWhere(count: number, test: (i: number) => boolean): number[] {
  const found: number[] = [];
  for (let i = 0; i < count; i++) if (test(i)) found.push(i);
  return found;
}

function twins(rows: readonly number[], row: number): string {
  const ordinal = rows.indexOf(row);
  return ordinal > 0 ? `~${ordinal}` : '';
}
