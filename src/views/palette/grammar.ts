/** An example of a query. The empty palette and the list of keys show it. */
export type Example = {
  /** Text of a query that has hits in any kernel. */
  readonly text: string;
  readonly finds: string;
};

/** One example for each form of query. */
export const GRAMMAR: readonly Example[] = [
  { text: 'tsk_st', finds: 'Word-prefix match: task_struct' },
  { text: 'struct: sk_buff', finds: 'One kind: struct, union, enum, typedef, func, var, type' },
  { text: 'task_struct.se.vruntime', finds: 'Member by path' },
  { text: '*.sk_family', finds: 'Member of any type; also member:' },
  { text: 'member-type:spinlock_t', finds: 'Members of a type; spinlock_t* for pointers' },
  { text: 'takes:sock', finds: 'Functions by parameter; returns:bool by result' },
  { text: 'all: sk_buff', finds: 'In all open files; any question may follow' },
  { text: '0x58 in sk_buff', finds: 'Member at offset; also sk_buff+88' },
  { text: 'size>1000', finds: 'Structs and unions by size: size:64, size<=0x40' },
  { text: 'enumerator: BPF_PROG', finds: 'Enumerators by name' },
  { text: 'value:0x800', finds: 'Enumerators by value' },
  { text: '#1234', finds: 'Type by id; also [1234]' },
  { text: '0x48', finds: 'Byte of the file, instruction; 48: instruction by number' },
  { text: 'core: task', finds: 'CO-RE relocations by what they access' },
  { text: 'section: .text', finds: 'Sections; also symbol:' },
  { text: 'string: GPL', finds: 'BTF strings, with source lines' },
  { text: '> theme', finds: 'Commands only' },
];
