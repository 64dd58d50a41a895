/**
 * What is wrong with a value that the verifier refuses. It decides which instruction is blamed, and
 * which instructions are in the chain from the value's birth to the fault.
 *
 * - `value`: the type or the state of a value: the instruction that gave it, or the call that took it
 *   away (released, packet data moved). Of arithmetic: its operands that are pointers.
 * - `null`: a pointer that may be NULL: the instruction that returned or loaded it.
 * - `trust`: a pointer that is not trusted: the load that gave it; the chain has what was trusted.
 * - `range`: a bound of a number, or of the number in a pointer's offset: what set the bound last.
 * - `unbounded`: a number without a bound: where it lost the bound, else its birth.
 * - `offset`: the offset of a pointer, constant or not: what set the offset last, else its birth.
 * - `access`: the place, size or kind of an access: the instruction itself, after the value's birth.
 * - `constant`: a constant or opcode of the instruction: the instruction itself.
 * - `packet`: an offset beyond the proven range of a packet: the comparison that proved too little.
 * - `length`: a pointer whose length argument, in the next register, is wrong: what set the length.
 * - `uninitialised`: a register, or bytes of the stack, that this path did not write: what ended the
 *   value, wrote only a part, or the branch that skipped the assignment.
 * - `slot`: a stack slot that is in use (spilled pointer, dynptr, iterator, IRQ flag): what put it there.
 * - `reference`: a reference that is held: the instruction that acquired it.
 * - `region-*`: a region that is open: the call that entered it; `region-any` where the message names
 *   several kinds.
 * - `loop`: a path that does not end: its last conditional jump, and the instructions of the loop.
 * - `missing`: something that never happened (no lock taken): nothing is blamed, the chain is the value's.
 * - `none`: nothing is blamed.
 */
export type Question =
  | 'value'
  | 'null'
  | 'trust'
  | 'range'
  | 'unbounded'
  | 'offset'
  | 'access'
  | 'constant'
  | 'packet'
  | 'length'
  | 'uninitialised'
  | 'slot'
  | 'reference'
  | 'region-lock'
  | 'region-rcu'
  | 'region-preempt'
  | 'region-irq'
  | 'region-any'
  | 'loop'
  | 'missing'
  | 'none';
