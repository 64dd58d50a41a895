/**
 * Installs the bench's functions as `globalThis.benchProbe`, before the page's own scripts run. The
 * browser receives this function as text, so the function cannot use variables outside it. Times
 * are those of `performance.now()` in the page.
 *
 * "Painted" is the first task after the frame that shows a change: a callback of
 * requestAnimationFrame runs before that frame is drawn, and an urgent task that the callback posts
 * begins when the page has done its own part of the drawing.
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
   * Calls `isReady` after each change of the page until it returns true. Returns the time of that
   * change and of its paint. With `quietMs` it continues until nothing has changed for `quietMs`,
   * and returns the time of the last change and of the first paint. Rejects if `isReady` throws.
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
   * Returns the status text of the file once the file is open. Throws if the page rejected the
   * file.
   */
  const openedSentence = (name) => {
    const text = document.querySelector('[role=status]')?.textContent?.trim() ?? '';
    if (text.startsWith(`Could not open ${name}: `)) throw new Error(text);
    return text.startsWith(`Opened ${name}: `) ? text : null;
  };

  const listOfTypes = () => document.querySelector('[role=listbox][aria-label="Types"]');

  /** Returns the number of rows in the type list, including rows out of view; null without a list. */
  const typeRowCount = () => {
    const row = listOfTypes()?.querySelector('[role=option]');
    return row == null ? null : Number(row.getAttribute('aria-setsize'));
  };

  /** Returns true if the list shows all types of the file with this name. */
  const listsAllOf = (name) => {
    const count = /: ([\d,]+) types/.exec(openedSentence(name) ?? '')?.[1]?.replaceAll(',', '');
    if (count === '0') throw new Error(`${name} has no types to list`);
    return count !== undefined && typeRowCount() === Number(count);
  };

  /** Drops the bench's held file. Returns the time before the drop. */
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

  /** Adds a hidden input; a file from an input is a file on disk, like a dropped file. */
  const plantInput = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.id = 'bench-input';
    input.hidden = true;
    document.body.append(input);
  };

  const heldFile = () => document.getElementById('bench-input').files[0];

  /** Reads the held file into an ArrayBuffer `times` times. Returns the milliseconds of each read. */
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

  /**
   * Measures from the next event of this type until `isReady` is first painted, and until the last
   * paint before `quietMs` without a change; `armedTime` returns the result.
   */
  const arm = (eventType, isReady, quietMs) => {
    armed = new Promise((resolve) => {
      addEventListener(eventType, resolve, { capture: true, once: true });
    }).then(async (event) => {
      const { firstPaintedAt, paintedAt } = await whenShown(isReady, quietMs);
      return { first: firstPaintedAt - event.timeStamp, last: paintedAt - event.timeStamp };
    });
    armed.catch(() => {});
  };

  const armedTime = () => armed;

  /**
   * Records for each frame the time when the screen was due to show it, and the time when the page
   * handled it. Returns a function that stops the recording and returns the records.
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
   * Posts messages to itself without end, and records the longest wait between two, which is the
   * longest time that other tasks held the thread; also the longest of the browser's "longtask"
   * entries, which begin at 50 ms. Returns a function that stops the recording and returns both.
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
   * Records the browser's "longtask" entries, at no cost. Returns a function that stops the
   * recording and returns the longest duration, 0 if there was none.
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
    ready: whenShown(() => document.querySelector('input[type=file]') !== null),
    typeRowCount,
    watchFrames,
    watchLongTasks,
    watchTasks,
    whenShown,
  };
}
