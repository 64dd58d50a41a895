/** Detects the log of a loader or of the kernel's verifier by the first and last bytes of a text. */

/** Number of bytes at each end of a file that `isLog` needs. */
export const LOG_WINDOW = 0x10000;

/** Maximum characters of a line that are compared with the patterns. */
const MAX_LINE = 512;

/**
 * Lines that a loader or the kernel writes and other texts do not have. All of them can follow the
 * prefix of a logger. Each is linear in the length of the line.
 */
const LOG_LINES: readonly RegExp[] = [
  // Instruction, branch, state, error and summary of the verifier (kernel/bpf/verifier.c, log.c).
  /(?:^|\s)\d{1,7}: (?:\([0-9a-f]{2}\) (?:[rw]\d|if |goto|may_goto|call |exit|lock |nospec|\*\()|<invalid |(?:frame\d{1,2}: )?R\d{1,2}(?:_\w{1,3})?=)/,
  /(?:^|\s)from \d{1,7} to \d{1,7}(?: \(speculative execution\))?: ?(?:safe|R\d|frame\d|$)/,
  /(?:^|\s)R(?:\d|10)(?:_\w{1,3})?=(?:P?-?\d|P?scalar\(|inv|ctx\(|fp|map_|pkt|[a-z_]{2,40}\()/,
  /(?:^|[:\]] )R(?:\d|10) (?:!read_ok|type=|invalid |unbounded |min value |max value |pointer |offset |has |is |must |leaks |bitwise |subtraction |tried to |cannot |expected |unpriv|doesn't |\(\d)/,
  /processed \d{1,10} insns \(limit /,
  /(?:^|\s)Verification failed: /,
  /(?:^|\s)(?:mark_precise: frame|last_idx \d{1,7} first_idx |Validating \S{1,128}\(\) func#|func#\d{1,5} @\d|arg#\d |Unreleased reference id=|invalid (?:access to |indirect |mem access |bpf_context |stack |read from |write to |func )|unreachable insn |back-edge from insn |jump out of range |last insn is not |unknown opcode |BPF program is too large|BPF_[A-Z0-9]{2,8} uses reserved|infinite loop detected at insn |calling kernel function |program of this type cannot use helper |helper call is not allowed |cannot call GPL-restricted |combined stack size of |The sequence of \d{1,5} jumps |misaligned )/,
  // Check of BTF by the kernel and by the tools that write it.
  /(?:^|\s)(?:BPF:\s{1,8}(?:\[\d|\S)|failed to validate module \[|(?:WARN|FAILED):? (?:resolve_btfids|load BTF|multiple IDs|unresolved symbol)|Encountered error while encoding BTF|\[\d{1,7}\] [A-Z]{2,12} .{0,200}Error emitting BTF)/,
  /^(?:magic: 0xeb9f$|\[\d{1,7}\] [A-Z0-9_]{2,16} \S{1,128} .{0,200}Invalid )/,
  // Loaders: libbpf, libxdp, bpftool, cilium/ebpf, aya, bpftrace, bcc, veristat, iproute2.
  /(?:^|[\s"'>\]|:])lib(?:bpf|xdp): \S/,
  /(?:^|[\s"':])(?:load program|map create|create map|load BTF maps|apply CO-RE relocations|loading objects|load kernel spec|verifier error|attach Tracing\/\w{1,32}|find target for \w{1,32}): \S/,
  // A CO-RE spec, which people copy out of libbpf's line.
  /\((?:\d{1,7}:){0,64}\d{1,7} @ offset \d/,
  /\(\d{1,7} line\(s\) omitted\)/,
  /BPF_(?:PROG|BTF)_LOAD(?: syscall)? (?:returned|failed)|bpf_(?:prog|btf)_load(?:\(\)|`) (?:syscall )?failed|Verifier output:|VERIFIER LOG:|verifier log for \S|BPF program load failed/,
  /(?:^|\s)(?:Error: failed to (?:load|open|link) (?:BPF )?(?:object|program|')|(?:Failed|Unable) to load (?:BPF )?program|bpf: Failed to load program |Prog section '|Error fetching program\/map|ELF contains non-|(?:BPF|BTF) (?:verifier|load|debug) (?:log|failed)|error relocating (?:function|section|`))/,
  /(?:^|[\s:])(?:kfunc|constant|extern|program) ["'`]?\S{1,128}: (?:not found in|load program|section |attach )/,
];

/** Beginnings of texts that quote such lines but are none: source code, web pages, scripts. */
const OTHERS =
  /^\s*(?:\/[*/]|#\s?(?:include|define|ifn?def|pragma)\b|#!|<(?:!doctype|html|head|\?xml|svg)\b)/i;

/**
 * Returns true if the text is a log. `head` and `tail` are its first and last bytes, up to
 * `LOG_WINDOW` each; names in a log are any bytes except NUL. `loadForms` returns a test for lines of
 * other forms; it is called only for a text that has none of the forms above.
 */
export async function isLog(
  head: Uint8Array,
  tail: Uint8Array,
  loadForms?: LoadForms,
): Promise<boolean> {
  if (head.includes(0) || tail.includes(0)) return false;
  const texts = [textOf(head), textOf(tail)];
  if (OTHERS.test(texts[0]?.slice(0, MAX_LINE) ?? '')) return false;
  const isLine = (line: string) => LOG_LINES.some((form) => form.test(line));
  if (texts.some((text) => hasLine(text, isLine))) return true;
  const isOther = head.length > 0 ? await loadForms?.() : undefined;
  return isOther !== undefined && texts.some((text) => hasLine(text, isOther));
}

/** Loads a function that returns true for a line of a log, of one of all forms that are known. */
export type LoadForms = () => Promise<(line: string) => boolean>;

/** Returns one character per byte: the patterns have only ASCII. Colours of terminals are dropped. */
function textOf(bytes: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequence of a colour
  return text.replace(/\x1b\[[\d;]{0,16}m/g, '');
}

function hasLine(text: string, isLine: (line: string) => boolean): boolean {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + MAX_LINE));
    if (isLine(line)) return true;
    start = end + 1;
  }
  return false;
}
