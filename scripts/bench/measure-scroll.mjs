// Measures frames while the mouse wheel scrolls a part of the app, compared with an empty page.
import { median } from './figures.mjs';
import { ask, slowDown } from './stage.mjs';

const SECONDS = 3;
/** Speed of 250 rows per second, as when a user scrolls to the end. */
const PIXELS_PER_SECOND = 6000;
const EMPTY_PAGE =
  '<!doctype html><div id="scroller" style="height:100vh;overflow:auto">' +
  '<div style="height:3000000px"></div></div>';

/** Scrolls the list of types, then an empty page; adds the figures about frames of both. */
export async function measureScroll(setup, { page, devtools, add }) {
  const list = '[role=listbox][aria-label="Types"]';
  const found = await scrollBesideEmpty(setup.throttle, page, devtools, list);
  add('droppedFrames', found.dropped);
  add('droppedFramesEmpty', found.droppedEmpty);
  add('worstFrame', found.worst);
  add('worstFrameEmpty', found.worstEmpty);
}

/**
 * Scrolls `selector` in `page` (down, or right if `axis` is x), then an empty page. Returns the
 * dropped frames and the longest frame in ms of both.
 */
export async function scrollBesideEmpty(throttle, page, devtools, selector, axis = 'y') {
  const app = await framesOf(page, devtools, selector, axis);
  const emptyPage = await page.context().newPage();
  const emptyDevtools = await page.context().newCDPSession(emptyPage);
  await slowDown(emptyDevtools, throttle);
  await emptyPage.goto(`data:text/html,${encodeURIComponent(EMPTY_PAGE)}`);
  const empty = await framesOf(emptyPage, emptyDevtools, '#scroller', 'y');
  await emptyPage.close();

  // The interval of this screen, taken from the empty page: all frames of the app could be late.
  const interval = median(empty.due);
  return {
    frames: empty.due.length,
    dropped: droppedOf(app, interval),
    droppedEmpty: droppedOf(empty, interval),
    worst: Math.max(...app.begun),
    worstEmpty: Math.max(...empty.begun),
  };
}

/** Scrolls `selector` and returns the milliseconds between frames. Throws if it did not move. */
async function framesOf(page, devtools, selector, axis) {
  const scroller = page.locator(selector);
  const box = await scroller.boundingBox();
  if (box === null) throw new Error(`${selector} is not in sight`);
  await page.evaluate(() => {
    globalThis.benchStop = globalThis.benchProbe.watchFrames();
  });
  // The browser makes the wheel events, so that delays of this program do not count.
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

/** Returns how many intervals of the screen had no frame. A late frame is not a dropped frame. */
function droppedOf({ due }, interval) {
  return due.reduce((sum, step) => sum + Math.max(0, Math.round(step / interval) - 1), 0);
}
