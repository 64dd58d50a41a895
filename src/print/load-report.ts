/** Writes load verdicts in the report formats of CI services: SARIF and JUnit XML. */
import { allReasons, type LoadVerdict } from '#analysis/libbpf/load.ts';
import type { Outcome, Reason, SourcePlace } from '#analysis/libbpf/outcome.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { visible } from '#bytes/text.ts';
import { byObject, type LoadPair } from './load-text.ts';

/** A program on a kernel; or the whole object, if no program has the outcome of the object. */
type Row = {
  readonly name: string;
  readonly autoload: boolean;
  readonly outcome: Outcome;
  readonly reasons: readonly Reason[];
};

function rowsOf(verdict: LoadVerdict): readonly Row[] {
  const { programs, outcome, reasons } = verdict;
  const rows = programs.map((program) => ({
    ...program,
    name: `${program.program.section} ${program.program.name}`,
    reasons: allReasons(verdict, program),
  }));
  return rows.some((row) => row.autoload && row.outcome === outcome)
    ? rows
    : [...rows, { name: 'object', autoload: true, outcome, reasons }];
}

/** Names of SARIF rules by step of a `Reason`. Ids of rules must not change: users refer to ids. */
const RULES: Readonly<Record<string, string>> = {
  open: 'libbpf cannot open the object',
  prepare: 'libbpf cannot prepare the object',
  externs: 'An extern is not resolved',
  struct_ops: 'A table of functions does not match the kernel',
  maps: 'A map cannot be created',
  core: 'A CO-RE relocation does not match the kernel',
  attach: 'The attach target is not found',
  type: 'The program type is not known',
  instruction: 'The kernel lacks an instruction',
  field: 'A map cannot have a special field',
  kfunc: 'A kernel function cannot be called',
  helper: 'A helper is missing in the kernel',
};

const LEVELS: Readonly<Record<Outcome, string>> = {
  loads: 'note',
  'may-fail': 'warning',
  rejected: 'error',
  fails: 'error',
};

type Finding = {
  readonly object: string;
  readonly name: string;
  readonly reason: Reason;
  readonly kernels: Set<string>;
};

/** Returns SARIF with a result per reason of a program (SARIF 2.1.0, 3.13, 3.14, 3.27). */
export function loadSarif(pairs: readonly LoadPair[]) {
  const findings = new Map<string, Finding>();
  for (const { object, kernel, verdict } of pairs) {
    for (const { name, reasons } of rowsOf(verdict)) {
      for (const reason of reasons) {
        const key = JSON.stringify([object, name, reason]);
        const finding = { object, name, reason, kernels: new Set<string>() };
        getOrCreate(findings, key, () => finding).kernels.add(kernel);
      }
    }
  }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'btfscope',
            rules: Object.entries(RULES).map(([step, text]) => ({
              id: `load/${step}`,
              shortDescription: { text },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: [...findings.values()].map(resultOf),
      },
    ],
  };
}

function resultOf({ object, name, reason, kernels }: Finding) {
  const { step, outcome, text, source } = reason;
  const message = `${name}: ${text} (${object} on ${[...kernels].join(', ')})`;
  return {
    ruleId: `load/${step}`,
    level: LEVELS[outcome],
    message: { text: visible(message) },
    locations: [{ physicalLocation: source === null ? artifact(object) : onLine(source) }],
  };
}

function artifact(path: string) {
  return { artifactLocation: { uri: uriOf(path) } };
}

function onLine({ file, line, column }: SourcePlace) {
  if (line < 1) return artifact(file);
  return {
    ...artifact(file),
    region: { startLine: line, ...(column < 1 ? {} : { startColumn: column }) },
  };
}

/** Returns a path as a URI reference (RFC 3986, 4.1). Lone surrogates become U+FFFD. */
function uriOf(path: string): string {
  const uri = path
    .replace(/^(?:\.\/)+/, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return uri.startsWith('/') ? `file://${uri.replace(/^\/+/, '/')}` : uri;
}

/** Yields a suite per object, a case per program and kernel. A case fails if `isBad`. */
export function* loadJunit(
  pairs: readonly LoadPair[],
  isBad: (outcome: Outcome) => boolean,
): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>';
  yield '<testsuites name="btfscope load">';
  for (const [object, objectPairs] of byObject(pairs)) {
    const cases = objectPairs.flatMap(({ kernel, verdict }) =>
      rowsOf(verdict).map((row) => ({ kernel, ...row })),
    );
    const skipped = cases.filter(({ autoload }) => !autoload).length;
    const failures = cases.filter(({ autoload, outcome }) => autoload && isBad(outcome)).length;
    yield `  <testsuite name="${xml(object)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}">`;
    for (const { kernel, name, autoload, outcome, reasons } of cases) {
      yield `    <testcase classname="${xml(kernel)}" name="${xml(name)}">`;
      const text = reasons.map((reason) => xml(reason.text)).join('&#10;');
      if (!autoload) yield '      <skipped message="not loaded by default"/>';
      else if (isBad(outcome)) yield `      <failure type="${outcome}" message="${text}"/>`;
      else if (text !== '') yield `      <system-out>${outcome}: ${text}</system-out>`;
      yield '    </testcase>';
    }
    yield '  </testsuite>';
  }
  yield '</testsuites>';
}

/** Escapes an XML attribute value. Characters that XML 1.0 excludes (section 2.2) become U+FFFD. */
function xml(text: string): string {
  return visible(text)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
