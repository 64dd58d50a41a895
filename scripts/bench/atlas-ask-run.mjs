// Sends questions to an atlas, which is opened anew for each question. Started by atlas.mjs.
// Arguments: a path or http address, and the questions as JSON. Prints JSON: for each question the
// milliseconds and the number of reads.
import { answerOf } from '#analysis/atlas/questions.ts';
import { nodeIo } from '#cli/node-io.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';

const [place, questions] = process.argv.slice(2);
const results = [];
for (const list of JSON.parse(questions)) {
  let reads = 0;
  const start = performance.now();
  const source = place.startsWith('http') ? await overHttp() : await nodeIo.open(place);
  const counted = {
    ...source,
    read: (from, to) => {
      reads++;
      return source.read(from, to);
    },
  };
  const atlas = await AtlasFile.open(counted);
  for (const question of list) await answerOf(atlas, question);
  results.push({ ms: performance.now() - start, reads });
}
process.stdout.write(JSON.stringify(results));

/** Takes the size from the response to the first range, as the page does. */
async function overHttp() {
  const range = async (from, to) => {
    const response = await fetch(place, { headers: { range: `bytes=${from}-${to - 1}` } });
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
  };
  const HEAD = 40;
  const { response, bytes } = await range(0, HEAD);
  const size = Number(response.headers.get('content-range').split('/')[1]);
  const read = async (from, to) =>
    to <= HEAD ? bytes.subarray(from, to) : (await range(from, Math.min(to, size))).bytes;
  return { name: 'atlas', size, read };
}
