/** The bytes of the examples: beside the page, or inside it where the page is one file. */

/** The element that `scripts/build-single.mjs` writes: a JSON object, base64 by name. */
const EMBEDDED = 'btfscope-samples';

/** The file `samples/NAME`. Rejects with a sentence when it cannot be had. */
export async function sampleFile(name: string): Promise<Blob> {
  const embedded = document.getElementById(EMBEDDED)?.textContent;
  if (embedded !== undefined && embedded !== null) return embeddedFile(embedded, name);
  const response = await fetch(`samples/${name}`);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.blob();
}

function embeddedFile(all: string, name: string): Blob {
  const text = (JSON.parse(all) as Readonly<Record<string, string>>)[name];
  if (text === undefined) throw new Error('this page does not carry it');
  return new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
}
