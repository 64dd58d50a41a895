/**
 * Installs the functions of the bench as `globalThis.benchProbe`, before the page's scripts run.
 * The browser gets this function as text, so it must not use variables from outside. Times are from
 * `performance.now()` in the page.
 *
 * A change counts as painted at the first task after its frame. To find this task, a callback of
 * requestAnimationFrame, which runs before the frame is drawn, posts an urgent task, which runs
 * after the page's part of the drawing.
 */
export function installProbe() {
  const afterPaint = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const options = { priority: 'user-blocking' };
        scheduler.postTask(() => resolve(performance.now()), options);
      });
    });

  /**
   * Calls `isReady` at each change of the page until it returns true. Returns the times of this
   * change and of its paint. With `quietMs`, waits until nothing has changed for `quietMs`, and
   * returns the times of the last change and of the first paint. Rejects if `isReady` throws.
   */
  const whenShown = (isReady, quietMs = 0) =>
    new Promise((resolve, reject) => {
      let shown = null;
      let first = null;
      let timer = 0;
      const finish = async () => {
        observer.disconnect();
        const [firstPaintedAt, paintedAt] = await Promise.all([first, shown.painted]);
        resolve({ at: shown.at, firstPaintedAt, paintedAt });
      };
      const look = () => {
        try {
          if (!isReady()) return;
        } catch (error) {
          observer.disconnect();
          reject(error);
          return;
        }
        shown = { at: performance.now(), painted: afterPaint() };
        first ??= shown.painted;
        clearTimeout(timer);
        if (quietMs === 0) void finish();
        else timer = setTimeout(() => void finish(), quietMs);
      };
      const observer = new MutationObserver(look);
      observer.observe(document, {
        attributes: true,
        characterData: true,
        childList: true,
        subtree: true,
      });
      look();
    });

  /**
   * Returns the status text once the file is open; null before. Throws if the page rejected the
   * file.
   */
  const openedSentence = (name) => {
    const text = document.querySelector('[role=status]')?.textContent?.trim() ?? '';
    if (text.startsWith(`Could not open ${name}: `)) throw new Error(text);
    return text.startsWith(`Opened ${name}: `) ? text : null;
  };

  const listOfTypes = () => document.querySelector('[role=listbox][aria-label="Types"]');

  /** Returns the element of the view that the first pane shows: hidden views stay in the page. */
  const shownView = () =>
    document.querySelector('[role=tabpanel] [data-hidden=false]') ??
    document.querySelector('[role=tabpanel]');

  /** Returns the number of rows of the type list, visible or not; null without a list. */
  const typeRowCount = () => {
    const row = listOfTypes()?.querySelector('[role=option]');
    return row == null ? null : Number(row.getAttribute('aria-setsize'));
  };

  /** Returns true if the list shows all types of the file `name`. */
  const listsAllOf = (name) => {
    const count = /: ([\d,]+) types/.exec(openedSentence(name) ?? '')?.[1]?.replaceAll(',', '');
    if (count === '0') throw new Error(`${name} has no types to list`);
    return count !== undefined && typeRowCount() === Number(count);
  };

  /** Drops the file that the bench has put into the page. Returns the time before the drop. */
  const drop = () => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(heldFile());
    const start = performance.now();
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
      );
    }
    return start;
  };

  /** Adds a hidden file input, because its files are files on disk, as dropped files are. */
  const plantInput = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.id = 'bench-input';
    input.hidden = true;
    document.body.append(input);
  };

  const heldFile = () => document.getElementById('bench-input').files[0];

  /** Reads the file into an ArrayBuffer `times` times. Returns the milliseconds of each read. */
  const readTimes = async (times) => {
    const file = heldFile();
    const taken = [];
    for (let i = 0; i < times; i++) {
      const start = performance.now();
      await file.arrayBuffer();
      taken.push(performance.now() - start);
    }
    return taken;
  };

  let armed = Promise.reject(new Error('the probe was not armed'));
  armed.catch(() => {});

  /** Adds a span to the trace, for which `mainThreadTimes` sums up the tasks. */
  const span = (key, start, end) => {
    performance.measure(`bench ${key}`, { start, end });
  };

  /**
   * Measures from the next event of this type to the first paint with `isReady`, and to the last
   * paint before `quietMs` without a change. `armedTime` returns both times. The span `key` ends at
   * the first paint, the span `key at rest` at the last.
   */
  const arm = (eventType, isReady, quietMs = 0, key = eventType) => {
    armed = new Promise((resolve) => {
      addEventListener(eventType, resolve, { capture: true, once: true });
    }).then(async (event) => {
      const { firstPaintedAt, paintedAt } = await whenShown(isReady, quietMs);
      span(key, event.timeStamp, firstPaintedAt);
      if (quietMs > 0) span(`${key} at rest`, event.timeStamp, paintedAt);
      return { first: firstPaintedAt - event.timeStamp, last: paintedAt - event.timeStamp };
    });
    armed.catch(() => {});
  };

  const armedTime = () => armed;

  /**
   * Records each frame: when the screen should have shown it, and when the page handled it. The
   * returned function stops the recording and returns the times.
   */
  const watchFrames = () => {
    const frames = [];
    let handle = requestAnimationFrame(function note(due) {
      frames.push({ due, begun: performance.now() });
      handle = requestAnimationFrame(note);
    });
    return () => {
      cancelAnimationFrame(handle);
      return frames;
    };
  };

  /**
   * Measures the longest time without a free thread: posts messages to itself and records the
   * longest wait between two. Also records the longest "longtask" entry of the browser (50 ms or
   * more). The returned function stops the recording and returns both.
   */
  const watchTasks = () => {
    const { port1, port2 } = new MessageChannel();
    let last = performance.now();
    let longestGap = 0;
    let longestTask = 0;
    const note = (entries) => {
      for (const { duration } of entries) longestTask = Math.max(longestTask, duration);
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'longtask' });
    port1.onmessage = () => {
      const now = performance.now();
      longestGap = Math.max(longestGap, now - last);
      last = now;
      port2.postMessage(null);
    };
    port2.postMessage(null);
    return () => {
      port1.close();
      note(observer.takeRecords());
      observer.disconnect();
      return { longestGap, longestTask };
    };
  };

  /**
   * Records "longtask" entries of the browser, which costs no time. The returned function stops the
   * recording and returns the longest duration; 0 without entries.
   */
  const watchLongTasks = () => {
    let longest = 0;
    const note = (entries) => {
      for (const { duration } of entries) longest = Math.max(longest, duration);
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'longtask' });
    return () => {
      note(observer.takeRecords());
      observer.disconnect();
      return longest;
    };
  };

  const firstContentfulPaint = () =>
    new Promise((resolve) => {
      new PerformanceObserver((list, observer) => {
        const [entry] = list.getEntriesByName('first-contentful-paint');
        if (entry === undefined) return;
        observer.disconnect();
        resolve(entry.startTime);
      }).observe({ type: 'paint', buffered: true });
    });

  globalThis.benchProbe = {
    arm,
    armedTime,
    drop,
    firstContentfulPaint,
    listOfTypes,
    listsAllOf,
    openedSentence,
    plantInput,
    readTimes,
    shownView,
    ready: whenShown(() => document.querySelector('input[type=file]') !== null),
    span,
    typeRowCount,
    watchFrames,
    watchLongTasks,
    watchTasks,
    whenShown,
  };
}
