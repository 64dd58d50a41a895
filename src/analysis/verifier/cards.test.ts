import { describe, expect, it } from 'vitest';
import { CARD_RULES, cardOf, readCard } from './cards.ts';
import { INFORMATION, MESSAGES } from './message-table.ts';

/** Rules without a card yet, by class: the lists are to become empty. */
const MISSING: Readonly<Record<string, string>> = {
  'address-leaks': 'leak-by-return leak-from-stack leak-to-helper leak-to-memory',
  helpers:
    'constant-argument constant-string gpl-licence helper-arg-null helper-arg-type helper-flags helper-not-allowed helper-packet-access helper-return-type helper-size-negative helper-size-unbounded helper-size-zero invalid-func map-func-compat',
  'kernel-bugs': 'verifier-bug',
  'memory-and-types':
    'btf-access-permission btf-pointer-offset btf-pointer-space btf-pointer-write btf-struct-access buffer-bounds caller-frame-pointer corrupt-spill div-by-zero flow-keys-bounds frame-pointer-readonly invalid-shift map-key-bounds map-key-write map-value-bounds mem-bounds min-value-negative misaligned-access offset-above-max offset-below-min read-only-memory same-insn-two-pointers sock-access stack-bounds stack-indirect-uninit stack-slot-poisoned stack-unbounded stack-uninit-read stack-variable-unprivileged unbounded-memory-access',
  'pointer-arithmetic':
    'pointer-arith-32bit pointer-arith-null pointer-arith-operator pointer-arith-type pointer-comparison pointer-math-too-big pointer-math-unbounded pointer-math-unprivileged pointer-partial-copy pointer-subtract',
  'return-values':
    'global-func-return lsm-cgroup-return program-exit-value return-not-scalar return-stack-pointer',
};

describe('cards of the verifier’s rules', () => {
  it('exist for every rule of the table', () => {
    const missing: Record<string, string[]> = {};
    for (const { class: cls, rule } of MESSAGES) {
      if (cls === INFORMATION || cardOf(rule) !== null) continue;
      const rules = missing[cls] ?? [];
      missing[cls] = rules.includes(rule) ? rules : [...rules, rule];
    }
    const lists = Object.entries(missing).map(([cls, rules]) => [cls, rules.join(' ')]);
    expect(Object.fromEntries(lists)).toEqual(MISSING);
  });

  it('are for rules of the table only', () => {
    const rules = new Set(MESSAGES.map(({ rule }) => rule));
    expect(CARD_RULES.filter((rule) => !rules.has(rule))).toEqual([]);
  });

  it('have a title, one paragraph of what is checked, causes and a repair', () => {
    for (const card of CARD_RULES.map(cardOf)) {
      if (card === null) continue;
      expect(card.title, card.rule).not.toMatch(/\.$/);
      expect(card.checks, card.rule).not.toContain('\n\n');
      expect(card.causes.length, card.rule).toBeGreaterThan(0);
      expect(card.repair.length, card.rule).toBeGreaterThan(0);
    }
  });

  it('are refused in another form', () => {
    expect(() => readCard('x', '# Title\n\n## Checks\n\nA.\n')).toThrow('another form');
    expect(() =>
      readCard('x', '# T\n\nSince 5.4\n\n## Checks\n\nA.\n\n## Causes\n\n- B\n\n## Repair\n\nC\n'),
    ).toThrow('Since 5.4');
  });
});

describe('table of messages', () => {
  it('gives every format a rule, and every rule one class', () => {
    const classes = new Map<string, string>();
    for (const { format, class: cls, rule } of MESSAGES) {
      expect(rule, format).toMatch(/^[a-z0-9-]+$/);
      expect(classes.get(rule) ?? cls, rule).toBe(cls);
      classes.set(rule, cls);
    }
    expect(new Set(MESSAGES.map(({ format }) => format)).size).toBe(MESSAGES.length);
  });
});
