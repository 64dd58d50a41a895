/**
 * Fuzz targets for inputs that are slow by their shape. The bytes of an input choose shapes that
 * double with each level, form cycles, or share one name. A mutated input makes another shape of
 * the same family. A short input is read again from its start.
 */

import { targetOf } from '#analysis/core/candidates.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { traceLines } from '#analysis/core/trace-text.ts';
import { fnv1a } from '#bytes/fnv1a.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { coreLog } from '#print/core-log.ts';
import { btfBlob, type HeaderFields } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  funcProto,
  fwd,
  int,
  type Member,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import { type CoreCase, coreObject, typesOfBlob } from '#testing/core-cases.ts';
import { computeVerdicts, lint } from './file-targets.ts';
import { choose, type Opened, openInput, type ReportStep } from './opened.ts';
import { readLessonText } from './plain-targets.ts';
import {
  compareWith,
  computeLayouts,
  drawGraphs,
  linkTypes,
  printTypes,
  readValues,
  testTypes,
  writeWholeText,
} from './type-targets.ts';

/** Reads numbers from the bytes of an input; begins again at the end. */
class Choices {
  readonly #bytes: Uint8Array;
  readonly #hash: number;
  #at = 0;
  #decisionCount = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#hash = fnv1a(bytes);
  }

  /**
   * Returns true for one in `n` inputs. Depends on a hash of the input, so mutations of an input
   * with true mostly give false.
   */
  once(n: number): boolean {
    this.#decisionCount += 1;
    return (Math.imul(this.#hash + this.#decisionCount, 0x9e37_79b1) >>> 0) % n === 0;
  }

  /** Returns a number below `limit`, which is at most 65,536. */
  below(limit: number): number {
    const { length } = this.#bytes;
    const byte = () => this.#bytes[this.#at++ % Math.max(1, length)] ?? 0;
    return (limit > 256 ? byte() * 256 + byte() : byte()) % limit;
  }

  /** Returns a number from 1 to `most`. Numbers of each bit length are equally likely. */
  size(most: number): number {
    const bits = this.below(1 + Math.ceil(Math.log2(most)));
    return 1 + this.below(Math.min(most, 2 ** bits));
  }
}

/** Steps for types of these shapes. The first byte of the input chooses one. */
const typeSteps = (other: TypeTable) =>
  [
    writeWholeText('c'),
    writeWholeText('pahole'),
    writeWholeText('raw'),
    writeWholeText('json'),
    printTypes,
    readValues,
    computeLayouts,
    testTypes,
    drawGraphs,
    (types: TypeTable, reportStep: ReportStep) => linkTypes(types, reportStep, 1),
    compareWith(other),
  ] as const;

/**
 * One in this many inputs is large. Small inputs find faults sooner, large inputs find slow code.
 */
const LARGE = 1024;
/** Of the inputs that are not large, one in this many has up to twelve levels, the rest five. */
const MIDDLE = 8;
/** One in this many inputs with cycles has texts of maximal length, which take 0.1 s each. */
const ENDLESS = 512;
/** Limit for the parts of an input with few levels. Repeated parts are counted each time. */
const MAX_PARTS = 500;
const MAX_LEVELS = 600;
const MAX_MEMBERS = 20_000;

const STRUCT = 2;
const POINTER = 5;
const LONG_STRUCT = 9;
/** Kinds of types that have names. */
const NAMED: ReadonlySet<number> = new Set([STRUCT, LONG_STRUCT]);

/**
 * Returns levels of types. Each type refers to types of the next level several times; with
 * `inCircles` to any type. The last type is an INT.
 */
function levels(choices: Choices, inCircles: boolean): TypeRecord[] {
  const isLarge = choices.once(LARGE);
  const count = choices.size(isLarge ? MAX_LEVELS : choices.below(MIDDLE) === 0 ? 12 : 5);
  const kinds = Array.from({ length: 1 + choices.below(4) }, () => choices.below(12));
  const wide = Math.floor(MAX_MEMBERS / count);
  const isEndless = isLarge || choices.once(ENDLESS);
  const few = isEndless ? 4 : Math.max(1, Math.min(4, Math.floor(MAX_PARTS ** (1 / count))));
  const fan = choices.size(isLarge && choices.below(2) === 0 ? Math.min(300, wide) : few);
  const records = Array.from({ length: count }, (_, i) => {
    const kind = kinds[i % kinds.length];
    const ref = () => {
      if (!inCircles) return i + 2;
      const to = 1 + choices.below(count + 1);
      const isNamed = NAMED.has(kinds[(to - 1) % kinds.length] ?? 0);
      // A named type behind a pointer ends the nesting: no text writes its members.
      const ends = to > i + 1 || (kind === POINTER && isNamed);
      return isEndless || ends ? to : i + 2 + (to % (count - i));
    };
    const members = (): Member[] =>
      Array.from({ length: fan }, (_unused, j) => ({
        name: choices.below(3) === 0 ? `m${j}` : '',
        type: ref(),
        bitOffset: choices.below(4) === 0 ? 32 * j : 0,
      }));
    switch (kind) {
      case 0:
        return struct('', 4 * fan, members());
      case 1:
        return union('', 4, members());
      case STRUCT:
        return struct('s', 4 * fan, members());
      case 3:
        return array(ref(), count + 1, choices.below(5));
      case 4:
        return funcProto(
          ref(),
          Array.from({ length: fan }, () => ['', ref()] as const),
        );
      case POINTER:
        return ptr(ref());
      case 6:
        return typedef('t', ref());
      case 7:
        return modifier('const', ref());
      case 8:
        return typeTag('tag', ref());
      case LONG_STRUCT:
        // A large struct: C needs a line for every 8 bytes of its padding.
        return struct(`s${i}`, isEndless ? 0xfffffff : 4 * fan + 64, members());
      case 10:
        return array(ref(), count + 1, isEndless ? 65_536 : 32);
      default:
        return modifier('volatile', ref());
    }
  });
  return [...records, int('int', 4)];
}

function shapes(other: TypeTable, inCircles: boolean) {
  const asked = typeSteps(other);
  return async (bytes: Uint8Array, reportStep: ReportStep): Promise<void> => {
    const choices = new Choices(bytes);
    const ask = asked[choices.below(asked.length)];
    const inner = levels(choices, inCircles);
    const last = inner.length;
    const types = [
      ...inner,
      typedef('top', 1),
      struct('outer', 8, [{ name: 'a', type: 1, bitOffset: 0 }]),
      variable('v', 1),
      datasec('.data', 64, [[last + 3, 0, 64]]),
    ];
    await ask?.(typesOfBlob(types), reportStep);
  };
}

const SPECIAL = [
  ['bpf_spin_lock', 4],
  ['bpf_res_spin_lock', 8],
  ['bpf_timer', 16],
  ['bpf_wq', 16],
  ['bpf_task_work', 8],
  ['bpf_list_head', 16],
  ['bpf_list_node', 24],
  ['bpf_rb_root', 16],
  ['bpf_rb_node', 32],
  ['bpf_refcount', 4],
] as const;
const KPTR_TAGS = ['kptr', 'kptr_untrusted', 'percpu_kptr', 'uptr', 'rcu', ''] as const;

/** Computes the verdicts for three of four inputs, and runs lint for the fourth. */
async function judgeOnce(read: Opened, reportStep: ReportStep): Promise<void> {
  if (read.model.types === null) return;
  await choose(read.model.types, [computeVerdicts, computeVerdicts, computeVerdicts, lint])(
    read,
    reportStep,
  );
}

/** Builds structs with fields that the kernel knows by name, nested, in arrays or tagged. */
async function specialFields(bytes: Uint8Array, reportStep: ReportStep): Promise<void> {
  const choices = new Choices(bytes);
  const count = choices.size(20);
  const types: TypeRecord[] = [int('int', 4)];
  for (const [name, size] of SPECIAL) {
    const isWrong = choices.below(16) === 0;
    types.push(struct(name, isWrong ? size + 4 : size, [{ name: 'x', type: 1, bitOffset: 0 }]));
  }
  const first = types.length + 1;
  const anyType = () => 1 + choices.below(types.length + 2);
  for (let i = 0; i < count; i++) {
    const tag = KPTR_TAGS[choices.below(KPTR_TAGS.length)] ?? '';
    switch (choices.below(8)) {
      case 0:
        types.push(typeTag(tag, anyType()));
        break;
      case 1:
        types.push(ptr(anyType()));
        break;
      case 2:
        types.push(array(anyType(), 1, choices.below(6)));
        break;
      case 3:
        types.push(fwd('f'));
        break;
      case 4: {
        const index = choices.below(4) - 1;
        const node = `contains:s${choices.below(count)}:m${choices.below(4)}`;
        types.push(declTag(node, Math.max(first, anyType()), index));
        break;
      }
      default: {
        const fields = 1 + choices.below(6);
        const members = Array.from({ length: fields }, (_, j) => ({
          name: `m${j}`,
          type: anyType(),
          bitOffset: 64 * j + (choices.below(32) === 0 ? 8 : 0),
        }));
        types.push(struct(`s${i}`, 8 * fields + 32, members));
      }
    }
  }
  types.push(variable('v', anyType()));
  types.push(datasec('.data', 256, [[types.length, 0, 256]]));
  const read = await openInput(btfBlob({ types }).bytes);
  if (read !== null) await judgeOnce(read, reportStep);
}

/**
 * Builds many structs with the same name but other nested types, and CO-RE records for them all.
 */
async function sharedName(bytes: Uint8Array, reportStep: ReportStep): Promise<void> {
  const choices = new Choices(bytes);
  const count = choices.size(choices.once(LARGE) ? 400 : 8);
  const types: TypeRecord[] = [int('int', 4)];
  for (let i = 0; i < count; i++) {
    const ref = () => (choices.below(2) === 0 ? 1 : 1 + choices.below(types.length + 1));
    if (choices.below(3) === 0) types.push(ptr(ref()));
    else {
      const flavour = choices.below(4);
      types.push(
        struct(flavour === 0 ? 's' : `s___${flavour}`, 16, [
          { name: 'a', type: ref(), bitOffset: 0 },
          { name: choices.below(2) === 0 ? 'b' : '', type: ref(), bitOffset: 64 },
        ]),
      );
    }
  }
  const strings = ['0', '0:0', '0:1', '0:0:0', '0:1:1:0', '1:0:7'];
  const cases = Array.from(
    { length: count },
    (): CoreCase => ({
      kind: choices.below(14),
      root: 1 + choices.below(types.length),
      accessStr: strings[choices.below(strings.length)] ?? '0',
    }),
  );
  const table = typesOfBlob(types);
  const target = targetOf('a kernel', table);
  const traced = choices.below(2 * count);
  reportStep('resolve');
  const results = resolveObject(coreObject(table, cases), target, {
    trace: (row) => row === traced,
  });
  reportStep('words of results');
  for (const result of results) coreLog(result);
  const result = results[traced];
  if (result !== undefined) traceLines(result, table, target);
}

/** Parses access strings with many or long indexes, through members, arrays and other types. */
function accessStrings(bytes: Uint8Array, reportStep: ReportStep): void {
  const choices = new Choices(bytes);
  const types = typesOfBlob(levels(choices, choices.below(2) === 0));
  const parts = Array.from({ length: choices.size(choices.once(LARGE) ? 2000 : 8) }, () => {
    const digits = choices.size(choices.once(LARGE) ? 20_000 : 3);
    return `${'x -+'[choices.below(64)] ?? ''}${`${choices.below(10)}`.repeat(digits)}`;
  });
  const accessStr = parts.join(choices.below(32) === 0 ? '::' : ':');
  reportStep('access string');
  walkAccess(types, typeId(1), accessStr, choices.below(14));
}

/** Builds BTF whose layout section and header fields do not fit its types. */
async function wrongLayouts(bytes: Uint8Array, reportStep: ReportStep): Promise<void> {
  const choices = new Choices(bytes);
  const layout = Array.from({ length: choices.below(40) }, () => ({
    infoSize: choices.below(8) === 0 ? choices.below(256) : 4 * choices.below(6),
    elemSize: choices.below(8) === 0 ? choices.below(256) : 4 * choices.below(6),
    flags: choices.below(4),
  }));
  const fields = ['typeOff', 'typeLen', 'strOff', 'strLen', 'layoutOff', 'layoutLen', 'hdrLen'];
  const header: Partial<Record<string, number>> = {};
  for (let i = choices.below(3); i > 0; i--) {
    header[fields[choices.below(fields.length)] ?? ''] = choices.below(
      choices.below(2) === 0 ? 64 : 65_536,
    );
  }
  const types = levels(choices, true).slice(0, 24);
  const kind = choices.below(128);
  if (types[0] !== undefined && kind > BtfKind.ENUM64) types[0] = { ...types[0], kind };
  const blob = btfBlob({ types, layout, header: header as Partial<HeaderFields> });
  const read = await openInput(blob.bytes);
  if (read !== null) await judgeOnce(read, reportStep);
}

const PIECES = [
  ...['> ', '- ', '* ', '1. ', '  ', '\n', '\n\n', 'a', '_', '*', '`', '[', '](', ')', '<a '],
  ...['![', '<!--', '\\', '&', '```\n', '## ', '~~~', '\t', '    ', '-->', '***', '[a]: b\n'],
] as const;

/** Returns the Markdown of a lesson that repeats a few pieces many times. */
function markdownOf(bytes: Uint8Array): string {
  const choices = new Choices(bytes);
  let text = '---\ntitle: A\nabout: B\nobject: link\n---\n## S\n';
  for (let i = choices.size(choices.below(MIDDLE) === 0 ? 12 : 4); i > 0; i--) {
    const run = Array.from(
      { length: 1 + choices.below(4) },
      () => PIECES[choices.below(PIECES.length)] ?? '',
    );
    text += run.join('').repeat(choices.size(choices.once(LARGE) ? 4000 : 8));
  }
  return text.slice(0, 120_000);
}

function nestedMarkdown(bytes: Uint8Array, reportStep: ReportStep): void {
  readLessonText(new TextEncoder().encode(markdownOf(bytes)), reportStep);
}

/** Returns the targets by family name. `other` are the types for comparisons. */
export function familiesOn(other: TypeTable) {
  return {
    'special-fields': specialFields,
    doubling: shapes(other, false),
    circles: shapes(other, true),
    'one-name': sharedName,
    'access-strings': accessStrings,
    'layouts-that-lie': wrongLayouts,
    'nested-markdown': nestedMarkdown,
  };
}
