// Measures long tasks in a separate page: observing tasks keeps the main thread busy, and would
// lengthen all other times.
import { ask, closerLookDone, onStage } from './stage.mjs';

/** Limit for work that a view postpones until the page is idle, in ms. */
const IDLE_MS = 1000;

export async function measureTasks(setup, measured) {
  await onStage(setup, async ({ page, readMs }) => {
    await page.evaluate(() => {
      globalThis.benchStop = globalThis.benchProbe.watchTasks();
      globalThis.benchProbe.drop();
    });
    const listed = ask(
      page,
      (name) => globalThis.benchProbe.whenShown(() => globalThis.benchProbe.listsAllOf(name)),
      setup.input.name,
    );
    await Promise.all([listed, closerLookDone(page, setup.input.sha256)]);
    const { longestGap, longestTask } = await ask(
      page,
      (ms) => new Promise((resolve) => setTimeout(() => resolve(globalThis.benchStop()), ms)),
      IDLE_MS,
    );
    // A gap may contain several tasks; the browser reports long tasks exactly.
    measured.add('longestTask', longestTask > 0 ? longestTask : longestGap, readMs);
  });
}
