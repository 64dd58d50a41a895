// Measures frames while the wheel scrolls a part of the app, compared with an empty page.
import { median } from './figures.mjs';
import { ask, slowDown } from './stage.mjs';

const SECONDS = 3;
/** 250 rows per second, as fast as a user who scrolls to the end. */
const PIXELS_PER_SECOND = 6000;
const EMPTY_PAGE =
  '<!doctype html><div id="scroller" style="height:100vh;overflow:auto">' +
  '<div style="height:3000000px"></div></div>';

/** Scrolls the list of types, then the empty page; adds the frame figures of both. */
export async function measureScroll(setup, { page, devtools, add }) {
  const list = '[role=listbox][aria-label="Types"]';
  const found = await scrollBesideEmpty(setup.throttle, page, devtools, list);
  add('droppedFrames', found.dropped);
  add('droppedFramesEmpty', found.droppedEmpty);
  add('worstFrame', found.worst);
  add('worstFrameEmpty', found.worstEmpty);
}

/**
 * Scrolls `selector` in `page` down, or to the right with `axis` x, and then an empty page down.
 * Returns the dropped frames and the longest frame in ms of both.
 */
export async function scrollBesideEmpty(throttle, page, devtools, selector, axis = 'y') {
  const app = await framesOf(page, devtools, selector, axis);
  const emptyPage = await page.context().newPage();
  const emptyDevtools = await page.context().newCDPSession(emptyPage);
  await slowDown(emptyDevtools, throttle);
  await emptyPage.goto(`data:text/html,${encodeURIComponent(EMPTY_PAGE)}`);
  const empty = await framesOf(emptyPage, emptyDevtools, '#scroller', 'y');
  await emptyPage.close();

  // Frame interval of this screen, from the empty page: the app's own frames could all be late.
  const interval = median(empty.due);
  return {
    frames: empty.due.length,
    dropped: droppedOf(app, interval),
    droppedEmpty: droppedOf(empty, interval),
    worst: Math.max(...app.begun),
    worstEmpty: Math.max(...empty.begun),
  };
}

/**
 * Returns the milliseconds between frames while `selector` is scrolled. Throws if `selector` did
 * not move.
 */
async function framesOf(page, devtools, selector, axis) {
  const scroller = page.locator(selector);
  const box = await scroller.boundingBox();
  if (box === null) throw new Error(`${selector} is not in sight`);
  await page.evaluate(() => {
    globalThis.benchStop = globalThis.benchProbe.watchFrames();
  });
  // The browser generates the wheel events, so that pauses of this program do not count.
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

/**
 * Returns the number of screen intervals without a frame, from the times when frames were due: a
 * late frame is not dropped.
 */
function droppedOf({ due }, interval) {
  return due.reduce((sum, step) => sum + Math.max(0, Math.round(step / interval) - 1), 0);
}
