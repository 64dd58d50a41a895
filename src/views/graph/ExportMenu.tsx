import { ChevronDown, Copy, Download } from 'lucide-react';
import { useRef } from 'react';
import type { Scene } from '#analysis/graph/scene.ts';
import { drawnName } from '#bytes/text.ts';
import { graphDot, graphMermaid } from '#print/graph-dot.ts';
import { graphSvg } from '#print/graph-svg.ts';
import { announce } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { saveFile } from '#views/parts/save-file.ts';
import { graphPng } from './graph-png.ts';
import { faceOf } from './graph-text.ts';
import { readColours } from './use-colours.ts';

type ExportMenuProps = {
  readonly scene: Scene;
  /** Of the root, as text that may be drawn. */
  readonly name: string;
};

/** The graph as it stands, as a picture or as text for other tools. */
export function ExportMenu({ scene, name }: ExportMenuProps) {
  const place = useRef<HTMLSpanElement>(null);
  const fileName = `${name.replace(/[^\w.-]+/g, '_').slice(0, 80) || 'graph'}.graph`;
  const svg = () =>
    graphSvg(scene, faceOf, readColours(place.current ?? document.body), `Types around ${name}`);
  const texts = [
    { format: 'SVG', extension: 'svg', text: svg },
    { format: 'DOT', extension: 'dot', text: () => graphDot(scene) },
    { format: 'Mermaid', extension: 'mmd', text: () => graphMermaid(scene) },
  ];
  const save = (extension: string, content: string | Uint8Array) => {
    saveFile(`${fileName}.${extension}`, content);
    announce(`Saved ${drawnName(fileName)}.${extension}`);
  };
  const savePng = async () => {
    const bytes = await graphPng(scene, readColours(place.current ?? document.body));
    if (bytes === null) announce('The browser could not make a picture of this size');
    else save('png', bytes);
  };
  const downloads: MenuItem[] = texts.map(({ format, extension, text }) => ({
    id: `save-${extension}`,
    label: `Download ${format}`,
    icon: <Download size={14} aria-hidden />,
    onSelect: () => save(extension, text()),
  }));
  downloads.splice(1, 0, {
    id: 'save-png',
    label: 'Download PNG',
    icon: <Download size={14} aria-hidden />,
    onSelect: () => void savePng(),
  });
  const copies: MenuItem[] = texts.map(({ format, extension, text }) => ({
    id: `copy-${extension}`,
    label: `Copy ${format}`,
    icon: <Copy size={14} aria-hidden />,
    onSelect: () => void copy(text(), format),
  }));
  return (
    <span ref={place}>
      <Menu
        align="end"
        groups={[downloads, copies]}
        trigger={
          <Button>
            Export
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
      />
    </span>
  );
}

/** A page that is not served securely has no clipboard at all: that is a refusal too. */
async function copy(text: string, format: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied the graph as ${format}`);
  } catch {
    announce('The browser refused to copy');
  }
}
