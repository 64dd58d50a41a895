import { type ComponentProps, createContext, useContext, useId } from 'react';

/** The id of the text that tells the landmarks of a part of the page from others with the same names; null: there are none. */
const PartContext = createContext<string | null>(null);
export const LandmarkPart = PartContext.Provider;

type LandmarkProps = ComponentProps<'section'> & { readonly as?: 'section' | 'nav' | 'aside' };

/** A landmark with a name of its own, also where its view is shown twice (WAI-ARIA: names of landmarks are unique). */
export function Landmark({ as: Element = 'section', ...props }: LandmarkProps) {
  const part = useContext(PartContext);
  const ownId = useId();
  if (part === null) return <Element {...props} />;
  const title = props['aria-labelledby'] ?? ownId;
  return <Element {...props} id={ownId} aria-labelledby={`${title} ${part}`} />;
}
