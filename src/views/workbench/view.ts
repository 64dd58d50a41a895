import { isDeclarationsKey } from '#analysis/workbench/declarations.ts';
import { registerView } from '#store/session/views.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly workbench: true;
  }
}

registerView({
  name: 'workbench',
  title: 'Workbench',
  files: ['typed'],
  opens: {
    isKey: isDeclarationsKey,
    open: async (key, options) => {
      const { openDeclarationsKey } = await import('./edit-workbench.ts');
      return await openDeclarationsKey(key, options);
    },
  },
  load: async () => (await import('./WorkbenchView.tsx')).WorkbenchView,
});

/** Loads the code of the workbench, then opens the workbench. */
export async function enterWorkbench(): Promise<void> {
  const { openWorkbench } = await import('./edit-workbench.ts');
  await openWorkbench();
}
