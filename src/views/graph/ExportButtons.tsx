import { ChevronDown, Copy, Download } from 'lucide-react';
import { useRef } from 'react';
import type { Scene } from '#analysis/graph/scene.ts';
import { drawnName } from '#bytes/text.ts';
import { graphDot, graphMermaid } from '#print/graph-dot.ts';
import { type GraphColours, graphSvg, MARGIN } from '#print/graph-svg.ts';
import { announceInView } from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { writeClipboard } from '#ui/CopyButton.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { saveFile } from '#views/parts/ExportMenu.tsx';
import { faceOf } from './graph-text.ts';
import { paintGraph } from './paint-graph.ts';
import { readColours } from './use-colours.ts';

/** Shows a button that saves the graph as SVG, and other formats. `name`: of the root, escaped. */
export function ExportButtons({ scene, name }: { readonly scene: Scene; readonly name: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const fileName = `${name.replace(/[^\w.-]+/g, '_').slice(0, 80) || 'graph'}.graph`;
  const colours = () => readColours(place.current ?? document.body);
  const svg = () => graphSvg(scene, faceOf, colours(), `Types around ${name}`);
  const texts = [
    { format: 'DOT', extension: 'dot', text: () => graphDot(scene) },
    { format: 'Mermaid', extension: 'mmd', text: () => graphMermaid(scene) },
  ];
  const save = (extension: string, content: string | Uint8Array) => {
    saveFile(`${fileName}.${extension}`, content);
    announceInView(`Saved ${drawnName(fileName)}.${extension}`);
  };
  const savePng = async () => {
    const bytes = await graphPng(scene, colours());
    if (bytes === null) announceInView('The browser could not draw an image of this size');
    else save('png', bytes);
  };
  const download = (format: string, extension: string, onSelect: () => void): MenuItem => {
    const icon = <Download size={14} aria-hidden />;
    return { id: `save-${extension}`, label: `Download ${format}`, icon, onSelect };
  };
  const downloads = [
    download('PNG', 'png', () => void savePng()),
    ...texts.map(({ format, extension, text }) =>
      download(format, extension, () => save(extension, text())),
    ),
  ];
  const copied = [{ format: 'SVG', extension: 'svg', text: svg }, ...texts];
  const copies: MenuItem[] = copied.map(({ format, extension, text }) => ({
    id: `copy-${extension}`,
    label: `Copy ${format}`,
    icon: <Copy size={14} aria-hidden />,
    onSelect: () => void copy(text(), format),
  }));
  return (
    <span ref={place} className="row gap-1">
      <Button icon={Download} aria-label="Download SVG" onClick={() => save('svg', svg())}>
        SVG
      </Button>
      <Menu
        align="end"
        groups={[downloads, copies]}
        trigger={<IconButton label="Export in other formats" icon={ChevronDown} />}
      />
    </span>
  );
}

async function copy(text: string, format: string): Promise<void> {
  const isCopied = await writeClipboard(text);
  announceInView(isCopied ? `Copied the graph as ${format}` : 'The browser blocked copying');
}

/** Maximum size of a canvas in browsers: pixels per side, and in total. */
const MAX_SIDE = 16_000;
const MAX_PIXELS = 120_000_000;

/** Returns how many pixels a unit of the graph has: two, or fewer for a large graph. */
export function pngScale(width: number, height: number): number {
  const bySide = MAX_SIDE / Math.max(width, height);
  const byArea = Math.sqrt(MAX_PIXELS / (width * height));
  return Math.min(2, bySide, byArea);
}

/** Returns the graph as the bytes of a PNG file; null if the browser cannot make it. */
async function graphPng(scene: Scene, colours: GraphColours): Promise<Uint8Array | null> {
  const { x, y, width, height } = scene.picture.bounds;
  const size = { width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const k = pngScale(size.width, size.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(size.width * k);
  canvas.height = Math.round(size.height * k);
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  paintGraph(context, {
    scene,
    camera: { k, x: (MARGIN - x) * k, y: (MARGIN - y) * k },
    size: { width: canvas.width, height: canvas.height },
    colours,
    boxes: Array.from({ length: scene.boxCount }, (_, i) => i),
    selected: null,
    focus: null,
  });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob === null ? null : new Uint8Array(await blob.arrayBuffer());
}
