/// <reference types="vite/types/importMeta.d.ts" />
/** Cards of the verifier's rules. */

/**
 * A card, in Markdown: `cards/RULE.md` is
 *
 *   # Title
 *
 *   Differs: KERNEL: what is different from that kernel on.   (any number, also none)
 *
 *   ## Checks
 *
 *   One paragraph: what the verifier checks.
 *
 *   ## Causes
 *
 *   - A usual cause, the most frequent first.
 *
 *   ## Repair
 *
 *   Paragraphs and fenced blocks (```c, ```go): C with libbpf first, then, where it is different,
 *   a paragraph that begins with `cilium/ebpf:`.
 */
export type RuleCard = {
  readonly rule: string;
  readonly title: string;
  readonly differs: readonly { readonly kernel: string; readonly text: string }[];
  readonly checks: string;
  readonly causes: readonly string[];
  readonly repair: readonly CardBlock[];
};

/** A paragraph (`language` is null) or a fenced block of a card. */
export type CardBlock = { readonly language: string | null; readonly text: string };

/** Returns the card of a text. Throws `Error` if the text does not have the form. */
export function readCard(rule: string, text: string): RuleCard {
  const [head = '', ...sections] = text.trimEnd().split(/^## /m);
  const [title = '', ...notes] = head.trim().split(/\n+/);
  const bodies = sections.map((section) => {
    const end = section.indexOf('\n');
    return { name: section.slice(0, end), body: section.slice(end).trim() };
  });
  const names = bodies.map(({ name }) => name).join();
  if (!title.startsWith('# ') || names !== 'Checks,Causes,Repair') {
    throw new Error(`The card of ${rule} has another form`);
  }
  const [checks = '', causes = '', repair = ''] = bodies.map(({ body }) => body);
  return {
    rule,
    title: title.slice(2),
    differs: notes.map((note) => readNote(rule, note)),
    checks,
    causes: causes.split(/^- /m).slice(1).map(oneLine),
    repair: readBlocks(repair),
  };
}

function readNote(rule: string, note: string): { kernel: string; text: string } {
  const fields = /^Differs: (\d+\.\d+): (.+)$/.exec(note);
  if (fields === null) throw new Error(`The card of ${rule} has a line of another form: ${note}`);
  const [, kernel = '', text = ''] = fields;
  return { kernel, text };
}

function readBlocks(text: string): CardBlock[] {
  return text.split(/^```/m).flatMap((part, i): CardBlock[] => {
    if (i % 2 === 0) {
      const paragraphs = part.split(/\n\n+/).map(oneLine);
      return paragraphs.filter((p) => p !== '').map((p) => ({ language: null, text: p }));
    }
    const end = part.indexOf('\n');
    return [{ language: part.slice(0, end), text: part.slice(end + 1).trimEnd() }];
  });
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\n\s*/g, ' ');
}

const TEXTS = import.meta.glob<string>('./cards/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Rules that have a card. */
export const CARD_RULES: readonly string[] = Object.keys(TEXTS).map((path) =>
  path.replace(/^.*\/|\.md$/g, ''),
);

/** Returns the card of a rule, or null. A test checks that every rule but information has one. */
export function cardOf(rule: string): RuleCard | null {
  const text = TEXTS[`./cards/${rule}.md`];
  return text === undefined ? null : readCard(rule, text);
}
