/** Sentences about memory: pointers that may not be followed, bounds, the stack. */
import { counted } from '#bytes/text.ts';
import { MAX_PACKET_OFF, movesPacket } from './ended-values.ts';
import type { Fault, Origin } from './fault.ts';
import { typeOf } from './fault-type.ts';
import { messageTold } from './message-sentences.ts';
import {
  accessing,
  accessVerb,
  calleeOf,
  fromOrigin,
  madeBy,
  sizeText,
  type Tellers,
  upper,
} from './told.ts';
import { boundsOf, boundsText, kindText, numberText } from './value-text.ts';

export const MEMORY: Tellers = {
  'invalid-mem-access': (f) => invalidAccess(f, f.message.values[1] ?? ''),
  'uninit-register': uninitialisedRegister,
  'frame-pointer-readonly': (f) => ({
    cause: `${upper(f.where)} writes R10, the frame pointer, which programs may only read.`,
    fix: 'Copy R10 to another register and change the copy.',
  }),
  'map-value-bounds': (f) => outside(f, `a value of ${mapName(f)}`, 'value_size'),
  'map-key-bounds': (f) => outside(f, 'a map key', 'key_size'),
  'mem-bounds': (f) =>
    outside(f, 'the memory', f.number('ctx_size') === null ? 'mem_size' : 'ctx_size'),
  'offset-above-max': offsetAboveMax,
  'offset-below-min': (f) => offsetBelowMin(f),
  'min-value-negative': (f) => ({
    cause: `The number that is added to a pointer, in ${f.register ?? 'a register'}${f.at}, may be negative: ${rangeFrom(f)}.`,
    fix: 'Make the number unsigned, or also test that it is not below 0 before it is used.',
  }),
  'unbounded-memory-access': (f) => ({
    cause: `${f.subject} may point anywhere${f.at}: the number that was added to it has no useful upper bound${fromOrigin(f, ', as it comes from ')}.`,
    fix: 'Compare the number with the size of what it indexes before it is added, for example `if (i >= sizeof(v->buf)) return 0;`, or mask it.',
  }),
  'packet-bounds': packetBounds,
  'misaligned-access': misaligned,
  'btf-pointer-offset': (f) => ({
    cause: /negative/.test(f.message.format)
      ? `${upper(f.where)} reads at offset ${f.number('off') ?? 'below 0'} of ${pointee(f)} through ${f.register ?? 'a register'}, before its start${fromOrigin(f, ': the pointer comes from ')}.`
      : `${upper(f.where)} reads ${pointee(f)} through ${f.register ?? 'a register'} at an offset that is known only at run time${fromOrigin(f, ', added by ')}.`,
    fix: 'Read a member of the type, at a constant offset.',
  }),
  'btf-pointer-write': (f) => ({
    cause: `${upper(f.where)} writes ${memberText(f) ?? pointee(f)} through ${f.register ?? 'a register'}, but programs of this type may only read it.`,
    fix: 'Write only the members that this program type may write, or use a helper that changes the object.',
  }),
  'special-field-access': (f) => ({
    cause:
      f.text?.form === 'call'
        ? `${upper(f.where)} lets ${f.callee ?? 'a function'} access memory of a map value through ${f.register ?? 'a register'} that includes a ${fieldName(f)}.`
        : `${upper(f.where)} accesses bytes of a ${fieldName(f)} in ${memberText(f) ?? 'a map value'} through ${f.register ?? 'a register'} with an ordinary ${f.text?.form === 'store' ? 'store' : 'load'}.`,
    fix: `Touch the ${fieldName(f)} only through its helpers; copy other members one by one.`,
  }),
  'map-write-forbidden': (f) => ({
    cause: `${upper(f.where)} writes ${memberText(f) ?? 'a value of a map'} through ${f.register ?? 'a register'}, which is read-only for programs${fromOrigin(f, ': its address comes from ')}.`,
    fix: 'Write to a variable that is not `const` (it lies in .data or .bss), or create the map without BPF_F_RDONLY_PROG.',
  }),
  'map-read-forbidden': (f) => ({
    cause: `${upper(f.where)} reads a value of a map that was created write-only for programs (BPF_F_WRONLY_PROG).`,
    fix: 'Create the map without BPF_F_WRONLY_PROG, or do not read it in the program.',
  }),
  'context-access': contextAccess,
  'div-by-zero': (f) => ({
    cause: `${upper(f.where)} divides ${f.register ?? 'a register'} by the constant 0.`,
    fix: 'Divide by a number that is not 0.',
  }),
  'invalid-shift': (f) => ({
    cause: `${upper(f.where)} shifts ${f.register ?? 'a register'} by ${f.message.values[0] ?? ''}, which is not less than the width of the register (${f.text?.is32Bit ? 32 : 64} bits).`,
    fix: `Shift by 0 to ${f.text?.is32Bit ? 31 : 63}.`,
  }),
  'kptr-store-type': (f) => ({
    cause: `${upper(f.where)} stores ${kindText(/ type=(\S+)/.exec(f.messageText)?.[1] ?? '')} (${f.register ?? 'a register'}) in a kptr member that is declared for ${expectedText(f)}${fromOrigin(f, ': the pointer comes from ')}.`,
    fix: 'Store a pointer of the type that the member declares.',
  }),
};

/** Returns the member that is accessed: `` `struct val.a` ``; null if it is not known. */
export function memberText(f: Fault): string | null {
  const type = typeOf(f);
  if (type?.member == null) return null;
  return `\`${type.name}${type.name.startsWith('.') ? ' ' : '.'}${type.member}\``;
}

/** Returns what a pointer to a kernel type points at. */
function pointee(f: Fault): string {
  const { values, format } = f.message;
  const name = (format.startsWith('no write') ? values[0] : values[1])?.replace(/^.*ptr_/, '');
  return name === undefined || !/^[A-Za-z_]/.test(name) ? 'a kernel object' : `struct ${name}`;
}

function mapName(f: Fault): string {
  const value = f.valueOf();
  const name = value?.kv.find(([key]) => key === 'map')?.[1];
  return name === undefined ? 'a map' : `map ${name}`;
}

function fieldName(f: Fault): string {
  return f.message.format.startsWith('%s')
    ? (f.message.values[0] ?? '')
    : (/^\w+/.exec(f.message.format)?.[0] ?? '');
}

function expectedText(f: Fault): string {
  const expected = /expected=(\S+)/.exec(f.messageText)?.[1];
  return expected === undefined
    ? 'another type'
    : kindText(expected).replace(/^an? pointer to /, '');
}

/** A pointer that may be NULL, a number, or a pointer of a kind that programs may not follow. */
function invalidAccess(f: Fault, type: string) {
  if (/_or_null/.test(type)) return mayBeNull(f);
  const isNumber = type === 'scalar' || type === 'inv';
  if (!isNumber) {
    return {
      cause: `${upper(f.where)} follows ${f.subject}, but it holds ${kindText(type)}, which programs may not read or write directly${fromOrigin(f, ': it comes from ')}.`,
      fix:
        type === 'map_ptr'
          ? 'Look up an element with bpf_map_lookup_elem and follow the pointer that it returns.'
          : 'Follow a pointer of another kind, or pass this one to a helper that accepts it.',
    };
  }
  const { origin, birth } = f;
  const callee = origin === null ? null : calleeOf(origin);
  if (f.blame.why === 'changed' && origin !== null && callee !== null) {
    return tookAway(f, origin, callee, birth);
  }
  if (f.valueOf()?.const === '0') return isNull(f);
  const from =
    origin?.text?.form === 'load'
      ? `: ${f.whereOf(origin)} loads it from memory as a number`
      : fromOrigin(f, ': it comes from ');
  return {
    cause: `${upper(f.where)} follows ${f.subject} as a pointer, but it is only a number to the verifier${from}.`,
    fix: /^bpf_arena_/.test(callee ?? '')
      ? 'Keep the address in a pointer that is declared `__arena`, so that the compiler casts it to the arena’s address space.'
      : 'Read memory at an address that is a number with bpf_probe_read_kernel (or BPF_CORE_READ), bpf_probe_read_user for memory of a process.',
  };
}

/** The value is 0 on this path: what a call or a constant gave where there is nothing. */
function isNull(f: Fault) {
  const { variable } = f;
  return {
    cause: `${f.subject} is 0 (NULL) on this path where ${f.where} follows it${fromOrigin(f, ': it comes from ')}.`,
    fix:
      variable === null
        ? 'Compare the pointer with NULL before it is used, and leave if it is NULL.'
        : `Compare \`${variable}\` with NULL before it is used, and leave if it is NULL.`,
  };
}

/** The value was a pointer until a call ended it. */
export function tookAway(f: Fault, origin: Origin, callee: string, birth: Origin | null) {
  const since =
    birth === null || birth.insn === origin.insn ? '' : ` that ${f.whereOf(birth)} gave`;
  const isRelease = /release|drop|submit|discard|put$/.test(callee);
  const what = isRelease ? 'gives back the object' : 'ends the pointer';
  return {
    cause: `${f.subject} is no longer a pointer${f.at}: ${madeBy(f, origin)} ${what}${since}.`,
    fix: isRelease
      ? `Use the object before ${callee} is called, and call ${callee} once.`
      : movesPacket(callee)
        ? `Do what needs the pointer before ${callee} is called, or read the pointers again after it (for a packet: data and data_end, with the comparison).`
        : `Do what needs the pointer before ${callee} is called.`,
  };
}

/** The sentence about a pointer that is used without a check. */
function mayBeNull(f: Fault) {
  const { origin, variable } = f;
  const use =
    f.text?.form === 'call'
      ? 'passed on'
      : f.text?.form === 'store'
        ? 'written through'
        : 'read through';
  const member = memberText(f);
  const at = `${f.at}${member === null ? '' : `, which accesses ${member}`}`;
  const what =
    variable === null ? (f.register ?? 'The pointer') : `\`${variable}\` (${f.register})`;
  if (origin === null && f.isHeadCut) {
    return {
      cause: `${what} may be NULL where it is ${use}${at}; where it comes from is in the part of the log that was cut.`,
      fix: 'Compare the pointer with NULL before it is used, and return if it is NULL.',
    };
  }
  if (origin === null && f.step === null) {
    return {
      cause: `${what} may be NULL where it is ${use}${at}; this log does not have the instructions before, which tell where it comes from.`,
      fix: 'Compare the pointer with NULL before it is used, and return if it is NULL.',
    };
  }
  if (origin === null) {
    return {
      cause: `${what} may be NULL where it is ${use}${at}: it is an argument of the function${f.function === null ? '' : ` \`${f.function}\``}, and no instruction on this path compares it with NULL.`,
      fix: 'Compare the argument with NULL first, or tag the parameter of the global function `__arg_nonnull`.',
    };
  }
  const callee = calleeOf(origin);
  const from = `it comes from ${madeBy(f, origin)}${callee === null ? ', which loads a pointer that may be NULL' : ''}`;
  const line = f.lineText(f.placeOf(origin.insn, origin.step));
  const compared = f.registerComparison;
  if (compared !== null) {
    return {
      cause: `${what} may be NULL where it is ${use}${at}: ${from}. The comparison at ${f.whereOf(compared)} is with a register, which the verifier does not take as a check for NULL.`,
      fix: 'Let the compiler write a comparison with the constant 0: keep the zero out of a variable, for example with `barrier_var(pointer)` before the check.',
    };
  }
  return {
    cause: `${what} may be NULL where it is ${use}${at}: ${from}, and no instruction on this path compares it with NULL.`,
    fix:
      variable === null
        ? `Compare the ${callee === null ? 'pointer' : `result of ${callee}`} with NULL before it is used, and return if it is NULL.`
        : `Write \`if (!${variable}) return 0;\` after \`${variable}\` is set${line}, before it is used.`,
  };
}

function uninitialisedRegister(f: Fault) {
  const { origin, register } = f;
  const name = register ?? 'A register';
  const callee = origin === null ? null : calleeOf(origin);
  if (origin?.text?.call?.kind === 'subprogram' && register === 'R0') {
    return {
      cause: `R0 holds no value${f.at}: the function that ${f.whereOf(origin)} calls returns without setting it.`,
      fix: 'Return a value in that function, or do not read its result.',
    };
  }
  if (origin !== null && callee !== null) {
    return {
      cause: `${name} holds no value${f.at}: ${madeBy(f, origin)} ends what R1 to R5 held.`,
      fix: 'Keep the value in R6 to R9 or on the stack during the call.',
    };
  }
  if (origin !== null && f.blame.why === 'merged') {
    return {
      cause: `${name} holds no value${f.at} on one path: the branch at ${f.whereOf(origin)} skips the instruction that sets it.`,
      fix: 'Set the variable on both branches, best where it is declared.',
    };
  }
  if (origin === null && f.isHeadCut) {
    return {
      cause: `${name} is read by ${f.where}, but it holds no value there.`,
      fix: `Write ${name} on every path before it is read.`,
    };
  }
  if (f.text?.form === 'exit') {
    return {
      cause: `R0 holds no value${f.at}: nothing on this path sets the return value.`,
      fix: 'Return a value on every path.',
    };
  }
  const start =
    f.step !== null && f.walk.frameOf(f.step) > 0
      ? 'a function is called with R1 to R5 only; R6 to R9 belong to its caller'
      : 'only R1 (the context) and R10 hold values when a program starts';
  return {
    cause: `${name} is read by ${f.where}, but no instruction on this path has written it: ${start}.`,
    fix: `Write ${name} before it is read${start.startsWith('a function') ? ', or pass the value as an argument' : ''}.`,
  };
}

/** A constant offset that lies outside of an object of a known size. */
function outside(f: Fault, object: string, sizeKey: string) {
  const size = f.number(sizeKey);
  const off = f.number('off');
  if (f.messages.some(({ message }) => message.rule === 'offset-above-max'))
    return offsetAboveMax(f);
  const length = size === null ? '' : `, which has ${counted(size, 'byte')}`;
  const from = fromOrigin(f, `. The pointer in ${f.register ?? 'the register'} comes from `);
  return {
    cause: `${accessing(f)} ${sizeText(f)} through ${f.register ?? 'a register'} at offset ${off ?? 'out of bounds'} of ${object}${length}${from}.`,
    fix:
      size === null
        ? 'Access the object within its size.'
        : `Stay within the ${counted(size, 'byte')}: the last byte is at offset ${size - 1}.`,
  };
}

/** A variable offset whose largest value is beyond the object. */
function offsetAboveMax(f: Fault) {
  const sizeKey = ['value_size', 'mem_size', 'key_size'].find((key) => f.number(key) !== null);
  const size = sizeKey === undefined ? null : f.number(sizeKey);
  const [off, bytes] = [f.number('off'), f.number('size')];
  const value = f.valueOf();
  const bounds = value === null ? null : boundsOf(value);
  const range = bounds === null ? null : boundsText(bounds);
  const added =
    range === null
      ? 'the number that was added to it'
      : `the number that was added to it (${range})`;
  if (off === null) {
    return {
      cause: `${f.subject} may point too far${f.at}${memberPlace(f)}: ${added} has an upper bound that is larger than the object${fromOrigin(f, '. The number comes from ')}.`,
      fix: 'Limit the number to the size of what it indexes before it is added.',
    };
  }
  const limit =
    size === null || bytes === null || bounds?.max == null
      ? null
      : BigInt(size - bytes - off) + bounds.max;
  const object =
    sizeKey === 'value_size'
      ? `value of ${mapName(f)}`
      : sizeKey === 'key_size'
        ? 'map key'
        : 'memory';
  return {
    cause: `${f.subject} may point too far${f.at}${memberPlace(f)}: with ${added} the access of ${bytes === null ? 'the object' : counted(bytes, 'byte')} begins at offset ${off} in the worst case${size === null ? '' : `, but the ${object} has ${counted(size, 'byte')}`}${fromOrigin(f, '. The number comes from ')}.`,
    fix:
      limit === null || limit < 0n
        ? 'Limit the number to the size of what it indexes before it is added.'
        : `Limit the number to at most ${numberText(limit)} before it is added, for example by a comparison with the size of the array.`,
  };
}

function memberPlace(f: Fault): string {
  const member = memberText(f);
  return member === null ? '' : `, which accesses ${member}`;
}

function offsetBelowMin(f: Fault) {
  const packet = f.messages.find(({ message }) => message.rule === 'packet-bounds');
  if (packet !== undefined) return packetBounds(f);
  return {
    cause: `${f.subject} points outside of its object${f.at}${fromOrigin(f, ': its offset comes from ')}.`,
    fix: 'Access the object within its size.',
  };
}

function packetBounds(f: Fault) {
  const { origin } = f;
  const [off, size] = [f.number('off'), f.number('size')];
  const range = f.number('r') ?? 0;
  const type = typeOf(f);
  const member = type === null || type.member === null ? '' : ` (\`${type.name}.${type.member}\`)`;
  const what = `${accessing(f)} ${size === null ? 'bytes' : counted(size, 'byte')} of the packet through ${f.register ?? 'a register'}${off === null ? '' : ` at offset ${off}`}${member}`;
  const fix =
    'Compare the end of what is accessed with `data_end` directly before the access, and leave if it lies beyond.';
  const isGuard = origin?.text?.form === 'branch';
  if (off !== null && off < 0) {
    return {
      cause: `${what}, before the start of the packet${fromOrigin(f, ': the pointer comes from ')}.`,
      fix: 'Access the packet from `data` on.',
    };
  }
  const value = f.valueOf();
  const bounds = value?.type === 'pkt' ? boundsOf(value) : null;
  const last = BigInt((off ?? 0) + (size ?? 0));
  if (range === 0 && bounds?.max != null && bounds.max + last > MAX_PACKET_OFF) {
    return {
      cause: `${what}, but a number that may be ${boundsText(bounds)} was added to the pointer: no comparison with data_end proves bytes that may lie after offset ${MAX_PACKET_OFF}${fromOrigin(f, '. The number comes from ')}.`,
      fix: 'Limit the number before it is added, for example `if (n > 0xfff) return 0;` or `n &= 0xfff;`, then compare the pointer with `data_end`.',
    };
  }
  if (range > 0) {
    const from =
      origin === null
        ? ''
        : isGuard
          ? `: the comparison at ${f.whereOf(origin)} covers no more`
          : '';
    return {
      cause: `${what}, but only ${counted(range, 'byte')} of the packet are proved to exist on this path${from}.`,
      fix,
    };
  }
  const isMeta = value?.type === 'pkt_meta';
  const isNumber = origin !== null && !isGuard && hasNumber(f);
  const reason =
    origin !== null && isGuard
      ? `but the comparison at ${f.whereOf(origin)} proves no byte from this pointer on to be there`
      : `but no comparison with ${isMeta ? '`data`' : 'data_end'} covers this pointer on this path${origin === null ? '' : `: ${numberOrPointer(f, origin)}`}`;
  const twice =
    ' Add the number to the pointer once, keep the sum in a variable, and use that in the comparison and the access.';
  return {
    cause: `${what}, ${reason}.`,
    fix: `${isMeta ? fix.replace('data_end', 'data') : fix}${isNumber ? twice : ''}`,
  };
}

/** True if a number that is not constant was added to a packet pointer. */
function hasNumber(f: Fault): boolean {
  return (f.message.values.id ?? f.value('id') ?? '0') !== '0';
}

/** The number that was added to a packet pointer, or the instruction that gave the pointer. */
function numberOrPointer(f: Fault, origin: Origin): string {
  return hasNumber(f)
    ? `a number that comes from ${f.whereOf(origin)} was added to it after the last comparison`
    : `it comes from ${f.whereOf(origin)}`;
}

function misaligned(f: Fault) {
  if (f.valueOf()?.type === 'scalar' && f.text?.form !== 'call') {
    return {
      cause: `${upper(f.where)} follows ${f.subject} as a pointer, but it is only a number to the verifier${fromOrigin(f, ': it comes from ')}. Its alignment is what the verifier checks first.`,
      fix: 'Access memory through a pointer that the verifier knows.',
    };
  }
  const isPacket = /packet/.test(f.message.format);
  const what = isPacket ? 'packet' : /stack/.test(f.message.values[0] ?? '') ? 'stack' : 'memory';
  const off = f.text?.mem?.off;
  const place = `through ${f.register ?? 'a register'}${off === undefined ? '' : ` at offset ${off}`}`;
  if (f.text?.form === 'call') {
    const value = f.valueOf();
    const at =
      value?.type === 'fp' && value.off !== undefined ? `, which points to fp${value.off}` : '';
    return {
      cause: `${accessing(f)} ${sizeText(f)} of the ${what} ${place}${at}: the address is not aligned to the size${fromOrigin(f, '. It comes from ')}.`,
      fix: 'Pass the address of a variable of the type that the function writes: the compiler aligns it.',
    };
  }
  return {
    cause: `${accessing(f)} ${sizeText(f)} of the ${what} ${place}, which is not aligned to the size${isPacket ? ', and the program was loaded with strict alignment' : ''}.`,
    fix: 'Access single bytes, or use an aligned offset.',
  };
}

function contextAccess(f: Fault) {
  const off = f.number('off');
  const member = memberText(f);
  const argument = f.messages.find(({ text }) => text.startsWith('func '));
  if (argument !== undefined && argument.message.rule === 'context-access') {
    const fix = 'Read only arguments that the function or tracepoint has, 8 bytes at a time.';
    const cause = `${upper(f.where)} reads an argument that it cannot have: ${argument.text}.`;
    return messageTold(f, argument.text, () => fix) ?? { cause, fix };
  }
  const size = f.number('size');
  const mem = f.text?.mem ?? null;
  if (f.insn === null || mem === null) {
    return {
      cause: `The context is accessed at offset ${off ?? ''} ${size === null ? '' : `with ${counted(size, 'byte')} `}where this program type has no such field, or may not use it.`,
      fix: 'Access only fields of the context that this program type has, with their size.',
    };
  }
  const isWrite = f.text?.form === 'store' || f.text?.form === 'atomic';
  const place = `${counted(size ?? mem.size, 'byte')} at offset ${off ?? mem.off} of the context through R${mem.base}${member === null ? '' : ` (${member})`}`;
  return {
    cause: `${upper(f.where)} ${accessVerb(f)} ${place}, ${(off ?? mem.off) < 0 ? 'before its start' : `which programs of this type may not ${isWrite ? 'write' : 'read so'}`}.`,
    fix: isWrite
      ? 'Write only fields of the context that this program type may write.'
      : 'Read only fields of the context that this program type has, with the size of the field.',
  };
}

/** Returns the bounds of the number, and where it comes from. */
function rangeFrom(f: Fault): string {
  const value = f.valueOf();
  const text = value === null ? null : boundsText(boundsOf(value));
  const from = fromOrigin(f, 'it comes from ');
  const range = text === null ? '' : `it is ${text} here`;
  return [range, from].filter((part) => part !== '').join(', and ') || 'nothing limits it';
}
