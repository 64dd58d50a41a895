/**
 * Lines of bcc about compiling, loading and attaching. Source: bcc at 6d0a964c, src/cc/libbpf.c,
 * bpf_module.cc, frontends/clang/b_frontend_action.cc, and its Python module.
 */
import { ATTACH, INFORMS, type LoaderRow, MAP_CREATE, PIN, PROG_LOAD, VERDICT } from './row.ts';

// biome-ignore format: one row a line
export const BCC: readonly LoaderRow[] = [
  ['bpf: Failed to load program: {e}', 'The kernel did not load the program: {e}.', { ...VERDICT, errors: PROG_LOAD }],
  ["Failed to load BPF program b'{prog}': {e}", 'The kernel did not load program {prog}: {e}.', { ...VERDICT, errors: PROG_LOAD }],
  ['Failed to load BPF program {prog}: {e}', 'The kernel did not load program {prog}: {e}.', { ...VERDICT, errors: PROG_LOAD }],
  ['HINT: {what}', 'bcc guesses at the reason for the verifier’s refusal: {what}', INFORMS],
  ['bpf: {name} is not found in {module} BTF', 'The BTF of {module} has no {name}: the kernel is built without it, or it is inlined.'],
  ['bpf: {name} BTF is not found', 'The kernel has no BTF of {name}: it was built without CONFIG_DEBUG_INFO_BTF, or the module is not loaded.'],
  ['bpf: {e}. Program {prog} too large ({n} insns), at most {max} insns', 'Program {prog} has {n} instructions, and this kernel takes {max}.'],
  ['bpf: log_buf size may be insufficient', 'The verifier’s log is longer than bcc’s buffer.'],
  ['bpf: Attaching prog to {name}: {e}', 'The program could not be attached to {name}: {e}.', { errors: ATTACH }],
  ['bpf: Resolving device name to index: {e}', 'This machine has no such network device: {e}.'],
  ['cannot attach {what}, probe entry may not exist', 'The kernel has no such function to attach a {what} to: it is misspelt, inlined, notrace, or in a module that is not loaded.'],
  ['cannot attach {what}, {e}', 'The kernel did not attach the {what}: {e}.', { errors: ATTACH }],
  ["Failed to attach BPF program b'{prog}' to {what} b'{name}'", 'Program {prog} could not be attached to {what} {name}: it is misspelt, inlined, notrace, or in a module that is not loaded.'],
  ['Failed to attach BPF program {prog} to {what} {name}', 'Program {prog} could not be attached to {what} {name}.'],
  ['Failed to attach BPF to {what}', 'A program could not be attached to {what}: the line before says why.'],
  ['Failed to attach LSM', 'The LSM program could not be attached: the kernel needs CONFIG_BPF_LSM, and bpf in the boot option lsm=.'],
  ['Failed to compile BPF module', 'The C of the tool could not be compiled: clang’s lines before say why. The kernel’s headers may be missing (linux-headers, or CONFIG_IKHEADERS), or newer than this bcc.'],
  ['Unable to find kernel headers.', 'bcc compiles with the kernel’s headers, which are not there: install linux-headers of this kernel, or load the module kheaders.'],
  ['could not open bpf map: {map}, error: {e}', 'The kernel did not create map {map}: {e}.', { errors: MAP_CREATE }],
  ['failed to pin map: {map}, error: {e}', 'Map {map} could not be pinned: {e}.', { errors: PIN }],
  ['Need super-user privileges to run', 'Run the tool as root.'],
  ['Could not open perf buffer', 'A perf buffer could not be opened.'],
  ['Could not open ring buffer', 'A ring buffer could not be opened.'],
  ['Number of open probes would exceed global quota', 'bcc attaches at most 1,000 probes: use a narrower pattern.'],
  ['perf_event_open({what}): {e}', 'The kernel made no event for {what}: {e}.', { errors: ATTACH }],
  ['bpf_attach_raw_tracepoint ({what}): {e}', 'The program could not be attached to {what}: {e}.', { errors: ATTACH }],
  ['ioctl(PERF_EVENT_IOC_SET_BPF): {e}', 'The program could not be attached to the perf event: {e}.', { errors: ATTACH }],
  ['open({path}): {e}', 'The file {path} could not be opened: {e}.'],
  ['Processing .BTF section failed', 'The BTF that bcc makes could not be fitted to its code: bcc goes on without it.', INFORMS],
  ['Loading .BTF section failed', 'The kernel did not take the BTF that bcc makes: bcc goes on without it.', INFORMS],
  ['too many arguments, bcc only supports in-register parameters', 'The function has more arguments than registers hold: read the others from pt_regs.'],
  ['cannot call non-static helper function', 'A function that a program calls has to be static inline.'],
  ['unsupported map type: {type}', 'bcc does not know map type {type}.'],
  ['struct {name} not found in BTF', 'The BTF of the tool has no {name}.'],
];
