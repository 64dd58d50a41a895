/** The views that a pane has shown last stay in the page: coming back to one draws nothing anew. */
import { Activity, type ReactNode, useState } from 'react';
import styles from './KeptViews.module.css';

/** Number of views that a pane keeps, including the shown view. */
const KEPT_VIEWS = 8;

type KeptViewsProps<View extends string> = {
  /** View that the pane shows. */
  readonly shown: View;
  readonly renderView: (view: View) => ReactNode;
};

/** Draws a view, and keeps the views shown before: hidden, without effects and subscriptions. */
export function KeptViews<View extends string>({ shown, renderView }: KeptViewsProps<View>) {
  const [latest, setLatest] = useState<readonly View[]>([shown]);
  if (latest[0] !== shown) {
    setLatest([shown, ...latest.filter((view) => view !== shown)].slice(0, KEPT_VIEWS));
  }
  return (
    <div className={styles.views}>
      {/* Sorted: an element that moves in the page loses its scroll position. */}
      {latest.toSorted().map((view) => (
        <KeptView key={view} isShown={view === shown}>
          {renderView(view)}
        </KeptView>
      ))}
    </div>
  );
}

type KeptViewProps = { readonly isShown: boolean; readonly children: ReactNode };

function KeptView({ isShown, children }: KeptViewProps) {
  return (
    <div className={styles.view} data-hidden={!isShown}>
      <Activity mode={isShown ? 'visible' : 'hidden'}>
        <div ref={keepLayout} className="column tall">
          {children}
        </div>
      </Activity>
    </div>
  );
}

/**
 * Keeps the layout of a hidden view. React hides an element by `style.setProperty` with `display:
 * none`, after which the browser computes all styles and boxes again. The style sheet hides the view
 * by `content-visibility` instead, which keeps them.
 */
function keepLayout(box: HTMLElement | null): void {
  if (box !== null && CSS.supports('content-visibility', 'hidden')) {
    box.style.setProperty = () => undefined;
  }
}
