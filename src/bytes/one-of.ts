/** One of several records that the field `Tag` tells apart; `Kinds` has what each holds beside it. */
export type OneOf<Tag extends string, Kinds> = {
  [Kind in keyof Kinds]: { readonly [Field in Tag]: Kind } & Readonly<Kinds[Kind]>;
}[keyof Kinds];

/** A function for each record type, which the field `Tag` names. */
export type Cases<
  Tag extends string,
  One extends { readonly [Field in Tag]: string },
  Rest extends readonly unknown[] = [],
  Result = string,
> = {
  readonly [Kind in One[Tag]]: (
    one: Extract<One, { readonly [Field in Tag]: Kind }>,
    ...rest: Rest
  ) => Result;
};

/** Does with `one` what `cases` has for its `tag`. */
export function caseOf<
  Tag extends string,
  One extends { readonly [Field in Tag]: string },
  Rest extends readonly unknown[],
  Result,
>(cases: Cases<Tag, One, Rest, Result>, tag: Tag, one: One, ...rest: Rest): Result {
  const run = cases[one[tag]] as (one: One, ...rest: Rest) => Result;
  return run(one, ...rest);
}
