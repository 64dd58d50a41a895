/** Sentences about arithmetic and comparisons of pointers, and about addresses that leak. */
import type { Fault } from './fault.ts';
import { memberText } from './tell-memory.ts';
import { fromOrigin, type Tellers, upper, valueWords } from './told.ts';
import { boundsOf, boundsText, kindText, numberText } from './value-text.ts';

export const POINTERS: Tellers = {
  'pointer-arith-32bit': (f) => ({
    cause:
      f.valueOf()?.type === 'scalar'
        ? `${upper(f.where)} calculates with 32 bits of a pointer and of the number in ${f.register}${fromOrigin(f, ': the pointer comes from ')}. That would cut the pointer in half.`
        : `${upper(f.where)} calculates with 32 bits of ${f.register ?? 'a register'}, which holds ${valueWords(f)}${fromOrigin(f, ' since ')}: that would cut the pointer in half.`,
    fix: 'Use the 64-bit operation: keep the pointer in a pointer or a 64-bit variable.',
  }),
  'pointer-arith-operator': (f) => ({
    cause: `${upper(f.where)} applies the operator \`${f.message.values[1] ?? ''}\` to ${pointerOperand(f) ?? 'a register'}, which holds ${valueWords(f, pointerOperand(f))}${fromOrigin(f, ' since ')}: pointers can only be added to and subtracted from.`,
    fix: 'Calculate with numbers, then add the result to the pointer.',
  }),
  'pointer-arith-null': (f) => ({
    cause: `${upper(f.where)} adds to ${f.subject}, which may be NULL${fromOrigin(f, ': it comes from ')}.`,
    fix:
      f.variable === null
        ? 'Compare the pointer with NULL before anything is added to it.'
        : `Write \`if (!${f.variable}) return 0;\` before anything is added to it.`,
  }),
  'pointer-arith-type': pointerType,
  'pointer-subtract': (f) => {
    const isStack = /stack pointer/.test(f.message.format);
    return {
      cause: isStack
        ? `${upper(f.where)} subtracts a register from ${f.register ?? 'a register'}, which holds a pointer to the stack${fromOrigin(f, ' since ')}.`
        : `${upper(f.where)} subtracts a pointer from ${f.register ?? 'a register'}, which holds a number${fromOrigin(f, '; the pointer comes from ')}.`,
      fix: isStack ? 'Add a negative number instead.' : 'Subtract numbers only.',
    };
  },
  'pointer-math-unbounded': (f) => ({
    cause: isOtherOperator(f)
      ? otherOperator(f, f.register === null ? 'a number' : `the number in ${f.register}`)
      : isPointerSubtracted(f)
        ? `${upper(f.where)} ${combining(f, `the number in ${f.register}`)}, but only numbers may be subtracted${fromOrigin(f, '. The number comes from ')}.`
        : `${upper(f.where)} ${combining(f, f.register === null ? 'a number' : `the number in ${f.register}`)}, but the number has no lower bound${fromOrigin(f, ' since ')}.`,
    fix: isOtherOperator(f)
      ? CALCULATE_NUMBERS
      : isPointerSubtracted(f)
        ? 'Subtract numbers only.'
        : `Limit the number before it is ${f.text?.op === '-=' ? 'subtracted' : 'added'}, for example with a mask (\`i &= 63\`).`,
  }),
  'pointer-math-too-big': (f) => {
    const value = f.message.format.startsWith('value') ? f.message.values[0] : f.message.values[1];
    const number = value === undefined ? 'a number' : numberText(value);
    const isConstant = f.message.format.startsWith('math');
    if (isOtherOperator(f)) {
      const named = f.register === null ? number : `${number} in ${f.register}`;
      return { cause: otherOperator(f, named), fix: CALCULATE_NUMBERS };
    }
    if (isPointerSubtracted(f)) {
      return {
        cause: `${upper(f.where)} ${combining(f, `the number in ${f.register}`)}, but only numbers may be subtracted${fromOrigin(f, '. The number comes from ')}.`,
        fix: 'Subtract numbers only.',
      };
    }
    return {
      cause: isConstant
        ? `${upper(f.where)} ${combining(f, `the constant ${number}${f.register === null ? '' : ` in ${f.register}`}`)}, which is too far from the object${fromOrigin(f, ': the constant comes from ')}.`
        : `${upper(f.where)} ${combining(f, f.register === null ? 'a number' : `the number in ${f.register}`)}: with ${number} the pointer is too far from its object${fromOrigin(f, '. The number has its bounds from ')}.`,
      fix: number.startsWith('-')
        ? 'Test that the number is not below 0, or make it unsigned, before it is added, and limit it to the size of the object.'
        : 'Limit the number to the size of the object before it is added.',
    };
  },
  'pointer-math-unprivileged': (f) => {
    const other = unprivileged(f);
    if (other !== null) return other;
    const value = f.valueOf();
    const range = value === null ? null : boundsText(boundsOf(value));
    return {
      cause: /mixed signed bounds/.test(f.message.format)
        ? `${upper(f.where)} adds a number that may be negative or positive${range === null || value?.type !== 'scalar' ? '' : ` (${range})`}, in ${f.register ?? 'a register'}, to a pointer; without CAP_PERFMON its sign must be known${fromOrigin(f, '. The number comes from ')}.`
        : `${upper(f.where)} calculates with a pointer in a way that is only allowed with CAP_PERFMON${fromOrigin(f, ': the value comes from ')}.`,
      fix: 'Make the number unsigned with a mask before it is added, or load the program with CAP_PERFMON.',
    };
  },
  'pointer-partial-copy': (f) => ({
    cause: `${upper(f.where)} copies only a part of ${f.register ?? 'a register'}, which holds ${valueWords(f)}: that would reveal a part of the address.`,
    fix: 'Copy the whole pointer (64 bits).',
  }),
  'pointer-comparison': (f) => ({
    cause: `${upper(f.where)} compares ${f.register ?? 'a register'}, which holds ${valueWords(f)}${fromOrigin(f, ' since ')}, with ${f.text?.src == null ? 'a number that is not 0' : 'another value'}; without CAP_PERFMON that would reveal the address.`,
    fix: 'Compare numbers, or a pointer with NULL only; or load the program with CAP_PERFMON.',
  }),
  'modified-pointer': modifiedPointer,
  'release-offset': (f) => ({
    cause: `${upper(f.where)} passes ${f.register ?? 'a register'} to ${f.callee ?? 'a function'} with an offset${fromOrigin(f, ' that was added by ')}, but the pointer must be passed as the program got it.`,
    fix: 'Keep the pointer as it came in another variable, and pass that one.',
  }),
  'leak-to-memory': leak,
  'leak-by-return': (f) => ({
    cause: `${upper(f.where)} returns ${valueWords(f)} in ${f.register ?? 'R0'}${fromOrigin(f, ', which comes from ')}; without CAP_PERFMON that would reveal an address.`,
    fix: 'Return a number.',
  }),
  'leak-to-helper': leak,
  'leak-from-stack': (f) => ({
    cause: `${upper(f.where)} reads a part of the pointer in the stack slot ${f.register ?? ''} as a number${fromOrigin(f, ', which was stored there by ')}.`,
    fix: 'Read all 8 bytes of the slot.',
  }),
};

/** Arithmetic that CAP_PERFMON allows. Source: kernel/bpf/verifier.c, sanitize_err(). */
function unprivileged(f: Fault) {
  const text = f.messageText;
  if (/goes out of range|beyond pointer bounds/.test(text)) {
    const object = /stack/.test(text)
      ? 'the 512 bytes of stack'
      : /map value/.test(text)
        ? 'the map value'
        : 'its object';
    return {
      cause: `${upper(f.where)} moves the pointer in ${f.register ?? 'a register'} out of ${object}; without CAP_PERFMON a pointer may not lie outside even if nothing is accessed there${fromOrigin(f, '. The number comes from ')}.`,
      fix: 'Limit the number before it is added, so that the pointer stays inside, or load the program with CAP_PERFMON.',
    };
  }
  if (/different maps, paths or scalars/.test(text)) {
    return {
      cause: `${upper(f.where)} calculates with a pointer in ${f.register ?? 'a register'} whose object, or whose limits, differ between the paths that lead to it; without CAP_PERFMON one instruction may be used with one kind only${fromOrigin(f, '. On this path the number comes from ')}.`,
      fix: 'Write the calculation once in each branch, or load the program with CAP_PERFMON.',
    };
  }
  if (/unsupported alu operation/.test(text)) {
    return {
      cause: `${upper(f.where)} calculates with the pointer in ${f.register ?? 'a register'} in a way that is only allowed with CAP_PERFMON${fromOrigin(f, ': the pointer comes from ')}.`,
      fix: 'Add to pointers to the stack and to map values only, or load the program with CAP_PERFMON.',
    };
  }
  return null;
}

/** Places that a pointer may not be put into, by the word of the message. */
const LEAKED_TO: ReadonlyMap<string, string> = new Map([
  ['mem', 'memory'],
  ['map', 'a map'],
  ['ctx', 'the context'],
  ['packet', 'the packet'],
  ['flow keys', 'the flow keys'],
]);

function leak(f: Fault) {
  const target = /into ([a-z ]+)/.exec(f.message.format)?.[1] ?? 'memory';
  return {
    cause: `${upper(f.where)} puts ${f.register ?? 'a register'}, which holds ${valueWords(f)}${fromOrigin(f, ' since ')}, into ${LEAKED_TO.get(target) ?? target}: a kernel address would be revealed.`,
    fix: 'Store numbers only; keep pointers in registers, on the stack, or as kptrs.',
  };
}

/** Returns the kind of pointer that the message names: `fp` in `math between fp pointer and …`. */
function pointerKind(f: Fault): string {
  const { values, format } = f.message;
  const type = format.startsWith('value') ? values[1] : values[0];
  return type === undefined ? 'a pointer' : kindText(type);
}

/**
 * Returns the register of arithmetic that holds the pointer: the kernel names the first operand,
 * which may be a number.
 */
function pointerOperand(f: Fault): string | null {
  const src = f.text?.form === 'alu' ? f.text.src : null;
  return src === null || f.valueOf()?.type !== 'scalar' ? f.register : `R${src}`;
}

const CALCULATE_NUMBERS =
  'Calculate with numbers, such as an offset from the start of the object, then add the result to the pointer.';

/** True for arithmetic that no pointer may be used in. */
function isOtherOperator({ text }: Fault): boolean {
  return text?.form === 'alu' && text.op !== '+=' && text.op !== '-=';
}

function otherOperator(f: Fault, number: string): string {
  return `${upper(f.where)} calculates \`${f.text?.op ?? ''}\` with ${pointerKind(f)} and ${number}: pointers can only be added to and subtracted from${fromOrigin(f, '. The number comes from ')}.`;
}

/** True if a pointer is subtracted from the number in the first operand. */
function isPointerSubtracted({ text, register }: Fault): boolean {
  return text?.form === 'alu' && text.op === '-=' && register === `R${text.dst}`;
}

/** Returns how a number and a pointer are combined: `adds the number in R2 to a packet pointer`. */
function combining(f: Fault, number: string): string {
  if (isPointerSubtracted(f)) return `subtracts ${pointerKind(f)} from ${number}`;
  return f.text?.op === '-='
    ? `subtracts ${number} from ${pointerKind(f)}`
    : `adds ${number} to ${pointerKind(f)}`;
}

function pointerType(f: Fault) {
  if (/pointer %s pointer/.test(f.message.format)) {
    return {
      cause: `${upper(f.where)} combines two pointers with \`${f.message.values[1] ?? ''}\`: ${f.register ?? 'a register'} holds ${valueWords(f)}${fromOrigin(f, ', and the other operand is a pointer; the last of them comes from ')}.`,
      fix:
        f.message.values[1] === '|='
          ? 'Compilers write this for one test of two pointers, as in `if (!a && !b)`: compare each pointer with NULL in an `if` of its own.'
          : 'Add a number to a pointer, not a pointer.',
    };
  }
  const type = f.message.values[1];
  const register = pointerOperand(f);
  return {
    cause: `${upper(f.where)} calculates with ${register === f.register ? f.subject : register}, which holds ${type === undefined ? valueWords(f) : kindText(type)}${fromOrigin(f, ' since ')}: this kind of pointer may not be moved.`,
    fix: 'Use the pointer as it came; read members at constant offsets.',
  };
}

/** A pointer that must reach its use as the program got it. */
function modifiedPointer(f: Fault) {
  const isVariable = /^variable/.test(f.message.format);
  const type = f.message.format.includes(' ctx ') ? 'ctx' : (f.message.values[0] ?? '');
  const off = f.number('off');
  const member = memberText(f);
  return {
    cause: isVariable
      ? `${upper(f.where)} uses ${kindText(type)} in ${f.register ?? 'a register'} at an offset that is known only at run time${fromOrigin(f, ', added by ')}.`
      : `${upper(f.where)} uses ${kindText(type)} in ${f.register ?? 'a register'}${off === null ? '' : ` after ${off} was added to it`}${fromOrigin(f, ' by ')}${member === null ? '' : ` (${member})`}; it must be used as the program got it.`,
    fix: isVariable
      ? 'Access it at a constant offset.'
      : 'Keep the pointer unchanged and put the offset into the load or store: read the member through the original variable.',
  };
}
