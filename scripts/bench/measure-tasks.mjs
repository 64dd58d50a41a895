// Measures long tasks, in a page without other measurements, because observing tasks keeps the main
// thread busy.
import { ask, closerLookDone, onStage } from './stage.mjs';

/** Limit in ms for work that views do when the page is idle. */
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
    // Prefers the browser's exact duration: a gap between messages can contain several tasks.
    measured.add('longestTask', longestTask > 0 ? longestTask : longestGap, readMs);
  });
}
