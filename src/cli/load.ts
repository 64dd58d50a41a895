/** `btfscope load`: prints the verdicts on loading objects on kernels, derived from files alone. */
import { versionRange } from '#analysis/kernel/version.ts';
import { allReasons, judgeLoad, type LoadVerdict } from '#analysis/libbpf/load.ts';
import { OUTCOMES, type Outcome } from '#analysis/libbpf/outcome.ts';
import { type AgedKernel, compareKernels } from '#analysis/load/kernel-names.ts';
import { type Remedy, remedies } from '#analysis/load/remedies.ts';
import { visible } from '#bytes/text.ts';
import { loadJunit, loadSarif } from '#print/load-report.ts';
import {
  type LoadPair,
  loadFields,
  loadMarkdown,
  loadText,
  type RemediesOf,
} from '#print/load-text.ts';
import {
  type Call,
  type Command,
  CommandFailure,
  Failures,
  flag,
  jsonText,
  UsageError,
  valued,
} from './command.ts';
import {
  KERNEL_OPTIONS,
  kernelOpeners,
  type NamedObject,
  openKernel,
  openNamedObject,
} from './open-load.ts';
import { TriedKernels } from './tried-kernels.ts';

const FORMATS = ['text', 'json', 'markdown', 'sarif', 'junit'];
/** Values of `--fail-on`: the mildest outcome for which the command fails. */
const FAIL_ON = ['may-fail', 'rejected', 'fails', 'never'];

export const load: Command = {
  name: 'load',
  positionals: ['FILE…'],
  options: [
    ...KERNEL_OPTIONS,
    valued(
      'fail-on',
      FAIL_ON.join('|'),
      'exit with 1 on this outcome or a worse one (default rejected)',
    ),
    valued('format', FORMATS.join('|'), 'what to print (default text)'),
    flag('json', 'print JSON, one line per object and kernel'),
    flag('markdown', 'print a table of programs by kernels as Markdown'),
  ],
  run,
};

/** Returns the output format from `--format`, `--json` or `--markdown`. Throws `UsageError`. */
function formatOf(call: Call): string {
  const given = [...call.all('format'), ...['json', 'markdown'].filter((one) => call.has(one))];
  const [format = 'text'] = given;
  if (given.length > 1) {
    throw new UsageError('--format, --json and --markdown cannot be combined');
  }
  if (!FORMATS.includes(format)) {
    throw new UsageError(`--format takes one of ${FORMATS.join(', ')}`);
  }
  return format;
}

async function run(call: Call): Promise<void> {
  const failOn = call.option('fail-on') ?? 'rejected';
  if (!FAIL_ON.includes(failOn)) {
    throw new UsageError(`--fail-on takes one of ${FAIL_ON.join(', ')}`);
  }
  const format = formatOf(call);
  // Failures of single files, reported after the verdicts on all other files.
  const failures = new Failures();
  const kernels = await kernelOpeners(call, failures);
  if (kernels.length + failures.count === 0) {
    throw new UsageError('name a kernel with --kernel or --atlas');
  }
  const objects: NamedObject[] = [];
  for (const path of call.positionals) {
    await openNamedObject(call.io, path).then((object) => objects.push(object), failures.add);
  }
  const pairs: LoadPair[] = [];
  const outcomes: Outcome[] = [];
  const isForPeople = format === 'text' || format === 'markdown';
  const tried = new TriedKernels();
  const ages = new Map<string, AgedKernel>();
  for (const [i, open] of objects.length === 0 ? [] : kernels.entries()) {
    call.io.progress(`kernel ${i + 1} of ${kernels.length}`);
    const target = await open().catch(failures.add);
    if (target === undefined) continue;
    const kernel = await openKernel(call, target);
    const verdicts = objects.map(({ object }) => judgeLoad(object, kernel));
    // Remedies are tried on some kernels, which stay open. Otherwise, one kernel is open at a time.
    if (isForPeople) {
      const { name, release } = kernel;
      ages.set(name, { name, release, from: versionRange(kernel)?.from ?? null });
      tried.add(kernel, answersText(verdicts));
    }
    for (const [at, { path: name, object }] of objects.entries()) {
      const verdict = verdicts[at] as LoadVerdict;
      const pair = { object: name, kernel: kernel.name, maps: object.maps, verdict };
      outcomes.push(verdict.outcome);
      if (format === 'json') await call.writeLines([jsonText(loadFields(pair))]);
      // The results of CO-RE, which only JSON has, refer to the types of the kernel.
      else pairs.push({ ...pair, verdict: { ...verdict, core: [] } });
    }
  }
  // `FAIL_ON` lacks the first outcome, `loads`: its indices are lower by 1.
  const worst = FAIL_ON.indexOf(failOn) + 1;
  const isBad = (outcome: Outcome) => OUTCOMES.indexOf(outcome) >= worst;
  if (format === 'sarif') call.write(`${jsonText(loadSarif(pairs), 2)}\n`);
  else if (format === 'junit') await call.writeLines(loadJunit(pairs, isBad));
  else if (isForPeople) {
    const text = format === 'markdown' ? loadMarkdown : loadText;
    const byPath = new Map(objects.map(({ path, object }) => [path, object]));
    const known = new Map<string, readonly Remedy[]>();
    const remediesOf: RemediesOf = (path, reason) => {
      const object = byPath.get(path);
      const key = JSON.stringify([path, reason.about ?? null]);
      const found = known.get(key) ?? (object ? remedies(object, tried.kernels, reason) : []);
      known.set(key, found);
      return found;
    };
    const ageOf = ({ kernel }: LoadPair) => ages.get(kernel) ?? { name: kernel };
    const oldestFirst = pairs.toSorted((a, b) => compareKernels(ageOf(a), ageOf(b)));
    await call.writeLines([...text(oldestFirst, remediesOf)].map(visible));
  }
  const bad = outcomes.filter(isBad);
  if (bad.length > 0) {
    const pairs = `${bad.length} of ${outcomes.length} pairs of object and kernel`;
    failures.add(new CommandFailure(`${pairs}: ${failOn} or worse`));
  }
  failures.throwIfAny(call.io);
}

/** Returns a text that is equal for kernels on which objects have the same reasons. */
function answersText(verdicts: readonly LoadVerdict[]): string {
  const reasonsOf = (verdict: LoadVerdict) => [
    verdict.reasons,
    ...verdict.programs.map((program) => allReasons(verdict, program)),
  ];
  return JSON.stringify(
    verdicts.map((verdict) => reasonsOf(verdict).map((all) => all.map(({ text }) => text))),
  );
}
