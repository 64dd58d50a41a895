/**
 * Refuses programs by the special fields in values of maps: a helper or kfunc needs a field that the
 * value of its map lacks, or a program type may not use a map with it. Source:
 * kernel/bpf/verifier.c: check_map_prog_compatibility, process_spin_lock, process_timer_func,
 * process_kptr_func, check_map_field_pointer, __process_kf_arg_ptr_to_graph_root.
 */
import { byVersion } from './dependency.ts';
import type { LoadKernel } from './kernel.ts';
import { missingHelper } from './kernel-enums.ts';
import type { FieldState, MapTypes } from './map-fields.ts';
import { type MapPointer, mapPointersAt } from './map-pointers.ts';
import type { KernelMap, KernelProgram, Refusal } from './refusals.ts';
import { isSince } from './version.ts';

/** A function that works on a special field, to which one of its arguments points. */
type FieldUser = {
  /** Register of the pointer to the field. */
  readonly register: number;
  readonly special: string;
  /** Name in the verifier's line on a map without BTF. */
  readonly word: string;
};

const user = (special: string, word = special, register = 1): FieldUser => ({
  register,
  special,
  word,
});

const HELPERS: ReadonlyMap<number, FieldUser> = new Map([
  [93, user('bpf_spin_lock')],
  [94, user('bpf_spin_lock')],
  [169, user('bpf_timer')],
  [170, user('bpf_timer')],
  [171, user('bpf_timer')],
  [172, user('bpf_timer')],
  [194, user('kptr', 'bpf_kptr_xchg')],
]);

const RES_SPIN_LOCK = user('bpf_res_spin_lock');
const WORK_QUEUE = user('bpf_wq');
const PUSHES = ['push_front', 'push_back', 'push_front_impl', 'push_back_impl'];
const LIST_KFUNCS = [...PUSHES, 'pop_front', 'pop_back', 'front', 'back'];
const TREE_KFUNCS = ['add', 'add_impl', 'remove', 'first', 'root'];
const LIST = user('bpf_list_head');
const TREE = user('bpf_rb_root');
const TASK_WORK = user('bpf_task_work', 'bpf_task_work', 2);

const KFUNCS: ReadonlyMap<string, FieldUser> = new Map([
  ['bpf_res_spin_lock', RES_SPIN_LOCK],
  ['bpf_res_spin_unlock', RES_SPIN_LOCK],
  ['bpf_res_spin_lock_irqsave', RES_SPIN_LOCK],
  ['bpf_res_spin_unlock_irqrestore', RES_SPIN_LOCK],
  ...LIST_KFUNCS.map((name) => [`bpf_list_${name}`, LIST] as const),
  ...TREE_KFUNCS.map((name) => [`bpf_rbtree_${name}`, TREE] as const),
  ['bpf_wq_init', WORK_QUEUE],
  ['bpf_wq_set_callback', WORK_QUEUE],
  ['bpf_wq_set_callback_impl', WORK_QUEUE],
  ['bpf_wq_start', WORK_QUEUE],
  ['bpf_task_work_schedule_signal', TASK_WORK],
  ['bpf_task_work_schedule_signal_impl', TASK_WORK],
  ['bpf_task_work_schedule_resume', TASK_WORK],
  ['bpf_task_work_schedule_resume_impl', TASK_WORK],
]);

/** Returns the refusals of a program, those of its type before those of its calls. */
export function fieldRefusals(program: KernelProgram, kernel: LoadKernel): Refusal[] {
  const users = new Map<number, FieldUser>();
  for (const [slot, helper] of program.helpers) {
    const found = HELPERS.get(helper);
    if (found !== undefined && missingHelper(kernel, null, helper) === null) users.set(slot, found);
  }
  for (const [slot, { name }] of program.kfuncs) {
    const found = KFUNCS.get(name.replace(/___.*$/, ''));
    if (found !== undefined) users.set(slot, found);
  }
  const pointers = users.size === 0 ? null : mapPointersAt(program, new Set(users.keys()));
  return [
    ...typeRefusals(program, kernel),
    ...[...users].flatMap(([slot, one]) => {
      const pointer = pointers?.get(slot)?.[one.register];
      return pointer === undefined
        ? []
        : (callRefusal(kernel, { insn: slot, type: program.type }, one, pointer) ?? []);
    }),
  ];
}

function callRefusal(
  kernel: LoadKernel,
  { insn, type }: { readonly insn: number; readonly type: string },
  one: FieldUser,
  pointer: MapPointer,
): Refusal | null {
  const { map, isValue, mayBeNull } = pointer;
  // The verifier refuses other pointers before it looks for the field.
  if (!isValue || mayBeNull) return null;
  const { types } = map;
  const rootLine =
    one === LIST || one === TREE ? noRootLine(kernel, type, one, pointer) : undefined;
  const state = types?.fields.get(one.special) ?? 'unknown';
  if (types !== null && (state === 'unknown' || state === 'valid')) return null;
  // Before 6.18 the verifier did not test whether a map has the work queue.
  if (one === WORK_QUEUE && isSince(kernel, '6.18') !== true) return null;
  // A pinned map may have been made with other types.
  const base = { step: 'field', insn, pass: 'reached', isSure: !map.isPinned } as const;
  if (types === null) {
    return {
      ...base,
      text: `${one.word} needs the type of the value, and map '${map.name}' has none in this kernel: ${map.whyUntyped}.`,
      line:
        rootLine === undefined
          ? `map '${map.kernelName}' has to have BTF in order to use ${one.word}`
          : rootLine,
    };
  }
  const text = `The value of map '${map.name}' has no valid ${one.special}, which the call needs.`;
  const line = rootLine === undefined ? missingLine(kernel, one, map, state) : rootLine;
  return { ...base, text, line };
}

/** Program types that may call the kfuncs of lists and trees in each kernel that has them. */
const GRAPH_TYPES: readonly string[] = ['SCHED_CLS', 'STRUCT_OPS', 'TRACING'];
/** Further program types that may call them since 6.18, or earlier. */
const GRAPH_TYPES_6_18: readonly string[] = ['XDP', 'SYSCALL', 'CGROUP_SKB'];

/** Returns the verifier's line on a pointer to a list or tree that is not there; null if unknown. */
function noRootLine(
  kernel: LoadKernel,
  type: string,
  { special }: FieldUser,
  { offset }: MapPointer,
): string | null {
  const mayCall =
    GRAPH_TYPES.includes(type) ||
    (GRAPH_TYPES_6_18.includes(type) && isSince(kernel, '6.18') === true);
  const isKnown = mayCall && offset !== null && isSince(kernel, '6.6') === true;
  return isKnown ? `${special} not found at offset=${offset}` : null;
}

/** Returns the verifier's line on a value without the field. */
function missingLine(
  kernel: LoadKernel,
  { special }: FieldUser,
  { kernelName }: KernelMap,
  state: FieldState,
): string | null {
  if (special === 'kptr' && isSince(kernel, '6.12') !== false) {
    return isSince(kernel, '6.12') === true ? 'R1 has no valid kptr' : null;
  }
  if (special === 'kptr' || isSince(kernel, '6.2') === true) {
    return `map '${kernelName}' has no valid ${special}`;
  }
  switch (state) {
    case 'several':
      return `map '${kernelName}' has more than one 'struct ${special}'`;
    case 'mangled':
      return `map '${kernelName}' is not a struct type or ${special} is mangled`;
    default:
      return `map '${kernelName}' doesn't have 'struct ${special}'`;
  }
}

/** Program types that run in any context. Source: is_tracing_prog_type. */
const TRACING: readonly string[] = [
  'KPROBE',
  'TRACEPOINT',
  'PERF_EVENT',
  'RAW_TRACEPOINT',
  'RAW_TRACEPOINT_WRITABLE',
];

/** Returns the refusals by the type of the program, which holds for each map that it refers to. */
function typeRefusals(program: KernelProgram, kernel: LoadKernel): Refusal[] {
  const refusals: Refusal[] = [];
  const seen = new Set<KernelMap>();
  for (const [insn, map] of program.maps) {
    if (seen.has(map)) continue;
    seen.add(map);
    const { types } = map;
    if (types === null) continue;
    const refusal = typeRefusal(program, kernel, types, insn);
    if (refusal !== null)
      refusals.push({ ...refusal, text: `${refusal.text} Map '${map.name}' has one.` });
  }
  return refusals;
}

function typeRefusal(
  { type, kind }: KernelProgram,
  kernel: LoadKernel,
  { fields }: MapTypes,
  insn: number,
): Refusal | null {
  const has = (special: string) => fields.get(special) === 'valid';
  const refused = (
    who: string,
    special: string,
    line: string | null,
    more: Pick<Refusal, 'isSure' | 'dependsOn'> = {},
  ): Refusal => ({
    step: 'field',
    text: `${who} may not use a map with a ${special}.`,
    line,
    insn,
    pass: 'always',
    ...more,
  });
  const isTracing = TRACING.includes(type);
  if (isTracing && (has('bpf_list_head') || has('bpf_rb_root'))) {
    const special = has('bpf_list_head') ? 'bpf_list_head' : 'bpf_rb_root';
    const isKnown = isSince(kernel, '6.3') === true;
    const line = isKnown ? 'tracing progs cannot use bpf_{list_head,rb_root} yet' : null;
    return refused('Programs for tracing', special, line);
  }
  if (has('bpf_spin_lock')) {
    const line = (who: string) => `${who} progs cannot use bpf_spin_lock yet`;
    if (type === 'SOCKET_FILTER') {
      const isNew = isSince(kernel, '5.11');
      const who = isNew === null ? null : isNew ? 'socket filter' : 'tracing';
      return refused('Socket filters', 'bpf_spin_lock', who && line(who));
    }
    if (isTracing) return refused('Programs for tracing', 'bpf_spin_lock', line('tracing'));
    const isOld = isSince(kernel, '6.6');
    if (kind.endsWith('.s') && isOld !== true && isSince(kernel, '5.11') !== false) {
      const isSure = isOld === false && isSince(kernel, '5.11') === true;
      const more = { isSure, ...byVersion(kernel, '5.11', '6.6') };
      return refused('Sleepable programs', 'bpf_spin_lock', line('sleepable'), more);
    }
  }
  const asynchronous = ['bpf_timer', 'bpf_wq'].find(has);
  // Linux 6.18 refuses them, 7.1 does not.
  if (!isTracing || asynchronous === undefined || isSince(kernel, '7.1') === true) return null;
  const line = `tracing progs cannot use ${asynchronous} yet`;
  const isSure = isSince(kernel, '6.19') === false;
  const more = { isSure, ...byVersion(kernel, '6.19', '7.1') };
  return refused('Programs for tracing', asynchronous, line, more);
}
