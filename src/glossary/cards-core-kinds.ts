/** The kinds of CO-RE relocations: what each asks of the kernel. */
import { coreOf } from './find-records.ts';
import { flow, layout, type Picture, word } from './picture.ts';
import { CORE_KINDS } from './sources.ts';
import type { TermCard } from './term.ts';

function question(asked: string, answer: string): Picture {
  return flow(['instruction', asked, answer], 2);
}

const BITFIELD = layout('8 bytes that are loaded', 'bit', 'above:20 field:12 below:32', 'field');

export const CORE_KIND_CARDS: readonly TermCard[] = [
  {
    id: 'byte-off',
    says: [
      'Kind 0 asks where a field begins, in bytes from the start of the struct.',
      'It is the most frequent one, and is written into the off of a load or the imm of an addition.',
    ],
    picture: layout('struct in the kernel', 'byte', 'a:8 _:4 field:4 b:8', 'field'),
    source: CORE_KINDS,
    related: ['byte-sz', 'off', 'access-string'],
    find: coreOf([0]),
  },
  {
    id: 'byte-sz',
    says: [
      'Kind 1 asks how many bytes a field takes.',
      'For a bit-field it is the size of the load that covers it: 1, 2, 4 or 8.',
    ],
    picture: layout('struct in the kernel', 'byte', 'a:8 field:4 b:4', 'field'),
    source: CORE_KINDS,
    related: ['byte-off', 'lshift-u64', 'type-size'],
    find: coreOf([1]),
  },
  {
    id: 'field-exists',
    says: [
      'Kind 2 asks whether the kernel has a field, and gives 1 or 0.',
      'It is never poisoned, which is why a program can test it before it reads the field.',
    ],
    picture: question('has it the field?', '1 or 0'),
    source: CORE_KINDS,
    related: ['guard', 'poison', 'type-exists'],
    find: coreOf([2]),
  },
  {
    id: 'signed',
    says: [
      'Kind 3 asks whether a field is signed, and gives 1 or 0.',
      'By it a program chooses between the two right shifts at the end of reading a bit-field.',
    ],
    picture: question('is it signed?', '1 or 0'),
    source: CORE_KINDS,
    related: ['rshift-u64', 'int-encoding', 'bit-field'],
    find: coreOf([3]),
  },
  {
    id: 'lshift-u64',
    says: [
      'Kind 4 asks how far to shift a 64-bit register left, so that the bits above a bit-field fall out.',
      'The right shift of kind 5 then brings the field down to bit 0.',
    ],
    picture: BITFIELD,
    source: CORE_KINDS,
    related: ['rshift-u64', 'bit-field', 'byte-sz'],
    find: coreOf([4]),
  },
  {
    id: 'rshift-u64',
    says: [
      'Kind 5 asks how far to shift right after the left shift: 64 less the width of the field.',
      'The shift is arithmetic where the field is signed, so that its sign is kept.',
    ],
    picture: word(64, 'field:12 _:52', 'field'),
    source: CORE_KINDS,
    related: ['lshift-u64', 'signed', 'bit-field'],
    find: coreOf([5]),
  },
  {
    id: 'local-type-id',
    says: [
      'Kind 6 asks for the id that a type has in the object itself.',
      'No kernel is asked, so the answer is the same on all of them.',
    ],
    picture: question('which id here?', 'id in the object'),
    source: CORE_KINDS,
    related: ['target-type-id', 'type-id'],
    find: coreOf([6]),
  },
  {
    id: 'target-type-id',
    says: [
      'Kind 7 asks for the id that a type has in the kernel.',
      'Two types of one name make it ambiguous, since their ids differ, and then the object does not load.',
    ],
    picture: question('which id there?', 'id in vmlinux'),
    source: CORE_KINDS,
    related: ['local-type-id', 'candidate', 'type-id'],
    find: coreOf([7]),
  },
  {
    id: 'type-exists',
    says: [
      'Kind 8 asks whether the kernel has a type of that name and kind, and gives 1 or 0.',
      'Members are not looked at, so any struct of the name will do.',
    ],
    picture: question('has it the type?', '1 or 0'),
    source: CORE_KINDS,
    related: ['type-matches', 'guard', 'field-exists'],
    find: coreOf([8]),
  },
  {
    id: 'type-size',
    says: [
      'Kind 9 asks how many bytes a type takes in the kernel.',
      'It gives 0 where the kernel has no such type.',
    ],
    picture: layout('struct in the kernel', 'byte', 'struct:24', 'struct'),
    source: CORE_KINDS,
    related: ['byte-sz', 'type-exists'],
    find: coreOf([9]),
  },
  {
    id: 'enumval-exists',
    says: [
      'Kind 10 asks whether the kernel has an enumerator, and gives 1 or 0.',
      'It goes by the name alone, whatever the value is.',
    ],
    picture: question('has it the name?', '1 or 0'),
    source: CORE_KINDS,
    related: ['enumval-value', 'enumerator', 'guard'],
    find: coreOf([10]),
  },
  {
    id: 'enumval-value',
    says: [
      'Kind 11 asks which value an enumerator has in the kernel.',
      'Where the kernel has no such name the instruction is poisoned.',
    ],
    picture: question('which value?', 'a number'),
    source: CORE_KINDS,
    related: ['enumval-exists', 'poison', 'ld-imm64'],
    find: coreOf([11]),
  },
  {
    id: 'type-matches',
    says: [
      'Kind 12 asks whether the kernel has a type that looks the same: each local member must be there, with a type that matches too.',
      'Behind a pointer only names and kinds are compared, and of enumerators only the names.',
    ],
    picture: question('looks it the same?', '1 or 0'),
    source: CORE_KINDS,
    related: ['type-exists', 'member'],
    find: coreOf([12]),
  },
];
