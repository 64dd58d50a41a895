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
      'Locked memory is limited: call rlimit.RemoveMemlock() first',
    ],
    [
      'program on_exec: fixing up kfuncs: kfunc "bpf_foo": not found',
      'cilium',
      'on_exec',
      'have no kfunc "bpf_foo"',
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
    expect(lines.map(({ source }) => source)).toEqual(['btf', null, null, 'btf', 'btf']);
    const texts = lines.map((line) => explainLine(line));
    expect(texts[3]).toContain('rejects type 166016 of the BTF: the name is not a C identifier');
    expect(texts[4]).toContain('rejects type 129365 of the BTF: the name is outside the string');
  });
});
