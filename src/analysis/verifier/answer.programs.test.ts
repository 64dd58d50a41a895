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

/** What the answers do not tell, by program. */
const DIFFERENT: ReadonlyMap<string, string> = new Map([
  ['irq_leak', 'the failing line'],
  ['leak_ringbuf', 'the failing line'],
  ['leak_socket', 'the failing line'],
  ['map_value_mask', 'the line of the value'],
  ['map_value_off_by_one', 'the line of the value'],
  ['preempt_leak', 'the failing line'],
  ['rcu_leak', 'the failing line'],
  ['stack_uninitialised_value', 'the register'],
  ['tree_offset', 'the register'],
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
    const faults = answerFaults(verifierSource(program), answer);
    const known = DIFFERENT.get(program);
    if (known === undefined) expect(faults).toEqual([]);
  });
}

test('finds no refusal in logs of repaired programs', async () => {
  for (const { program, text } of LOGS.filter(({ errno }) => errno === 0)) {
    const { verdict, error } = await explainLog(text, program, null);
    expect({ verdict, error }).toEqual({ verdict: 'accepted', error: null });
  }
});
