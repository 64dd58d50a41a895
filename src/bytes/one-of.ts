/** One of several records that the field `Tag` tells apart; `Kinds` has what each holds beside it. */
export type OneOf<Tag extends string, Kinds> = {
  [Kind in keyof Kinds]: { readonly [Field in Tag]: Kind } & Readonly<Kinds[Kind]>;
}[keyof Kinds];
