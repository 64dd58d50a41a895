// A page of its own: the watch over its tasks keeps the main thread busy, and would
// make all other times longer.
import { ask, closerLookDone, onStage } from './stage.mjs';

/** Work that a view puts off until it is idle comes within this time. */
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
    // A gap may hold several tasks. One that the browser itself calls long is known exactly.
    measured.add('longestTask', longestTask > 0 ? longestTask : longestGap, readMs);
  });
}
