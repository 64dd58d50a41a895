/** Columns of pahole's text, in characters. */

/** For the type of a member of an outermost struct or union. */
export const TYPE_SPACING = 26;
/** So much less in a composite that is written in place. */
export const NESTED_SPACING = 8;
/** For the names of members of a struct, and of a union. */
export const STRUCT_NAME_SPACING = 23;
export const UNION_NAME_SPACING = 21;
