/** Errors of aya. Source: aya and aya-obj at 875daf97, `#[error(…)]`. */
import type { LoaderRow } from './row.ts';

// biome-ignore format: one row a line
export const AYA: readonly LoaderRow[] = [
  ['the BPF_PROG_LOAD syscall failed', 'The kernel did not load the program. The verifier’s output, which follows, says why.'],
  ['the BPF_PROG_LOAD syscall returned {e}', 'The kernel did not load the program: {e}'],
  ['the BPF_BTF_LOAD syscall returned {e}', 'The kernel refused the BTF of the object: {e}'],
  ['error parsing BTF header', 'The header of a BTF is damaged.'],
  ['invalid BTF type info segment', 'The types of a BTF reach over the end of its data.'],
  ['invalid BTF relocation info segment', 'The CO-RE records of the object are damaged.'],
  ['invalid BTF type kind `{kind}`', 'A type has kind {kind}, which this aya does not know: use a newer one.'],
  ['invalid BTF relocation kind `{kind}`', 'A CO-RE record has kind {kind}, which this aya does not know.'],
  ['invalid BTF string offset: {off}', 'A name begins at {off}, outside of the strings of the BTF.'],
  ['unknown BTF type id `{id}`', 'The BTF has no type {id}.'],
  ['unexpected BTF type id `{id}`', 'Type {id} has no size, where one is needed.'],
  ['unknown BTF type `{name}`', 'The kernel’s BTF has no {name}, which the program attaches to or uses.'],
  ['maximum depth reached resolving BTF type', 'A type refers through more than 32 others, or to itself.'],
  ['Offset not found for symbol `{name}`', 'The symbol table of the object has no {name}, which its BTF places in a section.'],
  ['Unable to determine the size of section `{sec}`', 'The BTF has section {sec}, which the object does not have.'],
  ['Invalid extern symbol `{name}`', 'Extern {name} has no value in the symbol table.'],
  ['Extern symbol not found `{name}`', 'The object does not declare extern {name}.'],
  ['unknown network interface {name}', 'This machine has no network interface {name}.'],
  ['the program is already loaded', 'The program is loaded twice.'],
  ['the program is not loaded', 'The program is attached or pinned before it is loaded: call load() first.'],
  ['the program was already attached', 'The program is attached twice.'],
  ['the program is not attached', 'The program is detached, but was not attached.'],
  ['the program cannot be auto attached', 'The section of the program does not say what it attaches to: give it to attach().'],
  ['unexpected program type', 'The program is of another type than the code that loads it takes it for.'],
  ['the program name `{name}` is invalid', 'The name {name} has a NUL in it, which the kernel cannot take.'],
  ['`{call}` failed', 'The kernel refused the system call {call}: the next line of the chain says why.'],
];
