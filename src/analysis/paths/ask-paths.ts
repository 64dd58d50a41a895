/**
 * Answers "How do I get from `task_struct` to `net_device`, or to field `sk_family`?" by paths, or by
 * the problem of the question's words. Total.
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

/** A path as ids and indices. */
export type TypePath = {
  /** A struct, a union, or the typedef that names one. */
  readonly start: TypeId;
  /** With anonymous members. */
  readonly members: readonly MemberStep[];
  /** After the members: from a pointer to a part to the container. */
  readonly container: ContainerStep | null;
  /** After the container: members up to the wanted field. */
  readonly field: readonly MemberStep[];
};

export type PathsProblem = {
  readonly end: 'from' | 'to';
  readonly reason:
    | 'blank'
    | 'unknown'
    /** The type has no members. */
    | 'no-members'
    | Extract<FieldOfType, { readonly ok: false }>['reason'];
  /** Raw text. */
  readonly word: string;
  readonly near: readonly string[];
};

export type PathsAnswer =
  | { readonly ok: false; readonly problem: PathsProblem }
  | {
      readonly ok: true;
      /** The best first. */
      readonly paths: readonly TypePath[];
      /** False if the search reached a limit. */
      readonly complete: boolean;
      /** A type, a field of any type, any member of a scalar type, or a field of one type. */
      readonly goal: 'type' | 'field' | 'member-type' | 'field-of-type';
      /** The member of a macro, such as `skc_family`; null without a macro. */
      readonly macro: string | null;
    };

/** Answers a question on the types of `index`. */
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

/** Returns the members of a name, or of a macro's member, in any type. */
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
