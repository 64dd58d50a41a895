/** Goes to the workbench; as `openWorkbench`, which is fetched when it is entered. */
export async function enterWorkbench(): Promise<void> {
  const { openWorkbench } = await import('./edit-workbench.ts');
  await openWorkbench();
}
