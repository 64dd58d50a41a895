/** Errors of aya's BTF relocation, one a line in the chain that its users print. */
import type { LineReading, LoaderEvent } from './log-line.ts';

type Read = (match: RegExpExecArray) => Partial<Omit<LoaderEvent, 'event' | 'reason' | 'message'>>;
type Pattern = {
  readonly pattern: RegExp;
  readonly reason: LoaderEvent['reason'];
  readonly read?: Read;
};

const KINDS: readonly string[] = [
  'FieldByteOffset',
  'FieldByteSize',
  'FieldExists',
  'FieldSigned',
  'FieldLShift64',
  'FieldRShift64',
  'TypeIdLocal',
  'TypeIdTarget',
  'TypeExists',
  'TypeSize',
  'EnumVariantExists',
  'EnumVariantValue',
];

function kindOf(word: string | undefined): number | null {
  const kind = word === undefined ? -1 : KINDS.indexOf(word);
  return kind < 0 ? null : kind;
}

const PATTERNS: readonly Pattern[] = [
  {
    pattern: /invalid relocation access string ([0-9:]{0,512})/,
    reason: 'bad-access',
    read: ([, accessStr]) => ({ accessStr: accessStr ?? null }),
  },
  {
    pattern: /invalid instruction index #(\d{1,10}) referenced by relocation #(\d{1,10})/,
    reason: 'bad-insn',
    read: ([, insn]) => ({ insnIndex: Number(insn) }),
  },
  {
    pattern: /error relocating ([^ ,`]{1,512}), multiple candidate target types found/,
    reason: 'ambiguous',
    read: ([, name = '']) => ({ type: typeOf(name) }),
  },
  {
    pattern: /maximum nesting level reached evaluating candidate type `([^`]{0,512})`/,
    reason: 'other',
    read: ([, name = '']) => ({ type: typeOf(name) }),
  },
  {
    pattern: /invalid access string `([0-9:]{0,512})` for type `([^`]{0,512})`/,
    reason: 'bad-access',
    read: ([, accessStr, name = '']) => ({ accessStr: accessStr ?? null, type: typeOf(name) }),
  },
  {
    pattern: /relocation #(\d{1,10}) of kind `(\w{1,40})` not valid for type `([^`]{0,512})`/,
    reason: 'incompatible',
    read: ([, , kind]) => ({ kind: kindOf(kind) }),
  },
  {
    pattern: /instruction #(\d{1,10}) referenced by relocation #(\d{1,10}) is invalid/,
    reason: 'bad-insn',
    read: ([, insn]) => ({ insnIndex: Number(insn) }),
  },
  {
    pattern:
      /applying relocation `(\w{1,40})` missing target BTF info for type `(\d{1,10})` at instruction #(\d{1,10})/,
    reason: 'no-type',
    read: ([, kind, id, insn]) => ({
      kind: kindOf(kind),
      type: { typeId: Number(id), typeKind: '', typeName: '' },
      insnIndex: Number(insn),
    }),
  },
];

const SECTION = /error relocating `([^`]{1,512})`/;
const RELOCATION = /relocation #(\d{1,10})/;

/** What `line` says where it is such an error; null where it is not. */
export function readAyaLine(line: string): LineReading | null {
  for (const { pattern, reason, read } of PATTERNS) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const relo = RELOCATION.exec(match[0])?.[1];
    return {
      source: 'aya',
      reloIndex: relo === undefined ? null : Number(relo),
      event: { ...nothing, event: 'loader-error', reason, message: line.trim(), ...read?.(match) },
    };
  }
  const section = SECTION.exec(line);
  if (section === null) return null;
  const event: LoaderEvent = {
    ...nothing,
    event: 'loader-error',
    reason: 'other',
    message: line.trim(),
  };
  return { source: 'aya', prog: section[1] ?? null, event };
}

const nothing = {
  kind: null,
  type: null,
  memberName: null,
  accessStr: null,
  insnIndex: null,
} as const;

function typeOf(name: string): LoaderEvent['type'] {
  return name === '[unknown name]' ? null : { typeId: null, typeKind: '', typeName: name };
}
