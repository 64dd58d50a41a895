// Processor time of a page's main thread, from Chromium's tracing. A loaded machine changes it less
// than the time on the clock.

/** Categories of the trace: tasks of each thread, and the spans that the probe adds. */
export const TRACED = ['toplevel', 'blink.user_timing'];

/**
 * Returns the key of each span in a trace, with the milliseconds of processor time of the tasks that
 * began within it on the thread of the span.
 */
export function mainThreadTimes({ traceEvents }) {
  const tasks = new Map();
  for (const task of traceEvents) {
    if (task.name !== 'ThreadControllerImpl::RunTask' || !(task.tdur > 0)) continue;
    const thread = threadOf(task);
    if (!tasks.has(thread)) tasks.set(thread, []);
    tasks.get(thread).push(task);
  }
  const open = new Map();
  const times = [];
  for (const event of traceEvents) {
    const { cat, name, ph, ts, id2 } = event;
    if (cat !== 'blink.user_timing' || !name.startsWith('bench ')) continue;
    const span = `${event.pid} ${id2?.local ?? event.id} ${name}`;
    if (ph === 'b') open.set(span, ts);
    if (ph !== 'e') continue;
    const begun = open.get(span);
    const within = (tasks.get(threadOf(event)) ?? []).filter(
      (task) => task.ts + task.dur > begun && task.ts < ts,
    );
    times.push([
      name.slice('bench '.length),
      within.reduce((sum, { tdur }) => sum + tdur, 0) / 1000,
    ]);
  }
  return times;
}

function threadOf({ pid, tid }) {
  return `${pid} ${tid}`;
}
