/** The kinds of CO-RE relocations. */
import { coreOf } from './find-records.ts';
import { flow, layout, type Picture, word } from './picture.ts';
import { CORE_KINDS } from './sources.ts';
import type { TermCard } from './term.ts';

function question(asked: string, answer: string): Picture {
  return flow(['instruction', asked, answer], 2);
}

const BITFIELD = layout('8 loaded bytes', 'bit', 'above:20 field:12 below:32', 'field');

/** In the order of their numbers. */
const KINDS: readonly Omit<TermCard, 'source' | 'find'>[] = [
  {
    id: 'byte-off',
    says: [
      'Kind 0 is the offset of a field from the start of the struct, in bytes.',
      'It is the most common kind; it patches the off of a load or store, or the imm of a move.',
    ],
    picture: layout('struct in the kernel', 'byte', 'a:8 _:4 field:4 b:8', 'field'),
    related: ['byte-sz', 'off', 'access-string'],
  },
  {
    id: 'byte-sz',
    says: [
      'Kind 1 is the size of a field in bytes.',
      'For a bit-field it is the size of the load that covers it: 1, 2, 4 or 8.',
    ],
    picture: layout('struct in the kernel', 'byte', 'a:8 field:4 b:4', 'field'),
    related: ['byte-off', 'lshift-u64', 'type-size'],
  },
  {
    id: 'field-exists',
    says: [
      'Kind 2 is 1 if the kernel has the field, else 0.',
      'It is never poisoned, so a program can test it before it reads the field.',
    ],
    picture: question('field exists?', '1 or 0'),
    related: ['guard', 'poison', 'type-exists'],
  },
  {
    id: 'signed',
    says: [
      'Kind 3 is 1 if the field is signed, else 0.',
      'The program uses it to choose the right shift when it reads a bit-field.',
    ],
    picture: question('signed?', '1 or 0'),
    related: ['rshift-u64', 'int-encoding', 'bit-field'],
  },
  {
    id: 'lshift-u64',
    says: [
      'Kind 4 is the left shift of a 64-bit register that removes the bits above a bit-field.',
      'The right shift of kind 5 then moves the field to bit 0.',
    ],
    picture: BITFIELD,
    related: ['rshift-u64', 'bit-field', 'byte-sz'],
  },
  {
    id: 'rshift-u64',
    says: [
      'Kind 5 is the right shift after the left shift: 64 minus the width of the field.',
      'The shift is arithmetic if the field is signed.',
    ],
    picture: word(64, 'field:12 _:52', 'field'),
    related: ['lshift-u64', 'signed', 'bit-field'],
  },
  {
    id: 'local-type-id',
    says: [
      'Kind 6 is the type’s id in the object itself.',
      'The target is not consulted, so the value is the same on all kernels.',
    ],
    picture: question('local type id', 'id in the object'),
    related: ['target-type-id', 'type-id'],
  },
  {
    id: 'target-type-id',
    says: [
      'Kind 7 is the type’s id in the kernel.',
      'Two matching types make it ambiguous, since their ids differ, and the object does not load.',
    ],
    picture: question('target type id', 'id in vmlinux'),
    related: ['local-type-id', 'candidate', 'type-id'],
  },
  {
    id: 'type-exists',
    says: [
      'Kind 8 is 1 if the kernel has a type of that name and kind, else 0.',
      'Members are not compared: any struct of that name matches.',
    ],
    picture: question('type exists?', '1 or 0'),
    related: ['type-matches', 'guard', 'field-exists'],
  },
  {
    id: 'type-size',
    says: [
      'Kind 9 is the size of a type in the kernel, in bytes.',
      'It is 0 if the kernel does not have the type.',
    ],
    picture: layout('struct in the kernel', 'byte', 'struct:24', 'struct'),
    related: ['byte-sz', 'type-exists'],
  },
  {
    id: 'enumval-exists',
    says: [
      'Kind 10 is 1 if the kernel has the enumerator, else 0.',
      'Only the name is compared, not the value.',
    ],
    picture: question('enumerator exists?', '1 or 0'),
    related: ['enumval-value', 'enumerator', 'guard'],
  },
  {
    id: 'enumval-value',
    says: [
      'Kind 11 is the value of an enumerator in the kernel.',
      'If the kernel does not have it, the instruction is poisoned.',
    ],
    picture: question('enumerator value', 'a number'),
    related: ['enumval-exists', 'poison', 'ld-imm64'],
  },
  {
    id: 'type-matches',
    says: [
      'Kind 12 is 1 if the kernel has a matching type: each local member must exist there with a matching type; arrays and pointers match by the types that they refer to.',
      'Behind a pointer only names and kinds are compared; of enumerators only the names, but sizes of enums; of integers size and sign; of functions number and types of parameters and the result.',
    ],
    picture: question('type matches?', '1 or 0'),
    related: ['type-exists', 'member'],
  },
];

export const CORE_KIND_CARDS: readonly TermCard[] = KINDS.map((card, kind) => ({
  ...card,
  source: CORE_KINDS,
  find: coreOf([kind]),
}));
