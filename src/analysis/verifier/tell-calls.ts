/** Sentences about calls: functions that are not allowed, arguments, return values. */
import { explainLine } from '#analysis/log/explain.ts';
import { logLines } from '#analysis/log/parse-log.ts';
import type { Fault } from './fault.ts';
import { POISON, poisonedMapName } from './poisoned-call.ts';
import { constantString } from './rule-registers.ts';
import { tookAway } from './tell-memory.ts';
import { calleeOf, fromOrigin, type Tellers, type Told, upper, valueWords } from './told.ts';
import { numberOf } from './typed-value.ts';
import { boundsOf, boundsText, kindText } from './value-text.ts';

export const CALLS: Tellers = {
  'helper-not-allowed': helperNotAllowed,
  'invalid-func': invalidFunc,
  'kfunc-not-allowed': (f) => ({
    cause: `${upper(f.where)} calls the kernel function ${f.message.values[0] ?? f.callee ?? ''}, which exists but is not offered to programs of this type.`,
    fix: 'Use a program type that has the kernel function, or a helper in its place.',
  }),
  'gpl-licence': (f) => ({
    cause:
      f.callee === null
        ? 'The program’s licence is not GPL-compatible, but what it uses is for GPL programs only.'
        : `${upper(f.where)} calls ${f.callee}, which is only for programs with a GPL-compatible licence.`,
    fix: 'Declare `char LICENSE[] SEC("license") = "GPL";` (or "Dual BSD/GPL") if that is the licence.',
  }),
  'helper-arg-type': argumentType,
  'helper-arg-null': (f) => ({
    cause: `${f.subject} ${f.valueOf()?.const === '0' ? 'is NULL on this path' : 'may be NULL'} where ${f.where} passes it to ${f.callee ?? 'a function'}${fromOrigin(f, ': it comes from ')}, and this argument may not be NULL.`,
    fix:
      f.origin?.text?.form === 'move'
        ? 'Pass a pointer to an object in this argument.'
        : f.variable === null
          ? 'Compare the pointer with NULL before the call, and return if it is NULL.'
          : `Write \`if (!${f.variable}) return 0;\` before the call.`,
  }),
  'helper-size-unbounded': (f) =>
    size(f, f.valueOf()?.const === undefined ? 'has no useful upper bound' : 'is too large'),
  'helper-size-negative': (f) =>
    size(f, f.valueOf()?.const === undefined ? 'may be negative' : 'is negative'),
  'helper-size-zero': sizeZero,
  'map-func-compat': (f) =>
    isSockmapUpdate(f)
      ? {
          cause: `${upper(f.where)} updates ${mapText(f)}${f.register === null ? '' : ` in ${f.register}`} by ${f.callee ?? 'a helper'}, and programs of this type may not update a map of sockets${fromOrigin(f, '; the map is loaded by ')}.`,
          fix: 'Update it from user space, in a `sockops` program with `bpf_sock_map_update`, or in an iterator.',
        }
      : {
          cause: `${upper(f.where)} passes ${mapText(f)}${f.register === null ? '' : ` in ${f.register}`} to ${f.callee ?? f.message.values[1] ?? 'a helper'}, which does not work with maps of this type${/^\d+$/.test(f.message.values[0] ?? '') ? ` (map_type ${f.message.values[0]})` : ''}${fromOrigin(f, '; the map is loaded by ')}.`,
          fix: 'Declare the map with the type that the helper needs, or call the helper for this type of map.',
        },
  'kfunc-mem-len': (f) => ({
    cause: `${upper(f.where)} passes ${f.callee ?? 'a kernel function'} memory in ${f.register ?? 'an argument'} that is smaller than the length in the next argument${fromOrigin(f, ': the length is set by ')}.`,
    fix: 'Pass the size of the buffer, for example `sizeof(buf)`.',
  }),
  'rcu-pointer': trust,
  'trusted-argument': trust,
  'release-unacquired': (f) =>
    releasedDynptr(f) ?? {
      cause: `${upper(f.where)} passes ${f.register ?? 'a pointer'} to ${releaser(f)}, which ${f.callee === 'bpf_kptr_xchg' ? 'moves a reference into the map' : 'gives a reference back'}, but the program does not own one through this pointer${fromOrigin(f, ': it comes from ')}.`,
      fix: 'Acquire a reference first (for example bpf_task_acquire), or do not release an object that the program does not own.',
    },
  'global-func-args': (f) => {
    const callee = f.message.values[1];
    const wrong = f.messages.find(({ message }) => message.rule === 'helper-arg-type');
    const type = wrong?.message.values.type;
    const got = type === undefined ? valueWords(f, f.register, 'a value') : kindText(type);
    const why = f.messages.find(
      ({ message }) => message.rule !== 'global-func-args' && message.rule !== 'helper-arg-type',
    );
    const size = why === undefined ? null : f.number('size');
    if (
      why !== undefined &&
      /^invalid (?:access|read|write|indirect)/.test(why.text) &&
      size !== null
    ) {
      return {
        cause: `${upper(f.where)} calls the global function${callee === undefined ? '' : ` \`${callee}\``} with ${valueWords(f, f.register, 'a pointer')} in ${f.register ?? 'an argument'}, whose parameter points to ${size} bytes: there are fewer${fromOrigin(f, '. The pointer comes from ')}.`,
        fix: 'Pass the address of a variable of the type that the parameter declares.',
      };
    }
    if (why?.message.format === 'R%d is not a scalar\\n') {
      return {
        cause: `${upper(f.where)} calls the global function${callee === undefined ? '' : ` \`${callee}\``} with ${valueWords(f, f.register, 'a pointer')} in ${f.register ?? 'an argument'}, whose parameter is a number${fromOrigin(f, ': the value comes from ')}.`,
        fix: 'Pass a number, or declare the parameter as a pointer.',
      };
    }
    if (why !== undefined) {
      return {
        cause: `${upper(f.where)} calls the global function${callee === undefined ? '' : ` \`${callee}\``} with an argument that its prototype does not allow: ${why.text.replace(/\.+$/, '')}.`,
        fix: 'Pass what the parameter declares: a pointer to as many bytes as its type has, or the number that it wants.',
      };
    }
    return {
      cause: `${upper(f.where)} calls the global function${callee === undefined ? '' : ` \`${callee}\``} with ${got} in ${f.register ?? 'an argument'}, which its prototype does not allow${fromOrigin(f, ': the value comes from ')}.`,
      fix: 'Pass a pointer of the type that the parameter declares, such as the address of a variable.',
    };
  },
  'lock-program-type': (f) => {
    const field = /bpf_\w+|\{[\w,]+\}/.exec(f.messageText)?.[0] ?? 'such a field';
    const told = 'Use a program type that may have the field';
    return {
      cause: `A program of this type may not use a map whose values have a ${field}.`,
      fix: /spin_lock/.test(field)
        ? 'Use an atomic addition, or a per-CPU map, which needs no lock. Up to Linux 7.1 programs of the kinds `fentry`, `fexit` and `tp_btf` may use the lock.'
        : `${told}, and share the data with this one through a second map without it.`,
    };
  },
  'program-exit-value': exitValue,
  'return-not-scalar': (f) => ({
    cause: `${upper(f.where)} returns ${valueWords(f, 'R0')} in R0, but a number is expected${fromOrigin(f, ': the value comes from ')}.`,
    fix: 'Return a number.',
  }),
  'return-stack-pointer': (f) => ({
    cause: `${upper(f.where)} returns a pointer to the stack of the function${f.function === null ? '' : ` \`${f.function}\``} in R0, which ends with the function${fromOrigin(f, ': the pointer comes from ')}.`,
    fix: 'Return a number, or let the caller pass the address of its own variable.',
  }),
  'ldabs-context': (f) => ({
    cause: `${upper(f.where)} loads from the packet with the legacy instruction, which needs the context in R6, but R6 holds ${valueWords(f, 'R6', 'something else')}${fromOrigin(f, ' since ')}.`,
    fix: 'Copy the context (R1) to R6 at the start of the program.',
  }),
};

function helperNotAllowed(f: Fault): Told {
  const helper = f.message.values[0] ?? f.callee ?? 'a helper';
  if (/(?:^|_)unspec$/.test(helper)) {
    return {
      cause: `${upper(f.where)} calls the helper of number 0, which no kernel has: the address of the function was NULL, or no loader wrote it.`,
      fix: 'Call helpers by the declarations of `bpf_helpers.h`, and link or load the object with a loader that resolves its calls.',
    };
  }
  const option = OPTIONAL_HELPERS.get(helper);
  return {
    cause: `${upper(f.where)} calls ${helper}, which programs of this type (or with this attach type) may not call${option === undefined ? '' : `, or which this kernel was built without (${option})`}.`,
    fix: 'Call a helper that this program type has, or do this part in a program of another type.',
  };
}

/** Helpers of tracing programs that depend on an option of the kernel. Source: kernel/trace/bpf_trace.c. */
const OPTIONAL_HELPERS: ReadonlyMap<string, string> = new Map([
  ['bpf_override_return', 'CONFIG_BPF_KPROBE_OVERRIDE'],
  ['bpf_current_task_under_cgroup', 'CONFIG_CGROUPS'],
  ['bpf_get_current_cgroup_id', 'CONFIG_CGROUPS'],
  ['bpf_get_current_ancestor_cgroup_id', 'CONFIG_CGROUPS'],
]);

function invalidFunc(f: Fault): Told {
  const number = Number(f.message.values[1] ?? Number.NaN);
  if (number === POISON.core) return poisonedCore(f);
  if (number >= POISON.map && number < POISON.kfunc) return poisonedMap(f, poisonedMapName(f));
  if (number >= POISON.kfunc && number < POISON.end) return poisonedKfunc(f, null);
  const name = f.message.values[0] ?? 'unknown';
  return {
    cause: `${upper(f.where)} calls helper ${name === 'unknown' ? `number ${number}` : name}, which this kernel does not have.`,
    fix: 'Load the program on a kernel that has the helper, or guard the call with bpf_core_enum_value_exists(enum bpf_func_id, …).',
  };
}

/** Returns the sentence for the lines that libbpf writes over its marks; null for other lines. */
export function rewrittenTold(f: Fault, text: string): Told | null {
  const map = poisonedMapName(f);
  if (map !== null) return poisonedMap(f, map);
  const kfunc = /^kfunc '(.{1,256})' is referenced but wasn't resolved$/.exec(text);
  if (kfunc !== null) return poisonedKfunc(f, kfunc[1] ?? null);
  if (!text.startsWith('failed to resolve CO-RE relocation')) return null;
  const [line] = logLines(text);
  const sentence = line === undefined ? '' : explainLine(line);
  return sentence === ''
    ? poisonedCore(f)
    : { ...poisonedCore(f), cause: `${upper(f.where)} was made invalid: ${sentence}` };
}

function poisonedCore(f: Fault): Told {
  const record = f.coreRecord;
  return {
    cause: `${upper(f.where)} was made invalid because its CO-RE relocation${record === null ? '' : `, ${record},`} has no match in this kernel, and the program reaches it.`,
    fix: 'Guard the access with bpf_core_field_exists() (or bpf_core_type_exists()), and use what this kernel has in the other branch.',
  };
}

function poisonedMap(f: Fault, name: string | null): Told {
  return {
    cause: `${upper(f.where)} uses ${name === null ? 'a map' : `the map \`${name}\``} that was not created: the loader switched its creation off.`,
    fix: 'Let the map be created (bpf_map__set_autocreate), or guard the code that uses it with a constant that the loader sets.',
  };
}

function poisonedKfunc(f: Fault, name: string | null): Told {
  return {
    cause: `${upper(f.where)} calls ${name === null ? 'a weak kernel function' : `the weak kernel function \`${name}\``} that this kernel does not have.`,
    fix: `Guard the call with \`if (bpf_ksym_exists(${name ?? 'function'}))\`.`,
  };
}

function isSockmapUpdate({ messages }: Fault): boolean {
  return messages.some(({ text }) => text.startsWith('cannot update sockmap'));
}

function mapText(f: Fault): string {
  const value = f.valueOf();
  return value === null ? 'a map' : valueWords(f);
}

function releaser(f: Fault): string {
  const named = f.message.values[0] ?? '';
  return f.callee ?? (/^[A-Za-z_]/.test(named) ? named : 'a function');
}

/** A dynptr that is no record of a ring buffer is passed to a function that gives a record back. */
function releasedDynptr(f: Fault): Told | null {
  if (f.callee === null || !/_dynptr$/.test(f.callee)) return null;
  return {
    cause: `${upper(f.where)} passes ${f.callee} a dynptr in ${f.register ?? 'R1'} that is none of a record of a ring buffer${fromOrigin(f, ': it was made by ')}.`,
    fix: 'Submit or discard dynptrs of bpf_ringbuf_reserve_dynptr only; others need no release.',
  };
}

/** The argument of a call has a type that the function does not accept. */
function argumentType(f: Fault): Told {
  const type = f.message.values.type ?? f.message.values[1] ?? '';
  const expected = (f.message.values.expected ?? f.message.rest).trim();
  const words = expected
    .split(/,\s*/)
    .filter((word) => word !== '')
    .map((word) => kindText(word));
  const distinct = [...new Set(words)];
  // Kernels before 5.12 name only the first of the kinds of memory.
  if (expected === 'fp') distinct[0] = 'a pointer to memory, such as the stack';
  const wanted =
    distinct.length > 3
      ? `${distinct.slice(0, 3).join(', ')} or one of ${distinct.length - 3} other kinds`
      : distinct.join(' or ');
  const callee =
    f.callee ?? (f.text?.call?.kind === 'subprogram' ? 'a global function' : 'a function');
  const { origin } = f;
  const ender = origin === null ? null : calleeOf(origin);
  if (f.blame.why === 'changed' && origin !== null && ender !== null) {
    const ended = tookAway(f, origin, ender, f.birth);
    return { ...ended, cause: `${ended.cause.slice(0, -1)}; ${callee} expects ${wanted}.` };
  }
  return {
    cause: `${upper(f.where)} passes ${kindText(type)} in ${f.variable === null ? (f.register ?? 'an argument') : f.subject} to ${callee}, which expects ${wanted}${fromOrigin(f, '. The value comes from ')}.`,
    fix: isConstantString(f)
      ? 'Define the string as a constant, which is in read-only data: `static const char text[] = "…";`.'
      : argumentFix(expected, type),
  };
}

function isConstantString(f: Fault): boolean {
  return f.register !== null && f.register === constantString(f.callee);
}

function argumentFix(expected: string, type: string): string {
  if (/_or_null/.test(type)) {
    return /^map_ptr/.test(expected)
      ? 'If the pointer is an inner map, compare it with NULL before the call; else pass the address of a map (`&map`).'
      : 'Compare the pointer with NULL before the call, and return if it is NULL.';
  }
  if (/^map_ptr/.test(expected)) return 'Pass the address of the map (`&map`) in this argument.';
  if (/^ctx/.test(expected)) return 'Pass the context that the program got, unchanged.';
  if (/^fp/.test(expected)) {
    return 'Pass a pointer to memory that the verifier knows: a variable on the stack, a map value, or a checked part of the packet.';
  }
  if (/^map_value/.test(expected)) {
    return 'Pass the address of the member in a value that a lookup in the map returned, or in a global variable.';
  }
  if (/^ringbuf_mem/.test(expected)) {
    return 'Pass the record that bpf_ringbuf_reserve returned.';
  }
  if (/^percpu_/.test(expected)) {
    return 'Pass the address of a per-CPU variable of the kernel, declared with `__ksym`.';
  }
  if (/^(?:trusted_|rcu_)?ptr_/.test(expected)) {
    return 'Pass the pointer to the kernel object as the program, or a function that acquires it, got it.';
  }
  return 'Pass a value of the kind that the function expects.';
}

function sizeZero(f: Fault): Told {
  const map = f.valueOf('R1');
  if (map !== null && /^map_ptr/.test(map.type) && numberOf(map, 'ks') === 0) {
    return {
      cause: `${upper(f.where)} passes ${f.callee ?? 'a helper'} a key for a map whose keys have no bytes, as those of ring buffers, queues and arenas.`,
      fix: 'Call the helpers of this type of map (bpf_ringbuf_reserve, bpf_map_pop_elem), or pass the map that has keys.',
    };
  }
  return {
    ...size(f, 'may be 0, which the function does not accept'),
    fix: 'Leave before the call if the size is 0, for example `if (n == 0) return 0;`.',
  };
}

function size(f: Fault, what: string): Told {
  const value = f.valueOf();
  const range = value === null ? null : boundsText(boundsOf(value));
  return {
    cause: `The size in ${f.register ?? 'an argument'} that ${f.where} passes to ${f.callee ?? 'a helper'} ${what}${range === null ? '' : ` (${range})`}${fromOrigin(f, ': it comes from ')}.`,
    fix: 'Compare the size with the size of the buffer before the call, for example `if (n > sizeof(buf)) n = sizeof(buf);`, in an unsigned variable; or mask it.',
  };
}

/** The pointer is not known to stay valid. */
function trust(f: Fault): Told {
  const type = f.valueOf()?.type ?? 'ptr_';
  const isObject = type.includes('ptr_') || type.includes('sock');
  const needs =
    f.message.rule === 'rcu-pointer'
      ? 'a trusted pointer or one that RCU protects'
      : 'a trusted or owned pointer';
  return {
    cause: `${upper(f.where)} passes ${valueWords(f)} in ${f.variable === null ? (f.register ?? 'an argument') : f.subject} to ${f.callee ?? 'a kernel function'}, which needs ${needs}${fromOrigin(f, f.blame.why === 'changed' ? ': it has been without protection since ' : ': it comes from ')}${isObject ? ', and the object may already be gone' : ''}.`,
    fix: !isObject
      ? 'Pass a pointer to an object of the kernel as the program got it: an argument of the program, or what a kernel function returned.'
      : 'Pass a pointer that is trusted (an argument of the program, or one that the program acquired); hold bpf_rcu_read_lock() while a pointer from a member is used.',
  };
}

function exitValue(f: Fault): Told {
  if (f.callee === 'bpf_throw') return thrownValue(f);
  const { rest, values } = f.message;
  const text = `${rest} ${f.messages.map((message) => message.text).join(' ')}`;
  const isCallback = /callback/.test(
    `${values[0] ?? ''}${f.messages.map((message) => message.text).join(' ')}`,
  );
  const range =
    /should have been in (?:\[(-?\d+), (-?\d+)\]|\((0x[0-9a-f]+); (0x[0-9a-f]+)\))/.exec(text);
  const allowed = allowedText(range);
  const smin = /smin=(-?\d+)/.exec(text)?.[1];
  const smax = /smax=(-?\d+)/.exec(text)?.[1];
  const value = f.valueOf('R0');
  const bounds = value === null ? null : boundsText(boundsOf(value));
  const known =
    smin !== undefined && smax !== undefined
      ? smin === smax
        ? smin
        : `${smin} to ${smax}`
      : bounds;
  const got = known === null || /unknown scalar/.test(text) ? 'an unknown number' : known;
  const who = isCallback ? 'the callback' : 'the program';
  const kind = /is not a known value \((\w+)\)/.exec(text)?.[1];
  if (kind !== undefined && kind !== 'scalar') {
    return {
      cause: `${upper(who)} returns ${kindText(kind)} in R0${f.at}, but a number is expected${fromOrigin(f, ': the value comes from ')}.`,
      fix: 'Return a number that the hook allows on every path.',
    };
  }
  return {
    cause: `${upper(who)} returns ${got} in R0${f.at}${allowed === null ? ', which its hook does not allow' : `, but only ${allowed} ${/ to | or /.test(allowed) ? 'are' : 'is'} allowed`}${fromOrigin(f, ': the value comes from ')}.`,
    fix:
      allowed === null
        ? 'Return a value that the hook allows.'
        : `Return ${allowed} on every path.`,
  };
}

/** bpf_throw() ends the program with its argument as the result, unless it has an exception callback. */
function thrownValue(f: Fault): Told {
  const [, min, max] = /should have been in \[(-?\d+), (-?\d+)\]/.exec(f.messageText) ?? [];
  const allowed = min === undefined || max === undefined ? null : span(BigInt(min), BigInt(max));
  const value = f.valueOf('R1');
  const bounds = value === null ? null : boundsText(boundsOf(value));
  return {
    cause: `${upper(f.where)} calls bpf_throw with ${bounds ?? 'an unknown number'} in R1, which becomes the result of the program${allowed === null ? '' : `, but only ${allowed} ${/ to | or /.test(allowed) ? 'are' : 'is'} allowed`}${fromOrigin(f, ': the value comes from ')}.`,
    fix: `Throw ${allowed ?? 'a value that the hook allows'}, or define an exception callback (\`__exception_cb\`) that returns such a value.`,
  };
}

/** Returns the allowed values: `0 or 1`, `0 to 3`; from a tnum (value; mask) up to Linux 6.6. */
function allowedText(range: RegExpExecArray | null): string | null {
  if (range === null) return null;
  const [, min, max, value, mask] = range;
  if (min !== undefined && max !== undefined) return span(BigInt(min), BigInt(max));
  if (value === undefined || mask === undefined) return null;
  const [known, unknown] = [BigInt(value), BigInt(mask)];
  const isRun = (unknown & (unknown + 1n)) === 0n && (known & unknown) === 0n;
  return isRun ? span(known, known + unknown) : null;
}

function span(min: bigint, max: bigint): string {
  if (min === max) return `${min}`;
  return max === min + 1n ? `${min} or ${max}` : `${min} to ${max}`;
}
