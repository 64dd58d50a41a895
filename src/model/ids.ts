/** Row numbers of the model's tables, as distinct types. */

declare const brand: unique symbol;
type Id<Name extends string> = number & { readonly [brand]: Name };

/** A BTF type id as in the file: 0 is void; the types of a split BTF begin at `firstId`. */
export type TypeId = Id<'TypeId'>;
/** Index into the section headers; 0 is the null section. */
export type SectionIndex = Id<'SectionIndex'>;
export type SymbolIndex = Id<'SymbolIndex'>;
/** Row in the relocation table of the whole file. */
export type RelocIndex = Id<'RelocIndex'>;
/** Row in the table of CO-RE records of the whole file. */
export type CoreIndex = Id<'CoreIndex'>;

export const typeId = (n: number): TypeId => n as TypeId;
export const sectionIndex = (n: number): SectionIndex => n as SectionIndex;
export const symbolIndex = (n: number): SymbolIndex => n as SymbolIndex;
export const relocIndex = (n: number): RelocIndex => n as RelocIndex;
export const coreIndex = (n: number): CoreIndex => n as CoreIndex;

export const VOID: TypeId = typeId(0);
