/** Compares the answers with what the sources of refused programs state (testdata/verifier). */
import { expect, test } from 'vitest';
import { explainLog } from '#testing/explain-log.ts';
import {
  answerFaults,
  verifierLogs,
  verifierObject,
  verifierPrograms,
  verifierSource,
} from '#testing/verifier-programs.ts';

const LOGS = verifierLogs();

/** What the answers tell otherwise than the marks, by program. */
const DIFFERENT: ReadonlyMap<string, string> = new Map([
  // The number comes from the call of bpf_loop; the marks are in the callback.
  ['callback_bounds', 'the line of the value is 19, not 6 or 12'],
  // The compiler joins two comparisons, and ascribes both to the line of the first.
  ['map_value_off_by_one', 'the line of the value is 24, not 29'],
]);

test('has the logs of all programs', () => {
  const programs = LOGS.filter(({ level }) => level === 1).map(({ program }) => program);
  expect(programs).toEqual(verifierPrograms());
});

for (const { program, level, text } of LOGS.filter(
  ({ errno, level }) => errno > 0 && level === 1,
)) {
  test(`explains why ${program} is refused (level ${level})`, async () => {
    const answer = await explainLog(text, program, verifierObject(program));
    const different = DIFFERENT.get(program);
    const expected = different === undefined ? [] : [different];
    expect(answerFaults(verifierSource(program), answer)).toEqual(expected);
  });
}

/** Types and members of faults; null for a fault about a number. */
const TYPES: readonly (readonly [program: string, type: string | null])[] = [
  ['ctx_write', 'struct __sk_buff ifindex'],
  ['ctx_variable', 'struct __sk_buff'],
  ['global_argument_null', 'struct request size'],
  ['global_argument_type', null],
  ['iter_uninitialised', 'struct bpf_iter_num'],
  ['leak_sockmap', 'struct bpf_sock'],
  ['list_without_lock', '.data.A head'],
  ['loop_infinite', null],
  ['map_value_off_by_one', 'struct counters slots'],
  ['packet_variable_header', 'struct iphdr ihl'],
  ['release_not_owned', 'struct task_struct'],
  ['return_range_error', null],
  ['size_unbounded', null],
];

test.each(TYPES)('names the type that %s is about: %s', async (program, type) => {
  const log = LOGS.find((one) => one.program === program && one.level === 1);
  const answer = await explainLog(log?.text ?? '', program, verifierObject(program));
  const named = answer.type && [answer.type.name, answer.type.member ?? []].flat().join(' ');
  expect(named).toBe(type);
});

/** Words of the cause. */
const CAUSES: readonly (readonly [program: string, words: string])[] = [
  ['atomic_number', 'follows R1 as a pointer, but it is only a number'],
  ['helper_none', 'calls the helper of number 0'],
  ['null_released', 'it comes from the call of bpf_task_acquire'],
  ['number_minus_pointer', 'subtracts a pointer to the stack from the number in R1'],
  ['packet_end_number', 'calculates with R2, which holds the end of the packet since'],
  ['pointer_minus_number', 'subtracts the number in R1 from a pointer to a map value'],
  ['return_map_value', 'returns a pointer to a map value in R0'],
  ['stack_above', '16 bytes of the stack at offset 0 from the frame pointer (R1)'],
  ['stack_result_odd', '8 bytes of the stack through R4, which points to fp-'],
];

test.each(CAUSES)('says of %s: %s', async (program, words) => {
  const log = LOGS.find((one) => one.program === program && one.level === 1);
  const { cause } = await explainLog(log?.text ?? '', program, verifierObject(program));
  expect(cause).toContain(words);
});

test('finds no refusal in logs of repaired programs', async () => {
  for (const { program, text } of LOGS.filter(({ errno }) => errno === 0)) {
    const { verdict, error } = await explainLog(text, program, null);
    expect({ verdict, error }).toEqual({ verdict: 'accepted', error: null });
  }
});
