/** Specs and types as libbpf's log writes them (`bpf_core_format_spec`). */
import { CORE_KINDS } from '#analysis/core/core-kinds.ts';
import type { LogPathStep, LogSpec, LogType } from './log-line.ts';

const HEAD = /^(?:<([^<>]{1,40})> )?\[(\d{1,10})\] ([a-z0-9_]{1,20}) /;
const PLACE = /^([0-9:]+) @ offset (\d{1,20})(?:\.(\d))?\)$/;
const TYPE = /^\[(\d{1,10})\] ([a-z0-9_]{1,20}) (.+)$/;

/**
 * `<byte_off> [5] struct foo.a.b[2] (0:1:2 @ offset 8.3)`; null for anything else.
 * libbpf cuts at 255 bytes: what is lost then is null or missing. Old releases, and
 * people who copy a part of a line, leave out the kind.
 */
export function parseSpec(text: string): LogSpec | null {
  const head = HEAD.exec(text);
  if (head === null) return null;
  const [all = '', kindName = '', id = '', typeKind = ''] = head;
  const kind = CORE_KINDS.find((one) => one.name === kindName) ?? null;
  const base = { kind: kind?.number ?? null, kindName, typeId: Number(id), typeKind };
  const rest = text.slice(all.length);
  if (kind?.group === 'enum') return { ...base, ...enumPart(rest) };
  if (kind?.group === 'type') {
    return { ...base, ...nothing, typeName: nameOf(rest), accessStr: '0', bitOffset: 0 };
  }
  return { ...base, ...fieldPart(rest) };
}

const nothing = { path: [], enumerator: null, accessStr: null, bitOffset: null } as const;

type Part = Omit<LogSpec, 'kind' | 'kindName' | 'typeId' | 'typeKind'>;

function enumPart(rest: string): Part {
  const colons = rest.indexOf('::');
  const equals = rest.lastIndexOf(' = ');
  const value = equals < 0 ? '' : rest.slice(equals + 3);
  if (colons < 0 || equals < colons || !/^-?\d{1,20}$/.test(value)) {
    return { ...nothing, typeName: nameOf(colons < 0 ? rest : rest.slice(0, colons)) };
  }
  return {
    ...nothing,
    typeName: nameOf(rest.slice(0, colons)),
    enumerator: { name: rest.slice(colons + 2, equals), value: BigInt(value) },
  };
}

function fieldPart(rest: string): Part {
  const bracket = rest.lastIndexOf(' (');
  const place = bracket < 0 ? null : PLACE.exec(rest.slice(bracket + 2));
  const words = place === null ? rest : rest.slice(0, bracket);
  const end = words.search(/[.[]/);
  return {
    typeName: nameOf(end < 0 ? words : words.slice(0, end)),
    path: end < 0 ? [] : pathSteps(words.slice(end)),
    enumerator: null,
    accessStr: place?.[1] ?? null,
    bitOffset: place === null ? null : Number(place[2]) * 8 + Number(place[3] ?? 0),
  };
}

/** `.a.b[2]`, or with a pointer's index in front `[1].a`. */
function pathSteps(text: string): LogPathStep[] {
  const steps: LogPathStep[] = [];
  for (const [, name, index] of text.matchAll(/\.([^.[]+)|\[(\d{1,10})\]/g)) {
    if (name !== undefined) steps.push({ name, index: null });
    else if (index !== undefined) steps.push({ name: null, index: Number(index) });
  }
  return steps;
}

/** `[5] struct foo`; null for anything else. */
export function parseType(text: string): LogType | null {
  const match = TYPE.exec(text);
  if (match === null) return null;
  const [, id = '', typeKind = '', name = ''] = match;
  return { typeId: Number(id), typeKind, typeName: nameOf(name) };
}

function nameOf(text: string): string {
  return text === '<anon>' || text === '<anonymous>' ? '' : text;
}
