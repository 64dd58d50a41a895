/** Meanings of name, type and linkage fields in BTF. Raw text. */
import { type FieldSpec, u32 } from '#analysis/fields/struct-fields.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { type BtfStruct, LINKAGE_NAMES } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { stringAt, type TypeTable } from '#model/type-table.ts';

/** Maximum length of a shown name. */
const MAX_SHOWN = 120;

/**
 * Returns the field of a string offset, at `offset` bytes of a struct; `types` is null if the
 * model's strings are not those of the field.
 */
export function nameField(types: TypeTable | null, offset: number, name = 'name_off'): FieldSpec {
  const meaning = (value: bigint) =>
    types === null ? 'offset of a string of .BTF' : aboutName(types, value);
  return u32(name, offset, { meaning });
}

/** Returns the field of a type id, with the parameters of `nameField`. */
export function typeField(types: TypeTable | null, offset: number, name = 'type'): FieldSpec {
  return u32(name, offset, {
    meaning: (value) => (types === null ? 'id of a type of .BTF' : aboutType(types, value)),
    selection: (value) =>
      types === null || value === 0n ? null : typeSelection(typeId(Number(value))),
  });
}

/** Returns the fields of a struct of the C header; `more` overrides properties of fields by name. */
export function structSpecs(
  types: TypeTable,
  struct: BtfStruct,
  more: Readonly<Record<string, Partial<FieldSpec>>> = {},
): readonly FieldSpec[] {
  return struct.fields.map(({ name, offset, holds }) => {
    if (holds === 'name') return nameField(types, offset, name);
    if (holds === 'type') return typeField(types, offset, name);
    const signed = { cType: '__s32', notation: 'signed' } as const;
    return u32(name, offset, { ...(holds === 's32' && signed), ...more[name] });
  });
}

/** Returns the quoted string at an offset of the joined strings. */
function aboutName(types: TypeTable, value: bigint): string {
  if (value === 0n) return 'no name';
  const text = stringAt(types, Number(value), 4 * (MAX_SHOWN + 1));
  return `"${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}"`;
}

/** Returns the C spelling of the type with this id. */
function aboutType(types: TypeTable, value: bigint): string {
  return value === 0n ? 'void' : typeExpression(types, typeId(Number(value)));
}

const VAR_LINKAGES = ['BTF_VAR_STATIC', 'BTF_VAR_GLOBAL_ALLOCATED', 'BTF_VAR_GLOBAL_EXTERN'];

/** Returns the linkage of a VAR with the name of its constant. Source: "BTF Type Format", section 2.3.2. */
export function aboutVarLinkage(value: number): string {
  const name = VAR_LINKAGES[value];
  return name === undefined ? aboutLinkage(value) : `${aboutLinkage(value)}, ${name}`;
}

/** Returns the linkage of a FUNC or VAR. Source: "BTF Type Format", section 2.3. */
export function aboutLinkage(value: number): string {
  return LINKAGE_NAMES[value] ?? 'unknown linkage';
}
