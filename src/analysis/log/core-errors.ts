/**
 * Reads error lines of cilium/ebpf and aya. A line of cilium/ebpf has parts joined by `: `, and
 * ends with the cause: `program P: apply CO-RE relocations: relocate Struct:"foo": target …:
 * byte_off: no matching member`
 */
import { CORE_KINDS } from '#analysis/core/core-kinds.ts';
import type { LineReading, LoaderEvent, LogType } from './log-line.ts';
import { POISON_FUNC } from './verifier-lines.ts';

const MAX_PARTS = 64;

/** Words that only lines of cilium/ebpf have. */
const MARKS = [
  'CO-RE relocations: ',
  'bad CO-RE relocation',
  'instruction poisoned by CO-RE',
  'no BTF found for kernel version',
  'calculate CO-RE relocations',
];

const POISONED = `unknown#${POISON_FUNC}`;

/** Returns the reading of a line of cilium/ebpf about CO-RE, else null. */
export function readCiliumLine(line: string): LineReading | null {
  const isPoisoned = line.includes('load program: ') && line.includes(POISONED);
  if (!isPoisoned && !MARKS.some((mark) => line.includes(mark))) return null;
  const parts = line.split(': ', MAX_PARTS);
  let prog: string | null = null;
  let kind: number | null = null;
  let type: LogType | null = null;
  let memberName: string | null = null;
  for (const part of parts) {
    prog ??= /(?:^|[ "])program ([A-Za-z_][\w.]{0,511})$/.exec(part)?.[1] ?? null;
    kind ??= CORE_KINDS.find(({ name }) => name === part)?.number ?? null;
    // A field before the type belongs to the Go struct that lists the programs: ignore it.
    if (type !== null) memberName ??= /^field "?([^ "]{1,256})"?$/.exec(part)?.[1] ?? null;
    const plain = PLAIN.exec(part);
    if (type === null) memberName ??= plain?.[3] ?? null;
    type ??= typeIn(part);
  }
  const message = lastWords(parts, line);
  return {
    source: 'cilium',
    prog,
    event: {
      event: 'loader-error',
      reason: reasonOf(line, message),
      kind,
      type,
      memberName,
      accessStr: /invalid accessor ([0-9:]{1,256})/.exec(line)?.[1] ?? null,
      insnIndex: null,
      message,
    },
  };
}

const QUOTED = /\b(Struct|Union|Enum|Typedef|Func|Int|Fwd|Datasec|Var):"([^"]{0,512})"/;
const PLAIN =
  /^(?:relocate )?(struct|union|enum|typedef) ([A-Za-z_]\w{0,511})(?:\.([\w.[\]]{1,511}))?$/;

function typeIn(part: string): LogType | null {
  const quoted = QUOTED.exec(part);
  const match = quoted ?? PLAIN.exec(part);
  if (match === null) return null;
  const [, typeKind = '', typeName = ''] = match;
  return { typeId: null, typeKind: typeKind.toLowerCase(), typeName };
}

/** Returns the cause: the last part; if it is `not found` or `not supported`, the last two. */
function lastWords(parts: readonly string[], line: string): string {
  const last = parts.at(-1) ?? line;
  return last === 'not found' || last === 'not supported' ? parts.slice(-2).join(': ') : last;
}

const NO_BTF =
  /no BTF found|load (?:kernel|vmlinux) (?:spec|BTF)|load BTF for kmod|string table is empty/;

function reasonOf(line: string, message: string): LoaderEvent['reason'] {
  if (line.includes(POISONED)) return 'poisoned';
  if (/bad CO-RE relocation|poisoned by CO-RE/.test(line)) return 'poisoned';
  if (NO_BTF.test(line)) return 'no-btf';
  if (/can't relocate \w+ against/.test(line)) return 'byte-order';
  if (/no matching member|field .{0,256}: not found/.test(line)) return 'no-member';
  if (/ambiguous relocation|multiple types match/.test(line)) return 'ambiguous';
  if (/incompatible types|type mismatch|names don't match|not composite|unsized type/.test(line))
    return 'incompatible';
  if (/accessor|invalid access|can't descend/.test(message)) return 'bad-access';
  if (/invalid (?:immediate|offset|source|class)|exceeds Max/.test(line)) return 'bad-insn';
  return /not found/.test(message) ? 'no-type' : 'other';
}

type Details = Omit<LoaderEvent, 'event' | 'reason' | 'message'>;

/** Pattern of an error of aya's BTF relocation. Errors of a chain often have a line each. */
type AyaPattern = {
  readonly pattern: RegExp;
  readonly reason: LoaderEvent['reason'];
  readonly read: (match: RegExpExecArray) => Partial<Details>;
};

/** Names of relocation kinds in aya, in the order of `enum bpf_core_relo_kind`. */
const AYA_KINDS: readonly string[] = [
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
  const kind = word === undefined ? -1 : AYA_KINDS.indexOf(word);
  return kind < 0 ? null : kind;
}

const AYA_PATTERNS: readonly AyaPattern[] = [
  {
    pattern: /invalid relocation access string (\S{1,512})/,
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
    pattern: /invalid access string `([^`]{0,512})` for type `([^`]{0,512})`/,
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

const RELOCATION = /relocation #(\d{1,10})/;

/** Returns the reading of an error line of aya, else null. */
export function readAyaLine(line: string): LineReading | null {
  for (const { pattern, reason, read } of AYA_PATTERNS) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const relo = RELOCATION.exec(match[0])?.[1];
    return {
      source: 'aya',
      reloIndex: relo === undefined ? null : Number(relo),
      event: ayaError(line, reason, read(match)),
    };
  }
  return null;
}

const WITHOUT_DETAILS: Details = {
  kind: null,
  type: null,
  memberName: null,
  accessStr: null,
  insnIndex: null,
};

function ayaError(line: string, reason: LoaderEvent['reason'], details: Partial<Details>) {
  const event = { event: 'loader-error', reason, message: line.trim() } as const;
  return { ...event, ...WITHOUT_DETAILS, ...details };
}

function typeOf(name: string): LoaderEvent['type'] {
  return name === '[unknown name]' ? null : { typeId: null, typeKind: '', typeName: name };
}
