import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { closeFile } from '#store/files.ts';
import { showView } from '#store/navigation.ts';
import { type OpenFile, VIEW_TITLES, type ViewName, viewFor, viewsOf } from '#store/session.ts';
import { whenIdle } from '#store/when-idle.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { type Tab, Tabs } from '#ui/Tabs.tsx';
import { ViewWidth } from '#ui/ViewWidth.tsx';
import { damageText, issueCounts, seriousCount } from '#views/issues/issue-list.ts';
import { BaseBar } from './BaseBar.tsx';
import styles from './FileViews.module.css';
import { preloadViews, viewComponent } from './views.ts';

type FileViewsProps = { readonly file: OpenFile; readonly model: ObjectModel };

/** The tabs of one file. Each view is fetched when it is first shown, and fails on its own. */
export function FileViews({ file, model }: FileViewsProps) {
  useEffect(() => whenIdle(preloadViews), []);

  return (
    <>
      <h1 className="visually-hidden">{drawnName(file.name)}</h1>
      <Tabs
        label="Views"
        tabs={tabsOf(file, model)}
        value={viewFor(model, file.view)}
        onChange={showView}
        renderPanel={(view) => (
          <div className="column shrink-y tall">
            <FaultBar file={file} />
            {view === 'issues' ? null : <DamageBar model={model} />}
            <BaseBar file={file} model={model} />
            <ViewPanel view={view} />
          </div>
        )}
      />
    </>
  );
}

/** One view, with what stands for it until it is here and where it fails. */
export function ViewPanel({ view }: { readonly view: ViewName }): ReactNode {
  // Kept from the first drawing on: another component would start anew.
  const [View] = useState(() => viewComponent(view));
  return (
    <ViewWidth className={styles.panel}>
      <ErrorBoundary FallbackComponent={ViewFailed}>
        <Suspense fallback={<p className={styles.waiting}>Loading {VIEW_TITLES[view]}…</p>}>
          <View />
        </Suspense>
      </ErrorBoundary>
    </ViewWidth>
  );
}

function ViewFailed({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <div className={styles.failed}>
      <Callout
        severity="error"
        title="btfscope has a bug: this view could not be drawn"
        actions={<Button onClick={resetErrorBoundary}>Try again</Button>}
        isAlert
      >
        {error instanceof Error ? error.message : String(error)}. The other views still work. Please
        report it.
      </Callout>
    </div>
  );
}

function tabsOf(file: OpenFile, model: ObjectModel): readonly Tab<ViewName>[] {
  const counts: Partial<Record<ViewName, number>> = {
    types: model.types?.count ?? 0,
    relocations: model.relocations.count,
    core: model.ext.core.count,
    issues: seriousCount(model.issues, file.findings),
  };
  const hasErrors = issueCounts(model.issues, file.findings).error > 0;
  return viewsOf(model).map((id) => {
    const count = counts[id] ?? 0;
    const tone = id === 'issues' && hasErrors ? { tone: 'danger' as const } : {};
    return { id, label: VIEW_TITLES[id], ...(count > 0 ? { count, ...tone } : {}) };
  });
}

/** That parts of the file are not shown, and where that is told. Nothing for a file that is whole. */
function DamageBar({ model }: { readonly model: ObjectModel }) {
  const text = useMemo(() => damageText(model), [model]);
  if (text === null) return null;
  return (
    <div className={styles.bar}>
      <Callout
        severity="error"
        title={text}
        actions={
          <Button size="small" onClick={() => showView('issues')}>
            Show issues
          </Button>
        }
      >
        What can be read is shown; numbers and lists of the other parts are incomplete.
      </Callout>
    </div>
  );
}

/** Why no more of the file can be read, and what to do. Nothing while it can. */
function FaultBar({ file }: { readonly file: OpenFile }) {
  const { fault } = file;
  if (fault === undefined) return null;
  return (
    <div className={styles.bar}>
      <Callout
        severity="error"
        title={drawnName(fault.message)}
        actions={
          <Button size="small" onClick={() => closeFile(file.id)}>
            Close it
          </Button>
        }
      >
        What is already shown stays; the rest cannot be read. {drawnName(fault.advice ?? '')}
      </Callout>
    </div>
  );
}
