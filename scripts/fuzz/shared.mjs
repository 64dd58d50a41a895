// Memory that the fuzzing thread shares with the main thread, which reads it if the thread hangs.
// It has numbers, the name of the running step, and the input.
const NUMBERS = { step: 0, inputLength: 1, executions: 2, stepLength: 3, blocks: 4, work: 5 };
const STEP_AT = 64;
const INPUT_AT = 512;
const INPUT_BYTES = 1 << 20;
/** Limit of cached step names. Some names contain parts of an input, so there can be many. */
const MAX_NAMES = 1000;

export class Shared {
  constructor(buffer = new SharedArrayBuffer(INPUT_AT + INPUT_BYTES)) {
    this.buffer = buffer;
    this.numbers = new Int32Array(buffer, 0, 8);
    this.bytes = new Uint8Array(buffer);
    this.names = new Map();
  }

  /** Stores an input that is about to run, and counts it. */
  begin(input) {
    this.prepare(input);
    this.numbers[NUMBERS.executions] += 1;
  }

  /** Stores an input without counting it, for example before it is mutated. */
  prepare(input) {
    this.bytes.set(input.subarray(0, INPUT_BYTES), INPUT_AT);
    this.numbers[NUMBERS.inputLength] = Math.min(input.length, INPUT_BYTES);
  }

  /** Stores the name of a step that begins. */
  tell(step) {
    const name = this.names.get(step) ?? this.encoded(step);
    this.bytes.set(name, STEP_AT);
    this.numbers[NUMBERS.stepLength] = name.length;
    Atomics.add(this.numbers, NUMBERS.step, 1);
  }

  /** Returns the name as bytes, cached because steps begin thousands of times. */
  encoded(step) {
    const name = new TextEncoder().encode(step).subarray(0, INPUT_AT - STEP_AT);
    if (this.names.size < MAX_NAMES) this.names.set(step, name);
    return name;
  }

  /** Number of steps that have begun. */
  get steps() {
    return Atomics.load(this.numbers, NUMBERS.step);
  }

  get executions() {
    return this.numbers[NUMBERS.executions];
  }

  get blocks() {
    return this.numbers[NUMBERS.blocks];
  }

  set blocks(count) {
    this.numbers[NUMBERS.blocks] = count;
  }

  /** Largest number of blocks that an input has run, in thousands. */
  get work() {
    return this.numbers[NUMBERS.work];
  }

  set work(count) {
    this.numbers[NUMBERS.work] = count;
  }

  get step() {
    const end = STEP_AT + this.numbers[NUMBERS.stepLength];
    return new TextDecoder().decode(this.bytes.slice(STEP_AT, end));
  }

  get input() {
    return this.bytes.slice(INPUT_AT, INPUT_AT + this.numbers[NUMBERS.inputLength]);
  }
}
