/**
 * What is wrong with a value that the verifier refuses. It decides which instruction is blamed, and
 * which instructions are in the chain from the value's birth to the fault.
 *
 * - `value`: the type or the state of a value: the instruction that gave it, or that changed it.
 *   Of an arithmetic instruction: its operands that are pointers.
 * - `range`: a bound of a number, or of the variable part of a pointer: the last instruction that set it.
 * - `null`: a pointer that may be NULL: the instruction that returned or loaded it.
 * - `access`: the place, size or kind of an access: the instruction itself, after the value's birth.
 * - `constant`: a constant or opcode of the instruction: the instruction itself.
 * - `packet`: an offset beyond the proven range of a packet: the comparison that proved too little.
 * - `length`: a pointer whose length argument, in the next register, is wrong: what set the length.
 * - `invalidated`: a value that a call took away from the program (released, packet data moved).
 * - `uninitialised`: a register, or bytes of the stack, that nothing wrote on this path.
 * - `slot`: a stack slot that is in use (spilled pointer, dynptr, iterator, IRQ flag): what put it there.
 * - `reference`: a reference that is held: the instruction that acquired it.
 * - `region-*`: a region that is open: the call that entered it.
 * - `loop`: a path that does not end: the jump back, and the instructions of the loop.
 * - `missing`: something that never happened (no lock taken): nothing is blamed, the chain is the value's.
 * - `none`: nothing is blamed.
 */
export type Question =
  | 'value'
  | 'range'
  | 'null'
  | 'access'
  | 'constant'
  | 'packet'
  | 'length'
  | 'invalidated'
  | 'uninitialised'
  | 'slot'
  | 'reference'
  | 'region-lock'
  | 'region-rcu'
  | 'region-preempt'
  | 'region-irq'
  | 'loop'
  | 'missing'
  | 'none';
