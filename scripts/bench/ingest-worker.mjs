// Reads one file once in a new thread. Started by measure-ingest.mjs.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

const { modulePath, name, path } = workerData;
const { ingestBytes } = await import(pathToFileURL(modulePath).href);
const bytes = readFileSync(path);
const start = performance.now();
const ingested = await ingestBytes(name, bytes);
const ms = performance.now() - start;
if (ingested.kind !== 'object') throw new Error(`${name} is an archive, which has no types`);
parentPort.postMessage({ ms, types: ingested.model.types?.count ?? 0 });
