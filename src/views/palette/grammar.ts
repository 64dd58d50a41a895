/** What can be typed into the palette, by example: its empty state and the list of keys show it. */

export type Example = {
  /** Typed as it stands it finds something in a kernel. */
  readonly text: string;
  readonly finds: string;
};

/** One line for each form that a question can have. */
export const GRAMMAR: readonly Example[] = [
  { text: 'tsk_st', finds: 'Names by the beginnings of their words: task_struct' },
  { text: 'struct: sk_buff', finds: 'One kind: struct, union, enum, typedef, func, var, type' },
  { text: 'task_struct.se.vruntime', finds: 'A member, by the way to it' },
  { text: '*.sk_family', finds: 'A member of any type; also member:' },
  { text: '0x58 in sk_buff', finds: 'What covers a byte; also sk_buff+88' },
  { text: 'size>1000', finds: 'Structs and unions by size: size:64, size<=0x40' },
  { text: 'enumerator: BPF_PROG', finds: 'Enumerators by name' },
  { text: 'value:0x800', finds: 'Enumerators by value' },
  { text: '#1234', finds: 'The type with an id; also [1234]' },
  { text: 'core: task', finds: 'CO-RE relocations, by what they access' },
  { text: 'section: .text', finds: 'Sections; also symbol:' },
  { text: 'string: GPL', finds: 'Strings of the BTF, lines of source among them' },
  { text: '> theme', finds: 'Commands only' },
];
