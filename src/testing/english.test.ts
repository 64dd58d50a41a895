/**
 * Checks all texts of the page and the command (JSX text, strings, templates) for phrases that the
 * project's style forbids, and for plurals after "1".
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));

/** Stands for each expression of a template in the text that is checked. */
const HOLE = '…';

const BANNED: readonly RegExp[] = [
  /\b(nobody|whoever|whatever)\b/i,
  /\bis called so\b|\bhere is called\b|\bis no (struct|address|file|array|pointer|number)\b/,
  /\bat hand\b/,
  /\bheld against\b|\bcloser look\b/,
  /\b(tells|tell) of\b/,
  /\bnever (asks|looks|sees)\b/,
  /\bit looks like nothing\b|\bwhat it should\b/,
  /\b(as|of) one would\b/,
  /\bcannot be had\b|\bthat is not there\b/,
  /\b(knows no|holds back|(may|might) stand here|stands? (in for|behind|beside))\b/i,
  /\b(is|are) asked for\b|\basked for is\b|\bcome out as\b|\bof (its|their) own name\b/,
  /\bthe way to (it|a|the) (member|field)\b|\bways to show\b/,
];

/** Matches "1 types", but not "11 types", "0.1 types" or a word with s in its singular. */
const PLURAL_AFTER_ONE =
  /(?<![\d.,×:/$-]|(?:[Tt]ype|[Kk]ind|src) )1 (?!(?:is|has|was|as|asks|fills|goes|plus|minus|less)\b)[a-z]+s\b/;

/** Matches a number before a countable noun. `countOf` writes such texts, with the right plural. */
const COUNTED = new RegExp(
  `(?<!than )${HOLE} (type|member|section|symbol|relocation|record|candidate|file|map|instruction|lesson|problem|error)s\\b`,
);

type Text = { readonly file: string; readonly line: number; readonly text: string };

function textsOf(file: string, code: string, parse: Parse): Text[] {
  const texts: Text[] = [];
  const add = (at: number, text: string) =>
    texts.push({ file, line: code.slice(0, at).split('\n').length, text });
  const left: unknown[] = [parse(file, code).program];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (Array.isArray(node)) {
      left.push(...node);
      continue;
    }
    if (node === null || typeof node !== 'object') continue;
    const { type, start, value, quasis } = node as Node;
    if (type === 'ImportDeclaration') continue;
    if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') {
      add(start, value.replace(/\s+/g, ' '));
    }
    if (type === 'TemplateLiteral') {
      add(start, (quasis ?? []).map((quasi) => quasi.value.cooked ?? '').join(HOLE));
    }
    left.push(...Object.values(node));
  }
  return texts;
}

type Node = {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
};
type Parse = (file: string, code: string) => { readonly program: unknown };

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^testing\//.test(file));

describe('texts', async () => {
  // Imported here, because vite's parser loads only while a test runs.
  const { parseSync } = await import('vite');
  const texts = files.flatMap((file) =>
    textsOf(file, readFileSync(`${SOURCES}/${file}`, 'utf8'), parseSync),
  );
  const where = ({ file, line, text }: Text) => `${file}:${line}: ${text.slice(0, 120)}`;

  it('are found', () => {
    expect(texts.filter(({ text }) => /[a-z] [a-z]/.test(text)).length).toBeGreaterThan(3000);
  });

  it.each(BANNED.map((phrase) => [phrase] as const))('do not say %s', (phrase) => {
    expect(texts.filter(({ text }) => phrase.test(text)).map(where)).toEqual([]);
  });

  it('have no plural after 1', () => {
    expect(texts.filter(({ text }) => PLURAL_AFTER_ONE.test(text)).map(where)).toEqual([]);
  });

  it('have a singular and a plural after a number', () => {
    const missing = texts.filter(({ file, text }) => {
      if (!/^(app|cli|store|ui|views)\//.test(file)) return false;
      const noun = COUNTED.exec(text)?.[1];
      const singular = new RegExp(`\\b(1|one) ${noun}\\b|${HOLE} ${noun}${HOLE}`);
      return (
        noun !== undefined &&
        !texts.some((other) => other.file === file && singular.test(other.text))
      );
    });
    expect(missing.map(where)).toEqual([]);
  });
});
