import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLog } from '#testing/all-at-once.ts';
import { explainLine } from './explain.ts';
import { lineKind } from './line-kind.ts';

function only(text: string) {
  const [line] = parseLog(text).lines;
  if (line === undefined) throw new Error('one line was given');
  return { ...line, sentence: explainLine(line) };
}

/** Formats of all messages of libbpf, by `scripts/libbpf-messages.mjs`. */
const MESSAGES = readFileSync(new URL('./testdata/libbpf-messages.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((row) => {
    const [level = '', first = '', last = '', format = ''] = row.split('\t');
    return { level, first, last, format };
  });

type Message = (typeof MESSAGES)[number];

/** Returns the first line of a message, with a value for each placeholder. */
function sampleOf({ first, format }: Message): string {
  const [line = ''] = format.replaceAll("\\'", "'").split('\\n');
  const errnoText = Number.parseFloat(first) >= 1.6 ? '-EINVAL' : 'Invalid argument';
  const filled = line.replace(
    /(: ?|\()?%#?[-0-9.*]*[hlz]*([a-z])$|(: ?|\()?%#?[-0-9.*]*[hlz]*([a-z])/g,
    (_, lastMark, lastKind, mark = '', kind) => {
      if (lastKind === 's' && lastMark?.startsWith(':')) return `${lastMark}${errnoText}`;
      const before = lastMark ?? mark;
      if ((lastKind ?? kind) === 'd' && before !== '') return `${before}-22`;
      return `${before}${(lastKind ?? kind) === 's' ? 'abc' : '7'}`;
    },
  );
  return `libbpf: ${filled}`;
}

/** Warnings of libbpf without a sentence: they are a text from elsewhere, or empty. */
const WITHOUT_SENTENCE = ['libbpf: ', 'libbpf: abc'];

/** Warnings of libbpf that report no failure. */
const INFORMING =
  /BEGIN|END|log|Retrying without BTF|BTF is optional|deprecated|Ignore all|long string|bind \.rodata/;

/** Messages for debugging, and infos, that give the reason of a failure. */
const REASONS =
  /BTF|no matching|substituting|DATASEC|dedup|loading kernel|prog info|symbol|guess|failed to (?:open|parse)|inner def|elem_sz|info_sz|Invalid size|non-VAR|parsing|relo #%d: %s/;

describe('failures of loaders', () => {
  it.each([
    [
      "libbpf: map 'events': failed to create: -EPERM",
      'libbpf',
      null,
      'did not create map events: EPERM, operation not permitted. The process lacks CAP_BPF',
    ],
    [
      "libbpf: extern (func ksym) 'bpf_foo': not found in kernel or module BTFs",
      'libbpf',
      null,
      'The kernel and its loaded modules have no kfunc bpf_foo.',
    ],
    [
      "libbpf: prog 'on_exit': failed to create kprobe 'do_exitt+0x0' perf event: -ENOENT",
      'libbpf',
      'on_exit',
      'kprobe do_exitt+0x0: ENOENT, no such file or directory. There is no such function',
    ],
    [
      'libbpf: struct_ops init_kern: struct tcp_congestion_ops is not found in kernel BTF',
      'libbpf',
      null,
      'This kernel has no struct_ops tcp_congestion_ops',
    ],
    [
      'libbpf: struct_ops init_kern my_ops: Cannot find member cgroup_set_bandwidth in kernel BTF',
      'libbpf',
      null,
      'Map my_ops sets member cgroup_set_bandwidth, which the kernel’s struct lacks.',
    ],
    [
      "libbpf: elf: legacy map definitions in 'maps' section are not supported by libbpf v1.0+",
      'libbpf',
      null,
      'The object defines its maps in SEC("maps"), which libbpf 1.0 dropped.',
    ],
    [
      "libbpf: map 'a': conflicting key size 4 != 8.",
      'libbpf',
      null,
      'Map a states its key size twice, as 4 and 8 bytes.',
    ],
    ['unknown BTF type `vfs_reed`', 'aya', null, 'The kernel’s BTF has no vfs_reed'],
    [
      "can't load BigEndian program on LittleEndian",
      'cilium',
      null,
      'The object is BigEndian and this machine LittleEndian',
    ],
    [
      'field Events: map events: map create: operation not permitted (MEMLOCK may be too low, consider rlimit.RemoveMemlock)',
      'cilium',
      null,
      'did not create map events: EPERM, operation not permitted. Before Linux 5.11',
    ],
    [
      'program on_exec: fixing up kfuncs: kfunc "bpf_foo": not found',
      'cilium',
      'on_exec',
      'have no kfunc bpf_foo',
    ],
    [
      'map cache: program type tracing (BPF trampoline): not supported (requires >= v5.5)',
      'cilium',
      null,
      'this needs Linux v5.5 or later',
    ],
    ['the program is already loaded', 'aya', null, 'The program is loaded twice'],
  ])('%s', (text, source, prog, sentence) => {
    const line = only(text);
    expect(line.event?.event).toBe('failure');
    expect([line.source, line.prog]).toEqual([source, prog]);
    expect(line.sentence).toContain(sentence);
  });

  it('of libbpf are explained, from 0.0.3 to 1.8', () => {
    const warnings = MESSAGES.filter(({ level }) => level === 'warn');
    const open = warnings.map(sampleOf).filter((text) => {
      const line = only(text);
      return (
        line.event === null || line.sentence === '' || line.sentence.includes('in its own words')
      );
    });
    expect(warnings.length).toBeGreaterThan(1000);
    expect(open.filter((text) => !WITHOUT_SENTENCE.includes(text))).toEqual([]);
  });

  it('are told from messages of libbpf that inform', () => {
    const wrong = MESSAGES.filter((message) => {
      const text = sampleOf(message);
      if (WITHOUT_SENTENCE.includes(text)) return false;
      const isFailure = ['failure', 'verdict'].includes(lineKind(only(text)) ?? '');
      if (message.level === 'warn') return isFailure === INFORMING.test(text);
      return isFailure && !REASONS.test(message.format);
    });
    expect(wrong.map(sampleOf)).toEqual([]);
  });

  it('of libbpf that are not known are failures all the same, in its own words', () => {
    const line = only("libbpf: prog 'p': something new failed: -EINVAL");
    expect(line.event).toMatchObject({ event: 'failure', sentence: '' });
    expect(line.prog).toBe('p');
    expect(line.sentence).toContain('in its own words');
    expect(only('libbpf: collecting externs...').event).toBeNull();
  });

  it('take no longer for long names', () => {
    const name = 'a'.repeat(2000);
    for (const end of ["'", '', "': failed to attach: x".repeat(80)]) {
      expect(() => only(`libbpf: prog '${name}${end}`)).not.toThrow();
    }
  });
});

describe('lines of each loader', () => {
  it.each([
    // libbpf
    [
      'libbpf',
      'information',
      'libbpf: elf: skipping unrecognized data section(9) .rodata.cst16',
      'No failure unless',
    ],
    [
      'libbpf',
      'information',
      'libbpf: Error loading .BTF into kernel: -22. BTF is optional, ignoring.',
      'loaded all the same',
    ],
    [
      'libbpf',
      'failure',
      "libbpf: failed to find BTF for extern 'getpid' [12] section: -2",
      'a function of the C library',
    ],
    ['libbpf', 'failure', "libbpf: failed to find BTF for extern 'x': -2", 'compiled without -g'],
    [
      'libbpf',
      'failure',
      'libbpf: struct_ops init_kern ops_a: Cannot find member b in kernel BTF',
      'Map ops_a sets member b',
    ],
    [
      'libbpf',
      'failure',
      "libbpf: Program 'p' contains non-map related relo data pointing to section 3",
      'uses data of section 3 that is no map',
    ],
    [
      'libbpf',
      'failure',
      "libbpf: map 'm': failed to create: Argument list too long(-7)",
      'E2BIG, argument list too long. A size or max_entries',
    ],
    [
      'libbpf',
      'verdict',
      "libbpf: prog 'p': BPF program load failed: Permission denied",
      'EACCES, permission denied. The verifier refuses',
    ],
    [
      'libbpf',
      'verdict',
      "libbpf: prog 'p': failed to load: -13",
      'EACCES, permission denied. The verifier refuses',
    ],
    ['libbpf', 'verdict', "libbpf: prog 'p': failed to load: -EPERM", 'lacks CAP_BPF'],
    [
      'libbpf',
      'failure',
      "kfunc 'bpf_a' is referenced but wasn't resolved",
      'bpf_ksym_exists(bpf_a)',
    ],
    [
      'libbpf',
      'failure',
      'libbpf: Malformed BTF string section, did you forget to provide base BTF?',
      'needs its base',
    ],
    // cilium/ebpf
    [
      'cilium',
      'verdict',
      'load program: invalid argument: last insn is not an exit or jmp (7 line(s) omitted)',
      'The verifier says “last insn is not an exit or jmp”',
    ],
    [
      'cilium',
      'verdict',
      'program a: load program: permission denied: R2 type=fp expected=map_ptr (12 line(s) omitted)',
      'Register 2 holds fp',
    ],
    [
      'cilium',
      'verdict',
      'load program: permission denied:\\n\\t0: (95) exit\\n\\tR0 !read_ok\\n\\tprocessed 1 insns (limit 1000000)',
      '“R0 !read_ok”: Register 0 is read',
    ],
    ['cilium', 'verdict', 'load program: argument list too long', 'E2BIG'],
    [
      'cilium',
      'failure',
      'load program: operation not permitted (MEMLOCK may be too low, consider rlimit.RemoveMemlock)',
      'From 5.11 on',
    ],
    [
      'cilium',
      'failure',
      'load program: bad CO-RE relocation: invalid func unknown#195896080 (3 line(s) omitted)',
      'its CO-RE relocation has no match',
    ],
    [
      'cilium',
      'failure',
      'program a: apply CO-RE relocations: relocate struct file.f_x: no matching member',
      'struct file does not have the field f_x',
    ],
    [
      'cilium',
      'failure',
      'map cache: map create: operation not supported',
      'did not create map cache: EOPNOTSUPP',
    ],
    [
      'cilium',
      'failure',
      'attach Tracing/TraceFExit: find target for fexit: type name do_x: not found',
      'has no do_x',
    ],
    [
      'cilium',
      'failure',
      'section maps: map a: unsupported legacy map',
      'Map a is defined in SEC("maps")',
    ],
    ['cilium', 'failure', 'invalid BTF: string table is empty', 'The BTF has no strings'],
    [
      'cilium',
      'failure',
      'program p: section .text: reference to "x": bad symbol',
      'uses x, which the object does not define',
    ],
    // aya
    [
      'aya',
      'verdict',
      'the BPF_PROG_LOAD syscall returned Permission denied (os error 13). Verifier output: R0 !read_ok',
      'EACCES, permission denied',
    ],
    [
      'aya',
      'failure',
      'map error: failed to create map `A`: `bpf_map_create` failed: Operation not permitted (os error 1)',
      'did not create the map: EPERM',
    ],
    ['aya', 'verdict', '`bpf_link_create` failed', 'did not attach the program'],
    ['aya', 'failure', "kernel function 'bpf_a' not found in kernel BTF", 'no kfunc bpf_a'],
    ['aya', 'verdict', '`/proc/self/maps`', 'could not be read'],
    // Others
    [
      'tc',
      'failure',
      'ELF contains non-{map,call} related relo data in entry 1 pointing to section 5! Compiler bug?!',
      'has no global data',
    ],
    ['tc', 'information', "Map 'a' loaded as pinned!", 'used again'],
    [
      'tc',
      'verdict',
      "Prog section 'tc' rejected: Permission denied (13)!",
      'refuses the program of section tc: EACCES',
    ],
    ['bpftool', 'verdict', 'Error: failed to load object file', 'of libbpf or the verifier'],
    ['bpftool', 'failure', 'Error: failed to load BTF from a.ko: No data available', 'ENODATA'],
    [
      'libxdp',
      'failure',
      'libxdp: Error attaching XDP program to ifindex 3: Device or resource busy',
      'EBUSY',
    ],
    [
      'bpftrace',
      'verdict',
      'ERROR: Error loading BPF program for kprobe_a_1. Error code: -13 (Permission denied). Use -v for full kernel error log.',
      'EACCES',
    ],
    [
      'bpftrace',
      'failure',
      'stdin:1:1-9: ERROR: a is not traceable (either non-existing, inlined, or marked as "notrace")',
      'no function a that can be traced',
    ],
    ['bcc', 'verdict', 'bpf: Failed to load program: Invalid argument', 'EINVAL'],
    [
      'bcc',
      'failure',
      'cannot attach kprobe, probe entry may not exist',
      'misspelt, inlined, notrace',
    ],
    [
      'veristat',
      'verdict',
      'PROCESSING a.bpf.o/p, DURATION US: 12, VERDICT: failure, VERIFIER LOG:',
      'refuses a.bpf.o/p',
    ],
    ['veristat', 'failure', "Can't find 'x'", 'no global variable or field x'],
    [
      'build',
      'information',
      "WARN: multiple IDs found for 'a': 1, 2 - using 1",
      'several types named a',
    ],
    [
      'build',
      'failure',
      "PAHOLE: Error: Found symbol of zero size (sym: 'a').",
      'gave up at symbol a',
    ],
    [
      'kernel',
      'failure',
      '[    1.234567] missing module BTF, cannot register kfuncs',
      'has kfuncs or structs',
    ],
    [
      'clang',
      'failure',
      "a.c:3:5: error: A call to built-in function 'memcmp' is not supported.",
      'a call of memcmp',
    ],
    ['clang', 'failure', "a.c:1:10: fatal error: 'vmlinux.h' file not found", 'bpftool btf dump'],
  ])('%s, %s: %s', (source, kind, text, sentence) => {
    const line = only(text);
    expect([line.source, lineKind(line)]).toEqual([source, kind]);
    expect(line.sentence).toContain(sentence);
  });

  it('leave lines of the verifier and of others alone', () => {
    for (const text of ['R1 is not a pointer to map value', '5: (95) exit', 'hello: world (x)']) {
      expect(['verifier', null]).toContain(only(text).source);
    }
  });
});

describe('the build of a kernel, and its modules', () => {
  it.each([
    ['[15] TYPEDEF (anon) Error emitting BTF type', 'type 15, a TYPEDEF without a name'],
    ['[635133] INT DW_ATE_unsigned_56 Error emitting BTF type', 'the integer DW_ATE_unsigned_56'],
    ['Encountered error while encoding BTF.', 'the file gets no .BTF'],
    [
      "WARN: multiple IDs found for 'task_struct': 209, 44360 - using 209",
      'several types named task_struct (209, 44360 - using 209), and took the first',
    ],
    ['WARN: resolve_btfids: unresolved symbol bpf_lsm_mine', '.BTF_ids names bpf_lsm_mine'],
    ['FAILED unresolved symbol tcp_mine_release', '.BTF_ids names tcp_mine_release'],
    ['FAILED: load BTF from vmlinux: Invalid argument', 'no readable BTF in vmlinux'],
  ])('%s', (line, sentence) => {
    const { source, sentence: told } = only(line);
    expect(source).toBe('build');
    expect(told).toContain(sentence);
  });

  it('are explained in the kernel log', () => {
    const line = only('[  672.849431] failed to validate module [nft_mine] BTF: -22');
    expect(line.source).toBe('kernel');
    expect(line.sentence).toContain('nft_mine (-22): the module was built against another vmlinux');
  });

  it('reads the check of a module in the kernel log, with the type that the dump names', () => {
    const { lines } = parseLog(
      [
        '[  672.849416] BPF: [166016] ENUM fair_mode',
        '[  672.849423] BPF: size=4 vlen=5',
        '[  672.849425] BPF:',
        '[  672.849427] BPF: Invalid name',
        '[Tue Sep  5 10:53:29 2023] BPF: [129365] Invalid name_offset:2322721',
      ].join('\n'),
    );
    expect(lines.map(({ source }) => source)).toEqual(['btf', 'btf', null, 'btf', 'btf']);
    const texts = lines.map((line) => explainLine(line));
    expect(texts[3]).toContain('rejects type 166016 of the BTF: the name is not a C identifier');
    expect(texts[4]).toContain('rejects type 129365 of the BTF: the name is outside the string');
  });
});
