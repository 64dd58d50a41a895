import { describe, expect, it } from 'vitest';
import { CARD_RULES, cardOf, readCard } from './cards.ts';
import { INFORMATION, MESSAGES } from './message-table.ts';

describe('cards of the verifier’s rules', () => {
  it('exist for every rule of the table', () => {
    const faults = MESSAGES.filter(({ class: cls }) => cls !== INFORMATION);
    const missing = faults.filter(({ rule }) => cardOf(rule) === null);
    expect(missing.map(({ rule }) => rule)).toEqual([]);
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
