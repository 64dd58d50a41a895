/** Union of the record types in `Kinds`. The field `Tag` contains the name of the record type. */
export type OneOf<Tag extends string, Kinds> = {
  [Kind in keyof Kinds]: { readonly [Field in Tag]: Kind } & Readonly<Kinds[Kind]>;
}[keyof Kinds];

/** One function per record type of a union. The field `Tag` contains the name of the type. */
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

/** Calls the function in `cases` for the type of `record`, which is in the field `tag`. */
export function caseOf<
  Tag extends string,
  One extends { readonly [Field in Tag]: string },
  Rest extends readonly unknown[],
  Result,
>(cases: Cases<Tag, One, Rest, Result>, tag: Tag, record: One, ...rest: Rest): Result {
  const run = cases[record[tag]] as (record: One, ...rest: Rest) => Result;
  return run(record, ...rest);
}
