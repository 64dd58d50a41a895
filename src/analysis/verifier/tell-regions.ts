/** Sentences about references, locks and other regions, dynptrs, iterators, and control flow. */
import type { Fault } from './fault.ts';
import { memberText } from './tell-memory.ts';
import { whyUninitialised } from './tell-stack.ts';
import {
  calleeOf,
  fromOrigin,
  madeBy,
  type Tellers,
  type Told,
  upper,
  valueWords,
} from './told.ts';
import { mapOf } from './typed-value.ts';

export const REGIONS: Tellers = {
  'unreleased-reference': reference,
  'reference-leak': reference,
  'call-under-lock': (f) => ({
    cause: `${upper(f.where)} calls ${f.callee ?? 'a function'} while a lock is held${fromOrigin(f, ', taken by ')}: between lock and unlock only a few functions may be called.`,
    fix: 'Call the function before the lock is taken or after it is released.',
  }),
  'exit-under-lock': region,
  'sleepable-call': sleepable,
  'lock-order': lockOrder,
  'lock-argument': lockArgument,
  'special-field-offset': (f) => ({
    cause: `${upper(f.where)} passes ${f.register ?? 'a pointer'} to ${f.callee ?? 'a function'}, but ${specialField(f)}${fromOrigin(f, offsetFrom(f))}.`,
    fix: 'Pass the address of the field (`&v->field`).',
  }),
  'graph-lock-not-held': (f) => ({
    cause: `${upper(f.where)} calls ${f.callee ?? 'a function'} on a ${/bpf_\w+/.exec(f.message.values[1] ?? '')?.[0] ?? 'list or tree'} in ${f.register ?? 'its argument'} ${isOtherLock(f) ? 'while another lock is held, not' : 'without holding'} the bpf_spin_lock beside it.`,
    fix: 'Take the lock with bpf_spin_lock() before the call, and release it after.',
  }),
  'rcu-section': (f) =>
    f.message.format.startsWith('unmatched')
      ? unmatched(f, 'the RCU read lock is not held', 'bpf_rcu_read_lock')
      : {
          cause: f.message.format.startsWith('nested')
            ? `${upper(f.where)} takes the RCU read lock a second time.`
            : `${upper(f.where)} calls ${f.callee ?? 'a function'}, which needs the RCU read lock, and the lock is not held on this path.`,
          fix: f.message.format.startsWith('nested')
            ? 'Take the lock once and release it once.'
            : 'Call bpf_rcu_read_lock() before and bpf_rcu_read_unlock() after the use.',
        },
  'preempt-section': (f) => unmatched(f, 'preemption was not disabled', 'bpf_preempt_disable'),
  'irq-flag': irqFlag,
  'dynptr-argument': stackObject('dynptr', 'bpf_dynptr_from_mem or bpf_ringbuf_reserve_dynptr'),
  'iterator-argument': stackObject('iterator', 'its _new function (for example bpf_iter_num_new)'),
  'stack-object-offset': stackObjectOffset,
  'dynptr-overwrite': (f) => ({
    cause: `${upper(f.where)} overwrites the dynptr in ${f.register ?? 'the stack'}, which still owns a record${fromOrigin(f, ': it was made by ')}.`,
    fix: 'Submit or discard the record first, or use another dynptr variable.',
  }),
  'infinite-loop': (f) => ({
    cause: `The loop at ${f.where} never ends for the verifier: it comes back to this instruction with the same state, so nothing that the loop tests changes${f.origin === null || f.origin.insn === f.insn ? '' : `; its last jump is ${f.whereOf(f.origin)}`}.`,
    fix: 'Let a counter with a constant limit change in every round, or use bpf_loop() or bpf_for().',
  }),
  'back-edge': (f) => ({
    cause: `The program has a loop: ${f.insn === null ? 'an instruction' : f.where} jumps back to instruction ${f.message.values[1] ?? '?'}, which needs Linux 5.3 and CAP_BPF.`,
    fix: 'Load the program with CAP_BPF, or unroll the loop (`#pragma unroll`).',
  }),
  'too-many-insns': (f) => ({
    cause: `The verifier gave up${f.at} after ${Number(f.message.values[0] ?? 1_000_001) - 1} instructions${f.origin === null ? '' : `: it walks a loop round by round, whose condition is ${f.whereOf(f.origin)}`}.`,
    fix: 'Use bpf_loop() or bpf_for() for long loops, lower the number of rounds, or move parts to global functions, which are verified once.',
  }),
  'jump-sequence-too-complex': (f) => ({
    cause: `More than 8192 branches wait to be walked at one time${f.insn === null ? '' : `; the last one is at ${f.where}`}.`,
    fix: 'Use fewer branches in one stretch of code: a loop with bpf_for(), a table in a map, or global functions.',
  }),
  'call-depth': callDepth,
  'unknown-opcode': unknownOpcode,
  'map-field': mapField,
  'jit-required': (f) => ({
    cause: /^Private stack/.test(f.messageText)
      ? 'The program needs a private stack, which the JIT compiler of this kernel does not have for this machine.'
      : 'The program needs something of the JIT compiler that is off, or that this machine’s does not have.',
    fix: /^Private stack/.test(f.messageText)
      ? 'Load the program on a kernel and machine whose JIT compiler has private stacks (x86-64 from Linux 6.13 on).'
      : 'Switch the JIT on: `sysctl net.core.bpf_jit_enable=1`. If it is on, do without the feature on this machine.',
  }),
  'attach-target-missing': (f) => ({
    cause:
      /is not a function|is not a typedef|is not a supported struct|wrong type name|doesn.t have a name|is invalid/.test(
        f.messageText,
      )
        ? 'The type that the program is to be attached to (attach_btf_id) is not of the kind that this program type needs.'
        : 'The attach target does not exist in this kernel, or cannot be attached to.',
    fix: 'Check that the section names the right kind of target, and that `/proc/kallsyms` and the BTF of the kernel have it; a target that differs between kernels can be set before the load.',
  }),
  'bad-ldimm64': (f) => ({
    cause: `${anInsn(f)} is a 16-byte load ${f.messageText.startsWith('unrecognized') ? 'of a kind that this kernel does not know: its source register is the kind' : 'whose second half is not as it must be: all zero but for its constant'}.`,
    fix: f.messageText.startsWith('unrecognized')
      ? 'Load on a newer kernel, or use a loader that writes a kind which this kernel knows; in hand-written code correct the instruction.'
      : 'Emit both halves of the load; compilers and loaders do so, so that this points at damaged or hand-written code.',
  }),
  'jump-into-ldimm64': (f) => ({
    cause: `${f.insn === null ? 'A jump' : upper(f.where)} leads to instruction ${f.message.values[0] ?? ''}, the second half of a 16-byte load.`,
    fix: 'Jump to the first half of the load.',
  }),
  'jump-out-of-range': (f) => ({
    cause:
      f.message.values[1] === undefined
        ? `${upper(f.where)} calls an instruction outside of the program.`
        : `${upper(f.where)} jumps to instruction ${f.message.values[1]}, which is not in its function.`,
    fix: 'Jump within the function; code that a compiler wrote was cut or joined wrongly.',
  }),
  'unreachable-insn': (f) => ({
    cause: `No path leads to ${f.where}.`,
    fix: 'Remove the code that cannot be reached: often a function without return, or code after a call that the compiler takes to never return.',
  }),
  'last-insn': () => ({
    cause:
      'The last instruction of a function is neither an exit nor a jump, so that execution could run past its end.',
    fix: 'Return at the end of the function; a call of an inlined function that was not compiled in, or undefined behaviour, often removes the end.',
  }),
  'stack-size': stackSize,
};

/** True if a lock is held, which is not the one of the list or tree. */
function isOtherLock({ messages }: Fault): boolean {
  return messages.some(({ text }) => text.startsWith('held lock and object are not'));
}

/** Returns what is wrong with a pointer to a field, with the place if the message has it. */
function specialField({ messageText: text }: Fault): string {
  const [, off, name, at] =
    /^off (-?\d+) doesn't point to 'struct (\w{1,60})'(?: that is at (-?\d+))?/.exec(text) ?? [];
  if (name !== undefined) {
    return `it points at offset ${off} of the value, not at its struct ${name}${at === undefined ? '' : ` at offset ${at}`}`;
  }
  const field = /\. (\w{1,60}) has to be at/.exec(text)?.[1];
  return field === undefined
    ? 'it does not point at the special field itself'
    : `it must point at a ${field} at an offset that is known when the program is verified`;
}

function unknownOpcode(f: Fault): Told {
  const { format, values } = f.message;
  if (format.startsWith('invalid BPF_LD_IMM')) {
    return {
      cause: `${anInsn(f)} has an opcode that is no instruction; it may be the second half of a 16-byte load that a jump leads into.`,
      fix: 'Jump to the first half of the load. Compilers and loaders do so: this points at damaged or hand-written code.',
    };
  }
  const what = format.startsWith('BPF_ATOMIC') ? 'atomic operation' : 'opcode';
  const isNamed = values[0] !== undefined && !format.startsWith('unknown insn class');
  return {
    cause: `${anInsn(f)} has ${isNamed ? `the ${what} 0x${values[0]}` : `an ${what}`}, which this kernel does not know.`,
    fix: 'Compile for an older instruction set (-mcpu=v2 or v3), or load on a newer kernel.',
  };
}

/** A member of a map value or an object that a function needs. */
function mapField(f: Fault): Told {
  const text = f.messageText;
  const [, missing, off] = /^(bpf_\w+) not found at offset=(\d+)/.exec(text) ?? [];
  if (missing !== undefined) {
    return {
      cause: `${upper(f.where)} passes ${f.callee ?? 'a function'} a pointer${f.register === null ? '' : ` in ${f.register}`} to offset ${off} of an object, which does not have a struct ${missing} there${fromOrigin(f, ': the pointer comes from ')}.`,
      fix: `Pass the address of the member (\`&object->member\` of type struct ${missing}).`,
    };
  }
  if (/PREEMPT_RT/.test(text)) {
    return {
      cause: `${upper(f.where)} uses a bpf_timer, which kernels with PREEMPT_RT do not have.`,
      fix: 'Use a bpf_wq, or do without the timer on such kernels.',
    };
  }
  return {
    cause: mapFault(f),
    fix: /to have BTF/.test(text)
      ? withoutBtf(f)
      : 'Declare the map in `SEC(".maps")` with `__type(value, …)`, put the member into the struct once, and load the object with its BTF.',
  };
}

/** Returns what is wrong with the value type of a map that a message names. */
function mapFault(f: Fault): string {
  const text = f.messageText;
  const map = /^\w+ '(.{0,128}?)' /.exec(text)?.[1];
  const field =
    /(?:struct |valid |use |or )(bpf_\w+|\w+_lock)'?(?: is mangled)?$/.exec(text)?.[1] ?? 'field';
  const where = `${upper(f.where)} needs a ${field} in the value of ${map === undefined ? 'the map' : `map \`${map}\``}`;
  if (/more than one/.test(text)) return `${where}, which has more than one of them.`;
  if (/to have BTF/.test(text)) return `${where}, which was created without BTF.`;
  if (/mangled/.test(text))
    return `${where}, whose value is not a struct, or has the ${field} in another form.`;
  return `${where}, which has none.`;
}

/** Returns the words before the instruction that moved a pointer, or that gave it. */
function offsetFrom({ origin }: Fault): string {
  return origin?.text?.form === 'alu' ? ': its offset comes from ' : ': the pointer comes from ';
}

function anInsn(f: Fault): string {
  return f.insn === null ? 'An instruction' : upper(f.where);
}

/** A reference that is held where it must not be. */
function reference(f: Fault): Told {
  const { origin } = f;
  const callee = origin === null ? null : calleeOf(origin);
  const insn = f.value('alloc_insn');
  const taken = origin === null ? insn && `instruction ${insn}` : madeBy(f, origin);
  const what = taken === null ? 'A reference' : `The reference that ${taken} acquired`;
  const isTailCall = f.messages.some(({ text }) => text.startsWith('tail_call'));
  const isThrow = f.callee === 'bpf_throw';
  const end = isTailCall
    ? 'where a tail call is made'
    : isThrow
      ? 'where bpf_throw ends the program'
      : 'where the program ends';
  const variable = f.heldVariable;
  const of = variable === null ? '' : ` (in \`${variable}\`)`;
  const slot = f.register?.startsWith('fp') ? `, in the stack slot ${f.register},` : '';
  return {
    cause: `${what}${of}${slot} is still held${f.insn === null ? '' : ` at ${f.where},`} ${end}.`,
    fix: `Call ${releaseOf(callee)} on every path before ${isTailCall ? 'the tail call' : isThrow ? 'bpf_throw' : 'the return'}${isThrow ? '' : ', also on early returns'}.`,
  };
}

/** Functions that give back what others acquire. */
const RELEASES: readonly (readonly [RegExp, string])[] = [
  [/^bpf_ringbuf_reserve_dynptr$/, 'bpf_ringbuf_submit_dynptr or bpf_ringbuf_discard_dynptr'],
  [/^bpf_ringbuf_reserve$/, 'bpf_ringbuf_submit or bpf_ringbuf_discard'],
  [/^bpf_sk(?:c)?_lookup_|^bpf_map_lookup_elem$/, 'bpf_sk_release'],
  [/^bpf_task_(?:from_|acquire)/, 'bpf_task_release'],
  [/^bpf_cgroup_(?:from_|acquire|ancestor)/, 'bpf_cgroup_release'],
  [/^bpf_cpumask_(?:create|acquire)/, 'bpf_cpumask_release'],
  [/^bpf_obj_new/, 'bpf_obj_drop'],
  [/^bpf_percpu_obj_new/, 'bpf_percpu_obj_drop'],
  [/^bpf_(?:refcount_acquire|list_pop_|rbtree_remove)/, 'bpf_obj_drop'],
  [/^bpf_get_task_exe_file$/, 'bpf_put_file'],
];

function releaseOf(callee: string | null): string {
  if (callee === null) return 'the function that gives it back';
  const iterator = /^(bpf_iter_\w+)_new$/.exec(callee)?.[1];
  if (iterator !== undefined) return `${iterator}_destroy`;
  return RELEASES.find(([name]) => name.test(callee))?.[1] ?? 'the function that gives it back';
}

/** Regions by the words of a message: what is open, and what ends it. */
const OPEN: readonly (readonly [RegExp, string, string])[] = [
  [/rcu/i, 'the RCU read lock is held', 'bpf_rcu_read_unlock()'],
  [/preempt/, 'preemption is disabled', 'bpf_preempt_enable()'],
  [/irq/i, 'interrupts are off', 'bpf_local_irq_restore()'],
  [/spin|lock/, 'a spin lock is held', 'bpf_spin_unlock()'],
];

function openRegion(text: string): readonly [RegExp, string, string] | undefined {
  return OPEN.find(([pattern]) => pattern.test(text));
}

function region(f: Fault): Told {
  const [, state = 'a region is open', end = 'the function that ends it'] =
    openRegion(f.messageText) ?? [];
  const what =
    f.text?.form === 'call'
      ? `${upper(f.where)} calls ${f.callee ?? 'a function'}`
      : f.text?.form === 'packet-load'
        ? `${upper(f.where)} is a legacy packet load, which can end the program,`
        : f.insn === null
          ? 'The program ends, or calls bpf_throw,'
          : `The program leaves at ${f.where}`;
  return {
    cause: `${what} while ${state}${fromOrigin(f, ', since ')}${f.register?.startsWith('fp') ? ` (the state is saved in ${f.register})` : ''}.`,
    fix: `Call ${end} on every path before, also on early returns.`,
  };
}

function sleepable(f: Fault): Told {
  const text = f.messageText;
  const entry = f.question === 'region-any' && f.origin !== null ? calleeOf(f.origin) : null;
  const open =
    entry !== null
      ? openRegion(entry)
      : /non-sleepable|must be sleepable|might sleep|but the program is not/.test(text)
        ? undefined
        : openRegion(text);
  const isGlobal = text.startsWith('global function');
  const callee =
    f.callee ?? (isGlobal ? 'a global function' : (f.message.values[0] ?? 'a function'));
  if (open === undefined && f.stateBefore()?.flags.includes('async_cb') === true) {
    return {
      cause: `${upper(f.where)} calls ${callee}, which may sleep, in a callback that runs later, where nothing may sleep.`,
      fix: 'Use a bpf_wq, whose callback may sleep, or a function that does not sleep.',
    };
  }
  return open === undefined
    ? {
        cause: `${upper(f.where)} calls ${callee}, which may sleep, but the program may not.`,
        fix: 'Make the program sleepable (a section with `.s`, such as `SEC("lsm.s/…")`), where its hook allows that, or use a function that does not sleep.',
      }
    : {
        cause: `${upper(f.where)} calls ${callee}, which may sleep, while ${open[1]}${fromOrigin(f, ', since ')}.`,
        fix: `Call ${open[2]} before, or use a function that does not sleep.`,
      };
}

function unmatched(f: Fault, state: string, opener: string): Told {
  return {
    cause: `${upper(f.where)} ${f.callee === null ? 'ends the region' : `calls ${f.callee}`}, but ${state} on this path: no ${opener} came before.`,
    fix: `Call ${opener}() first, and each of the two once on every path.`,
  };
}

function lockOrder(f: Fault): Told {
  const text = f.messageText;
  if (/without taking/.test(text)) {
    const isResilient = /res_spin/.test(`${text} ${f.callee}`);
    const told = unmatched(
      f,
      'no lock is held',
      isResilient ? 'bpf_res_spin_lock' : 'bpf_spin_lock',
    );
    return isResilient
      ? {
          cause: told.cause.replace(
            /: no .*$/,
            '. bpf_res_spin_lock() holds the lock only where it returns 0.',
          ),
          fix: 'Test the result, `if (bpf_res_spin_lock(&v->lock)) return 0;`, and unlock only where it is 0.',
        }
      : told;
  }
  if (/Locking two|deadlock/.test(text)) {
    return {
      cause: `${upper(f.where)} takes ${/deadlock/.test(text) ? 'a lock that is already held' : 'a second lock'}${fromOrigin(f, '; the first was taken by ')}.`,
      fix: 'Release the first lock before the next one is taken.',
    };
  }
  return {
    cause: `${upper(f.where)} releases ${/different/.test(text) ? 'another lock than the one that is held' : 'locks in another order than the reverse one'}${fromOrigin(f, '; it was taken by ')}.`,
    fix: 'Release the lock that was taken last, through the same pointer.',
  };
}

/** Returns the repair of a map that was created without BTF, which its definition may have. */
function withoutBtf(f: Fault): string {
  const value = f.valueOf('R1');
  const map = value === null ? null : mapOf(value, f.binding.object);
  return map === null || map.valueTypeId === 0
    ? 'Define the map in `SEC(".maps")` with `__type(value, …)`, and load the object with its BTF.'
    : `The object has the type of the value, but the kernel refused map ${map.name} with it, and libbpf created the map without: use a type of map that may have the field (hash or array), and put the field into the value once, aligned.`;
}

function lockArgument(f: Fault): Told {
  const text = f.messageText;
  const wrongPlace = /^off (-?\d+) doesn't point to 'struct (\w+)'(?: that is at (-?\d+))?/.exec(
    text,
  );
  if (wrongPlace !== null) {
    const [, off, name, at] = wrongPlace;
    const member = memberText(f);
    return {
      cause: `${upper(f.where)} passes ${f.callee ?? 'a function'} a pointer in ${f.register ?? 'R1'} to offset ${off}${member === null ? '' : ` (${member})`} of the value, but the struct ${name} is${at === undefined ? ' not there' : ` at offset ${at}`}${fromOrigin(f, offsetFrom(f))}.`,
      fix: `Pass the address of the ${name} (\`&v->lock\`).`,
    };
  }
  if (/is not a pointer to/.test(text)) {
    return {
      cause: `${upper(f.where)} passes ${f.callee ?? 'a function'} a value in ${f.register ?? 'R1'} that is not a pointer to a map value or an allocated object${fromOrigin(f, ': it comes from ')}.`,
      fix: 'Pass the address of the member in a map value or in an object of bpf_obj_new (`&v->lock`).',
    };
  }
  if (/more than one|mangled/.test(text)) {
    return {
      cause: mapFault(f),
      fix: 'Put one `struct bpf_spin_lock` into the struct of the map’s value.',
    };
  }
  const missing = /^(\w+) '(.*)' (?:has no valid |doesn't have 'struct )?(\w+)?/.exec(text);
  const map = missing === null ? 'the map' : `${missing[1]} \`${missing[2]}\``;
  return {
    cause: /to have BTF/.test(text)
      ? `${upper(f.where)} locks a value of ${map}, which was created without BTF, so that the kernel does not know where its lock is.`
      : `${upper(f.where)} passes ${f.callee ?? 'a function'} a pointer in ${f.register ?? 'R1'} into ${map}, in whose value the kernel finds no ${missing?.[3] ?? 'lock'}.`,
    fix: /to have BTF/.test(text)
      ? withoutBtf(f)
      : `Put a \`struct ${missing?.[3] ?? 'bpf_spin_lock'}\` into the value type of the map. If it is there, another special field of the value is wrong, and the kernel takes none: the struct that \`__contains\` names must be in the BTF.`,
  };
}

function irqFlag(f: Fault): Told {
  const text = f.messageText;
  if (/out of order/.test(text)) {
    return {
      cause: `${upper(f.where)} restores the interrupt state that ${f.register ?? 'its argument'} points to in another order than the reverse of their saving: the one saved by ${f.origin === null ? `instruction ${f.value('insn_idx') ?? '?'}` : f.whereOf(f.origin)} must be restored first.`,
      fix: 'Restore the state that was saved last first.',
    };
  }
  if (/an initialized/.test(text)) {
    return {
      cause: `${upper(f.where)} restores interrupts from the stack variable in ${f.register ?? 'its argument'}, into which no bpf_local_irq_save saved a state on this path${fromOrigin(f, ': the last that wrote it is ')}.`,
      fix: 'Call bpf_local_irq_save() with the same variable first.',
    };
  }
  if (/uninitialized/.test(text)) {
    return {
      cause: `${upper(f.where)} saves interrupts in the stack variable in ${f.register ?? 'its argument'}, which already holds a saved state${fromOrigin(f, ', stored by ')}.`,
      fix: 'Restore the first state before, or use a second variable.',
    };
  }
  return {
    cause: `${upper(f.where)} passes ${f.callee ?? 'a function'} ${valueWords(f)} in ${f.register ?? 'its argument'} for the interrupt state, which must be in a variable on the stack${fromOrigin(f, ': the value comes from ')}.`,
    fix: 'Declare `unsigned long flags;` in the function and pass its address.',
  };
}

/** Words of messages for objects in variables on the stack. */
const STACK_OBJECTS: ReadonlyMap<string, string> = new Map([
  ['dynptr', 'a dynptr'],
  ['iter', 'an iterator'],
  ['irq_flag', 'an interrupt state'],
]);

/** An object on the stack that is passed by another address than that of its variable. */
function stackObjectOffset(f: Fault): Told {
  const [, word = '', off] =
    /cannot pass in (\S{1,64}) at an offset=(-?\d{1,6})/.exec(f.messageText) ?? [];
  const what = STACK_OBJECTS.get(word) ?? 'an object';
  const start = `${upper(f.where)} passes ${f.callee ?? 'a function'}`;
  if (off === undefined) {
    return {
      cause: `${start} ${f.register ?? 'an address'} for an object on the stack, at an offset that is known only at run time${fromOrigin(f, ': it comes from ')}.`,
      fix: 'Pass the address of the variable itself.',
    };
  }
  const isAligned = Number(off) % 8 === 0;
  return {
    cause: `${start} the address fp${off} in ${f.register ?? 'its argument'} for ${what}, ${isAligned ? 'where the stack has fewer bytes than it needs, or another object begins' : 'which must begin at a multiple of 8 bytes of the stack'}${fromOrigin(f, ': the address comes from ')}.`,
    fix: 'Declare the variable with the type that the function takes, and pass its address.',
  };
}

function stackObject(name: string, maker: string): (f: Fault) => Told {
  return (f) => {
    const text = f.messageText;
    const article = name === 'iterator' ? 'an' : 'a';
    const place = f.register ?? 'its argument';
    if (/uninitialized/.test(text)) {
      return {
        cause: `${upper(f.where)} makes a new ${name} in ${place}, which already holds one in use${f.origin?.text?.form === 'call' ? fromOrigin(f, ', made by ') : ''}.`,
        fix: `Give the first ${name} back (or destroy it) before, or use a second variable.`,
      };
    }
    if (/an initialized|valid/.test(text)) {
      return {
        cause: `${upper(f.where)} passes ${f.callee ?? 'a function'} the ${name} in ${place}, which ${whyUninitialised(f)}.`,
        fix: `Initialise the variable first with ${maker}.`,
      };
    }
    return {
      cause: `${upper(f.where)} passes ${f.callee ?? 'a function'} ${/^R\d/.test(place) ? `${valueWords(f)} in ${place}` : place} as ${article} ${name}, which must be a variable on the stack${fromOrigin(f, ': the value comes from ')}.`,
      fix: `Pass the address of ${article} ${name} variable on the stack, from its first byte.`,
    };
  };
}

function stackSize(f: Fault): Told {
  const { values, format } = f.message;
  const fix =
    'Move large buffers from the stack to a map (a per-CPU array with one element), or call fewer functions deep.';
  if (format.startsWith('combined')) {
    return {
      cause: `A chain of ${values[0] ?? ''} functions needs ${values[1] ?? ''} bytes of stack together; 512 are allowed${fromOrigin(f, '. The last of them is called by ')}.`,
      fix,
    };
  }
  if (format.startsWith('tail_calls')) {
    return {
      cause: `A tail call is made where the callers already use ${values[0] ?? ''} bytes of stack; less than 256 are allowed.`,
      fix,
    };
  }
  return {
    cause: `A function needs ${values[1] ?? values[0] ?? ''} bytes of stack; 512 are allowed.`,
    fix,
  };
}

/** Too many functions that are active at a time: a chain of calls, or functions that call themselves. */
function callDepth(f: Fault): Told {
  const frames = Number(f.message.values[0] ?? 9);
  const isRecursive = f.insn !== null && f.blame.why === 'changed';
  const name = f.function === null ? 'a function' : `\`${f.function}\``;
  return isRecursive
    ? {
        cause: `The call at ${f.where} in ${name} is made again inside of itself: functions of a program may not be recursive, since the verifier follows at most 8 active functions.`,
        fix: 'Write the recursion as a loop with a fixed number of rounds, with a stack in a map.',
      }
    : {
        cause: `With the call at ${f.insn === null ? 'an instruction' : f.where} ${frames} functions are active at a time; at most 8 may be.`,
        fix: 'Mark small functions `static __always_inline`, or let one function call the others in turn.',
      };
}
