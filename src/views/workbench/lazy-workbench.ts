/** Loads the code of the workbench and opens it. */
export async function enterWorkbench(): Promise<void> {
  const { openWorkbench } = await import('./edit-workbench.ts');
  await openWorkbench();
}
