import { createContext } from 'react';

/** True while the page is shown to an audience: each view has one pane. */
export const PresentingContext = createContext(false);
