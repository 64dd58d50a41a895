/** Row numbers of the model's tables. Each table has a separate number type. */

declare const brand: unique symbol;
type Id<Name extends string> = number & { readonly [brand]: Name };

/** Id of a BTF type as in the file. 0 is void; ids of a split BTF begin at `firstId`. */
export type TypeId = Id<'TypeId'>;
/** Index of a section header; 0 is the null section. */
export type SectionIndex = Id<'SectionIndex'>;
export type SymbolIndex = Id<'SymbolIndex'>;
/** Row in the table of all relocations of a file. */
export type RelocIndex = Id<'RelocIndex'>;
/** Row in the table of all CO-RE records of a file. */
export type CoreIndex = Id<'CoreIndex'>;

export const typeId = (n: number): TypeId => n as TypeId;
export const sectionIndex = (n: number): SectionIndex => n as SectionIndex;
export const symbolIndex = (n: number): SymbolIndex => n as SymbolIndex;
export const relocIndex = (n: number): RelocIndex => n as RelocIndex;
export const coreIndex = (n: number): CoreIndex => n as CoreIndex;

export const VOID: TypeId = typeId(0);
