/** State of the view Types: how a type is shown. */
import { choiceField, textsState, ViewState } from '#store/session/view-state.ts';

export const DECLARATION_FORMS = [
  'source',
  'c',
  'header',
  'pahole',
  'raw',
  'zig',
  'rust',
  'go',
] as const;
/** Form of a declaration; `source` is the language of a unit of DWARF, and C for a type of BTF. */
export type DeclarationForm = (typeof DECLARATION_FORMS)[number];

/** How the declaration of a type is shown, such as C or pahole; `form=` in the page's address. */
export const declarationState = new ViewState(
  'declaration',
  { form: 'source' as DeclarationForm },
  { address: { form: choiceField('form', DECLARATION_FORMS) }, inherits: true },
);

/** Mode of the details: value of `as=` in the address. `TypeDetail` lists the possible values. */
export const typesState = textsState('types', ['as']);

/** The list's filter, kinds and scope, kept while another view is shown. */
export const typeListState = new ViewState('typeQuery', {
  text: '',
  kinds: 0,
  scope: 'file' as 'file' | 'all',
});
