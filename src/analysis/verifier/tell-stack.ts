/** Sentences about the stack of a function: bounds, bytes without a value, saved pointers. */
import { counted } from '#bytes/text.ts';
import type { Fault } from './fault.ts';
import { accessing, fromOrigin, madeBy, sizeText, type Tellers, upper } from './told.ts';
import { boundsOf, boundsText, valueText } from './value-text.ts';
import { isPointer } from './values.ts';

export const STACK: Tellers = {
  'stack-bounds': stackBounds,
  'stack-unbounded': (f) => ({
    cause: `${upper(f.where)} accesses the stack through ${f.register ?? 'a register'} at an offset without bounds${fromOrigin(f, ': the number in it comes from ')}.`,
    fix: 'Limit the number before it is added to the stack pointer, for example with a mask.',
  }),
  'stack-uninit-read': stackUninitialised,
  'stack-indirect-uninit': stackUninitialised,
  'corrupt-spill': (f) => ({
    cause: `${upper(f.where)} ${f.text?.form === 'call' ? `lets ${f.callee ?? 'a function'} overwrite` : 'overwrites a part of'} ${f.register === null ? 'a stack slot' : `the stack slot ${f.register}`}, which holds a pointer${fromOrigin(f, ' that was stored there by ')}.`,
    fix: 'Use another stack slot, or overwrite all 8 bytes of this one.',
  }),
  'caller-frame-pointer': (f) => ({
    cause: `${upper(f.where)} stores a pointer to the stack of this function${f.register === null ? '' : ` (${f.register})`} in the stack of its caller, where it would outlive the function${fromOrigin(f, ': the pointer comes from ')}.`,
    fix: 'Keep the pointer in the function’s own stack, or let the caller own the memory.',
  }),
};

function stackBounds(f: Fault) {
  const off = f.number('off');
  if (f.message.values.var_off !== undefined) {
    const value = f.valueOf(f.message.register);
    const range = value === null ? null : boundsText(boundsOf(value));
    return {
      cause: `${accessing(f)} ${sizeText(f)} of the stack through ${f.message.register ?? 'a register'} at offset ${off ?? '?'}${range === null ? ' plus a number that is known only at run time' : ` plus a number (${range})`}, which leaves the 512 bytes below the frame pointer${fromOrigin(f, ': the number comes from ')}.`,
      fix: 'Limit the number to the size of the array before it is added.',
    };
  }
  const size = f.number('size');
  if (f.text?.form === 'call' && off !== null && off < 0 && size !== null && off + size > 0) {
    return {
      cause: `${accessing(f)} ${sizeText(f)} of the stack through ${f.message.register ?? 'a register'}, which points to fp${off}, but the stack ends ${counted(-off, 'byte')} after it${fromOrigin(f, '. The size or place comes from ')}.`,
      fix: 'Pass a variable that has as many bytes as the function accesses, and its size with `sizeof`.',
    };
  }
  return {
    cause: `${accessing(f)} ${sizeText(f)} of the stack at offset ${off ?? 'out of bounds'} from the frame pointer (${f.message.register ?? 'a register'}), outside of the 512 bytes below it.`,
    fix:
      off !== null && off >= 0
        ? 'Access variables below the frame pointer (R10), at negative offsets: the function has no stack above it.'
        : 'Stay within the 512 bytes of stack of the function; keep large buffers in a map (per-CPU array).',
  };
}

function stackUninitialised(f: Fault) {
  const { origin } = f;
  const { stackOff, firstByte } = f;
  const place = stackOff === null ? '' : ` at fp${stackOff - firstByte}`;
  const what = `${accessing(f)} ${sizeText(f)} of the stack${place}`;
  const slot = f.register === null ? '' : ` (slot ${f.register})`;
  const object = stackObjectIn(f);
  if (object !== null) {
    return {
      cause: `${what}${slot}, which hold ${object}, whose bytes programs may not read${fromOrigin(f, ': it was made by ')}.`,
      fix: 'Read through the functions for it (bpf_dynptr_read, bpf_dynptr_data, the _next function of an iterator), and do not copy the variable.',
    };
  }
  const pointer = pointerIn(f);
  if (pointer !== null) {
    return {
      cause: `${what}${slot}, which hold ${pointer}${fromOrigin(f, ', stored by ')}: without CAP_PERFMON a pointer may not be read as bytes.`,
      fix: 'Keep pointers in other variables than the memory that is read, or load the program with CAP_PERFMON.',
    };
  }
  const cause =
    firstByte > 0
      ? `${what}, but byte ${firstByte} of them, at fp${stackOff}${slot}, holds nothing: ${unwrittenBy(f)}.`
      : origin === null
        ? `${what}${slot}, but no instruction on this path has written all of them.`
        : origin.text?.form === 'branch'
          ? `${what}${slot}, but the branch at ${f.whereOf(origin)} skips the instruction that writes them.`
          : `${what}${slot}, but ${f.whereOf(origin)} wrote only a part of them.`;
  return {
    cause,
    fix: 'Write all bytes first, for example with `= {}` or __builtin_memset for a struct with padding.',
  };
}

/** Returns the pointer in the slot that is read as bytes; null if there is none. */
function pointerIn(f: Fault): string | null {
  const value = f.valueOf();
  return value === null || !isPointer(value) ? null : valueText(value);
}

/** Returns the object in the slot that is read: a dynptr, an iterator, an interrupt state; else null. */
function stackObjectIn(f: Fault): string | null {
  const type = f.valueOf()?.type ?? '';
  if (type.startsWith('dynptr_')) return 'a dynptr';
  if (type.startsWith('iter_')) return 'an iterator';
  return /^irq/.test(type) ? 'an interrupt state' : null;
}

/** Returns why a byte of the stack holds nothing. */
/** Returns why the dynptr or iterator of a call is none in use, to follow "which". */
export function whyUninitialised(f: Fault): string {
  const { origin } = f;
  if (origin?.text?.form === 'store') return `was overwritten by ${f.whereOf(origin)}`;
  const isEnded = /_destroy$|_(?:submit|discard)_dynptr$/.test(origin?.text?.call?.name ?? '');
  if (origin !== null && isEnded) return `${madeBy(f, origin)} has ended`;
  return 'nothing on this path initialised';
}

function unwrittenBy(f: Fault): string {
  const { origin } = f;
  if (origin === null) return 'no instruction on this path has written it';
  return origin.text?.form === 'branch'
    ? `the branch at ${f.whereOf(origin)} skips the instruction that writes it`
    : `${f.whereOf(origin)} wrote only a part of the slot`;
}
