/** Answers queries of the command palette from the index of one file. */
import { coreRecord } from '#analysis/core/core-records.ts';
import type { Slices } from '#bytes/long-work.ts';
import { BTF_ENUM, BtfKind } from '#formats/btf/kinds.ts';
import { coreIndex, type TypeId, typeId } from '#model/ids.ts';
import { type Enumerator, enumeratorAt, isEnum, readEnumerators } from '#model/type-items.ts';
import {
  firstAtHand,
  hasType,
  kindOf,
  lastId,
  stringAt,
  type TypeTable,
} from '#model/type-table.ts';
import { findAtOffset, findMembers } from './find-members.ts';
import { findNames, findSizes } from './find-names.ts';
import { placeHits } from './find-places.ts';
import { coreTitle, type Finder, type TypeFinder } from './finder.ts';
import {
  enumeratorHit,
  type FindAnswer,
  type FindHit,
  hitOf,
  NO_HITS,
  typeHit,
} from './make-hit.ts';
import { needleOf } from './match-name.ts';
import { findByMemberType, findFunctions } from './member-types.ts';
import { type NamePool, nameLength, searchPool } from './name-pool.ts';
import { type FindQuery, parseQuery } from './query.ts';
import { Ranking } from './ranking.ts';

const NO_TYPES: FindAnswer = { ...NO_HITS, problem: 'This file has no types' };

/** Returns at most `limit` hits for a query. Throws `signal.reason` after an abort. */
export async function find(
  finder: Finder,
  typed: string,
  limit: number,
  slices: Slices,
): Promise<FindAnswer> {
  const query = parseQuery(typed);
  switch (query.form) {
    case 'none':
      return NO_HITS;
    case 'names':
      return await names(finder, query, limit, slices);
    case 'members':
      return members(finder, query, limit);
    case 'member-type':
      return finder.types === null
        ? NO_TYPES
        : await findByMemberType(finder.types, query.type, limit, slices);
    case 'prototype':
      return finder.types === null
        ? NO_TYPES
        : await findFunctions(finder.types, query.prototype, limit, slices);
    case 'id':
      return finder.types === null ? NO_TYPES : findId(finder.types, query.id);
    case 'offset':
      return finder.types === null
        ? NO_TYPES
        : findAtOffset(finder.types, query.owner, query.byteOffset, limit);
    case 'value':
      return await value(finder, query, limit, slices);
  }
}

type Of<Form extends FindQuery['form']> = Extract<FindQuery, { readonly form: Form }>;

async function names(
  finder: Finder,
  { scope, needle, size }: Of<'names'>,
  limit: number,
  slices: Slices,
): Promise<FindAnswer> {
  if (size !== null) {
    return finder.types === null ? NO_TYPES : findSizes(finder.types, scope, needle, size, limit);
  }
  switch (scope) {
    case 'core':
      return await coreRecords(finder, needle, limit, slices);
    case 'string':
      return await strings(finder, needle, limit, slices);
    default:
      return findNames(finder, scope, needle, limit);
  }
}

function members(finder: Finder, query: Of<'members'>, limit: number): FindAnswer {
  const { owner, path, text } = query;
  const [only = ''] = path;
  const isAnyOwner = owner === '*';
  let inTypes: FindAnswer = NO_TYPES;
  if (isAnyOwner) inTypes = findNames(finder, 'member', path.at(-1) ?? only, limit);
  else if (finder.types !== null) inTypes = findMembers(finder.types, owner, path, limit);
  // Queries with a dot can name a section (`.rodata`) or a symbol (`foo.isra.0`).
  const sections = findNames(finder, 'section', text, limit);
  const symbols = findNames(finder, 'symbol', text, limit);
  const named = [...sections.hits, ...symbols.hits];
  const hits = text.startsWith('.') ? [...named, ...inTypes.hits] : [...inTypes.hits, ...named];
  return {
    hits: hits.slice(0, limit),
    total: inTypes.total + sections.total + symbols.total,
    problem: hits.length > 0 ? null : inTypes.problem,
  };
}

async function value(
  { types, model }: Finder,
  query: Of<'value'>,
  limit: number,
  slices: Slices,
): Promise<FindAnswer> {
  const places = query.place === null ? [] : placeHits(model, query.place);
  const byId = types === null || query.id === null ? NO_HITS : findId(types, query.id);
  const byValue = types === null ? NO_TYPES : await findValue(types, query.value, limit, slices);
  // A hex number is most often an offset, a decimal one an id or a value.
  const named = [...byId.hits, ...byValue.hits];
  const isPlace = query.place?.isHex === true;
  const hits = isPlace ? [...places, ...named] : [...named, ...places];
  return {
    hits: hits.slice(0, limit),
    total: byId.total + byValue.total + places.length,
    problem: hits.length > 0 ? null : byValue.problem,
  };
}

/** Returns the best matches in a pool; for an empty needle the first names in file order. */
function bestOf(pool: NamePool, needle: string, limit: number) {
  const ranking = new Ranking<number>(limit);
  searchPool(pool, needle, (row, match, breaks) => {
    const length = needle === '' ? 0 : Math.min(190, nameLength(pool, row) + 12 * breaks);
    const score = 220 * match + length;
    if (ranking.passes(score)) ranking.add(score, row);
  });
  return { rows: ranking.best().map((ranked) => ranked.value), total: ranking.total };
}

async function coreRecords(
  finder: Finder,
  text: string,
  limit: number,
  slices: Slices,
): Promise<FindAnswer> {
  const { model } = finder;
  if (model.ext.core.count === 0) {
    return { ...NO_HITS, problem: 'This file has no CO-RE relocations' };
  }
  const needle = needleOf(text);
  const { rows, total } = bestOf(await finder.core(slices), needle, limit);
  const hits = rows.map((row) => {
    const record = coreRecord(model, coreIndex(row));
    const place = record.func?.name ?? record.sectionName;
    return hitOf('core', coreTitle(model, row), needle, {
      facts: { word: record.kindName, place },
      selection: { kind: 'core', core: coreIndex(row), step: null },
    });
  });
  return { hits, total, problem: null };
}

async function strings(
  finder: Finder,
  text: string,
  limit: number,
  slices: Slices,
): Promise<FindAnswer> {
  const { types } = finder.model;
  if (types === null) return NO_TYPES;
  const { pool, offset } = await finder.strings(slices);
  // Strings include source lines, so blanks in the query remain blanks.
  const needle = text.trim().toLowerCase();
  const { rows, total } = bestOf(pool, needle, limit);
  const hits = rows.map((row) => {
    const off = offset[row] ?? 0;
    const title = stringAt(types, off);
    const at = types.strStart + off - types.strBase;
    const start = types.fileOffset === null ? null : types.fileOffset + at;
    const end = (start ?? 0) + byteLength(types.blob, at);
    return hitOf('string', title, needle, {
      title: title.slice(0, 512),
      facts: { bytes: byteLength(types.blob, at), word: `0x${off.toString(16)}` },
      selection: start === null ? null : { kind: 'bytes', start, end },
    });
  });
  return { hits, total, problem: null };
}

function byteLength(blob: Uint8Array, at: number): number {
  const end = blob.indexOf(0, at);
  return (end < 0 ? blob.length : end) - at;
}

function findId({ types }: TypeFinder, id: number): FindAnswer {
  if (hasType(types, typeId(id))) {
    return { hits: [typeHit(types, typeId(id), '')], total: 1, problem: null };
  }
  const problem =
    id === 0 ? 'Type 0 is void: it has no record' : `The last type is ${lastId(types)}`;
  return { ...NO_HITS, problem };
}

/** Number of enums between two checks of the elapsed time. */
const STRIDE = 64;

/** Finds the enumerators with a value, signed or unsigned. */
async function findValue(
  { types }: TypeFinder,
  value: bigint,
  limit: number,
  slices: Slices,
): Promise<FindAnswer> {
  const hits: FindHit[] = [];
  const low = Number(BigInt.asUintN(32, value));
  let total = 0;
  let enums = 0;
  for (let id = firstAtHand(types); id <= lastId(types); id++) {
    const kind = kindOf(types, typeId(id));
    if (!isEnum(kind)) continue;
    for (const index of indexesWith(types, typeId(id), low)) {
      if (!hasValue(enumeratorAt(types, typeId(id), index), kind, value)) continue;
      total++;
      const hit = hits.length < limit ? enumeratorHit(types, typeId(id), index, '') : null;
      if (hit !== null) hits.push(hit);
    }
    if (enums++ % STRIDE === 0 && slices.isOver) await slices.rest();
  }
  const problem = total > 0 ? null : `No enumerator has the value ${value}`;
  return { hits, total, problem };
}

/** Returns the indexes of the enumerators whose low 32 bits equal `low`. */
function indexesWith(types: TypeTable, id: TypeId, low: number): number[] {
  const items = readEnumerators(types, id);
  const indexes: number[] = [];
  for (let index = 0; index < items.count; index++) {
    if (items.u32(index, BTF_ENUM.at.val) === low) indexes.push(index);
  }
  return indexes;
}

function hasValue(enumerator: Enumerator | null, kind: number, value: bigint): boolean {
  const bits = kind === BtfKind.ENUM ? 32 : 64;
  const raw = enumerator?.value;
  return raw !== undefined && (raw === value || BigInt.asUintN(bits, raw) === value);
}
