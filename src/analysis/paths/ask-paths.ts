/**
 * Answers "How do I get from `task_struct` to `net_device`, or to field `sk_family`?" with paths,
 * or with the reason why the question has no answer. Never throws.
 */
import type { TypeId } from '#model/ids.ts';
import { type AskedNode, macroName, nodesAskedFor, typesAskedFor } from './named-types.ts';
import {
  type ContainerStep,
  type Ending,
  endingAt,
  endingsAround,
  type FieldOfType,
  fieldOf,
  type MemberStep,
  membersNamed,
  membersOfTypes,
  type PathGoal,
} from './path-goal.ts';
import { type PathIndex, typeOfNode } from './path-index.ts';
import { searchPaths } from './path-search.ts';
import { type PlaceText, parsePlace } from './place-text.ts';

export type PathsQuestion = {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  /** True to include paths that end with container_of. */
  readonly around: boolean;
};

/** A path as type ids and member indices. */
export type TypePath = {
  /** First type of the path: a struct, a union, or the typedef of an anonymous one. */
  readonly start: TypeId;
  /** Members from `start` on, including anonymous members. */
  readonly members: readonly MemberStep[];
  /** Step after `members`, from a part to its container; null for a path without container_of. */
  readonly container: ContainerStep | null;
  /** Members from the container to the wanted field. */
  readonly field: readonly MemberStep[];
};

export type PathsProblem = {
  readonly end: 'from' | 'to';
  readonly reason:
    | 'blank'
    | 'unknown'
    /** The named type has no members. */
    | 'no-members'
    | Extract<FieldOfType, { readonly ok: false }>['reason'];
  /** The word of the question that caused the problem, not escaped. */
  readonly word: string;
  readonly near: readonly string[];
};

export type PathsAnswer =
  | { readonly ok: false; readonly problem: PathsProblem }
  | {
      readonly ok: true;
      /** Paths, best first. */
      readonly paths: readonly TypePath[];
      /** False if the search stopped at a limit. */
      readonly complete: boolean;
      /** Goal: a type, a field of any type, members of a scalar type, or a field of one type. */
      readonly goal: 'type' | 'field' | 'member-type' | 'field-of-type';
      /** Member that a macro stands for, such as `skc_family`; null without a macro. */
      readonly macro: string | null;
    };

/** Answers a question about paths between the types of `index`. */
export function askPaths(index: PathIndex, question: PathsQuestion): PathsAnswer {
  const sources = sourcesOf(index, question.from);
  if (!Array.isArray(sources)) return { ok: false, problem: sources };
  const target = targetOf(index, parsePlace(question.to));
  if ('reason' in target) return { ok: false, problem: target };
  const around = question.around ? endingsAround(index, target.endings) : [];
  const goal: PathGoal = { endings: [...target.endings, ...around], stops: target.stops };
  const nodes = sources.map(({ node }) => node);
  const { paths, complete } = searchPaths(index, nodes, goal, question.limit);
  return {
    ok: true,
    goal: target.goal,
    macro: target.macro,
    complete,
    paths: paths.map((path) => {
      const ending = goal.endings[path.ending];
      return {
        start: sources[path.source]?.type ?? typeOfNode(index, nodes[path.source] ?? 0),
        members: path.arcs.map((arc) => ({
          type: typeOfNode(index, index.from[arc] ?? 0),
          index: index.member[arc] ?? 0,
        })),
        container: ending?.container ?? null,
        field: ending?.field ?? [],
      };
    }),
  };
}

function sourcesOf(index: PathIndex, text: string): AskedNode[] | PathsProblem {
  const place = parsePlace(text);
  const problem = (reason: PathsProblem['reason']) => problemAt('from', reason, text.trim());
  if (place === null) return problem('blank');
  const ids = place.type === null || place.field !== '' ? [] : typesAskedFor(index, place.type);
  if (ids.length === 0) return problem('unknown');
  const nodes = nodesAskedFor(index, ids);
  return nodes.length === 0 ? problem('no-members') : nodes;
}

function problemAt(
  end: PathsProblem['end'],
  reason: PathsProblem['reason'],
  word: string,
  near: PathsProblem['near'] = [],
): PathsProblem {
  return { end, reason, word, near };
}

type Target = {
  readonly goal: Extract<PathsAnswer, { readonly ok: true }>['goal'];
  readonly endings: readonly Ending[];
  readonly stops: ReadonlySet<number>;
  readonly macro: string | null;
};

function targetOf(index: PathIndex, place: PlaceText | null): Target | PathsProblem {
  const problem = (reason: PathsProblem['reason'], word = '') => problemAt('to', reason, word);
  if (place === null) return problem('blank');
  const { type, field } = place;
  if (type === null) {
    return field === '' ? problem('blank') : (anyField(index, field) ?? problem('unknown', field));
  }
  const word = type.by === 'name' ? type.name : type.key.name;
  const ids = typesAskedFor(index, type);
  const nodes = nodesAskedFor(index, ids);
  if (field !== '') {
    if (ids.length === 0) return problem('unknown', word);
    return nodes.length === 0 ? problem('no-members', word) : fieldOfAny(index, nodes, field);
  }
  if (nodes.length > 0) return typeTarget(nodes);
  if (ids.length > 0) {
    const endings = membersOfTypes(index, ids);
    return { goal: 'member-type', endings, stops: new Set(), macro: null };
  }
  const plain = type.by === 'name' && type.keyword === null;
  return (plain ? anyField(index, word) : null) ?? problem('unknown', word);
}

function typeTarget(nodes: readonly AskedNode[]): Target {
  const endings = nodes.map(({ node }) => endingAt(node, [], 0));
  return { goal: 'type', endings, stops: new Set(nodes.map(({ node }) => node)), macro: null };
}

/** Returns the fields named `name` in any type, else the fields of a macro's member, else null. */
function anyField(index: PathIndex, name: string): Target | null {
  const endings = membersNamed(index, name);
  const macro = endings.length > 0 ? null : macroName(name);
  const members = macro === null ? endings : membersNamed(index, macro.member);
  if (members.length === 0) return null;
  return { goal: 'field', endings: members, stops: new Set(), macro: macro?.member ?? null };
}

function fieldOfAny(
  index: PathIndex,
  nodes: readonly AskedNode[],
  field: string,
): Target | PathsProblem {
  const endingsOf = (fields: readonly FieldOfType[]) =>
    fields.flatMap((each) => (each.ok ? [each.ending] : []));
  const fields = nodes.map((node) => fieldOf(index, node, field));
  const endings = endingsOf(fields);
  const target = { goal: 'field-of-type', stops: new Set<number>() } as const;
  if (endings.length > 0) return { ...target, endings, macro: null };
  const macro = macroName(field);
  if (macro !== null) {
    const ofMacro = endingsOf(nodes.map((node) => fieldOf(index, node, macro.access)));
    if (ofMacro.length > 0) return { ...target, endings: ofMacro, macro: macro.access };
  }
  const first = fields[0];
  return first === undefined || first.ok
    ? problemAt('to', 'no-field', field)
    : problemAt('to', first.reason, first.word, first.near);
}
