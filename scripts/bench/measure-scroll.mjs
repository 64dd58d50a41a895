// Frames while the wheel turns over a part of the app, and over a page with nothing to do.
import { median } from './figures.mjs';
import { ask, slowDown } from './stage.mjs';

const SECONDS = 3;
/** 250 rows a second: the names fly past, as when somebody looks for the end. */
const PIXELS_PER_SECOND = 6000;
const EMPTY_PAGE =
  '<!doctype html><div id="scroller" style="height:100vh;overflow:auto">' +
  '<div style="height:3000000px"></div></div>';

/** Scrolls the list of types, then the empty page; adds what became of the frames. */
export async function measureScroll(setup, { page, devtools, add }) {
  const list = '[role=listbox][aria-label="Types"]';
  const found = await scrollBesideEmpty(setup.throttle, page, devtools, list);
  add('droppedFrames', found.dropped);
  add('droppedFramesEmpty', found.droppedEmpty);
  add('worstFrame', found.worst);
  add('worstFrameEmpty', found.worstEmpty);
}

/**
 * Frames dropped, and the longest in ms, while `selector` in `page` is scrolled down, or to the right with
 * `axis` x, and beside it an empty page down.
 */
export async function scrollBesideEmpty(throttle, page, devtools, selector, axis = 'y') {
  const app = await framesOf(page, devtools, selector, axis);
  const emptyPage = await page.context().newPage();
  const emptyDevtools = await page.context().newCDPSession(emptyPage);
  await slowDown(emptyDevtools, throttle);
  await emptyPage.goto(`data:text/html,${encodeURIComponent(EMPTY_PAGE)}`);
  const empty = await framesOf(emptyPage, emptyDevtools, '#scroller', 'y');
  await emptyPage.close();

  // What a frame takes on this screen: the app's own frames could all be late.
  const interval = median(empty.due);
  return {
    frames: empty.due.length,
    dropped: droppedOf(app, interval),
    droppedEmpty: droppedOf(empty, interval),
    worst: Math.max(...app.begun),
    worstEmpty: Math.max(...empty.begun),
  };
}

/** Milliseconds from each frame to the next while `selector` is scrolled. Throws when it did not move. */
async function framesOf(page, devtools, selector, axis) {
  const scroller = page.locator(selector);
  const box = await scroller.boundingBox();
  if (box === null) throw new Error(`${selector} is not in sight`);
  await page.evaluate(() => {
    globalThis.benchStop = globalThis.benchProbe.watchFrames();
  });
  // The browser makes the wheel events itself, so that this program's own pauses do not count.
  await devtools.send('Input.synthesizeScrollGesture', {
    x: Math.round(box.x + box.width / 2),
    y: Math.round(box.y + box.height / 2),
    [`${axis}Distance`]: -SECONDS * PIXELS_PER_SECOND,
    speed: PIXELS_PER_SECOND,
    gestureSourceType: 'mouse',
    preventFling: true,
  });
  const frames = await ask(page, () => globalThis.benchStop());
  const moved = await scroller.evaluate((element) => element.scrollTop + element.scrollLeft);
  if (moved === 0) throw new Error(`the wheel did not move ${selector}`);
  return {
    due: steps(frames.map((frame) => frame.due)),
    begun: steps(frames.map((frame) => frame.begun)),
  };
}

function steps(times) {
  return times.slice(1).map((time, i) => time - times[i]);
}

/** Beats of the screen without a frame. By when frames were due: a late one is not lost. */
function droppedOf({ due }, interval) {
  return due.reduce((sum, step) => sum + Math.max(0, Math.round(step / interval) - 1), 0);
}
