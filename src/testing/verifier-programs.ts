/** The programs of testdata/verifier: what their sources state of the refusal, objects and logs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decompress } from 'fzstd';
import type { Answer } from '#analysis/verifier/answer.ts';
import { JsonRow } from './json-row.ts';

const HOME = fileURLToPath(new URL('../../testdata/', import.meta.url));

/** What a source states: numbers of lines, from 1. */
type Marks = {
  readonly rule: string;
  /** R0 … R10, fp-8, ref; null for a refusal that is about none. */
  readonly register: string | null;
  /** Lines at which the program fails; none if it fails at no instruction. */
  readonly failing: readonly number[];
  /** Lines that the value comes from, and whether an answer may have none. */
  readonly origins: readonly number[];
  readonly mayLackOrigin: boolean;
};

export type VerifierLog = {
  readonly program: string;
  /** Level of the log; null for the text of libbpf. */
  readonly level: number | null;
  /** Error of the load; 0 for the repaired program. */
  readonly errno: number;
  readonly text: string;
};

/** Returns the names of the programs. */
export function verifierPrograms(): readonly string[] {
  return readdirSync(`${HOME}src/verifier`)
    .filter((file) => file.endsWith('.bpf.c'))
    .map((file) => file.slice(0, -'.bpf.c'.length))
    .sort();
}

/** Returns the object of a program. */
export function verifierObject(program: string): Uint8Array {
  const path = `${HOME}verifier/${program}.o`;
  return existsSync(path)
    ? new Uint8Array(readFileSync(path))
    : decompress(new Uint8Array(readFileSync(`${path}.zst`)));
}

/** Returns all logs. */
export function verifierLogs(): readonly VerifierLog[] {
  const bytes = decompress(new Uint8Array(readFileSync(`${HOME}verifier/logs.jsonl.zst`)));
  const lines = new TextDecoder().decode(bytes).trimEnd().split('\n');
  return lines.map((line) => {
    const row = JsonRow.parse(line);
    return {
      program: row.text('program'),
      level: row.has('level') ? row.number('level') : null,
      errno: row.number('errno'),
      text: row.text('log'),
    };
  });
}

/** Returns the source of a program. */
export function verifierSource(program: string): string {
  return readFileSync(`${HOME}src/verifier/${program}.bpf.c`, 'utf8');
}

/** Returns what is wrong with an answer about a program, by the marks of its source. */
export function answerFaults(source: string, { error, blame }: Answer): readonly string[] {
  const marks = marksOf(source);
  if (error === null) return ['no refusal is found'];
  const faults: string[] = [];
  const expect = (what: string, is: string | number | null, ...expected: (string | number)[]) => {
    faults.push(`${what} is ${is ?? 'none'}, not ${expected.join(' or ') || 'none'}`);
  };
  if (error.class !== marks.rule) expect('the rule', error.class, marks.rule);
  if (error.register !== marks.register) {
    expect('the register', error.register, marks.register ?? 'none');
  }
  const line = error.source?.line ?? null;
  if (line === null ? marks.failing.length > 0 : !marks.failing.includes(line)) {
    expect('the failing line', line, ...marks.failing);
  }
  const origin = blame?.source?.line ?? null;
  const isRight = origin === null ? marks.mayLackOrigin : marks.origins.includes(origin);
  if (!isRight) expect('the line of the value', origin, ...marks.origins);
  return faults;
}

function marksOf(source: string): Marks {
  const [, rule = '', register = ''] = /^\/\/ (\S+) (\S+): /.exec(source) ?? [];
  const lines = source.split('\n').map((text) => /\/\* ([A-Z? ]+) \*\/$/.exec(text)?.[1] ?? '');
  const marked = (...words: string[]) =>
    lines.flatMap((marks, i) =>
      marks.split(' ').some((mark) => words.includes(mark)) ? [i + 1] : [],
    );
  const origins = marked('FROM', 'FROM?');
  return {
    rule,
    register: register === '-' ? null : register,
    failing: marked('FAIL', 'EXIT'),
    origins,
    mayLackOrigin: origins.length === 0 || marked('FROM?').length > 0,
  };
}
