/** State of the view Types. */
import { choiceField, textsState, ViewState } from '#store/session/view-state.ts';

export const DECLARATION_FORMS = ['c', 'header', 'pahole', 'raw', 'zig', 'rust', 'go'] as const;
export type DeclarationForm = (typeof DECLARATION_FORMS)[number];

/** Form of the declaration of one type. */
export const declarationState = new ViewState(
  'declaration',
  { form: 'c' as DeclarationForm },
  { address: { form: choiceField('form', DECLARATION_FORMS) }, inherits: true },
);

/** Mode of the details: `TypeDetail` has the values of `as`. */
export const typesState = textsState('types', ['as']);

/** The list's filter, kinds and scope, kept while another view is shown. */
export const typeListState = new ViewState('typeQuery', {
  text: '',
  kinds: 0,
  scope: 'file' as 'file' | 'all',
});
