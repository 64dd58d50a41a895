/** Answers why functions, variables and types of DWARF are not in the BTF that pahole makes. */
import { encode } from '#analysis/encode/encode.ts';
import { encodedFile, sectionsToRead } from '#analysis/encode/encoded-file.ts';
import { type Feature, PLAIN_FEATURES, parseFeatures } from '#analysis/encode/features.ts';
import { memoized } from '#bytes/cache.ts';
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { readDwarfFile } from '#ingest/dwarf-file.ts';
import { btfOf, type ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import {
  type DecisionReport,
  type DecisionsAnswer,
  type DecisionsParams,
  decisionReport,
  decisionsIn,
  type FeatureSet,
} from '#print/decision-rows.ts';

/** Largest file in bytes whose decisions are made in the page. */
const MAX_SIZE = 64 << 20;

type Opened = { readonly model: ObjectModel; readonly source: ByteSource };

const answersOf = memoized(({ model, source }: Opened) => new EncodeAnswers(model, source));

/** Answers a question about an open file. Rejects as `EncodeAnswers.answer` does. */
export function decisionsOf(opened: Opened, params: DecisionsParams): Promise<DecisionsAnswer> {
  return answersOf(opened).answer(params);
}

/** Decisions about one file, made once for each set of features. */
class EncodeAnswers {
  readonly #model: ObjectModel;
  readonly #source: ByteSource;
  readonly #reports = new Map<FeatureSet, DecisionReport>();

  constructor(model: ObjectModel, source: ByteSource) {
    this.#model = model;
    this.#source = source;
  }

  /** Rejects with `Malformed` if the file is too large, or if pahole makes no BTF of it. */
  async answer(params: DecisionsParams): Promise<DecisionsAnswer> {
    const { features } = params;
    const report = this.#reports.get(features) ?? (await this.#report(features));
    this.#reports.set(features, report);
    return decisionsIn(report, params);
  }

  async #report(features: FeatureSet): Promise<DecisionReport> {
    const model = this.#model;
    const { size } = this.#source;
    if (size > MAX_SIZE) throw tooLarge(size);
    const read = await readDwarfFile(this.#source, model, sectionsToRead(model));
    if (read === null) return { rows: NO_ROWS, types: null };
    const file = encodedFile(model, read.dwarf, read.addresses, read.contents);
    const base = baseOf(model);
    const encoded = encode(file, { features: SETS[features](), base, isReported: true });
    return decisionReport(encoded, read.dwarf, btfOf(model));
  }
}

/** Returns the base on which the BTF of a module is shown; null for a distilled one and others. */
function baseOf(model: ObjectModel): TypeTable | null {
  const base = btfOf(model)?.base ?? null;
  return base === model.splitBase?.distilled ? null : base;
}

const SETS: Readonly<Record<FeatureSet, () => ReadonlySet<Feature>>> = {
  plain: () => PLAIN_FEATURES,
  kernel: () => parseFeatures('default').features,
};

const NO_ROWS: DecisionReport['rows'] = {
  function: [],
  variable: [],
  type: [],
  apart: [],
  missing: [],
};

function tooLarge(size: number): Malformed {
  return new Malformed({
    code: 'dwarf.report-size',
    region: '.debug_info',
    message: 'The file is too large to list the decisions here',
    span: null,
    expected: `at most ${MAX_SIZE} bytes`,
    found: `${size} bytes`,
    advice: 'Run btfscope encode FILE --report.',
  });
}
