import { useActive } from '#store/hooks.ts';
import { useWorkbench } from '#store/workbench-state.ts';
import { WorkbenchPanes } from './WorkbenchPanes.tsx';

/** C declarations on one side, and what they become on the other while they are typed. */
export function WorkbenchView() {
  const active = useActive();
  const workbench = useWorkbench(active?.id ?? -1);
  if (active === null || workbench === null) return null;
  return <WorkbenchPanes active={active} workbench={workbench} />;
}
