/**
 * Sentences of single messages: names and numbers of the message in the words of its reader, where
 * the sentences of its rule are about the rule only. Source: the conditions under which
 * kernel/bpf/verifier.c, btf.c and their neighbours print each message.
 */
import type { Fault } from './fault.ts';
import { CALLS, OBJECTS } from './sentences/calls.ts';
import { MEMORY } from './sentences/memory.ts';
import { ATTACH, CONTEXT, FLOW } from './sentences/programs.ts';
import { RECORDS } from './sentences/records.ts';
import type { Sentence } from './sentences/sentence.ts';
import { fromOrigin, type Told, upper, valueWords } from './told.ts';
import { kindText } from './value-text.ts';

const SENTENCES: readonly Sentence[] = [
  ATTACH,
  CONTEXT,
  RECORDS,
  FLOW,
  OBJECTS,
  CALLS,
  MEMORY,
].flat();

/** Longest message that is read. */
const MAX_MESSAGE = 1000;

/** Returns the sentences of a message of a fault; null if it has none. `repair`: that of its rule. */
export function messageTold(f: Fault, line: string, repair: () => string): Told | null {
  const text = line.trim();
  if (text.length > MAX_MESSAGE) return null;
  for (const [message, cause, fix] of SENTENCES) {
    const found = message.exec(text);
    if (found !== null) return { cause: filled(cause, found, f), fix: fix ?? repair() };
  }
  return null;
}

function filled(template: string, found: RegExpExecArray, f: Fault): string {
  return template.replaceAll(
    /\$\+(\d)|\$(\d)|\$k(\d)|\{(\w+)\}/g,
    (_all, index, part, kind, name) => {
      if (index !== undefined) return `${Number(found[Number(index)]) + 1}`;
      if (kind !== undefined) return kindText(found[Number(kind)] ?? '');
      if (part !== undefined) return found[Number(part)] ?? '';
      switch (name) {
        case 'I':
          return f.insn === null ? 'An instruction' : upper(f.where);
        case 'i':
          return f.insn === null ? 'an instruction' : f.where;
        case 'o':
          return f.function === null ? 'a function' : `the function \`${f.function}\``;
        case 'slot':
          return f.register === null ? 'a stack slot' : `the stack slot ${f.register}`;
        case 'R':
          return f.register ?? 'a register';
        case 'f':
          return f.callee ?? 'the function';
        case 'C':
          return globalCall(f);
        case 'g':
          return globalFunction(f) ?? 'a function of the program';
        case 'v':
          return valueWords(f, f.register, 'a value');
        case 'taken':
          return fromOrigin(
            f,
            f.blame.why === 'changed' ? ': it was taken over by ' : ': the value comes from ',
          );
        case 'since':
          return fromOrigin(f, ', since ');
        case 'by':
          return fromOrigin(f, ' by ');
        default:
          return fromOrigin(f, ': the value comes from ');
      }
    },
  );
}

/** Returns the global function that the message before the closing line is about; null if none. */
function globalFunction({ messages }: Fault): string | null {
  const closing = messages.find(({ message }) => message.rule === 'global-func-args');
  const name = closing?.message.values[1];
  return name === undefined ? null : `the global function \`${name}\``;
}

/** Returns a sentence about the call that led to the check of a declaration; empty if none did. */
function globalCall(f: Fault): string {
  const callee = globalFunction(f);
  if (callee === null || f.insn === null) return '';
  return `${upper(f.where)} calls ${callee}, whose declaration is refused. `;
}
