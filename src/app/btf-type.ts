/**
 * Defines the element `<btf-type>` for other pages (docs/embed.md), which shows a link to btfscope
 * as a frame as tall as its content. The script is a classic one, since a module needs a CORS
 * header. The frame has another origin: neither page can read the other. The only message that the
 * element accepts is a height from its own frame.
 */

/** Maximum height of the frame in CSS pixels; taller content scrolls. */
const MAX_HEIGHT = 20_000;

const STYLE = `
:host { display: block }
:host([hidden]) { display: none }
iframe { box-sizing: border-box; width: 100%; height: 480px; border: 1px solid #8884; border-radius: 8px; display: block }
iframe:not(.ready) { position: absolute; width: 1px; height: 1px; visibility: hidden }
.ready + slot { display: none }`;

/** Sandbox permissions that the buttons inside of the frame need. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads';

/** Returns the address for a frame; null for `javascript:` and all other schemes but HTTP. */
function frameAddress(link: HTMLAnchorElement, theme: string | null): string | null {
  if (!/^https?:$/.test(link.protocol)) return null;
  const embed = theme === 'light' || theme === 'dark' ? theme : '1';
  const [view = '', query = ''] = link.hash.split('?');
  const others = query.split('&').filter((param) => !param.startsWith('embed='));
  return `${link.href.split('#')[0]}${view}?${[`embed=${embed}`, ...others].join('&')}`;
}

function defineElement(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);

  class BtfType extends HTMLElement {
    static readonly observedAttributes = ['theme'];
    readonly #slot = document.createElement('slot');
    readonly #root = this.attachShadow({ mode: 'open' });
    #frame: HTMLIFrameElement | null = null;

    constructor() {
      super();
      this.#root.adoptedStyleSheets = [sheet];
      this.#root.append(this.#slot);
      // The link inside of the element may be parsed after the element is connected.
      this.#slot.addEventListener('slotchange', () => this.#show());
    }

    connectedCallback(): void {
      window.addEventListener('message', this);
    }

    disconnectedCallback(): void {
      window.removeEventListener('message', this);
    }

    attributeChangedCallback(): void {
      this.#show();
    }

    handleEvent({ source, origin, data }: MessageEvent<unknown>): void {
      const frame = this.#frame;
      if (frame === null || source !== frame.contentWindow) return;
      if (origin !== new URL(frame.src).origin) return;
      const { type, height } = Object(data) as Readonly<Record<'type' | 'height', unknown>>;
      if (type === 'btfscope:ready') {
        // The link stays visible until the framed page reports its height.
        frame.title = this.textContent.trim();
        frame.className = 'ready';
      }
      if (type === 'btfscope:size' && typeof height === 'number' && height > 0) {
        // Add 2 pixels for the border of the frame.
        frame.style.height = `${Math.min(Math.ceil(height), MAX_HEIGHT) + 2}px`;
      }
    }

    /** Makes a new frame per link and theme: changing a frame's address adds a history entry. */
    #show(): void {
      const link = this.querySelector('a');
      const address = link && frameAddress(link, this.getAttribute('theme'));
      if (address === null || address === this.#frame?.src) return;
      const frame = document.createElement('iframe');
      frame.part.add('frame');
      frame.sandbox.value = SANDBOX;
      frame.allow = 'clipboard-write';
      frame.referrerPolicy = 'no-referrer';
      frame.src = address;
      this.#frame?.remove();
      this.#frame = frame;
      this.#root.prepend(frame);
    }
  }
  customElements.define('btf-type', BtfType);
}

// A page may include this script twice; an element can be defined only once.
if (customElements.get('btf-type') === undefined) defineElement();
