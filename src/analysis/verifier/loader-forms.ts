/**
 * Forms of the lines that loaders print around logs. Sources: libbpf's `libbpf.c`, veristat, bpftool,
 * cilium/ebpf's `internal/errors.go`, aya, bpftrace, bcc, iproute2.
 */
export const FRAME_BEGIN = /-- BEGIN (PROG|BTF|DUMP) (?:LOAD )?LOG --/;
export const FRAME_END = /-- END (?:(?:PROG|BTF) LOAD )?LOG --/;
export const LIBBPF_PROG = /prog '([^']{0,512})': /;
export const LIBBPF_REFUSED =
  /BPF program load failed: |failed to load: |load bpf program failed: /;
export const VERISTAT =
  /^PROCESSING (.*)\/([^/]*), DURATION US: \d{1,20}, VERDICT: (success|failure), VERIFIER LOG:$/;
export const VERISTAT_TABLE =
  /^(?:-{3,} {2})+-{3,}$|^File {2,}Program {2,}|^Done\. Processed \d|^Processing '/;
export const CILIUM = /(?:^|[ :"])load program: ([^:]{1,128})(?:: ?(.*))?$/;
export const CILIUM_PROGRAM = /(?:^|[ "])program ([A-Za-z_][\w.]{0,511})(?:: |$)/;
export const OMITTED = /\((\d{1,10}) lines?(?:\(s\))? omitted\)/;
export const AYA = 'Verifier output: ';
export const BPFTRACE = /^BPF verifier log for (.{1,512}):$/;
export const BCC = /^bpf: Failed to load program: /;
export const BCC_PROGRAM = /^(?:Exception: )?Failed to load BPF program (?:b')?([^': ]{1,512})'?: /;
export const IPROUTE2 = /^(?:Prog section|BPF program) '([^']{0,512})' .*rejected: /;
export const DASHES = /^-{3,}$/;

/** Forms of lines that loaders print before the log of a load that fails; other lines come after it. */
const OPENINGS: readonly RegExp[] = [
  ...[FRAME_BEGIN, VERISTAT, CILIUM, BPFTRACE, BCC, BCC_PROGRAM, IPROUTE2],
  /BPF program load failed: |load bpf program failed: |^libbpf: loading |^Processing '/,
];

/** Returns true for a line that belongs to the log after it. */
export function opensLog(line: string): boolean {
  return line.includes(AYA) || OPENINGS.some((form) => form.test(line));
}
