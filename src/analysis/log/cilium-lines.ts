/**
 * Errors of cilium/ebpf: one line, the parts joined by `: `, the cause last.
 *
 * `program P: apply CO-RE relocations: relocate Struct:"foo": target …: byte_off: no matching member`
 */
import { CORE_KINDS } from '#analysis/core/core-kinds.ts';
import type { LineReading, LoaderEvent, LogType } from './log-line.ts';
import { POISON_FUNC } from './verifier-lines.ts';

const MAX_PARTS = 64;

/** Words that no other tool of the field writes. */
const MARKS = [
  'CO-RE relocations: ',
  'bad CO-RE relocation',
  'instruction poisoned by CO-RE',
  'no BTF found for kernel version',
  'load program: ',
  'calculate CO-RE relocations',
];

/** What `line` says where it is such an error; null where it is not. */
export function readCiliumLine(line: string): LineReading | null {
  if (!MARKS.some((mark) => line.includes(mark))) return null;
  const parts = line.split(': ', MAX_PARTS);
  let prog: string | null = null;
  let kind: number | null = null;
  let type: LogType | null = null;
  let memberName: string | null = null;
  for (const part of parts) {
    prog ??= /(?:^|[ "])program ([A-Za-z_][\w.]{0,511})$/.exec(part)?.[1] ?? null;
    kind ??= CORE_KINDS.find((one) => one.name === part)?.number ?? null;
    // Fields of the Go struct that the programs are loaded into stand before any type.
    if (type !== null) memberName ??= /^field "?([^ "]{1,256})"?$/.exec(part)?.[1] ?? null;
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
const PLAIN = /^(struct|union|enum|typedef) ([A-Za-z_]\w{0,511})$/;

function typeIn(part: string): LogType | null {
  const quoted = QUOTED.exec(part);
  const match = quoted ?? PLAIN.exec(part);
  if (match === null) return null;
  const [, typeKind = '', typeName = ''] = match;
  return { typeId: null, typeKind: typeKind.toLowerCase(), typeName };
}

/** The cause: the last part, with the one before it where that alone says nothing. */
function lastWords(parts: readonly string[], line: string): string {
  const last = parts.at(-1) ?? line;
  return last === 'not found' || last === 'not supported' ? parts.slice(-2).join(': ') : last;
}

function reasonOf(line: string, message: string): LoaderEvent['reason'] {
  if (line.includes(`unknown#${POISON_FUNC}`)) return 'poisoned';
  if (/bad CO-RE relocation|poisoned by CO-RE/.test(line)) return 'poisoned';
  if (
    /no BTF found|load (?:kernel|vmlinux) (?:spec|BTF)|load BTF for kmod|string table is empty/.test(
      line,
    )
  )
    return 'no-btf';
  if (/can't relocate \w+ against/.test(line)) return 'byte-order';
  if (/no matching member|field .{0,256}: not found/.test(line)) return 'no-member';
  if (/ambiguous relocation|multiple types match/.test(line)) return 'ambiguous';
  if (/incompatible types|type mismatch|names don't match|not composite|unsized type/.test(line))
    return 'incompatible';
  if (/accessor|invalid access|can't descend/.test(message)) return 'bad-access';
  if (/invalid (?:immediate|offset|source|class)|exceeds Max/.test(line)) return 'bad-insn';
  return /not found/.test(message) ? 'no-type' : 'other';
}
