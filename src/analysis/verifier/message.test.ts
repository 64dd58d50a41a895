import { describe, expect, it } from 'vitest';
import { matchMessage } from './message.ts';
import { MESSAGES } from './message-table.ts';

/** Returns a line that the kernel could print with the format: a text after a word begins with a blank. */
function lineOf(format: string): string {
  const [line = ''] = format.split('\\n');
  return line
    .replaceAll('\\t', '\t')
    .replaceAll(/(?<=[a-z])%s/g, ' word')
    .replaceAll('%s', 'word')
    .replaceAll(/%[-+#0]*\d*(?:ll|l|z)?[a-zA-Z]/g, '7');
}

describe('match of a message', () => {
  it('finds every format of the table, or one that prints the same line', () => {
    const wrong = MESSAGES.filter(({ format, rule }) => {
      const found = matchMessage(lineOf(format));
      return found?.format !== format && found?.rule !== rule;
    });
    expect(wrong.map(({ format }) => format)).toEqual([]);
  });

  it('returns the values by name, and the register', () => {
    expect(
      matchMessage('invalid access to packet, off=23 size=1, R2(id=0,off=23,r=14)'),
    ).toMatchObject({
      rule: 'packet-bounds',
      register: 'R2',
      values: { off: '23', size: '1', R: '2', id: '0', off2: '23', r: '14' },
    });
    expect(matchMessage("R9 invalid mem access 'inv'")).toMatchObject({
      rule: 'invalid-mem-access',
      register: 'R9',
      values: { R: '9', 1: 'inv' },
    });
    expect(matchMessage('unknown opcode df')?.values).toEqual({ 0: 'df' });
  });

  it('prefers the format with more literal characters', () => {
    expect(matchMessage('tail_call would lead to reference leak')?.format).toBe(
      'tail_call would lead to reference leak\\n',
    );
    expect(
      matchMessage('BPF_EXIT instruction in main prog would lead to reference leak')?.format,
    ).toBe('%s would lead to reference leak\\n');
    expect(matchMessage('invalid read from stack R2 off -8+0 size 8')?.rule).toBe(
      'stack-indirect-uninit',
    );
    expect(matchMessage('invalid read from stack R10 off=-8 size=8')?.rule).toBe('stack-bounds');
  });

  it('takes the argument as the register that holds it', () => {
    expect(matchMessage('Possibly NULL pointer passed to trusted arg0')?.register).toBe('R1');
    expect(matchMessage('Possibly NULL pointer passed to helper arg2')?.register).toBe('R2');
    expect(matchMessage('expected an initialized iter_num as arg #0')?.register).toBe('R1');
    expect(matchMessage('Expected an initialized dynptr as R3')?.register).toBe('R3');
  });

  it('keeps the text after a format that others continue', () => {
    expect(
      matchMessage('At program exit the register R0 has smin=0 smax=7 should have been in [0, 3]'),
    ).toMatchObject({
      rule: 'program-exit-value',
      register: 'R0',
      rest: 'has smin=0 smax=7 should have been in [0, 3]',
    });
  });

  it('returns null for a line that no kernel prints', () => {
    for (const line of [
      '',
      'R1',
      'R1 is',
      'invalid',
      '7: (95) exit',
      '%s',
      'nothing of the kind',
    ]) {
      expect(matchMessage(line), line).toBeNull();
    }
  });

  it('is linear in the length of hostile lines', () => {
    const words = ['R1 ', 'arg', "' has ", ' pointer ', ' in ', '%s', 'invalid access to '];
    for (const word of words) {
      expect(() => matchMessage(word.repeat(20_000))).not.toThrow();
    }
  });
});
