// Takes the screenshots of docs/: every view in light and dark, some also at a phone's width. Run
// it after a build: `npm run build && npm run screenshots`; `npm run screenshots NAME…` takes some.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { preview } from 'vite';
import { ensureChromium } from './find-chromium.mjs';

const FILE = 'file=sample:exec_trace.bpf.o';
// Address parameter that contains the first example of the workbench.
const DECLARED =
  'file=c1:1MvDS80rzVVILUvNK4nPzsxLUajm4nQNc_ULiXeNcHXWQXA8Q3S4aq25uIpLikqTSyA6QIpT0fSDCGsuzlIzE4WSYhDD2EihIDMFyipJBzOTMxKLFJLzc3OjDc1iQVIWCskFpdYgCwA';
const IN_EXEC = 'tp_btf%2Fsched_process_exec';

const QUERY = `SELECT file, name, size, holes, (hole_bits + padding_bits) / 8 AS lost_bytes
FROM types
WHERE kind = 'struct' AND name <> '' AND size > 0
ORDER BY size DESC
LIMIT 20`;

const RELEASES = ['5.10', '5.15', '6.1', '6.6', '6.12', '6.18']
  .map((version) => `sample:toy-${version}.btf~toy-${version}.btf`)
  .join(',');

/** Address of each screenshot, without `#`, by screenshot name. */
const PICTURES = {
  start: '/',
  overview: `/overview?${FILE}`,
  types: `/types?${FILE}&type=struct:task_struct&member=real_parent`,
  beside: `/types?${FILE}&type=struct:task_struct&member=real_parent&beside=bytes`,
  layout: '/types?file=sample:layout.bpf.o&type=struct:careless&as=layout',
  graph: `/graph?${FILE}&type=struct:task_struct`,
  bytes: `/bytes?${FILE}&reloc=.rel${IN_EXEC}@0x190`,
  code: `/code?${FILE}&insn=${IN_EXEC}@0x20`,
  data: '/data?file=sample:data_relocs.bpf.o&bytes=.data.steps@0x30-0x38',
  paths: `/graph?${FILE}&type=struct:task_struct&path=task_struct%3Epid`,
  alpha: '/relocations?file=sample:alpha_expression.ecoff&reloc=.text@0x40~1',
  relocations: '/relocations?file=sample:doc_call.bpf.o&reloc=.rel.text@0x30',
  core: `/core?${FILE}&target=sample:kernel.btf&core=.text@0x98&step=2`,
  load: `/load?file=sample:task_state.bpf.o&kernels=${RELEASES}&program=count_switch&on=toy-5.10.btf`,
  text: `/text?${FILE}&type=struct:task_struct`,
  query: `/query?${FILE}&sql=${encodeURIComponent(QUERY)}`,
  replay: '/',
  check: '/check?file=sample:externs.bpf.o',
  issues: '/issues?file=sample:kinds_2026.btf',
  workbench: `/workbench?${DECLARED}&type=struct:event&member=ts`,
};
/** Files that are opened before a screenshot, and a text that is then shown, by screenshot name. */
const OPENED = {
  replay: {
    files: ['docs/examples/refused.log', 'testdata/verifier/null_lookup.o'],
    shows: /^The program agrees/,
  },
};
/** Button that is pressed before a screenshot, by screenshot name. */
const PRESSED = { check: /^libbpf applies/ };
const NARROW = ['start', 'types', 'beside', 'bytes', 'core', 'workbench'];

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'btfscope-pictures-'));
const atlas = join(scratch, 'kernels.btfatlas');
const command = [join(root, 'bin/btfscope.mjs'), 'atlas', 'build', atlas];
execFileSync(process.execPath, [...command, join(root, 'testdata/kernels')]);
const atlasKey = createHash('sha256').update(readFileSync(atlas)).digest('hex');
PICTURES.history = `/history?file=${atlasKey}&name=kernels.btfatlas&entry=struct:task_struct&item=state&kernel=small-2-amd64`;

const wanted = process.argv.slice(2);
const pictures = Object.entries(PICTURES).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
);

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
mkdirSync(docs, { recursive: true });

const server = await preview({ preview: { port: 4199, strictPort: true } });
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, address] of pictures) {
      await take(name, address, colorScheme, { width: 1440, height: 900 }, '');
      if (colorScheme === 'light' && NARROW.includes(name)) {
        await take(name, address, colorScheme, { width: 390, height: 844 }, '-narrow');
      }
    }
  }
} finally {
  rmSync(scratch, { recursive: true });
  await browser.close();
  await new Promise((resolve) => server.httpServer.close(resolve));
}

async function take(name, address, colorScheme, viewport, suffix) {
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
  await page.goto(`http://127.0.0.1:4199/#${address}`);
  if (name in OPENED) {
    const { files, shows } = OPENED[name];
    const paths = files.map((path) => join(root, path));
    await page.getByLabel('Open file', { exact: true }).setInputFiles(paths);
    await page.getByText(shows).waitFor();
    await page.getByRole('button', { name: 'R0', exact: true }).waitFor();
  } else if (address.includes(atlasKey)) {
    await page.getByLabel('Open file', { exact: true }).setInputFiles(atlas);
    await page.getByRole('rowheader', { name: 'state', exact: true }).waitFor();
  } else if (address.includes('file=')) {
    await page
      .getByRole('status')
      .filter({ hasText: address.startsWith('/load') ? /^Judged on/ : /^Opened|rows?\b/ })
      .waitFor();
    await page
      .getByRole('tabpanel')
      .getByText(/Loading|^computing…$/)
      .filter({ visible: true })
      .first()
      .waitFor({ state: 'detached' });
  } else {
    await page.getByText('on_rq').first().waitFor();
  }
  if (name in PRESSED) await page.getByRole('button', { name: PRESSED[name] }).click();
  await page.waitForLoadState('networkidle');
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  const file = `${name}-${colorScheme}${suffix}.png`;
  await page.screenshot({ path: `${docs}${file}` });
  await page.close();
  console.log(file);
}
